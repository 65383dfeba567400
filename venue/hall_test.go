package venue_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/dgt/tape"
	"boardd/dgt/tape/shelf"
	"boardd/rules"
	"boardd/venue"
	"boardd/venue/players"
)

// These tests run a hall on real pseudo terminals, in real time made faster. They never
// sleep: every wait ends with what it waits for.

const (
	patience = time.Minute
	speed    = 12
)

// hall is a venue under test and what it has shown.
type hall struct {
	t *testing.T
	*venue.Venue
	dir  string
	log  lockedBuffer
	stop func()

	mu    sync.Mutex
	shown []broadcast.Change
	news  chan struct{} // closed and renewed with each change
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func openHall(t *testing.T, config venue.Config) *hall { return openHallAt(t, config, speed) }

// openHallAt is openHall with boards of another speed.
func openHallAt(t *testing.T, config venue.Config, pace float64) *hall {
	h := &hall{t: t, dir: t.TempDir(), news: make(chan struct{})}
	config.DataDir = h.dir
	h.Venue = venue.New(venue.Options{Config: config, Publish: h.publish, Log: zerolog.New(&h.log), Pace: pace})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(h.stop)
	return h
}

func (h *hall) publish(c broadcast.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown = append(h.shown, c)
	close(h.news)
	h.news = make(chan struct{})
}

// until waits till what was shown satisfies ok.
func (h *hall) until(what string, ok func([]broadcast.Change) bool) {
	h.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		h.mu.Lock()
		fine, news := ok(h.shown), h.news
		h.mu.Unlock()
		if fine {
			return
		}
		select {
		case <-news:
		case <-timeout.C:
			h.t.Fatalf("%s did not come; shown:\n%s\nlog:\n%s", what, h.all(), h.log.String())
		}
	}
}

func (h *hall) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, c := range h.shown {
		fmt.Fprintf(&b, "%d %s %d %s %s %s %s\n", c.Board, c.Type, c.Ply, c.SAN, c.Status, c.Result, c.Code)
	}
	return b.String()
}

// has finds a change like one.
func has(like broadcast.Change) func([]broadcast.Change) bool {
	return func(shown []broadcast.Change) bool {
		return slices.ContainsFunc(shown, func(c broadcast.Change) bool {
			return c.Board == like.Board && c.Type == like.Type && (like.Status == "" || c.Status == like.Status) &&
				(like.Ply == 0 || c.Ply == like.Ply) && (like.SAN == "" || c.SAN == like.SAN) && (like.Result == "" || c.Result == like.Result)
		})
	}
}

func (h *hall) live(table int) {
	h.t.Helper()
	h.until(fmt.Sprintf("a board at table %d", table), has(broadcast.Change{Board: table, Type: broadcast.TypeStatus, Status: broadcast.LinkLive}))
}

func (h *hall) move(table, ply int, san string) {
	h.t.Helper()
	h.until(fmt.Sprintf("ply %d, %s, at table %d", ply, san, table), has(broadcast.Change{Board: table, Type: broadcast.TypeMove, Ply: ply, SAN: san}))
}

// tape gives the path of a table's only tape.
func (h *hall) tape(table int) string {
	h.t.Helper()
	found, err := filepath.Glob(filepath.Join(h.dir, "tapes", fmt.Sprintf("*-table-%03d.tape", table)))
	if err != nil || len(found) != 1 {
		h.t.Fatalf("tapes of table %d: %v, error %v", table, found, err)
	}
	return found[0]
}

// replayed gives the changes that a tape replays to.
func replayed(t *testing.T, path string, table int) []broadcast.Change {
	t.Helper()
	f, err := tape.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := tape.NewScanner(f, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := venue.NewPlayback(s.Header(), venue.TableOptions{Number: table})
	if err != nil {
		t.Fatal(err)
	}
	var changes []broadcast.Change
	for s.Scan() {
		if err := p.Play(s.Event()); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, p.Table.Take()...)
	}
	if s.Err() != nil || s.Torn() {
		t.Fatalf("%s: error %v, torn %t", path, s.Err(), s.Torn())
	}
	return changes
}

