package notify

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"boardd/broadcast"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return noon.Add(d) }

func raised(table int, code string) Note {
	return Note{At: noon, Table: table, Code: code, Text: "what happened"}
}

func cleared(table int, code string) Note {
	return Note{At: noon, Table: table, Code: code, Cleared: true}
}

// mustSend is the text of the message that has to be due.
func mustSend(t *testing.T, q *queue, now time.Time) string {
	t.Helper()
	m, is := q.next(now)
	if !is {
		t.Fatalf("nothing to send at %s", now.Sub(noon))
	}
	return m.Text()
}

func mustNotSend(t *testing.T, q *queue, now time.Time) {
	t.Helper()
	if m, is := q.next(now); is {
		t.Fatalf("at %s: got %q, want nothing", now.Sub(noon), m.Text())
	}
}

func TestWhoIsToldOfWhat(t *testing.T) {
	for _, tt := range []struct {
		target Target
		note   Note
		want   bool
	}{
		{Target{For: Arbiters}, raised(3, "move.illegal"), true},
		{Target{For: Arbiters}, raised(3, "claim.opened"), true},
		{Target{For: Arbiters}, raised(0, "system.tape"), true},
		{Target{For: Operator}, raised(3, "move.illegal"), false},
		{Target{For: Operator}, raised(3, "claim.opened"), false},
		{Target{For: Operator}, raised(3, "clock.flag"), false},
		{Target{For: Operator}, raised(3, "board.position_mismatch"), false},
		{Target{For: Operator}, raised(3, "a.new_code"), false}, // what nobody has thought of is for arbiters
		{Target{}, raised(3, "claim.opened"), false},            // and so is a target of which nobody said it
		{Target{Alerts: []string{"*"}}, raised(3, "claim.opened"), false},
		{Target{}, raised(3, "board.lost"), true},
		{Target{}, raised(0, "system.journal"), true},
		{Target{}, raised(0, "usb.hub_lost"), true},
		{Target{For: Arbiters, Alerts: []string{"clock.*"}}, raised(3, "clock.flag"), true},
		{Target{For: Arbiters, Alerts: []string{"clock.*"}}, raised(3, "move.illegal"), false},
		{Target{For: Arbiters, Except: []string{"press.*"}}, raised(3, "press.no_move"), false},
		{Target{For: Arbiters, Alerts: []string{"clock.*"}, Except: []string{"clock.period"}}, raised(3, "clock.period"), false},
		{Target{For: Arbiters, Tables: []int{1, 3}}, raised(3, "clock.flag"), true},
		{Target{For: Arbiters, Tables: []int{1, 3}}, raised(2, "clock.flag"), false},
		{Target{For: Arbiters, Tables: []int{1, 3}}, raised(0, "system.tape"), true}, // of the whole hall
	} {
		q := newQueue(tt.target)
		q.take(tt.note, noon)
		if _, got := q.due(); got != tt.want {
			t.Errorf("%+v, table %d, %s: told %v, want %v", tt.target, tt.note.Table, tt.note.Code, got, tt.want)
		}
	}
}

func TestABurstIsOneMessage(t *testing.T) {
	q := newQueue(Target{For: Arbiters})
	for n := 1; n <= 17; n++ {
		q.take(raised(n, "board.lost"), after(time.Duration(n)*10*time.Millisecond))
	}
	mustNotSend(t, q, after(900*time.Millisecond))
	want := ""
	for n := 1; n <= 5; n++ {
		want += fmt.Sprintf("12:00:00 table %d: board.lost: what happened\n", n)
	}
	if got := mustSend(t, q, after(1010*time.Millisecond)); got != want+"and 12 more" {
		t.Errorf("got %q, want %q", got, want+"and 12 more")
	}
}

