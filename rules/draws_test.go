package rules

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eachLine decodes every line of a JSONL file.
func eachLine[T any](t *testing.T, path string, visit func(*T)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		visit(&row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// knownDraw is a game or position whose draw rights are known from elsewhere:
// testdata/draws.jsonl has the games of the fact sheet, section 8. Where a field is
// left out, the row says nothing of it.
type knownDraw struct {
	Name, FEN, Moves string
	Threefold, Fifty []int
	FiftyNext        []int               `json:"fifty_next"`
	Next             map[string][]string // by ply: moves that would make a third occurrence
	Near             map[string][]int    // by ply: where the men stood so
	Words            string              // of the near miss at the end
	Halfmoves        *int                // at the end
	End              string              // at the end
	Over             *bool               // at the end
}

func TestKnownDraws(t *testing.T) {
	rows := 0
	eachLine(t, "testdata/draws.jsonl", func(row *knownDraw) {
		rows++
		g := play(t, row.FEN, row.Moves)
		checkAgainstNaive(t, row.Name, g)
		if got := claimPlies(g, func(c *Claims) bool { return c.Threefold }); !slices.Equal(got, row.Threefold) {
			t.Errorf("%s: threefold on the board at %v, want %v", row.Name, got, row.Threefold)
		}
		if got := claimPlies(g, func(c *Claims) bool { return c.Fifty }); !slices.Equal(got, row.Fifty) {
			t.Errorf("%s: fifty on the board at %v, want %v", row.Name, got, row.Fifty)
		}
		if got := claimPlies(g, func(c *Claims) bool { return len(c.FiftyNext) > 0 }); !slices.Equal(got, row.FiftyNext) {
			t.Errorf("%s: fifty by a move at %v, want %v", row.Name, got, row.FiftyNext)
		}
		for at, want := range row.Next {
			n, _ := strconv.Atoi(at)
			var got []string
			for _, m := range g.Claims(n).ThreefoldNext {
				got = append(got, g.PositionAt(n).SAN(m))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s ply %d: threefold by %v, want %v", row.Name, n, got, want)
			}
		}
		for n := 0; n <= g.Len(); n++ {
			miss, ok := g.NearMiss(n)
			if want := row.Near[strconv.Itoa(n)]; ok != (want != nil) || ok && !slices.Equal(miss.Looks, want) {
				t.Errorf("%s ply %d: near miss %v %+v, want %v", row.Name, n, ok, miss, want)
			}
			if n == 0 {
				continue
			}
			before, beforeOK := g.NearMissAfter(n-1, g.Ply(n).Move)
			if beforeOK != ok || ok && (!slices.Equal(before.Looks, miss.Looks) || before.Count != miss.Count) {
				t.Errorf("%s ply %d: as an intended move the near miss is %v %+v, on the board %v %+v", row.Name, n, beforeOK, before, ok, miss)
			}
		}
		last := g.Claims(g.Len())
		if miss, _ := g.NearMiss(g.Len()); row.Words != "" && g.Explain(miss) != row.Words {
			t.Errorf("%s: in words %q, want %q", row.Name, g.Explain(miss), row.Words)
		}
		if row.Halfmoves != nil && last.Halfmoves != *row.Halfmoves || last.End.String() != row.End ||
			row.Over != nil && last.Over(Laws2023) != *row.Over {
			t.Errorf("%s: at the end %+v", row.Name, last)
		}
	})
	if rows < 25 {
		t.Errorf("%d rows only", rows)
	}
}

// TestBlatnyHolzke: T14's en-passant case, of which two positions are known.
func TestBlatnyHolzke(t *testing.T) {
	first := mustFEN(t, "4R3/4b2p/3kn1p1/1p3pP1/5P2/3KP3/7P/8 w - f6 0 48")
	third := mustFEN(t, "4R3/4b2p/3kn1p1/1p3pP1/5P2/3KP3/7P/8 w - - 8 52")
	if first.Key() == third.Key() {
		t.Error("one position, though White could take on f6 at first")
	}
	if got, want := differences(&first, &third), "White could take en passant on f6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSharedClaimsCases runs every row of kind claims.
func TestSharedClaimsCases(t *testing.T) {
	rows := 0
	eachLine(t, sharedPath(t, "cases", "cases.jsonl"), func(row *struct {
		ID, Kind        string
		Input, Expected json.RawMessage
	}) {
		if row.Kind != "claims" {
			return
		}
		var input struct {
			FEN   string
			Moves []string
		}
		var want struct {
			OnBoard     []int `json:"threefold_on_board"`
			Next        []int `json:"threefold_next"`
			Fifty       []int `json:"fifty_on_board"`
			FiftyNext   []int `json:"fifty_next"`
			Fivefold    []int
			SeventyFive []int
			End         *string
		}
		if err := json.Unmarshal(row.Input, &input); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(row.Expected, &want); err != nil {
			t.Fatal(err)
		}
		rows++
		g := play(t, input.FEN, strings.Join(input.Moves, " "))
		checkAgainstNaive(t, row.ID, g)
		for _, c := range []struct {
			name  string
			want  []int
			holds func(*Claims) bool
		}{
			{"threefold on the board", want.OnBoard, func(c *Claims) bool { return c.Threefold }},
			{"threefold by a move", want.Next, func(c *Claims) bool { return len(c.ThreefoldNext) > 0 }},
			{"fifty on the board", want.Fifty, func(c *Claims) bool { return c.Fifty }},
			{"fifty by a move", want.FiftyNext, func(c *Claims) bool { return len(c.FiftyNext) > 0 }},
			{"fivefold", want.Fivefold, func(c *Claims) bool { return c.Fivefold }},
			{"75 moves", want.SeventyFive, func(c *Claims) bool { return c.SeventyFive }},
		} {
			if got := claimPlies(g, c.holds); !slices.Equal(got, c.want) {
				t.Errorf("%s: %s at %v, want %v", row.ID, c.name, got, c.want)
			}
		}
		ends := map[End]string{Checkmate: "mate", Stalemate: "stalemate", DeadPosition: "dead_position"}
		if got := ends[g.Current().End()]; (want.End == nil) != (got == "") || want.End != nil && *want.End != got {
			t.Errorf("%s: ends by %q, want %v", row.ID, got, want.End)
		}
	})
	if rows < 11 {
		t.Errorf("%d rows only", rows)
	}
}

// TestSharedGamesAgainstNaive: no difference on any game of the shared collections.
func TestSharedGamesAgainstNaive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	paths, err := os.ReadDir(sharedPath(t, "games"))
	if err != nil {
		t.Fatal(err)
	}
	games, plies := 0, 0
	for _, entry := range paths {
		f, err := os.Open(sharedPath(t, "games", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for g := range ScanPGN(f, entry.Name()) {
			games, plies = games+1, plies+g.Len()
			checkAgainstNaive(t, entry.Name()+" "+g.Tags.Get("Round"), g)
		}
		f.Close()
	}
	t.Logf("%d games, %d plies", games, plies)
	if games < 100 {
		t.Errorf("%d games only", games)
	}
}

// TestSharedClaimsGames checks whole games around draws that an independent library counted.
func TestSharedClaimsGames(t *testing.T) {
	games := 0
	eachLine(t, sharedPath(t, "cases", "claims-games.jsonl"), func(row *struct {
		ID, Start   string
		Moves       []string
		Threefold   []int  `json:"threefold_on_board"`
		NextFirst   []int  `json:"threefold_next_first"`
		NextCount   int    `json:"threefold_next_count"`
		Fifty       []int  `json:"fifty_on_board"` // first, last, how many
		Fivefold    *int   `json:"fivefold_first"`
		SeventyFive *int   `json:"seventyfive_first"`
		Final       string `json:"final_fen"`
	}) {
		games++
		fen := row.Start
		if fen == "startpos" {
			fen = ""
		}
		g := play(t, fen, strings.Join(row.Moves, " "))
		if got := claimPlies(g, func(c *Claims) bool { return c.Threefold }); !slices.Equal(got, row.Threefold) {
			t.Errorf("%s: threefold at %v, want %v", row.ID, got, row.Threefold)
		}
		next := claimPlies(g, func(c *Claims) bool { return len(c.ThreefoldNext) > 0 })
		if len(next) != row.NextCount || !slices.Equal(next[:min(len(next), len(row.NextFirst))], row.NextFirst) {
			t.Errorf("%s: threefold by a move at %v, want %d plies", row.ID, next, row.NextCount)
		}
		fifty := claimPlies(g, func(c *Claims) bool { return c.Fifty })
		if n := len(fifty); n > 0 && !slices.Equal([]int{fifty[0], fifty[n-1], n}, row.Fifty) || n == 0 && len(row.Fifty) > 0 {
			t.Errorf("%s: fifty at %v, want %v", row.ID, fifty, row.Fifty)
		}
		if got := claimPlies(g, func(c *Claims) bool { return c.Fivefold }); !isFirst(got, row.Fivefold) {
			t.Errorf("%s: fivefold at %v", row.ID, got)
		}
		if got := claimPlies(g, func(c *Claims) bool { return c.SeventyFive }); !isFirst(got, row.SeventyFive) {
			t.Errorf("%s: 75 moves at %v", row.ID, got)
		}
		if got := g.Current().FEN(); got != row.Final {
			t.Errorf("%s: ends at %s, want %s", row.ID, got, row.Final)
		}
		if !testing.Short() {
			checkAgainstNaive(t, row.ID, g)
		}
	})
	t.Logf("%d games", games)
	if games < 70 {
		t.Errorf("%d games only", games)
	}
}

// isFirst reports whether first is the first of the plies, nil when there is none.
func isFirst(plies []int, first *int) bool {
	return (first == nil) == (len(plies) == 0) && (first == nil || plies[0] == *first)
}

func TestRightsInWords(t *testing.T) {
	for fen, want := range map[string]string{
		StartFEN:                                    "White to move; White may castle kingside and queenside; Black may castle kingside and queenside; no en passant",
		"4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1":          "Black to move; White may castle queenside; Black may castle kingside; no en passant",
		"8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1":          "Black to move; White may not castle; Black may not castle; en passant on d3",
		"1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1":        "White to move; White may castle queenside with the rook on b1; Black may castle queenside with the rook on b8; no en passant",
		"r3k2r/p1ppqpb1/8/8/8/8/8/R3K2R w Kq - 0 1": "White to move; White may castle kingside; Black may castle queenside; no en passant",
	} {
		p := mustFEN(t, fen)
		if got := p.Rights(); got != want {
			t.Errorf("%s: %s, want %s", fen, got, want)
		}
	}
}
