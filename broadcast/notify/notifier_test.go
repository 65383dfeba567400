package notify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// fake is a Sender that notes what it is sent, and when.
type fake struct {
	mu    sync.Mutex
	begun time.Time
	texts []string
	at    []time.Duration
	fail  func(n int) error // nil: none fails
	block bool              // until the context ends
}

func newFake() *fake { return &fake{begun: time.Now()} }

func (f *fake) Send(ctx context.Context, title string, m Message) error {
	f.mu.Lock()
	n := len(f.texts)
	f.texts, f.at = append(f.texts, m.Text()), append(f.at, time.Since(f.begun))
	f.mu.Unlock()
	if f.block {
		<-ctx.Done()
		return ctx.Err()
	}
	if f.fail != nil {
		return f.fail(n)
	}
	return nil
}

func (f *fake) sent() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.at)
}

func start(t *testing.T, log zerolog.Logger, targets ...Target) (*Notifier, func()) {
	n := New(Options{Title: "Club championship", Targets: targets, Log: log})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := n.Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return n, func() { cancel(); running.Wait() }
}

func alert(table int, code string) broadcast.Change {
	return broadcast.Change{Type: broadcast.TypeAlert, Board: table, Code: code, Detail: "what happened"}
}

func TestNotifierTellsAndTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, log := newFake(), &strings.Builder{}
		f.fail = func(n int) error {
			if n < 3 {
				return errors.New("no route")
			}
			return nil
		}
		n, stop := start(t, zerolog.New(log), Target{Name: "phone", For: Arbiters, Every: time.Second, Sender: f})
		n.Take(alert(1, "clock.flag"))
		time.Sleep(time.Hour / 2) // of synctest's clock
		stop()
		want := []time.Duration{time.Second, 3 * time.Second, 7 * time.Second, 15 * time.Second}
		if !slices.Equal(f.at, want) {
			t.Errorf("sent at %v, want %v", f.at, want)
		}
		if got := strings.Count(log.String(), `"level":"error"`); got != 1 || !strings.Contains(log.String(), "is notified again") {
			t.Errorf("the log tells %d times of the failure, want once, and of the end:\n%s", got, log)
		}
	})
}

func TestATargetThatHangsDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs, works := newFake(), newFake()
		hangs.block = true
		n, stop := start(t, zerolog.Nop(), Target{Name: "a", For: Arbiters, Sender: hangs}, Target{Name: "b", For: Arbiters, Sender: works})
		begun := time.Now()
		for i := range 100_000 { // many more than the input holds
			n.Take(alert(1+i%64, "clock.flag"))
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("Take waited %s", took)
		}
		time.Sleep(25 * time.Second)
		n.Take(alert(1, "move.illegal"))
		time.Sleep(25 * time.Second)
		if got, want := works.sent(), []time.Duration{time.Second, 26 * time.Second}; !slices.Equal(got, want) {
			t.Errorf("the other target was told at %v, want %v", got, want)
		}
		before := time.Now()
		stop()
		if took := time.Since(before); took > lastWait {
			t.Errorf("stopping took %s, want at most %s", took, lastWait)
		}
	})
}

func TestWhatWaitsIsSentAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		n, stop := start(t, zerolog.Nop(), Target{Name: "a", Sender: f})
		n.Take(alert(0, "system.tape"))
		stop()
		if len(f.texts) != 1 || !strings.Contains(f.texts[0], "system.tape") {
			t.Errorf("sent %q", f.texts)
		}
	})
}

func TestNoteIDsAreTheSameInEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ids []string
		s := senderFunc(func(m Message) error {
			for _, n := range m.Notes {
				ids = append(ids, n.ID)
			}
			if len(ids) == 1 {
				return errors.New("no answer")
			}
			return nil
		})
		n, stop := start(t, zerolog.Nop(), Target{Name: "a", For: Arbiters, Sender: s})
		n.Take(alert(1, "clock.flag"))
		time.Sleep(5 * time.Second)
		n.Take(alert(2, "clock.flag"))
		time.Sleep(time.Minute)
		stop()
		if len(ids) != 3 || ids[0] != ids[1] || ids[1] == ids[2] || ids[0] == "" {
			t.Errorf("ids %q, want the first twice, then another", ids)
		}
	})
}

type senderFunc func(Message) error

func (f senderFunc) Send(_ context.Context, _ string, m Message) error { return f(m) }
