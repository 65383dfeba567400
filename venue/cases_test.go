package venue_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

var keepTapes = flag.String("casetapes", "", "folder to write the tape of every trouble case to, for boardd replay")

// troubleCase is a trouble case of kind "events": what hands, clock and cable did, and the game that is right.
type troubleCase struct {
	ID, Kind, Symptom string
	Tags              []string
	Input             struct {
		FEN    string
		Events []caseEvent
	}
	Expect troubleWant
}

type troubleWant struct {
	Moves          []string
	Alerts         []string
	NotAlerts      []string `json:"not_alerts"`
	AlertsAllowed  []string `json:"alerts_allowed"`
	NeverFinal     []string `json:"never_final"`
	NeverPublished []string `json:"never_published"`
	Result         *string
	Board          string
	Clocks         []*float64 `json:"clk"`
	ClockRunsAfter *bool      `json:"feed_clock_running_after_result"`
	Commands       []string   `json:"clock_commands_sent"`
	Given          struct {
		TimeControl string `json:"time_control"`
	}
}

// TestCases runs the project's own cases.
func TestCases(t *testing.T) { runCases(t, filepath.Join("testdata", "cases.jsonl")) }

// TestSharedCases runs the cases composed from trouble reports.
func TestSharedCases(t *testing.T) {
	runCases(t, filepath.Join(sharedFolder(t), "cases", "cases.jsonl"))
}

// What a case leaves open about the wire must not change what is right.
func TestCasesByWire(t *testing.T) {
	if testing.Short() {
		t.Skip("the plain wire only in short tests")
	}
	slow := plainWire
	slow.step = scan
	late := plainWire
	late.lag = 450 * time.Millisecond
	atOnce := plainWire
	atOnce.step = 0
	long := plainWire
	long.tail = 15 * time.Second
	curt := plainWire
	curt.tail = 700 * time.Millisecond
	shown := plainWire
	shown.dump = true
	ticking := plainWire
	ticking.tick = true
	started := plainWire
	started.runs = true
	for _, v := range []struct {
		name string
		wire wire
	}{{"a whole scan", slow}, {"late clock", late}, {"at once", atOnce}, {"long tail", long}, {"short tail", curt}, {"board shown first", shown}, {"clock ticks", ticking}, {"clock started", started}} {
		t.Run(v.name, func(t *testing.T) {
			for _, c := range readCases(t, filepath.Join("testdata", "cases.jsonl")) {
				t.Run(c.ID, func(t *testing.T) { c.run(t, v.wire) })
			}
			shared, ok := findShared()
			if !ok {
				return
			}
			for _, c := range readCases(t, filepath.Join(shared, "cases", "cases.jsonl")) {
				t.Run(c.ID, func(t *testing.T) { c.run(t, v.wire) })
			}
		})
	}
}

func runCases(t *testing.T, file string) {
	cases := readCases(t, file)
	if len(cases) == 0 {
		t.Fatalf("no case of kind events in %s", file)
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) { c.run(t, plainWire) })
	}
}

