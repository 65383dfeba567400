package pgn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"boardd/broadcast"
	"boardd/broadcast/lcc"
	"boardd/clock"
	"boardd/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const now = 1796083200000 // 2026-12-01 00:00 UTC

// board is what a hub shows of a game; tags are "Name value" texts.
func board(t testing.TB, n, game int, fen, sans, result string, tags ...string) broadcast.Board {
	t.Helper()
	start := mustFEN(t, fen)
	b := broadcast.Board{Board: n, Game: game, StartFEN: start.FEN(), Moves: []broadcast.Move{}, Status: broadcast.LinkLive, Result: result, Tags: map[string]string{}}
	for _, tag := range tags {
		name, value, _ := strings.Cut(tag, " ")
		b.Tags[name] = value
	}
	g := rules.NewGame(start)
	for _, san := range strings.Fields(sans) {
		add(t, &b, g, san)
	}
	b.FEN = g.Current().FEN()
	return b
}

func add(t testing.TB, b *broadcast.Board, g *rules.Game, san string) {
	t.Helper()
	before := g.Current()
	if err := g.PushSAN(san); err != nil {
		t.Fatal(err)
	}
	ply := g.Ply(g.Len())
	b.Moves = append(b.Moves, broadcast.Move{Ply: g.Len(), SAN: ply.SAN, UCI: before.UCI(ply.Move)})
}

