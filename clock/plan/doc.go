// Package plan runs a clock in remote mode by a time control: it puts the start
// times on it, adds what each press earns, begins periods, and carries out an
// arbiter's orders. The device itself only counts down and changes sides with its
// lever (protocol sheet 5.2).
//
// The reference is a [clock.Count], exact to the nanosecond; the display follows it.
// A command carries whole seconds, so it is sent when that costs nobody anything:
//
//   - The face that stands is set to the second it would display, rounded up.
//   - The face that runs is set at the moment the reference crosses a whole second,
//     at most a second after the press. Display and reference are in phase then.
//   - When the opponent has replied before that moment, what is owed waits for his
//     opponent's next whole second, but never longer than a second: then the running
//     face is rounded up too, and set right by the next command.
//
// So the device shows less than a second more than the reference, never less, and a
// command never adds to an error, because its values come from the reference alone.
// A control that owes nothing at a press costs no command: the clock runs by itself.
//
// The reference has a press at the time its message came. A lag of the clock's path
// that is always the same cancels out. Where it varies, each press carries the
// difference from one player to the other, and readings in whole seconds cannot tell
// it from thinking: over n presses the error grows like a random walk, with the
// spread of the lag times the root of n.
//
// Nothing ever sets a running clock but an owed time or an order.
//
// The package is pure: time is an argument.
package plan
