package rules

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func readAll(t testing.TB, r io.Reader) (games []*Game, errs []string) {
	t.Helper()
	for g, err := range ScanPGN(r, "f") {
		text := ""
		if err != nil {
			text = err.Error()
		}
		games, errs = append(games, g), append(errs, text)
	}
	return games, errs
}

func TestReadPGN(t *testing.T) {
	data, err := os.ReadFile("testdata/feed.pgn")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		event, moves string
		result       Result
		fault        string
	}{
		{`The "Quoted" Open`, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3", WhiteWins, ""},
		{"No movetext at all", "", Unfinished, ""},
		{"Live, just begun", "", Unfinished, ""},
		{"Cut off", "f3 e5 g4 Qh4#", BlackWins, ""},
		{"Chess960", "Nc3 Nb6 Nf3", Draw, `f:35: ply 4: expected a legal move of black, got "Rh7"`},
		{"From a position", "", Draw, `f:42: ply 1: expected a legal move of white, got "Ke4"`},
		{"Kings in the centre", "e4 e5 Ke2 Ke7 Kd3 Ke6", WhiteWins, `f:47: ply 7: expected a legal move of white, got "Kd4"`},
		{"A comment nobody closed", "d4", Unfinished, "f:52: expected } at the end of the comment, got the next game"},
		{"The last", "c4", Unfinished, "f:57: expected ) at the end of the variation, got the end of the file"},
	}
	for name, text := range map[string][]byte{
		"as it stands":  data,
		"with CRLF":     bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"with a mark":   append([]byte("\xef\xbb\xbf"), data...),
		"byte by byte":  nil,
		"without blank": bytes.ReplaceAll(data, []byte("\n\n"), []byte("\n")),
	} {
		var r io.Reader = bytes.NewReader(text)
		if text == nil {
			r = iotest.OneByteReader(bytes.NewReader(data))
		}
		games, errs := readAll(t, r)
		if len(games) != len(want) {
			t.Errorf("%s: %d games, want %d", name, len(games), len(want))
			continue
		}
		for i, w := range want {
			g := games[i]
			if g.Tags.Get("Event") != w.event || sans(g) != w.moves || g.Result != w.result {
				t.Errorf("%s, game %d: %q %s %s, want %+v", name, i+1, g.Tags.Get("Event"), sans(g), g.Result, w)
			}
			if got := errs[i]; name != "without blank" && (got == "") != (w.fault == "") || name == "as it stands" && !strings.HasPrefix(got, w.fault) {
				t.Errorf("%s, game %d: error %q, want %q", name, i+1, got, w.fault)
			}
		}
	}

	games, _ := readAll(t, bytes.NewReader(data))
	g := games[0]
	for name, value := range map[string]string{"Site": `Somewhere \ "else"`, "White": "Müller, Jörg", "Result": ""} {
		if got := g.Tags.Get(name); got != value {
			t.Errorf("tag %s: %q, want %q", name, got, value)
		}
	}
	if g.Comment != "Both late." {
		t.Errorf("comment before the game: %q", g.Comment)
	}
	for n, want := range map[int]Ply{
		1:  {Clock: 90*time.Minute + 25*time.Second, HasClock: true, Spent: 5 * time.Second, HasSpent: true},
		2:  {Clock: 90*time.Minute + 18750*time.Millisecond, HasClock: true, Spent: 12 * time.Second, HasSpent: true},
		3:  {},
		4:  {Clock: 90*time.Minute - time.Second, HasClock: true, Comment: "[%eval 0.17] quite usual"},
		6:  {Clock: 89 * time.Minute, HasClock: true, Comment: "to the end of the line"},
		10: {}, // a negative time, wrapped round: a hole
	} {
		got := g.Ply(n)
		if want.Move, want.SAN = got.Move, got.SAN; got != want {
			t.Errorf("ply %d: %+v, want %+v", n, got, want)
		}
	}
	if p := games[4].Start(); !p.Chess960() || p.FEN() != "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9" {
		t.Errorf("Chess960 from %s", p.FEN())
	}
	if games[5].Start().FullmoveNumber() != 44 {
		t.Errorf("from %s", games[5].Start().FEN())
	}
}

