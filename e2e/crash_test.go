//go:build e2e && crash

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/journal"
	"boardd/rules"
	"boardd/venue/players"
)

// seenPly is a half-move as an outside client was told of it.
type seenPly struct {
	Board, Ply int
	UCI        string
}

// witness is an outside client that keeps every half-move it was ever told of, and
// comes back whenever the daemon does.
type witness struct {
	mu   sync.Mutex
	seen map[seenPly]bool
}

func (w *witness) follow(ctx context.Context, url string) {
	for ctx.Err() == nil {
		conn, _, err := websocket.DefaultDialer.DialContext(ctx, url, nil)
		if err != nil {
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Millisecond):
			}
			continue
		}
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				break
			}
			w.take(data)
		}
		stop()
		conn.Close()
	}
}

// take keeps the plies of one frame: a snapshot of boards, or changes.
func (w *witness) take(data []byte) {
	type ply struct {
		Ply int    `json:"ply"`
		UCI string `json:"uci"`
	}
	var frame struct {
		Boards []struct {
			Board int   `json:"board"`
			Moves []ply `json:"moves"`
		} `json:"boards"`
		Changes []struct {
			Type  string `json:"type"`
			Board int    `json:"board"`
			ply
			Moves []ply `json:"moves"`
		} `json:"changes"`
	}
	if json.Unmarshal(data, &frame) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range frame.Boards {
		for i, m := range b.Moves {
			w.seen[seenPly{b.Board, i + 1, m.UCI}] = true
		}
	}
	for _, c := range frame.Changes {
		if c.Type == "move" {
			w.seen[seenPly{c.Board, c.Ply, c.UCI}] = true
		}
		for _, m := range c.Moves {
			w.seen[seenPly{c.Board, m.Ply, m.UCI}] = true
		}
	}
}

// TestCrash kills the daemon at random moments while eight boards play, and starts it
// again. In the end every game is exact, and every half-move that anybody outside ever
// saw is in the journal. ROUNDS says how often; `make crash` has it done 2000 times.
func TestCrash(t *testing.T) {
	rounds := crashSitting
	if text := os.Getenv("ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("ROUNDS: expected a number of kills, got %q", text)
		}
		rounds = n
	}
	first := 1
	if text := os.Getenv("SEED"); text != "" { // to play one sitting of a long run again
		var err error
		if first, err = strconv.Atoi(text); err != nil {
			t.Fatalf("SEED: expected a number, got %q", text)
		}
	}
	for seed := first; rounds > 0; seed++ {
		crashes(t, min(rounds, crashSitting), uint64(seed))
		rounds -= crashSitting
	}
}

// crashSitting is how many kills go to one game of each board.
const crashSitting = 200

