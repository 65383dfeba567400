package livechess

import (
	"fmt"
	"testing"
)

// What does not fit is the newest of each board, after all that came before.
func TestInboxIsBounded(t *testing.T) {
	b := newInbox()
	for i := range 3 * inboxMax {
		b.put(Seat{Serial: fmt.Sprint(i % 2), Table: i, Whole: i == inboxMax})
	}
	got := b.take()
	if len(got) != inboxMax+2 {
		t.Fatalf("%d sightings, want %d", len(got), inboxMax+2)
	}
	for i, s := range got[:inboxMax] {
		if s.Table != i {
			t.Fatalf("sighting %d is number %d", i, s.Table)
		}
	}
	if a, z := got[inboxMax], got[inboxMax+1]; a.Table != 3*inboxMax-2 || z.Table != 3*inboxMax-1 || !a.Whole || z.Whole {
		t.Errorf("the newest are %+v and %+v", a, z)
	}
	if rest := b.take(); len(rest) != 0 {
		t.Errorf("%d are left", len(rest))
	}
}
