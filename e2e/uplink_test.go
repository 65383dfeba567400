//go:build e2e && crash

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/dgt"
	"boardd/dgt/emulator"
	"boardd/rules"
	"boardd/venue/players"
)

// TestUplinkKills kills a venue and its hub by turns, at random moments, while boards
// play. In the end the hub has the venue's games, clocks and all. BOARDS says how many.
func TestUplinkKills(t *testing.T) {
	boards := 8
	if text := os.Getenv("BOARDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 99 {
			t.Fatalf("BOARDS: expected a number up to 99, got %q", text)
		}
		boards = n
	}
	kills := 100
	if os.Getenv("ROUNDS") == "" {
		kills = 20
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	hubAddress, venueAddress := freeAddress(t), freeAddress(t)
	token := write("token", "0123456789abcdef0123456789abcdef\n")
	hubArgs := []string{"hub", "--config", write("hub.toml", fmt.Sprintf(
		"listen = %q\ndata-dir = \"hub\"\n[[venue]]\nname = \"east\"\ntoken-file = %q\ntables = [1, 99]\nas = 101\n", hubAddress, token))}
	venueArgs := []string{"run", "--listen", venueAddress, "--data-dir", filepath.Join(dir, "venue"), "--delay", "0 s", "--config", write("boardd.toml", fmt.Sprintf(
		"arbiter-listen = \"\"\n[uplink]\nhub = \"ws://%s/uplink\"\ntoken-file = %q\n", hubAddress, token))}
	var games []*rules.Game
	for some := crashGames(t, 8, max(12, kills/2)); len(games) < boards; {
		games = append(games, some...)
	}
	var devices []*emulator.Device
	for i := range boards {
		d, err := emulator.Open(ctx, emulator.Options{Link: filepath.Join(dir, fmt.Sprintf("board%d", i+1)), Speed: 1, Config: emulator.Config{
			Seed: uint64(i), Identity: emulator.Identity{Serial: 20001 + i}, Men: dgt.StartPlacement(),
			Clock: emulator.Fischer(3*time.Hour, 0, dgt.Left), Manner: emulator.Careful,
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.Close)
		devices = append(devices, d)
		venueArgs = append(venueArgs, "--port", filepath.Join(dir, fmt.Sprintf("board%d", i+1)))
	}
	hub, venue := runDaemon(t, hubArgs), runDaemon(t, venueArgs)
	hub.until(t, "The games are at")
	venue.until(t, "The games are at")
	waitBoards(t, "http://"+venueAddress+"/", "live", boards, func(b boardState) bool { return b.Status == "live" && b.WhiteMS != nil })
	var playing sync.WaitGroup
	for i, d := range devices {
		playing.Go(func() {
			pair := &players.Pair{Board: d, White: dgt.Left, Base: 3 * time.Hour, Think: 2500 * time.Millisecond, Rand: rand.New(rand.NewPCG(4, uint64(i)))}
			if err := pair.Play(ctx, games[i]); err != nil && ctx.Err() == nil {
				t.Errorf("board %d: %v", i+1, err)
			}
		})
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for round := 1; round <= 2*kills; round++ {
		wait := time.Duration(20+rng.IntN(1500)) * time.Millisecond
		if round%20 == 0 {
			wait += 11 * time.Second
		}
		timer := time.NewTimer(wait)
		<-timer.C
		if round%2 == 0 {
			hub.kill()
			hub = runDaemon(t, hubArgs)
		} else {
			venue.kill()
			venue = runDaemon(t, venueArgs)
		}
	}
	playing.Wait()
	whole := func(b boardState) bool { return len(b.Moves) == games[(b.Board-1)%100].Len() }
	waitBoards(t, "http://"+venueAddress+"/", "the whole game at the venue", boards, whole)
	waitBoards(t, "http://"+hubAddress+"/", "the whole game at the hub", boards, whole)
	at, there := recordsOf(t, venueAddress, 0), recordsOf(t, hubAddress, 100)
	for n := 1; n <= boards; n++ {
		if at[n] == "" || at[n] != there[n] {
			t.Errorf("board %d\nvenue %s\nhub   %s", n, at[n], there[n])
		}
	}
	hub.stop(t)
	venue.stop(t)
}

// recordsOf are the games that a server shows, moves and clocks, by table.
func recordsOf(t *testing.T, address string, offset int) map[int]string {
	t.Helper()
	answer, err := http.Get("http://" + address + "/api/v1/state")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var state struct {
		Boards []struct {
			Board  int
			Result string
			Moves  []struct {
				SAN     string
				ClockMS *int64 `json:"clock_ms"`
			}
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&state); err != nil {
		t.Fatal(err)
	}
	games := map[int]string{}
	for _, b := range state.Boards {
		var text strings.Builder
		for _, m := range b.Moves {
			text.WriteString(m.SAN)
			if m.ClockMS != nil {
				fmt.Fprintf(&text, " %d", *m.ClockMS)
			}
			text.WriteString("; ")
		}
		games[b.Board-offset] = text.String() + b.Result
	}
	return games
}
