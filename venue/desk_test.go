package venue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/journal"
	"boardd/rules"
)

// script is a pipeline that does what it is told in the bytes it receives.
type script struct {
	start   rules.Position
	heard   []string
	passed  []time.Duration
	changes []broadcast.Change

	arrayShown bool
}

func (s *script) Play(e tape.Event) error {
	switch word := string(e.Data); {
	case e.Kind == tape.Order && e.Text == "nonsense":
		return fmt.Errorf("%w: nonsense", ErrOrder)
	case word == "panic":
		panic("fault for a test")
	case strings.HasPrefix(word, "change "):
		s.changes = append(s.changes, changesByName[strings.TrimPrefix(word, "change ")])
	case word == "array":
		s.arrayShown = true
	case word == "tick":
		s.changes = append(s.changes, broadcast.Change{Type: broadcast.TypeClock, WhiteMS: broadcast.MS(time.Minute), BlackMS: broadcast.MS(2 * time.Minute), Running: broadcast.RunningBlack})
	}
	s.heard = append(s.heard, fmt.Sprintf("%d%c%s%s", e.At.Milliseconds(), e.Kind, e.Data, e.Text))
	return nil
}

func (s *script) pass(to time.Duration) { s.passed = append(s.passed, to) }
func (s *script) take() []broadcast.Change {
	c := s.changes
	s.changes = nil
	return c
}

func (s *script) commands() []Command    { return nil }
func (s *script) facts() []journal.Fact  { return nil }
func (s *script) seen() ([]byte, string) { return nil, "" }
func (s *script) array() (string, bool)  { return rules.StartFEN, s.arrayShown }

const afterE4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

var changesByName = map[string]broadcast.Change{
	"e4":     {Type: broadcast.TypeMove, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: afterE4},
	"reply":  {Type: broadcast.TypeMove, Ply: 1, SAN: "e5", UCI: "e7e5", FEN: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
	"back":   {Type: broadcast.TypeRetract, Ply: 1, FEN: rules.StartFEN},
	"result": {Type: broadcast.TypeResult, Result: "1-0"},
	"game":   {Type: broadcast.TypeGame, FEN: rules.StartFEN},
}

// bench is a desk to be tested in synctest's time.
type bench struct {
	*desk
	t     *testing.T
	begun time.Time
	log   bytes.Buffer
	disk  disk
	asked int

	openings []opening // of tapes

	mu    sync.Mutex
	shown []broadcast.Change
	pipes []*script
}

func newBench(t *testing.T, c TableConfig) *bench {
	b := &bench{t: t, begun: time.Now()}
	c.Number = 4
	b.desk = &desk{
		number: 4, config: c, event: EventConfig{Name: "Open"}, log: zerolog.New(&b.log), inbox: newInbox(), pace: 1,
		now:  func() time.Duration { return time.Since(b.begun) },
		wall: func() time.Time { return time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC) },
		publish: func(c broadcast.Change) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.shown = append(b.shown, c)
		},
		ask: func() { b.asked++ },
		open: func(o TableOptions) (pipeline, error) {
			s := &script{start: rules.Start()}
			if o.Start != nil {
				s.start = *o.Start
			}
			b.pipes = append(b.pipes, s)
			return s, nil
		},
		record: func(o opening) *recorder {
			b.openings = append(b.openings, o)
			return newRecorder(nil, nil, "disk.tape", func() (io.WriteCloser, string, error) { return &b.disk, "disk.tape", nil }, o.after)
		},
	}
	go b.run()
	return b
}

// send gives the desk bytes, or "@order".
func (b *bench) send(word string) {
	e := tape.Event{At: b.now(), Kind: tape.Received, Data: []byte(word)}
	b.inbox.put(note{Event: e})
	synctest.Wait()
}

func (b *bench) do(f func(*desk)) {
	b.inbox.put(note{do: f})
	synctest.Wait()
}

func (b *bench) end() {
	b.inbox.close()
	synctest.Wait()
}

// lines are the changes in short.
func (b *bench) lines() (lines []string) {
	for _, c := range b.shown {
		if c.Board != 4 {
			b.t.Errorf("a change of board %d", c.Board)
		}
		line := c.Type
		switch c.Type {
		case broadcast.TypeMove:
			line += fmt.Sprintf(" %d %s", c.Ply, c.SAN)
		case broadcast.TypeStatus:
			line += " " + c.Status
		case broadcast.TypeGame, broadcast.TypeTags:
			line += " " + c.Tags["White"] + "-" + c.Tags["Black"]
		case broadcast.TypeClock:
			line += fmt.Sprintf(" %d %d %s", *c.WhiteMS, *c.BlackMS, c.Running)
		}
		lines = append(lines, line)
	}
	return lines
}