func mustFEN(t testing.TB, fen string) rules.Position {
	t.Helper()
	if fen == "" {
		return rules.Start()
	}
	p, err := rules.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func view(boards ...broadcast.Board) broadcast.View {
	return broadcast.View{NowMS: now, Boards: boards}
}

func ms(n int64) *int64 { return &n }

func control(t testing.TB, text string) *clock.Control {
	t.Helper()
	parsed, err := clock.Parse(text, clock.People)
	if err != nil {
		t.Fatal(err)
	}
	return &parsed.Control
}

func TestTags(t *testing.T) {
	b := board(t, 12, 1, "", "e4 e5", "*", "Round 5", "White Novak, Anna", "WhiteTitle WGM", "WhiteFideId 300123", "White_Odd x", "Clock2 y", "WhiteClock 9:00:00", "WhiteTeam Prague")
	b.Moves[0].ClockMS = ms(5_430_000)
	b.WhiteMS, b.BlackMS, b.Running, b.TimeMS = ms(5_400_000), ms(5_388_000), broadcast.RunningWhite, now-2000
	e := Event{ID: "open", Name: "The Open", Site: "Town", TimeControl: control(t, "3+2"), Spelling: Standard, Serials: map[int]string{12: "48096"}}
	book := NewBook("")
	book.Take(view(b))
	tree := book.Tree(&e, nil)
	want := `[Event "The Open"]
[Site "Town"]
[Date "????.??.??"]
[Round "5.12"]
[White "Novak, Anna"]
[Black "Board 12 Black"]
[Result "*"]
[BlackClock "1:29:48"]
[Board "12"]
[GameId "open-round-5-board-12"]
[ReferenceTime "W/2026-12-01T00:00:00.000Z"]
[TimeControl "180+2"]
[WhiteClock "1:29:58"]
[WhiteFideId "300123"]
[WhiteTeam "Prague"]
[WhiteTitle "WGM"]

1. e4 {[%clk 1:30:30]} 1... e5 *

`
	if diff := cmp.Diff(want, string(tree["round-5/game-12.pgn"].Data)); diff != "" {
		t.Error(diff)
	}
	if got := tree.Paths(); !slices.Equal(got, []string{"games.pgn", "round-5/game-12.json", "round-5/game-12.pgn", "round-5/games.pgn", "round-5/index.json", "tournament.json"}) {
		t.Errorf("got %q", got)
	}
	for path, has := range map[string]string{
		"tournament.json":      `"timecontrol": "3m+2s"`,
		"round-5/index.json":   `"fideid": 300123`,
		"round-5/game-12.json": `"serialNr": "48096"`,
		"games.pgn":            `[Round "5.12"]`,
	} {
		if !strings.Contains(string(tree[path].Data), has) {
			t.Errorf("%s: expected %s in\n%s", path, has, tree[path].Data)
		}
	}
	if round, err := lcc.ReadRound("index.json", tree["round-5/index.json"].Data); err != nil || len(round.Pairings) != 12 || round.Pairings[0].White != nil || !round.Pairings[11].Live {
		t.Errorf("%v %+v", err, round)
	}

	b.Result = "1-0"
	book.Take(view(b))
	over := string(book.Tree(&e, tree)["round-5/game-12.pgn"].Data)
	if strings.Contains(over, "Clock \"") || strings.Contains(over, "ReferenceTime") || !strings.HasSuffix(over, "1-0\n\n") {
		t.Errorf("when it is over:\n%s", over)
	}
	for spelling, want := range map[Spelling]string{Lichess: "3 min + 2 sec", LiveChess: "3m+2s", Standard: "180+2"} {
		e.Spelling = spelling
		for _, tag := range []string{"", "180+2"} {
			if got := e.spell(tag); got != want {
				t.Errorf("%s of %q: %q, want %q", spelling, tag, got, want)
			}
		}
	}
	if got := e.spell("as the arbiter says"); got != "as the arbiter says" {
		t.Errorf("words: %q", got)
	}
}

// TestRunningClocks: a clock that counts as expected changes the files only now and then.
func TestRunningClocks(t *testing.T) {
	b := board(t, 1, 1, "", "e4", "*", "White A", "Black B")
	e := Event{ID: "open"}
	book := NewBook("")
	changed := 0
	var tree Tree
	for s := range int64(60) {
		b.WhiteMS, b.BlackMS, b.Running, b.TimeMS = ms(300_000), ms(300_000-s/2*2000), broadcast.RunningBlack, now+s/2*2000
		if s == 35 { // an arbiter adds a minute
			b.BlackMS = ms(*b.BlackMS + 60_000)
		}
		v := view(b)
		v.NowMS = now + s*1000
		book.Take(v)
		next := book.Tree(&e, tree)
		if next["games.pgn"].Tag != tree["games.pgn"].Tag {
			changed++
		}
		tree = next
	}
	if changed < 6 || changed > 9 {
		t.Errorf("the file changed %d times in a minute, want about 8", changed)
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		tag    string
		board  int
		event  string
		folder string
		round  string
	}{
		{"", 3, "", "round-1", "1.3"}, {"?", 3, "", "round-1", "1.3"}, {"-", 3, "", "round-1", "1.3"},
		{"5", 3, "5", "round-5", "5.3"}, {"5.3", 3, "5", "round-5", "5.3"}, {"5.3", 3, "", "round-5", "5.3"},
		{"3.2", 2, "3.2", "round-3.2", "3.2.2"}, {"3.2", 5, "3.2", "round-3.2", "3.2.5"}, {"3.1", 5, "3.1", "round-3", "3.5"}, {"3.2.5", 5, "", "round-3.2", "3.2.5"},
		{"Semi-final", 1, "", "round-semi-final", "Semi-final.1"}, {"../../etc", 1, "", "round-etc", "../../etc.1"}, {"½", 1, "", "round-x", "½.1"},
		{"3.x", 1, "", "round-3-x", "3.x.1"}, {"99999999999999999999", 1, "", "round-99999999999999999999", "99999999999999999999.1"},
	} {
		r := roundOf(c.tag, c.board, c.event)
		if r.Folder() != c.folder || r.Tag(c.board) != c.round {
			t.Errorf("%q at board %d: %s and %s, want %s and %s", c.tag, c.board, r.Folder(), r.Tag(c.board), c.folder, c.round)
		}
		if again := roundOf(r.Tag(c.board), c.board, ""); again != r {
			t.Errorf("%q: %+v reads back as %+v", c.tag, r, again)
		}
	}
	for name, want := range map[string]string{"": "event", "½": "event", "St. Louis Rapid": "st-louis-rapid", "../x": "x"} {
		if got := EventID(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// games tells a tree by its games: "folder board moves result".
func gamesOf(t *testing.T, tree Tree) []string {
	t.Helper()
	var got []string
	for _, path := range tree.Paths() {
		if !strings.Contains(path, "/game-") || !strings.HasSuffix(path, ".pgn") {
			continue
		}
		g := readOne(t, string(tree[path].Data))
		got = append(got, fmt.Sprintf("%s %d %s", strings.TrimSuffix(path, ".pgn"), g.Len(), g.Result))
	}
	return got
}

const fools = "f3 e5 g4 Qh4#"

// TestBook: what the files keep while boards go on, and the same when boardd is started anew before each step.
func TestBook(t *testing.T) {
	reached := board(t, 1, 1, "", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5", "*", "White A", "Round 1")
	for _, c := range []struct {
		name    string
		steps   []broadcast.Board
		want    []string
		restart bool // too
	}{
		{"a game", []broadcast.Board{
			board(t, 1, 1, "", "", "*", "White A", "Round 1"),
			board(t, 1, 1, "", "f3 e5", "*", "White A", "Round 1"),
			board(t, 1, 1, "", fools, "0-1", "White A", "Round 1"),
		}, []string{"round-1/game-1 4 0-1"}, true},
		{"men put back after the game", []broadcast.Board{
			board(t, 1, 1, "", fools, "0-1", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
		}, []string{"round-1/game-1 4 0-1"}, true},
		{"the next round", []broadcast.Board{
			board(t, 1, 1, "", fools, "0-1", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White C", "Round 2"),
			board(t, 1, 2, "", "d4", "*", "White C", "Round 2"),
		}, []string{"round-1/game-1 4 0-1", "round-2/game-1 1 *"}, true},
		{"a second game in the round", []broadcast.Board{
			board(t, 1, 1, "", fools, "0-1", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "d4", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "d4 d5", "1-0", "White A", "Round 1"),
			board(t, 1, 3, "", "c4", "*", "White A", "Round 1"),
		}, []string{"round-1.2/game-1 2 1-0", "round-1.3/game-1 1 *", "round-1/game-1 4 0-1"}, true},
		{"a false start", []broadcast.Board{
			board(t, 1, 1, "", "e4 e5", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "d4", "*", "White A", "Round 1"),
		}, []string{"round-1/game-1 1 *"}, false},
		{"a long game without a result", []broadcast.Board{
			reached,
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
			board(t, 1, 2, "", "d4", "*", "White A", "Round 1"),
		}, []string{"round-1.2/game-1 1 *", "round-1/game-1 12 *"}, true},
		{"a result is taken back and the game goes on", []broadcast.Board{
			board(t, 1, 1, "", "e4 e5", "1-0", "White A", "Round 1"),
			board(t, 1, 1, "", "e4 e5", "*", "White A", "Round 1"),
			board(t, 1, 1, "", "e4 e5 Nf3", "*", "White A", "Round 1"),
		}, []string{"round-1/game-1 3 *"}, true},
		{"a corrected move", []broadcast.Board{
			reached,
			board(t, 1, 1, "", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 d3", "*", "White A", "Round 1"),
		}, []string{"round-1/game-1 11 *"}, true},
		{"play after an illegal move", []broadcast.Board{
			board(t, 1, 1, "", "e4 e5 Nf3 Nc6", "*", "White A", "Round 1"),
			board(t, 1, 2, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQ1BKR b kq - 1 3", "d6", "*", "White A", "Round 1"),
			board(t, 1, 2, "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQ1BKR b kq - 1 3", "d6", "1-0", "White A", "Round 1"),
		}, []string{"round-1/game-1 4 1-0"}, true},
		{"the round is set after play began", []broadcast.Board{
			board(t, 1, 1, "", "e4 e5", "*", "White A"),
			board(t, 1, 1, "", "e4 e5", "*", "White A", "Round 4"),
		}, []string{"round-4/game-1 2 *"}, false},
		{"lost by default", []broadcast.Board{
			board(t, 1, 1, "", "", "*", "White A", "Round 1"),
			board(t, 1, 1, "", "", "1-0", "White A", "Round 1"),
			board(t, 1, 2, "", "", "*", "White A", "Round 1"),
		}, []string{"round-1/game-1 0 1-0"}, true},
		{"nobody is there", []broadcast.Board{board(t, 1, 1, "", "", "*")}, nil, true},
	} {
		for _, restart := range []bool{false, true} {
			if restart && !c.restart {
				continue
			}
			e := Event{ID: "open"}
			dir := t.TempDir()
			book := NewBook("")
			for _, b := range c.steps {
				if restart {
					book = NewBook("")
					if err := NewFolder(dir, Both).Load(book); err != nil {
						t.Fatal(err)
					}
				}
				for range 2 { // the same again changes nothing
					if restart {
						b.Game = 1 // counted from the start of boardd
					}
					book.Take(view(b))
				}
				if err := NewFolder(dir, Both).Write(book.Tree(&e, nil)); err != nil {
					t.Fatal(err)
				}
			}
			if got := gamesOf(t, book.Tree(&e, nil)); !slices.Equal(got, c.want) {
				t.Errorf("%s (restarts: %t): %q, want %q", c.name, restart, got, c.want)
			}
		}
	}
}

// randomBoard plays a random game with whatever an event may bring.
func randomBoard(t testing.TB, rng *rand.Rand, n int) broadcast.Board {
	start := rules.Start()
	switch rng.IntN(4) {
	case 0:
		start, _ = rules.Chess960Start(rng.IntN(960))
	case 1:
		start = mustFEN(t, []string{"4k3/8/8/8/8/8/P7/4K2R b K - 3 40", "8/P6k/8/8/8/8/p6K/8 w - - 0 61", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kq - 7 12"}[rng.IntN(3)])
	}
	b := broadcast.Board{Board: n, Game: 1, StartFEN: start.FEN(), Result: []string{"*", "1-0", "0-1", "1/2-1/2"}[rng.IntN(4)], Tags: map[string]string{"Round": strconv.Itoa(1 + n%3)}}
	names := []string{"Novak, Anna", `O"Brien \ "Bob"`, "Müller-Łukasz, Jörg", "李, 四", "Ng", "a{b}c;%d", "", "?"}
	b.Tags["White"], b.Tags["Black"] = names[rng.IntN(len(names))], names[rng.IntN(len(names))]
	for _, name := range []string{"WhiteElo", "BlackFideId", "Date", "Opening", "Bad_name", "WhiteTeam"} {
		if rng.IntN(2) == 0 {
			b.Tags[name] = map[string]string{"Date": "2026.12.01", "Opening": "Réti [A04]\n"}[name]
			if b.Tags[name] == "" {
				b.Tags[name] = strconv.Itoa(rng.IntN(3000))
			}
		}
	}
	g := rules.NewGame(start)
	clocks := rng.IntN(3)
	for range rng.IntN(160) {
		var legal rules.MoveList
		g.Current().LegalMoves(&legal)
		if len(legal.Moves()) == 0 || g.Current().HalfmoveClock() >= 150 {
			break
		}
		move := legal.Moves()[rng.IntN(len(legal.Moves()))]
		m := broadcast.Move{Ply: g.Len() + 1, UCI: g.Current().UCI(move)}
		if clocks == 2 || clocks == 1 && rng.IntN(4) > 0 {
			m.ClockMS = ms(rng.Int64N(9 * 3_600_000))
		}
		if err := g.Push(move); err != nil {
			t.Fatal(err)
		}
		m.SAN = g.Ply(g.Len()).SAN
		b.Moves = append(b.Moves, m)
	}
	var legal rules.MoveList
	if g.Current().LegalMoves(&legal); len(legal.Moves()) == 0 { // else the result contradicts the board
		b.Result = string(rules.Draw)
		if g.Current().InCheck() {
			b.Result = string(rules.Win(g.Current().Turn().Other()))
		}
	}
	if clocks > 0 {
		b.WhiteMS, b.BlackMS, b.TimeMS, b.Running = ms(rng.Int64N(6_000_000)), ms(rng.Int64N(6_000_000)), now-5, []string{"", broadcast.RunningWhite, broadcast.RunningBlack}[rng.IntN(3)]
	}
	return b
}

// TestRoundTrip: our own output reads back equal, as PGN without anything to tolerate and as JSON, and pgn-extract
// (if it is here) has nothing to say against it.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(2026, 12))
	book := NewBook("")
	var boards []broadcast.Board
	for n := 1; n <= 200; n++ {
		boards = append(boards, randomBoard(t, rng, n))
	}
	book.Take(view(boards...))
	e := Event{ID: "open", Name: `The "Open"`, TimeControl: control(t, "90+30")}
	tree := book.Tree(&e, nil)
	seen := 0
	for i := range boards {
		b := &boards[i]
		if !shown(b) {
			continue
		}
		name := fmt.Sprintf("%s/game-%d", roundOf(b.Tags["Round"], b.Board, "").Folder(), b.Board)
		reader := rules.NewPGNReader(bytes.NewReader(tree[name+".pgn"].Data), name)
		got, err := reader.Next()
		if err != nil || len(reader.Notes()) > 0 {
			t.Fatalf("%s: %v %v\n%s", name, err, reader.Notes(), tree[name+".pgn"].Data)
		}
		seen++
		want := b.Record()
		if *got.Start() != *want.Start() || *got.Current() != *want.Current() || got.Result != want.Result || got.Len() != want.Len() {
			t.Fatalf("%s is another game", name)
		}
		for ply := 1; ply <= got.Len(); ply++ {
			g, w := got.Ply(ply), want.Ply(ply)
			if g.Move != w.Move || g.SAN != w.SAN || g.HasClock != w.HasClock || int64(g.Clock.Seconds()) != int64(w.Clock.Seconds()) {
				t.Fatalf("%s, ply %d: %+v, want %+v", name, ply, g, w)
			}
		}
		for _, tag := range []string{"White", "Black", "WhiteElo", "BlackFideId", "WhiteTeam"} {
			if value := b.Tags[tag]; value != "" && value != "?" && got.Tags.Get(tag) != value {
				t.Errorf("%s: %s is %q, want %q", name, tag, got.Tags.Get(tag), value)
			}
		}
		if again := rules.AppendPGN(nil, got); !bytes.Equal(again, tree[name+".pgn"].Data) {
			t.Fatalf("%s is written again otherwise:\n%s\n%s", name, tree[name+".pgn"].Data, again)
		}
		file, err := lcc.ReadGame(name, tree[name+".json"].Data)
		if err != nil || !bytes.Equal(lcc.Encode(file), tree[name+".json"].Data) {
			t.Fatalf("%s.json: %v", name, err)
		}
		if _, ok := lcc.StartNumber(want.Start()); ok {
			if r, err := file.Record(); err != nil || r.Len() != want.Len() || *r.Current() != *want.Current() || r.Result != want.Result {
				t.Fatalf("%s.json is another game: %v", name, err)
			}
		}
	}
	if seen < 150 {
		t.Errorf("only %d games", seen)
	}
	tool := pgnExtract(t)
	for _, path := range tree.Paths() {
		if !strings.HasSuffix(path, "/games.pgn") {
			continue
		}
		file := filepath.Join(t.TempDir(), "games.pgn")
		if err := os.WriteFile(file, tree[path].Data, 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		check := exec.Command(tool, "-s", "-r", file)
		check.Stderr = &said
		if err := check.Run(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if said.Len() > 0 {
			t.Errorf("%s: pgn-extract says:\n%s", path, said.String())
		}
	}
}

func pgnExtract(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"pgn-extract", "/usr/games/pgn-extract"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs pgn-extract: apt-get install pgn-extract")
	return ""
}

// TestSharedGames: games of real feeds, read and written again, pass pgn-extract.
func TestSharedGames(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared(t), "games", "*.pgn"))
	if len(files) == 0 {
		t.Skip("needs the shared material: no games in it")
	}
	tool := pgnExtract(t)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var out []byte
		for g := range rules.ScanPGN(bytes.NewReader(data), name) {
			out = rules.AppendPGN(out, g)
		}
		file := filepath.Join(t.TempDir(), "again.pgn")
		if err := os.WriteFile(file, out, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command(tool, "-s", "-r", file).CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v: pgn-extract says:\n%s", name, err, said)
		}
	}
}