func TestNoTwoMessagesWithinEvery(t *testing.T) {
	q := newQueue(Target{For: Arbiters, Every: 30 * time.Second})
	q.take(raised(1, "clock.flag"), noon)
	mustSend(t, q, after(time.Second))
	q.take(raised(2, "clock.flag"), after(2*time.Second))
	mustNotSend(t, q, after(3*time.Second)) // the first is on its way
	q.done(after(4*time.Second), false, 0)
	mustNotSend(t, q, after(33*time.Second))
	if got, want := mustSend(t, q, after(34*time.Second)), "12:00:00 table 2: clock.flag: what happened"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAFailedMessageIsTriedLaterAndLater(t *testing.T) {
	q := newQueue(Target{For: Arbiters, Every: time.Second})
	q.take(raised(1, "clock.flag"), noon)
	at := after(time.Second)
	for i, want := range []time.Duration{2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
		mustSend(t, q, at)
		q.done(at, true, 0)
		next, _ := q.due()
		if got := next.Sub(at); got != want*time.Second {
			t.Errorf("after failure %d: wait %s, want %s", i+1, got, want*time.Second)
		}
		at = next
	}
	q.take(raised(2, "clock.flag"), at)
	if got, want := mustSend(t, q, at), "12:00:00 table 1: clock.flag: what happened\n12:00:00 table 2: clock.flag: what happened"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	q.done(at, true, 10*time.Minute) // the other side knows better
	if next, _ := q.due(); next.Sub(at) != 10*time.Minute {
		t.Errorf("asked to wait 10 min: wait %s", next.Sub(at))
	}
	mustNotSend(t, q, after(time.Hour+time.Second))
	if q.stale != 2 {
		t.Errorf("%d notes given up after an hour, want 2", q.stale)
	}
}

func TestAClearingIsToldWhenItsRaisingWas(t *testing.T) {
	const code = "clock.stopped"
	t.Run("told", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters})
		q.take(raised(1, code), noon)
		mustSend(t, q, after(time.Second))
		q.done(after(time.Second), false, 0)
		q.take(cleared(1, code), after(20*time.Second))
		if got, want := mustSend(t, q, after(21*time.Second)), "12:00:00 table 1: clock.stopped is over"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		q.done(after(21*time.Second), false, 0)
		q.take(cleared(1, code), after(40*time.Second))
		mustNotSend(t, q, after(time.Minute))
	})
	t.Run("on its way", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters})
		q.take(raised(1, code), noon)
		mustSend(t, q, after(time.Second))
		q.take(cleared(1, code), after(time.Second))
		q.take(cleared(1, code), after(time.Second))
		q.done(after(2*time.Second), false, 0)
		if got, want := mustSend(t, q, after(time.Minute)), "12:00:00 table 1: clock.stopped is over"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("tried, and perhaps arrived", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters})
		q.take(raised(1, code), noon)
		mustSend(t, q, after(time.Second))
		q.done(after(2*time.Second), true, 0)
		q.take(cleared(1, code), after(3*time.Second))
		if got, want := mustSend(t, q, after(time.Minute)), "12:00:00 table 1: clock.stopped: what happened\n12:00:00 table 1: clock.stopped is over"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("nobody was told", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters})
		q.take(raised(1, code), noon)
		q.take(cleared(1, code), noon)
		q.take(cleared(2, code), noon)
		mustNotSend(t, q, after(time.Minute))
	})
	t.Run("only counted", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters, Lines: 1})
		q.take(raised(1, code), noon)
		q.take(raised(2, code), noon)
		mustSend(t, q, after(time.Second))
		q.done(after(time.Second), false, 0)
		q.take(cleared(2, code), after(20*time.Second))
		mustNotSend(t, q, after(time.Minute))
	})
	t.Run("of the other player", func(t *testing.T) {
		q := newQueue(Target{For: Arbiters})
		white, black := raised(1, "clock.flag"), cleared(1, "clock.flag")
		white.mark, black.mark = "w", "b"
		q.take(white, noon)
		mustSend(t, q, after(time.Second))
		q.done(after(time.Second), false, 0)
		q.take(black, after(20*time.Second))
		mustNotSend(t, q, after(time.Minute))
	})
}