func (b *bench) expect(want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.lines()); diff != "" {
		b.t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestDeskShowsGameAndLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{White: "Novak", Black: "Young"})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.send("change e4")
		b.inbox.put(note{Event: tape.Event{At: b.now(), Kind: tape.Link, Text: tape.LinkDown}, text: "unplugged"})
		b.inbox.put(note{Event: tape.Event{At: b.now(), Kind: tape.Link, Text: tape.LinkDown}}) // again: no news
		b.do(func(d *desk) { d.seat(d.now(), "12345", "", "") })
		b.send("tick")
		b.send("tick")
		b.send("change result")
		b.send("tick")
		b.end()
		b.expect("game Novak-Young", "status live", "move 1 e4", "status lost", "status back",
			"clock 60000 120000 black", "clock 60000 120000 black", "result", "clock 60000 120000 black")
		want := map[string]string{"Event": "Open", "Board": "4", "Date": "2026.11.30", "White": "Novak", "Black": "Young"}
		if diff := cmp.Diff(want, b.shown[0].Tags); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
		if got := b.disk.String(); !strings.HasSuffix(got, "0 ! down\n0 ! up\n0 < 7469636b\n0 < 7469636b\n0 < 6368616e676520726573756c74\n0 < 7469636b\n0 @ end\n") {
			t.Errorf("tape:\n%s", got)
		}
	})
}

func TestDeskAnnouncesNextGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{White: "Novak", Black: "Young"})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.do(func(d *desk) { d.announce(map[string]string{"White": "Kim"}) }) // nothing played yet
		b.send("change e4")
		b.send("change result")
		b.do(func(d *desk) { d.announce(map[string]string{"White": "Lee", "Black": "Roy"}) }) // not of the finished one
		b.send("change game")
		b.end()
		b.expect("game Novak-Young", "status live", "tags Kim-Young", "move 1 e4", "result", "game Lee-Roy")
	})
}

// A fault in one table's pipeline costs that table a second, and its game goes on.
func TestDeskContainsPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{White: "Novak"})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.send("change e4")
		b.send("panic")
		b.send("change reply") // the table rests: on the tape only
		time.Sleep(restMin + beat)
		synctest.Wait()
		if b.asked != 1 {
			t.Errorf("the board was asked for its position %d times, want 1", b.asked)
		}
		b.send("change reply")
		b.end()
		b.expect("game Novak-", "status live", "move 1 e4", "move 2 e5")
		if got := b.pipes[len(b.pipes)-1].start.FEN(); got != afterE4 {
			t.Errorf("the new pipeline starts from %s, want %s", got, afterE4)
		}
		if log := b.log.String(); strings.Count(log, "fault for a test") != 1 || !strings.Contains(log, "event 2") {
			t.Errorf("log:\n%s", log)
		}
		if got := strings.Count(b.disk.String(), " < "); got != 4 {
			t.Errorf("%d events on the tape, want 4:\n%s", got, b.disk.String())
		}
	})
}

func TestDeskRestsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		var rests []time.Duration
		for range 8 {
			b.send("panic")
			rests = append(rests, b.restart.rest)
			time.Sleep(restMax + beat)
			synctest.Wait()
		}
		b.end()
		want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60}
		for i := range want {
			want[i] *= time.Second
		}
		if diff := cmp.Diff(want, rests); diff != "" {
			t.Errorf("rests (-want +got):\n%s", diff)
		}
	})
}

// The tape holds what the pipeline was told, and beats fall where a replay has them.
func TestDeskBeatsAsReplayDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		time.Sleep(20 * time.Millisecond)
		b.do(func(d *desk) { d.seat(d.now(), "12345", "", "") })
		b.send("a")
		time.Sleep(335 * time.Millisecond)
		b.send("b")
		b.inbox.put(note{Event: tape.Event{At: 10 * time.Millisecond, Kind: tape.Received, Data: []byte("late")}})
		time.Sleep(idle + 10*beat)
		synctest.Wait()
		pipe := b.pipes[0]
		last := pipe.passed[len(pipe.passed)-1]
		b.send("c")
		b.end()
		end := func(what string) string {
			return fmt.Sprint((355*time.Millisecond + idle + 10*beat).Milliseconds(), what)
		}
		if diff := cmp.Diff([]string{"20<a", "355<b", "355<late", end("<c"), end("@end")}, pipe.heard); diff != "" {
			t.Errorf("heard (-want +got):\n%s", diff)
		}
		var want []time.Duration
		for i := range 4 {
			want = append(want, (20*time.Millisecond).Truncate(beat)+time.Duration(i+1)*beat+beatLag)
		}
		if got := pipe.passed[:4]; !cmp.Equal(got, want) {
			t.Errorf("beats up to %v, want %v", got, want)
		}
		// A replay's last beat is the last below 355 ms + idle.
		if want := (355*time.Millisecond + idle).Truncate(beat) + beatLag; last != want {
			t.Errorf("the last beat is up to %v, want %v", last, want)
		}
	})
}

