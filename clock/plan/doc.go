// Package plan runs a clock in remote mode by a time control: it puts the start
// times on it, adds what each press earns, begins periods, and carries out an
// arbiter's orders. The device itself only counts down and changes sides with its
// lever (protocol sheet 5.2).
//
// The reference is a [clock.Count], exact to the nanosecond; the display follows it.
// A command carries whole seconds, so it is sent when that costs nobody anything:
//
//   - The face that stands is set to the second it would display, rounded up.
//   - The face that runs is set when the reference crosses a whole second, if that is
//     within half a second; then both are in phase. Else it is set at once, rounded up.
//
// So a running device has at most half a second more than the reference, never less,
// and a command adds to no error, because its values come from the reference alone.
// A control that owes nothing at a press costs no command: the clock runs by itself.
//
// The reference has a press at the time its message came. The lag of the clock's path
// is measured, and reckoned with where a face is set. Where it varies, each press carries the
// difference from one player to the other, and readings in whole seconds cannot tell
// it from thinking: over n presses the error grows like a random walk, with the
// spread of the lag times the root of n.
//
// Nothing ever sets a running clock but an owed time or an order.
//
// The package is pure: time is an argument.
package plan