// Whatever comes: the queue is bounded, messages keep their distance, and what a reader saw raised and is over by the
// facts is over for him too in the end, and nothing else is.
func TestReaderKnowsWhatStands(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		q := newQueue(Target{For: Arbiters, Lines: queueMax})
		now, facts, known := noon, map[key]bool{}, map[key]bool{}
		last := now.Add(-time.Hour)
		step := func(mayFail bool) {
			m, is := q.next(now)
			if !is {
				return
			}
			if now.Sub(last) < q.target.Every {
				t.Fatalf("seed %d: messages %s apart", seed, now.Sub(last))
			}
			if len(m.Notes) > queueMax || m.More > 0 {
				t.Fatalf("seed %d: %d notes and %d more", seed, len(m.Notes), m.More)
			}
			failed := mayFail && r.IntN(2) == 0
			if !failed || r.IntN(2) == 0 { // a failed one may have arrived
				for _, n := range m.Notes {
					known[n.key()] = !n.Cleared
				}
			}
			last = now
			q.done(now, failed, 0)
		}
		for range 60 {
			k := key{table: 1 + r.IntN(3), code: "clock.stopped"}
			if facts[k] = !facts[k]; facts[k] {
				q.take(Note{At: now, Table: k.table, Code: k.code}, now)
			} else {
				q.take(Note{At: now, Table: k.table, Code: k.code, Cleared: true}, now)
			}
			now = now.Add(time.Duration(r.IntN(8000)) * time.Millisecond)
			step(true)
		}
		for range 10 {
			now = now.Add(retryLast)
			step(false)
		}
		for k, stands := range facts {
			if known[k] != stands {
				t.Fatalf("seed %d: table %d: stands %v, and the reader believes %v", seed, k.table, stands, known[k])
			}
		}
	}
}

func TestAFullQueueCounts(t *testing.T) {
	q := newQueue(Target{For: Arbiters})
	for n := range 1000 {
		q.take(raised(n+1, "clock.flag"), noon)
	}
	if len(q.waiting) != queueMax {
		t.Fatalf("%d notes wait, want %d", len(q.waiting), queueMax)
	}
	m, _ := q.next(after(time.Second))
	if len(m.Notes) != 5 || m.More != 995 {
		t.Errorf("%d notes and %d more, want 5 and 995", len(m.Notes), m.More)
	}
	q.done(after(time.Second), true, 0)
	if m, _ = q.next(after(time.Minute)); len(m.Notes) != 5 || m.More != 995 {
		t.Errorf("again: %d notes and %d more, want 5 and 995", len(m.Notes), m.More)
	}
}

func TestWhatChangesTell(t *testing.T) {
	for _, tt := range []struct {
		change broadcast.Change
		want   string // "" for nothing
	}{
		{broadcast.Change{Type: broadcast.TypeAlert, Board: 3, Ply: 24, Code: "move.illegal", Detail: "Ke1-e3"}, "12:00:00 table 3: move.illegal: Ke1-e3 (move 12)"},
		{broadcast.Change{Type: broadcast.TypeAlert, Board: 3, Ply: 25, Code: "clock.flag", Detail: "w", Text: "White's flag\nfell"}, "12:00:00 table 3: clock.flag: White's flag fell (move 13)"},
		{broadcast.Change{Type: broadcast.TypeAlert, Code: "system.journal", Detail: "the disk is full"}, "12:00:00 system.journal: the disk is full"},
		{broadcast.Change{Type: broadcast.TypeClaim, Board: 3, Code: "opened", Detail: "White claims a draw"}, "12:00:00 table 3: claim.opened: White claims a draw"},
		{broadcast.Change{Type: broadcast.TypeStatus, Board: 3, Status: broadcast.LinkLost}, "12:00:00 table 3: board.lost"},
		{broadcast.Change{Type: broadcast.TypeStatus, Board: 3, Status: broadcast.LinkBack}, "12:00:00 table 3: board.lost is over"},
		{broadcast.Change{Type: broadcast.TypeStatus, Board: 3, Status: broadcast.LinkLive}, ""},
		{broadcast.Change{Type: broadcast.TypeMove, Board: 3, SAN: "e4"}, ""},
		{broadcast.Change{Type: broadcast.TypeAlert, Board: 3, Code: "move.illegal", Again: true}, ""},
	} {
		got := ""
		if n, is := noteOf(tt.change, noon); is {
			got = n.Line()
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.change, got, tt.want)
		}
	}
}

func TestOperatorsAreNotToldHowFarAGameIs(t *testing.T) {
	q := newQueue(Target{})
	n := raised(3, "clock.battery_low")
	n.Ply = 40
	q.take(n, noon)
	m, _ := q.next(after(time.Second))
	if m.Notes[0].Ply != 0 {
		t.Errorf("ply %d is told", m.Notes[0].Ply)
	}
}