// TestPGNFault: what a program learns from the error.
func TestPGNFault(t *testing.T) {
	_, err := NewPGNReader(strings.NewReader("\n1. e4 e5 2. Ke3 Ke7 *"), "x.pgn").Next()
	var fault *PGNError
	if !errors.As(err, &fault) || fault.Name != "x.pgn" || fault.Line != 2 || fault.Ply != 3 || fault.SAN != "Ke3" || !errors.Is(err, ErrIllegalMove) {
		t.Errorf("%+v", err)
	}
	for _, c := range []struct{ text, want string }{
		{"[Event \"x\n\n1. e4 *", `f:1: expected "] at the end of the tag Event`},
		{"[Event x]\n\n1. e4 *", "f:1: expected a tag like"},
		{"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "f:3: tag FEN: illegal position"},
		{"[FEN \"nonsense\"]\n\n1. e4 *", "f:3: tag FEN: FEN \"nonsense\": expected 6 fields"},
		{"1. e4 -- 2. d4 *", "f:1: ply 2: expected a move like"},
		{"1. e4 {", "f:1: expected } at the end of the comment"},
		{"1. Nfd2 *", "f:1: ply 1: expected a legal move"},
	} {
		games, errs := readAll(t, strings.NewReader(c.text))
		if len(games) != 1 || !strings.HasPrefix(errs[0], c.want) {
			t.Errorf("%q: %q, want %q", c.text, errs, c.want)
		}
	}
	failing := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("1. e4 e5 2. Nf3 *")))
	games, errs := readAll(t, failing)
	if n := len(games); n != 1 || games[0] != nil || !strings.Contains(errs[0], iotest.ErrTimeout.Error()) {
		t.Errorf("a reader that fails: %v %v", games, errs)
	}
	if games, _ := readAll(t, strings.NewReader(" \n\n{nothing} ; here\n")); len(games) != 0 {
		t.Errorf("no game, but %d are read", len(games))
	}
}

