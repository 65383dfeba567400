package journal

import (
	"fmt"
	"time"
)

// Notice is what the operator and the arbiter have to know of the journal itself.
type Notice struct {
	Kind   NoticeKind
	Err    error         // Degraded: what the disk said; nil when it only does not answer
	For    time.Duration // Degraded: how long nothing was written; Recovered: how long it lasted
	Facts  int           // Degraded: waiting; Recovered: written late; TailCut: taken off, as far as they can be read
	Damage *Damage       // Damaged
}

// NoticeKind is the kind of a Notice.
type NoticeKind uint8

// The notices. Degraded and Recovered take turns, one each.
const (
	// NoticeDegraded: the disk takes nothing; facts wait in memory and nobody outside may
	// hear of them.
	NoticeDegraded NoticeKind = iota + 1
	// NoticeRecovered: everything is durable again.
	NoticeRecovered
	// NoticeTailCut: a write that was under way when the machine stopped was taken off. Nobody
	// had been told of it.
	NoticeTailCut
	// NoticeDamaged: the file was damaged and another one has taken its place.
	NoticeDamaged
)

// String is for people.
func (n Notice) String() string {
	switch n.Kind {
	case NoticeDegraded:
		if n.Err == nil {
			return fmt.Sprintf("the journal's disk has not answered for %s; %d facts wait in memory", n.For, n.Facts)
		}
		return fmt.Sprintf("the journal's disk takes nothing (%v); %d facts wait in memory", n.Err, n.Facts)
	case NoticeRecovered:
		return fmt.Sprintf("the journal's disk writes again after %s; %d facts were written late", n.For, n.Facts)
	case NoticeTailCut:
		return fmt.Sprintf("a write that was cut when boardd last stopped was taken off the journal (%d facts, never told to anybody)", n.Facts)
	case NoticeDamaged:
		return n.Damage.String()
	}
	return fmt.Sprintf("notice %d", n.Kind)
}