// board puts an emulated board on a pty under a link.
func board(t *testing.T, link string, serial int, men dgt.Placement) *emulator.Device {
	t.Helper()
	d, err := emulator.Open(t.Context(), emulator.Options{
		Link: link, Speed: speed,
		Config: emulator.Config{
			Seed: uint64(serial), Identity: emulator.Identity{Serial: serial}, Men: men,
			Clock: emulator.Fischer(15*time.Minute, 10*time.Second, dgt.Left),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func listed(paths ...string) venue.Config {
	c := venue.DefaultConfig()
	c.Serial = venue.SerialConfig{Ports: paths}
	c.Event.Name = "Test"
	return c
}

// play has somebody play moves without thinking long.
func play(t *testing.T, d *emulator.Device, pos *rules.Position, moves string) {
	t.Helper()
	for san := range strings.FieldsSeq(moves) {
		m, err := pos.ParseSAN(san)
		if err != nil {
			t.Fatal(err)
		}
		before := *pos
		*pos = pos.Play(m)
		err = d.Do(t.Context(), func(h *emulator.Hands) {
			h.Wait(3 * time.Second)
			players.Move(h, &before, m)
			h.Wait(time.Second)
			h.Press()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func start(t *testing.T, d *emulator.Device) {
	t.Helper()
	if err := d.Do(t.Context(), (*emulator.Hands).StartStop); err != nil {
		t.Fatal(err)
	}
}

func TestHallShowsGamesAndTapesReplayToThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	boards := []*emulator.Device{board(t, a, 11111, dgt.StartPlacement()), board(t, b, 22222, dgt.StartPlacement())}
	h := openHall(t, listed(a, b))
	games := []string{
		"e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#",
		"d4 d5 c4 dxc4 e4 b5 a4",
	}
	var playing sync.WaitGroup
	for i, d := range boards {
		h.live(i + 1)
		start(t, d)
		playing.Go(func() {
			pos := rules.Start()
			play(t, d, &pos, games[i])
		})
	}
	playing.Wait()
	h.until("the mate's result", has(broadcast.Change{Board: 1, Type: broadcast.TypeResult, Result: "1-0"}))
	h.move(2, 7, "a4")
	h.stop()
	for i, game := range games {
		var got []string
		var live []broadcast.Change
		for _, c := range h.shown {
			if c.Board != i+1 {
				continue
			}
			if c.Type == broadcast.TypeMove {
				got = append(got, c.SAN)
			}
			if c.Type != broadcast.TypeStatus && c.Type != broadcast.TypeGame && !(c.Type == broadcast.TypeClock && c.Ply == 0) {
				live = append(live, c)
			}
		}
		if s := strings.Join(got, " "); s != game {
			t.Errorf("table %d: shown %s, want %s", i+1, s, game)
		}
		var again []broadcast.Change
		for _, c := range replayed(t, h.tape(i+1), i+1) {
			if c.Type != broadcast.TypeStatus && !(c.Type == broadcast.TypeClock && c.Ply == 0) {
				again = append(again, c)
			}
		}
		if x, y := fmt.Sprintf("%+v", plain(live)), fmt.Sprintf("%+v", plain(again)); x != y {
			t.Errorf("table %d: the tape does not replay to what was shown:\nlive   %s\nreplay %s", i+1, x, y)
		}
	}
}

// plain takes the pointers out, for comparing.
func plain(changes []broadcast.Change) (lines []string) {
	for _, c := range changes {
		line := fmt.Sprintf("%s at %d ply %d %s %s %s %s", c.Type, c.AtMS, c.Ply, c.SAN, c.FEN, c.Code, c.Result)
		if c.ClockMS != nil {
			line += fmt.Sprint(" clock ", *c.ClockMS)
		}
		lines = append(lines, line)
	}
	return lines
}

// The cable comes out in mid-game and goes in again; the pty comes back under
// another name, behind the same link.
func TestHallGoesOnAfterUnplug(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	d := board(t, link, 11111, dgt.StartPlacement())
	h := openHall(t, listed(link))
	h.live(1)
	start(t, d)
	pos := rules.Start()
	play(t, d, &pos, "e4 e5")
	h.move(1, 2, "e5")
	before := d.PTY()
	if err := d.Unplug(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.until("the loss", has(broadcast.Change{Board: 1, Type: broadcast.TypeStatus, Status: broadcast.LinkLost}))
	if err := d.Replug(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.PTY() == before {
		t.Errorf("the board is on %s as before, so nothing is tested", before)
	}
	h.until("the return", has(broadcast.Change{Board: 1, Type: broadcast.TypeStatus, Status: broadcast.LinkBack}))
	play(t, d, &pos, "Nf3 Nc6")
	h.move(1, 4, "Nc6")
}

// A wrong path of a port is not silence.
func TestHallNamesListedPortThatIsNotThere(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "ttyUBS0")
	h := openHall(t, listed(missing))
	h.until("the empty table", has(broadcast.Change{Board: 1, Type: broadcast.TypeGame}))
	h.stop()
	if log := h.log.String(); !strings.Contains(log, missing) || !strings.Contains(log, "no such port yet") {
		t.Errorf("the log does not tell of %s:\n%s", missing, log)
	}
}

// The board comes back on another port, known by its serial number: same table,
// same game. Meanwhile somebody else's board is plugged into the old port.
func TestHallFollowsBoardToAnotherPort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	first := board(t, a, 11111, dgt.StartPlacement())
	h := openHall(t, listed(a, b))
	h.live(1)
	start(t, first)
	pos := rules.Start()
	play(t, first, &pos, "d4 Nf6")
	h.move(1, 2, "Nf6")
	first.Close()
	h.until("the loss", has(broadcast.Change{Board: 1, Type: broadcast.TypeStatus, Status: broadcast.LinkLost}))
	again := board(t, b, 11111, players.Placement(pos.Board()))
	h.until("the return", has(broadcast.Change{Board: 1, Type: broadcast.TypeStatus, Status: broadcast.LinkBack}))
	board(t, a, 33333, dgt.StartPlacement())
	h.live(2) // which was kept for the second port till then
	start(t, again)
	play(t, again, &pos, "c4 e6")
	h.move(1, 4, "e6")
}

func TestHallSeatsBySerialAndShowsNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	c := listed(a)
	c.Tables = []venue.TableConfig{
		{Number: 3, Port: b, White: "Adams", Black: "Brown"},
		{Number: 9, Board: "11111", White: "Novak, Anna", Black: "Young, Ben"},
	}
	board(t, a, 11111, dgt.StartPlacement())
	board(t, b, 22222, dgt.StartPlacement())
	h := openHall(t, c)
	h.live(9)
	h.live(3)
	names := map[int]string{}
	for _, c := range h.shown {
		if c.Type == broadcast.TypeGame {
			names[c.Board] = c.Tags["White"] + " - " + c.Tags["Black"] + ", " + c.Tags["Event"]
		}
	}
	if names[9] != "Novak, Anna - Young, Ben, Test" || names[3] != "Adams - Brown, Test" || len(names) != 2 {
		t.Errorf("shown: %v", names)
	}
}

// A folder that takes no tapes costs the tapes and one line in the log.
func TestHallPlaysOnWithoutDisk(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	d := board(t, link, 11111, dgt.StartPlacement())
	h := openHall(t, listed(link))
	if err := os.WriteFile(filepath.Join(h.dir, "tapes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.live(1)
	start(t, d)
	pos := rules.Start()
	play(t, d, &pos, "e4")
	h.move(1, 1, "e4")
	h.stop()
	if n := strings.Count(h.log.String(), "no longer recorded"); n != 1 {
		t.Errorf("%d lines about the tape in the log, want 1:\n%s", n, h.log.String())
	}
}

func TestHallObeysOrders(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	board(t, link, 11111, dgt.StartPlacement())
	h := openHall(t, listed(link))
	h.live(1)
	if err := h.Order(1, "result 1/2-1/2"); err != nil {
		t.Error(err)
	}
	h.until("the result", has(broadcast.Change{Board: 1, Type: broadcast.TypeResult, Result: "1/2-1/2"}))
	if err := h.Order(1, "sing"); err == nil {
		t.Error("an order that nobody knows was obeyed")
	}
	h.stop()
	if err := h.Order(1, "result *"); err != venue.ErrEnded {
		t.Errorf("after the end: %v", err)
	}
	text, err := os.ReadFile(h.tape(1))
	if err != nil || !bytes.Contains(text, []byte("@ result 1/2-1/2\n")) || bytes.Contains(text, []byte("sing")) {
		t.Errorf("tape (error %v):\n%s", err, text)
	}
}

// Whole games with their results, and the next game after them.
func TestHallSeesGameAfterGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays two whole games")
	}
	link := filepath.Join(t.TempDir(), "board")
	d := board(t, link, 11111, dgt.StartPlacement())
	h := openHall(t, listed(link))
	h.live(1)
	pair := &players.Pair{Board: d, White: dgt.Left, Base: 15 * time.Minute, Increment: 10 * time.Second, Think: 3 * time.Second, Rand: rand.New(rand.NewPCG(1, 2))}
	for i, text := range []string{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2", "1. d4 f5 2. Bg5 h6 3. Bh4 g5 4. e4 1-0"} {
		g, err := rules.NewPGNReader(strings.NewReader(text), "game").Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Announce(1, map[string]string{"White": fmt.Sprint("Player ", i)}); err != nil {
			t.Fatal(err)
		}
		for _, step := range []func() error{
			func() error { return pair.SetUp(t.Context(), g.Start()) },
			func() error { return pair.Board.Do(t.Context(), func(h *emulator.Hands) { h.Wait(5 * time.Second) }) },
			func() error { return pair.Play(t.Context(), g) },
			func() error { return pair.End(t.Context(), g) },
		} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		h.move(1, g.Len(), g.Ply(g.Len()).SAN)
		h.until("the result", has(broadcast.Change{Board: 1, Type: broadcast.TypeResult, Result: string(g.Result)}))
	}
	var names []string
	for _, c := range h.shown {
		if c.Type == broadcast.TypeGame || c.Type == broadcast.TypeTags {
			names = append(names, c.Type+" "+c.Tags["White"])
		}
	}
	if got, want := strings.Join(names, ", "), "game , tags Player 0, game Player 1"; got != want {
		t.Errorf("games shown: %s, want %s", got, want)
	}
	h.stop()
	h.eachGameOnItsTape("e4 e5 Nf3 Nc6 Bb5 a6 1/2-1/2", "d4 f5 Bg5 h6 Bh4 g5 e4 1-0")
}

// eachGameOnItsTape replays the tapes of table 1, and compares moves, clocks and results with
// what was shown.
func (h *hall) eachGameOnItsTape(games ...string) {
	h.t.Helper()
	found, err := shelf.List(filepath.Join(h.dir, "tapes"))
	if err != nil || len(found) != len(games) {
		h.t.Fatalf("tapes %v, error %v, want %d", found, err, len(games))
	}
	score := func(changes []broadcast.Change) (moves []string, clocks string) {
		for _, c := range changes {
			switch {
			case c.Type == broadcast.TypeMove:
				moves = append(moves, c.SAN)
			case c.Type == broadcast.TypeResult:
				moves = append(moves, c.Result)
			case c.Type == broadcast.TypeClock && c.Ply > 0:
				clocks += fmt.Sprintf(" %d:%d", c.Ply, *c.ClockMS)
			}
		}
		return moves, clocks
	}
	_, live := score(h.shown)
	again := ""
	for i, game := range games {
		changes := replayed(h.t, found[i].Path, 1)
		got, clocks := score(changes)
		if s := strings.Join(got, " "); s != game {
			h.t.Errorf("tape %s replays to %s, want %s", found[i].Name, s, game)
		}
		again += clocks
	}
	if again != live || live == "" {
		h.t.Errorf("clocks on the tapes:\n%s\nshown:\n%s", again, live)
	}
}