// Each game is on a tape of its own, which begins when the men are set up again or a new game
// is ordered, once, and not when a move is taken back.
func TestDeskBeginsTapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{White: "Novak"})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.do(func(d *desk) { d.order("tc 5+3") })
		b.send("array")
		b.send("change e4")
		b.send("change back")
		b.send("change e4")
		if len(b.openings) != 1 {
			t.Errorf("%d tapes for a game in progress, want 1", len(b.openings))
		}
		b.send("change result") // the array has been there all the time
		b.send("tick")
		b.send("change result") // a correction
		if len(b.openings) != 2 || b.openings[1].fen != rules.StartFEN || b.openings[1].after == nil {
			t.Fatalf("tapes %+v, want a second one from the array", b.openings)
		}
		b.send("change game")
		b.send("change e4")
		b.do(func(d *desk) { d.announce(map[string]string{"White": "Kim"}) })
		b.send("change game") // by order: the men need not stand
		b.end()
		if len(b.openings) != 3 || b.openings[2].tags["White"] != "Kim" {
			t.Errorf("tapes %+v, want a third one of Kim", b.openings)
		}
		text := b.disk.String()
		if n := strings.Count(text, "@ next\n"); n != 2 {
			t.Errorf("%d ends of tapes, want 2:\n%s", n, text)
		}
		if n := strings.Count(text, "boardd-tape 1\n0 @ tc 5+3\n"); n != 3 {
			t.Errorf("%d tapes begin with the time control ordered, want 3:\n%s", n, text)
		}
	})
}

// When the disk takes recordings again, they go on with a new tape that begins where the
// game stands.
func TestDeskRecordsAgainAfterTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		b.disk.failWrite = 1
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.send("change e4")
		time.Sleep(flushEvery)
		synctest.Wait()
		b.send("tick")
		if len(b.openings) != 1 {
			t.Errorf("a new tape was tried at once")
		}
		time.Sleep(retape)
		b.send("tick")
		b.end()
		if len(b.openings) != 2 || b.openings[1].fen != afterE4 {
			t.Fatalf("tapes %+v, want a second one after e4", b.openings)
		}
		if got, want := b.disk.String(), "boardd-tape 1\n11000 < 7469636b\n11000 @ end\n"; got != want {
			t.Errorf("the tape holds %q, want %q", got, want)
		}
	})
}

func TestDeskRefusesOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		var err error
		b.do(func(d *desk) { err = d.order("nonsense") })
		if !errors.Is(err, ErrOrder) {
			t.Errorf("got %v, want ErrOrder", err)
		}
		b.do(func(d *desk) { err = d.order("next") }) // a mark on tapes
		b.end()
		if !errors.Is(err, ErrOrder) {
			t.Errorf("next: got %v, want ErrOrder", err)
		}
		if strings.Contains(b.disk.String(), "nonsense") {
			t.Error("an order that cannot be obeyed is on the tape, which could not be replayed")
		}
	})
}

func TestDeskIsToldWhatWasLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, TableConfig{})
		b.do(func(d *desk) { d.seat(0, "12345", "", "") })
		b.do(func(d *desk) { d.overrun(17) })
		b.end()
		if got, want := b.pipes[0].heard, []string{"0!down", "0!up", "0@end"}; !cmp.Equal(got, want) {
			t.Errorf("heard %v, want %v", got, want)
		}
		if b.asked != 1 {
			t.Errorf("asked %d times, want 1", b.asked)
		}
		b.expect("game -", "status live")
	})
}

func TestTableOptions(t *testing.T) {
	o, err := tableOptions(TableConfig{Number: 3, StartFEN: afterE4, ClockSide: ClockRight})
	if err != nil || o.Number != 3 || o.Start.FEN() != afterE4 || *o.WhiteSide != dgt.Right {
		t.Errorf("%+v, error %v", o, err)
	}
	for _, c := range []TableConfig{{StartFEN: "x"}, {ClockSide: "top"}} {
		if _, err := tableOptions(c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