func crashes(t *testing.T, rounds int, seed uint64) {
	const boards = 8
	dir := t.TempDir()
	if keep := os.Getenv("CRASH_DIR"); keep != "" {
		dir = keep // to look into afterwards
	}
	games := crashGames(t, boards, max(12, rounds/4)) // so that the games last as long as the kills
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ports []string
	var playing sync.WaitGroup
	var devices []*emulator.Device
	for i := range boards {
		port := filepath.Join(dir, fmt.Sprintf("board%d", i+1))
		d, err := emulator.Open(ctx, emulator.Options{Link: port, Speed: 1, Config: emulator.Config{
			Seed: seed<<8 | uint64(i), Identity: emulator.Identity{Serial: 20001 + i}, Men: dgt.StartPlacement(),
			Clock: emulator.Fischer(3*time.Hour, 0, dgt.Left), Manner: emulator.Careful,
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		devices, ports = append(devices, d), append(ports, port)
	}
	address := freeAddress(t)
	data := filepath.Join(dir, "data")
	args := []string{"run", "--listen", address, "--data-dir", data, "--delay", "0 s", "--config", crashConfig(t, dir)}
	for _, p := range ports {
		args = append(args, "--port", p)
	}
	w := &witness{seen: map[seenPly]bool{}}
	var watching sync.WaitGroup
	watching.Go(func() { w.follow(ctx, "ws://"+address+"/ws") })

	rng := rand.New(rand.NewPCG(seed, 3))
	first := runDaemon(t, args)
	first.until(t, "The games are at")
	waitBoards(t, "http://"+address+"/", "live", boards, func(b boardState) bool { return b.Status == "live" && b.WhiteMS != nil })
	begun := time.Now()
	const think = 2500 * time.Millisecond
	for i, d := range devices {
		playing.Go(func() {
			pair := &players.Pair{Board: d, White: dgt.Left, Base: 3 * time.Hour, Think: think, Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
			if err := pair.Play(ctx, games[i]); err != nil && ctx.Err() == nil {
				t.Errorf("board %d: %v", i+1, err)
			}
		})
	}
	running := first
	for round := 1; round <= rounds; round++ {
		// Now while it starts, now while it works, now and then after it has read what the
		// boards have logged, which takes 8 s.
		wait := time.Duration(20+rng.IntN(380)) * time.Millisecond
		switch {
		case round%25 == 0:
			wait += 11 * time.Second
		case round%2 == 0:
			wait += time.Duration(rng.IntN(1200)) * time.Millisecond
		}
		timer := time.NewTimer(wait)
		<-timer.C
		running.kill()
		running = runDaemon(t, args)
	}
	t.Logf("%d kills in %v", rounds, time.Since(begun).Round(time.Second))
	playing.Wait()
	running.until(t, "The games are at")
	waitBoards(t, "http://"+address+"/", "the whole game", boards, func(b boardState) bool { return len(b.Moves) == games[b.Board-1].Len() })
	running.stop(t)
	cancel()
	watching.Wait()

	j, found, err := journal.Open(filepath.Join(data, journal.File), journal.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	kept := map[seenPly]bool{}
	if err := j.Since(context.Background(), 0, func(e journal.Entry) error {
		if p, is := e.Fact.(journal.Ply); is {
			kept[seenPly{e.Table, p.N, p.UCI}] = true
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for s := range w.seen {
		if !kept[s] {
			lost++
			t.Errorf("seen outside and not in the journal: %+v", s)
		}
	}
	wrong := 0
	for _, r := range found.Games {
		want := games[r.Table-1]
		if got := movesOf(r.Main()); r.Broken != "" || len(r.Parts) != 1 || got != movesOf(want) {
			wrong++
			t.Errorf("table %d: broken %q\n got %s\nwant %s", r.Table, r.Broken, got, movesOf(want))
		}
	}
	if len(found.Games) != boards {
		t.Errorf("%d games in the journal, want %d", len(found.Games), boards)
	}
	if err := j.Close(context.Background(), "test"); err != nil {
		t.Error(err)
	}
	t.Logf("%d half-moves seen outside, %d lost; %d of %d games exact", len(w.seen), lost, boards-wrong, boards)
}

// crashGames are games of masters, one a board, of so many half-moves at most.
func crashGames(t *testing.T, boards, plies int) []*rules.Game {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "cmd", "boardd", "demo.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var games []*rules.Game
	for r := rules.NewPGNReader(file, "demo.pgn"); len(games) < boards; {
		g, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if g.Len() > plies {
			if err := g.ReplaceFrom(plies+1, nil); err != nil {
				t.Fatal(err)
			}
			g.Result = rules.Unfinished
		}
		games = append(games, g)
	}
	return games
}

// waitBoards waits until what the page's server tells of every board is so.
func waitBoards(t *testing.T, url, what string, boards int, ok func(boardState) bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		var state struct{ Boards []boardState }
		if answer, err := http.Get(url + "api/v1/state"); err == nil {
			json.NewDecoder(answer.Body).Decode(&state)
			answer.Body.Close()
		}
		fine := 0
		for _, b := range state.Boards {
			if ok(b) {
				fine++
			}
		}
		if fine == boards {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%s: %d of %d boards; %+v", what, fine, boards, state)
			return
		}
		<-again.C
	}
}

func crashConfig(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "boardd.toml")
	if err := os.WriteFile(name, []byte("arbiter-listen = \"\"\nlog-level = \"info\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// daemon is a boardd that may be killed at any moment.
type daemon struct {
	cmd   *exec.Cmd
	lines chan string
	ended chan struct{}
}

func runDaemon(t *testing.T, args []string) *daemon {
	t.Helper()
	d := &daemon{cmd: exec.Command(binary, args...), lines: make(chan string, 1000), ended: make(chan struct{})}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.cmd.Stderr = d.cmd.Stdout
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(d.ended)
		for s := bufio.NewScanner(out); s.Scan(); {
			if text := s.Text(); strings.Contains(text, "ERR") || strings.Contains(text, "panic") {
				t.Log(text)
			} else {
				select {
				case d.lines <- text:
				default:
				}
			}
		}
		d.cmd.Wait()
	}()
	t.Cleanup(d.kill)
	return d
}

func (d *daemon) kill() {
	d.cmd.Process.Kill()
	<-d.ended
}

func (d *daemon) stop(t *testing.T) {
	t.Helper()
	d.cmd.Process.Signal(os.Interrupt)
	<-d.ended
	if d.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("stopped with status %d", d.cmd.ProcessState.ExitCode())
	}
}

func (d *daemon) until(t *testing.T, word string) {
	t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case line := <-d.lines:
			if strings.Contains(line, word) {
				return
			}
		case <-d.ended:
			t.Fatalf("the daemon ended before it said %q", word)
		case <-timeout.C:
			t.Fatalf("the daemon did not say %q", word)
		}
	}
}

func movesOf(g *rules.Game) string {
	var b strings.Builder
	for _, p := range g.Plies() {
		b.WriteString(p.SAN)
		b.WriteByte(' ')
	}
	return b.String()
}