func readCases(t *testing.T, file string) (cases []troubleCase) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no case file: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		var head struct{ Kind string }
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		if head.Kind != "events" {
			continue
		}
		var c troubleCase
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber() // times are whole numbers
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func (c *troubleCase) run(t *testing.T, w wire) {
	made, err := tapeOfCase(c.Input.FEN, c.Input.Events, w)
	if err != nil {
		t.Fatal(err)
	}
	if tc := c.Expect.Given.TimeControl; tc != "" {
		made.Header = append(made.Header, tape.Field{Key: "tc", Value: tc})
	}
	text := tapeText(t, made)
	if *keepTapes != "" {
		if err := os.WriteFile(filepath.Join(*keepTapes, c.ID+".tape"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := playTape(t, c.ID+".tape", bytes.NewReader(text))
	bad, unlisted := c.Expect.judge(s)
	if len(bad) > 0 {
		t.Errorf("%s\n  %s\n%s", c.Symptom, strings.Join(bad, "\n  "), s)
	}
	if len(unlisted) > 0 {
		t.Logf("alerts the case does not speak of: %s", strings.Join(unlisted, ", "))
	}
}

// played is what became of a tape.
type played struct {
	game    *rules.Game
	record  []*rules.Game // the game and what was played on after illegal moves that stood
	board   rules.Placement
	changes []broadcast.Change
	sent    []venue.Command
}

func playTape(t testing.TB, name string, r *bytes.Reader) *played {
	t.Helper()
	tp, err := tape.Read(r, name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := venue.NewPlayback(tp.Header, venue.TableOptions{Number: 1})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s := &played{}
	for _, e := range tp.Events {
		if err := p.Play(e); err != nil {
			t.Fatalf("%s:%d: %v", name, e.Line, err)
		}
		s.changes = append(s.changes, p.Table.Take()...)
		s.sent = append(s.sent, p.Table.Commands()...)
	}
	p.End()
	s.changes = append(s.changes, p.Table.Take()...)
	s.game, s.record, s.board = p.Table.Game(), p.Table.Record(), p.Table.Placement()
	return s
}

// String lists the changes, for whoever looks into a failure.
func (s *played) String() string {
	var b strings.Builder
	for _, c := range s.changes {
		fmt.Fprintf(&b, "    %6d %-8s", c.AtMS, c.Type)
		switch c.Type {
		case broadcast.TypeMove:
			fmt.Fprintf(&b, " %d %s", c.Ply, c.SAN)
		case broadcast.TypeReplace:
			fmt.Fprintf(&b, " %d", c.Ply)
			for _, m := range c.Moves {
				fmt.Fprintf(&b, " %s", m.SAN)
			}
		case broadcast.TypeRetract:
			fmt.Fprintf(&b, " %d", c.Ply)
		case broadcast.TypeClock:
			if c.Ply == 0 {
				fmt.Fprintf(&b, " running %q", c.Running)
			} else if c.ClockMS != nil {
				fmt.Fprintf(&b, " %d %d ms", c.Ply, *c.ClockMS)
			}
		default:
			fmt.Fprintf(&b, " %s %s%s%s", c.Code, c.Detail, c.Result, c.Status)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// judge says what is wrong, and which alerts were raised that the case does not list.
// clockWords are what cases call the commands to a clock.
var clockWords = map[dgt.ClockOp]string{dgt.OpSetAndRun: "setnrun", dgt.OpBeep: "beep", dgt.OpEndDisplay: "end", dgt.OpASCII: "ascii"}

func (w *troubleWant) judge(s *played) (bad, unlisted []string) {
	fault := func(format string, a ...any) { bad = append(bad, fmt.Sprintf(format, a...)) }
	plies := s.game.Plies()
	got := make([]string, len(plies))
	for i, p := range plies {
		got[i] = p.SAN
	}
	if !slices.EqualFunc(got, w.Moves, func(a, b string) bool { return bare(a) == bare(b) }) {
		fault("moves %q, want %q", got, w.Moves)
	}
	for _, a := range w.Alerts {
		if !s.raised(a) {
			fault("no alert %s", a)
		}
	}
	for _, a := range w.NotAlerts {
		if s.raised(a) {
			fault("alert %s", a)
		}
	}
	for _, m := range w.NeverFinal {
		if slices.ContainsFunc(got, func(g string) bool { return bare(g) == bare(m) }) {
			fault("%s stands in the record", m)
		}
	}
	for _, m := range w.NeverPublished {
		if s.published(m) {
			fault("%s was published", m)
		}
	}
	if w.Result != nil && string(s.game.Result) != *w.Result {
		fault("result %s, want %s", s.game.Result, *w.Result)
	}
	if w.Commands != nil {
		var sent []string
		for _, c := range s.sent {
			op, _ := c.ClockOp()
			sent = append(sent, clockWords[op])
		}
		if !slices.Equal(sent, w.Commands) {
			fault("sent to the clock %q, want %q", sent, w.Commands)
		}
	}
	board := w.Board
	if board == "" {
		board = boardAfter(s.game.Start(), w.Moves)
	}
	if b := s.board.String(); b != board {
		fault("board %s, want %s", b, board)
	}
	for i, want := range w.Clocks {
		if i >= len(plies) {
			break
		}
		switch p := plies[i]; {
		case want == nil && p.HasClock:
			fault("clock of %s is %v, want none", p.SAN, p.Clock)
		case want != nil && !p.HasClock:
			fault("no clock of %s, want %v s", p.SAN, *want)
		case want != nil && (p.Clock.Seconds() < *want-1 || p.Clock.Seconds() > *want+1):
			fault("clock of %s is %v, want %v s", p.SAN, p.Clock, *want)
		}
	}
	if w.ClockRunsAfter != nil && !*w.ClockRunsAfter && s.clockRunsAfterResult() {
		fault("a clock runs after the result")
	}
	for _, c := range s.changes {
		listed := func(l []string) bool {
			return slices.ContainsFunc(l, func(a string) bool { code, _, _ := strings.Cut(a, ":"); return code == c.Code })
		}
		if c.Type == broadcast.TypeAlert && !listed(w.Alerts) && !listed(w.AlertsAllowed) && !slices.Contains(unlisted, c.Code) {
			unlisted = append(unlisted, c.Code)
		}
	}
	return bad, unlisted
}

// boardAfter is what stands where when the moves have been played.
func boardAfter(start *rules.Position, moves []string) string {
	g := rules.NewGame(*start)
	for _, m := range moves {
		if err := g.PushSAN(m); err != nil {
			return err.Error()
		}
	}
	return g.Current().Board().String()
}

// bare is a SAN without its check sign.
func bare(san string) string { return strings.TrimRight(san, "+#") }

// raised reports whether an alert was raised; "code:detail" asks for the detail too.
func (s *played) raised(want string) bool {
	code, detail, _ := strings.Cut(want, ":")
	return slices.ContainsFunc(s.changes, func(c broadcast.Change) bool {
		return c.Type == broadcast.TypeAlert && c.Code == code && (detail == "" || c.Detail == detail)
	})
}

func (s *played) published(san string) bool {
	return slices.ContainsFunc(s.changes, func(c broadcast.Change) bool {
		if c.Type == broadcast.TypeMove && bare(c.SAN) == bare(san) {
			return true
		}
		return slices.ContainsFunc(c.Moves, func(m broadcast.Move) bool { return bare(m.SAN) == bare(san) })
	})
}

func (s *played) clockRunsAfterResult() bool {
	i := slices.IndexFunc(s.changes, func(c broadcast.Change) bool { return c.Type == broadcast.TypeResult })
	return i >= 0 && slices.ContainsFunc(s.changes[i:], func(c broadcast.Change) bool {
		return c.Type == broadcast.TypeClock && c.Running != ""
	})
}

// findShared finds the read-only material beside the repository.
func findShared() (string, bool) {
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir, true
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for ; ; dir = filepath.Dir(dir) {
		d := filepath.Join(dir, "shared")
		if _, err := os.Stat(filepath.Join(d, "facts")); err == nil {
			return d, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}

func sharedFolder(t testing.TB) string {
	t.Helper()
	dir, ok := findShared()
	if !ok {
		t.Skip("no shared folder: set BOARDD_SHARED to run this test")
	}
	return dir
}
