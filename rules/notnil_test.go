package rules

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/notnil/chess"
)

// sharedGames are all game records of the shared material: scores of a real
// event, the truth behind the recorded tapes, and whole games around draw claims.
func sharedGames(t *testing.T) (games []*Game) {
	files, _ := filepath.Glob(filepath.Join(sharedPath(t, "games"), "*.pgn"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for g, err := range ScanPGN(f, filepath.Base(file)) {
			if err != nil {
				t.Log(err)
			}
			games = append(games, g)
		}
		f.Close()
	}
	truths, _ := filepath.Glob(filepath.Join(sharedPath(t, "tapes"), "*", "truth.jsonl"))
	for _, file := range append(truths, sharedPath(t, "cases", "claims-games.jsonl")) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row struct {
				FEN, Start string
				UCI, Moves []string
			}
			if json.Unmarshal(lines.Bytes(), &row) != nil { // other rows have other shapes
				continue
			}
			start := Start()
			if fen := row.FEN + row.Start; fen != "" && fen != "startpos" {
				start = mustFEN(t, fen)
			}
			g := NewGame(start)
			for _, text := range append(row.UCI, row.Moves...) {
				if g.PushSAN(text) != nil {
					break // some tapes hold an illegal move on purpose
				}
			}
			games = append(games, g)
		}
		f.Close()
	}
	return games
}

// TestNotnilAgrees compares the number of legal moves with notnil/chess at every
// ply of the shared games, and of games played at random until 100,000 plies are seen.
func TestNotnilAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	games := sharedGames(t)
	plies := 0
	for _, g := range games {
		plies += g.Len()
	}
	recorded := plies
	random := rand.New(rand.NewPCG(1, 100_000))
	for plies < 100_000 {
		g := NewGame(Start())
		for range 200 {
			var l MoveList
			if g.Current().LegalMoves(&l); l.Len() == 0 {
				break
			}
			g.push(Ply{Move: l.At(random.IntN(l.Len()))}, &l)
		}
		games, plies = append(games, g), plies+g.Len()
	}
	for _, g := range games {
		option, err := chess.FEN(g.Start().FEN())
		if err != nil {
			t.Fatal(err)
		}
		other := chess.NewGame(option).Position()
		for n := 0; ; n++ {
			p := g.PositionAt(n)
			var l MoveList
			p.LegalMoves(&l)
			if got, want := l.Len(), len(other.ValidMoves()); got != want {
				t.Fatalf("%s: %d legal moves, notnil/chess has %d", p.FEN(), got, want)
			}
			if n == g.Len() {
				break
			}
			// Its UCI decoder leaves the check tag out, and then it castles out of
			// check; a move from its own list has the tag.
			want := p.UCI(g.Plies()[n].Move)
			moves := other.ValidMoves()
			i := slices.IndexFunc(moves, func(m *chess.Move) bool { return m.String() == want })
			if i < 0 {
				t.Fatalf("%s: notnil/chess does not know %s", p.FEN(), want)
			}
			other = other.Update(moves[i])
		}
	}
	t.Logf("%d plies agree: %d of %d games recorded, the rest random", plies, recorded, len(games))
}

// TestSharedGamesProperties: at every ply of the shared games the key is that of
// the position from nothing, FEN reads back, and each legal move's SAN and UCI
// read back as that move and are written by no other.
func TestSharedGamesProperties(t *testing.T) {
	games := sharedGames(t)
	if testing.Short() {
		games = games[:50]
	}
	plies := 0
	for i, g := range games {
		for n := i % 3; n <= g.Len(); n += 3 { // a third of the plies is plenty
			checkPosition(t, g.PositionAt(n))
			plies++
		}
	}
	t.Logf("%d positions", plies)
}

// checkPosition states the laws every position keeps.
func checkPosition(t testing.TB, p *Position) {
	t.Helper()
	if p.key != p.scratchKey() {
		t.Fatalf("%s: key %x, from nothing %x", p.FEN(), p.key, p.scratchKey())
	}
	again, err := ParseFEN(p.FEN())
	if err != nil {
		t.Fatal(err)
	}
	if again.chess960 = p.chess960; again != *p {
		t.Fatalf("FEN %s reads back as %s", p.FEN(), again.FEN())
	}
	var l MoveList
	p.LegalMoves(&l)
	seen := make(map[string]Move, 2*l.Len())
	for _, m := range l.Moves() {
		san, uci := p.SAN(m), p.UCI(m)
		if old, ok := seen[san]; ok {
			t.Fatalf("%s: %s stands for %s and %s", p.FEN(), san, old, m)
		}
		seen[san] = m
		if got, err := p.ParseStrictSAN(san); err != nil || got != m {
			t.Fatalf("%s: %s is %s, read as %s, %v", p.FEN(), san, m, got, err)
		}
		if got, err := p.ParseUCI(uci); err != nil || got != m {
			t.Fatalf("%s: %s is %s, read as %s, %v", p.FEN(), uci, m, got, err)
		}
	}
}