func TestWritePGN(t *testing.T) {
	g := play(t, "", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8")
	g.Result = Draw
	g.Tags = Tags{{"White", `Müller "Jo" \ Co`}, {"Board", "12"}, {"Result", "1-0"}, {"Annotator", "line\nbreak"}, {"FEN", "x"}, {"Bad name!", "y"}, {"", "z"}}
	for n := 1; n <= 8; n++ {
		g.SetClock(n, 90*time.Minute-time.Duration(n)*37*time.Second+900*time.Millisecond)
	}
	g.plies[8].Comment = "castles {early}; 50 %sure"
	g.plies[9].Clock, g.plies[9].HasClock, g.plies[9].Spent, g.plies[9].HasSpent = -time.Second, true, 3671*time.Second, true
	const want = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Müller \"Jo\" \\ Co"]
[Black "?"]
[Result "1/2-1/2"]
[Annotator "line break"]
[Badname "y"]
[Board "12"]

1. e4 {[%clk 1:29:23]} 1... e5 {[%clk 1:28:46]} 2. Nf3 {[%clk 1:28:09]} 2...
Nc6 {[%clk 1:27:32]} 3. Bb5 {[%clk 1:26:55]} 3... a6 {[%clk 1:26:18]} 4. Ba4
{[%clk 1:25:41]} 4... Nf6 {[%clk 1:25:04]} 5. O-O {castles (early); 50 %sure}
5... Be7 {[%clk 0:00:00] [%emt 1:01:11]} 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3
Nb8 1/2-1/2

`
	var b strings.Builder
	if err := WritePGN(&b, g); err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}

	black := play(t, "4k3/8/8/8/8/8/8/4K2R b K - 3 40", "Kd7 O-O Ke6")
	if got := string(AppendPGN(nil, black)); !strings.HasSuffix(got, "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n[SetUp \"1\"]\n\n40... Kd7 41. O-O Ke6 *\n\n") {
		t.Errorf("%s", got)
	}
	shuffled := NewGame(mustFEN(t, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"))
	if got := string(AppendPGN(nil, shuffled)); !strings.Contains(got, "\n[Variant \"Chess960\"]\n") || !strings.Contains(got, " HFhf ") {
		t.Errorf("%s", got)
	}
}

// TestPGNLines: no line of movetext reaches 80 columns, and none begins with what hides or ends a comment.
func TestPGNLines(t *testing.T) {
	g := play(t, "", "e4 e5")
	words := []string{"%hidden", `[Event "x"]`, "longer", "ein", "wörtchen", "[%csl", "Ga1]"}
	for i := range 400 {
		g.plies[0].Comment += words[i*i%len(words)] + strings.Repeat("x", i%5) + " "
	}
	out := AppendPGN(nil, g)
	_, text, _ := strings.Cut(string(out), "\n\n")
	for line := range strings.Lines(text) {
		if line[0] == '%' || line[0] == '[' && line[1] != '%' {
			t.Errorf("line begins with %.10q", line)
		}
	}
	again, err := NewPGNReader(bytes.NewReader(out), "again").Next()
	if err != nil || again.Len() != 2 || again.Ply(1).Comment != strings.TrimSpace(g.Ply(1).Comment) {
		t.Errorf("%v", err)
	}
	plain := play(t, "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 40))
	for line := range strings.Lines(string(AppendPGN(nil, plain))) {
		if len(line) > 80 { // with its line end
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

// roundTrip: what we write reads back without a fault and is written the same again.
func roundTrip(t testing.TB, g *Game) {
	t.Helper()
	first := AppendPGN(nil, g)
	reader := NewPGNReader(bytes.NewReader(first), "again")
	again, err := reader.Next()
	if err != nil {
		t.Fatalf("%v in\n%s", err, first)
	}
	if second := AppendPGN(nil, again); !bytes.Equal(first, second) {
		t.Fatalf("written\n%s\nread and written again\n%s", first, second)
	}
	if sans(g) != sans(again) || g.Result != again.Result || *g.Current() != *again.Current() {
		t.Fatalf("another game reads back from\n%s", first)
	}
	if _, err := reader.Next(); err != io.EOF {
		t.Fatalf("a second game, %v, in\n%s", err, first)
	}
}

func TestPGNRoundTrip(t *testing.T) {
	data, err := os.ReadFile("testdata/feed.pgn")
	if err != nil {
		t.Fatal(err)
	}
	games, _ := readAll(t, bytes.NewReader(data))
	for _, g := range games {
		roundTrip(t, g)
	}
}

// TestSharedPGN: whatever a real feed says, our export form says the same again.
func TestSharedPGN(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedPath(t, "games"), "*.pgn"))
	games, plies, clocks, faults := 0, 0, 0, 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for g, err := range ScanPGN(f, filepath.Base(file)) {
			games++
			if err != nil {
				faults++
				t.Log(err)
			}
			for _, p := range g.Plies() {
				plies++
				clocks += count(p.HasClock)
			}
			roundTrip(t, g)
		}
		f.Close()
	}
	t.Logf("%d games, %d plies, %d clocks, %d faults", games, plies, clocks, faults)
	if games == 0 || clocks*10 < plies*9 {
		t.Error("hardly anything is read")
	}
}

func TestParseClock(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"1:23:45": 5025 * time.Second, "00:15:19": 919 * time.Second, "05:06": 306 * time.Second, "59": 59 * time.Second,
		"0:00:00.5": 500 * time.Millisecond, "9:59:59": 35999 * time.Second, "0:00:01.2345": 1234 * time.Millisecond,
	} {
		if got, err := ParseClock(text); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", ":", "1:", "-1:00", "1:2:3:4", "a", "0:00:0x", "10:00:00", "23:59:58.820", "999999", "0:00:01.x"} {
		if got, err := ParseClock(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func FuzzPGN(f *testing.F) {
	data, err := os.ReadFile("testdata/feed.pgn")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, text := range []string{
		"1. e4 e5 2. Nf3 {[%clk 1:30:00]} *", "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 40\"]\n\n40... Kd7 1-0",
		"{a} 1. e4 (1. d4 (1. c4)) $1 ; x\n1-0", "[White \"\xfc\"]\n1. e4 {%\n%x}", "[Event \"a\"]\n[Event \"b\"]", "1.e4 {[Event \"x\"]\n[Event \"y\"]",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for g, err := range ScanPGN(bytes.NewReader(data), "f") {
			if g == nil {
				t.Fatal(err)
			}
			roundTrip(t, g)
		}
	})
}

// TestPGNLimits: what is too long is cut or left out, and stays so when it is written.
func TestPGNLimits(t *testing.T) {
	for _, c := range []struct {
		text         string
		tag, comment int // bytes left
	}{
		{"[White \"" + strings.Repeat("ä", 4096) + "\"]\n1. e4 *", 4096, 0},
		{"[White \"a" + strings.Repeat("ä", 4096) + "\"]\n1. e4 *", 4095, 0},
		{"[White \"" + strings.Repeat("\xe4", 4096) + "\"]\n1. e4 *", 0, 0},
		{"[White \"x\"]\n1. e4 {" + strings.Repeat("a ", 8000) + "} *", 1, 15999},
		{"[White \"x\"]\n1. e4 {" + strings.Repeat("a ", 9000) + "} *", 1, 0},
		{"[White \"x\"]\n1. e4 {" + strings.Repeat("[%", 7000) + "} *", 1, 0},
		{"[White \"x\"]\n1. e4 {b} {" + strings.Repeat("a ", 50000) + "} {c} *", 1, 3},
		{"[White \"x\"]\n1. e4 " + strings.Repeat("{a}", 9000) + " *", 1, 16383},
	} {
		g, err := NewPGNReader(strings.NewReader(c.text), "f").Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := len(g.Tags.Get("White")); c.tag != 0 && got != c.tag || got > maxTagBytes {
			t.Errorf("%.20q: a tag of %d bytes, want %d", c.text, got, c.tag)
		}
		if got := len(g.Ply(1).Comment); got != c.comment {
			t.Errorf("%.30q: a comment of %d bytes, want %d", c.text, got, c.comment)
		}
		roundTrip(t, g)
	}
}
