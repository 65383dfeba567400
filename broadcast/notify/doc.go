// Package notify tells people who do not look at the screen what the boards and the daemon raise: alerts, steps of
// claims, boards that are lost. A [Notifier] has a queue for each [Target]; a queue is a step function that is handed
// the time, and one goroutine owns all of them. Sending is by a signed HTTP request ([Webhook]) or by the services
// that shoutrrr knows ([Service]).
//
// Nothing here delays play: [Notifier.Take] never waits. Addresses hold secrets: no error, log or text of this
// package names more of one than its scheme and the host.
package notify
