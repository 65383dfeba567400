// Package journal keeps the record of a venue: an append-only, ordered list of
// facts in one SQLite file. Nothing that it has called durable is lost by a kill
// or a power cut, and anybody can ask it questions with sqlite3 (docs/journal.md).
//
// In use: [Open] the file, [Journal.Append] what happened, and tell nobody outside
// before Done was called for it. One goroutine writes; facts that come close
// together share a commit, and a commit is a sync of the disk (WAL, synchronous=FULL).
// While the disk takes nothing (full, read-only, stalled), facts wait in memory in
// order, one notice says so, and one says when it is over.
//
// After a crash: what was durable is there, in order, without a hole; of what was
// not, a beginning may be there. A write that a power cut tore is cut off. A file
// that is damaged otherwise is set aside whole, every row that still carries its
// checksum goes to a new file, and the journal goes on there: see [Damage].
//
// What bites: Done runs in the writer's goroutine and must not wait. Wall time may
// jump by years, so order is by Seq and nothing else. The file must not be opened by
// this process other than through this package (POSIX locks).
package journal
