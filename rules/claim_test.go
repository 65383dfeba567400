package rules

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// request is a claim in the position on the board; san is "" or the intended move.
func request(t *testing.T, g *Game, by Color, kind ClaimKind, san string) ClaimRequest {
	t.Helper()
	r := ClaimRequest{By: by, Kind: kind, Ply: g.Len()}
	if san != "" {
		r.Intended = moves(t, g.Current(), san)[0]
	}
	return r
}

const dance = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"

func TestClaimCorrect(t *testing.T) {
	g := play(t, "", dance)
	c, err := OpenClaim(g, request(t, g, Black, ThreefoldClaim, "Ng8"), nil, Laws2023, time.Minute, "black")
	if err != nil {
		t.Fatal(err)
	}
	if v := c.Verdict(g); !v.Correct || !v.Provable || v.Words != "after 4...Ng8 the position would have stood 3 times" {
		t.Errorf("verdict %+v", v)
	}
	if c.Decided() || c.IntendedSAN != "Ng8" {
		t.Errorf("%+v", c)
	}
	if err := c.Pause(61*time.Second, "boardd"); err != nil {
		t.Fatal(err)
	}
	if err := c.Pause(62*time.Second, "boardd"); !errors.Is(err, ErrClaimPaused) {
		t.Errorf("paused twice: %v", err)
	}
	con, err := c.Rule(true, Rules{}, 2*time.Minute, "arbiter")
	if err != nil || con.Result != Draw || con.Time != 0 || con.Play != NullMove || con.Article != "9.5.2" {
		t.Errorf("%+v, %v", con, err)
	}
	if _, err := c.Rule(false, Rules{}, 3*time.Minute, "arbiter"); !errors.Is(err, ErrClaimRuled) || !strings.Contains(err.Error(), "it is correct") {
		t.Errorf("ruled twice: %v", err)
	}
	if err := c.Pause(3*time.Minute, "boardd"); !errors.Is(err, ErrClaimRuled) {
		t.Errorf("paused after the ruling: %v", err)
	}
	want := []ClaimFact{{ClaimOpened, time.Minute, "black"}, {ClaimPaused, 61 * time.Second, "boardd"}, {ClaimCorrect, 2 * time.Minute, "arbiter"}}
	if len(c.Facts) != 3 || c.Facts[0] != want[0] || c.Facts[1] != want[1] || c.Facts[2] != want[2] {
		t.Errorf("facts %+v, want %+v", c.Facts, want)
	}
	if g.Result != Unfinished {
		t.Error("the claim has ended the game by itself")
	}
}

// TestClaimIncorrect: the opponent's time by edition and class, and the move that binds.
func TestClaimIncorrect(t *testing.T) {
	for _, c := range []struct {
		rules   Rules
		want    time.Duration
		article string
	}{
		{Rules{}, 2 * time.Minute, "9.5.3"},
		{Rules{Class: Standard}, 2 * time.Minute, "9.5.3"},
		{Rules{Class: Rapid}, time.Minute, "9.5.3"},
		{Rules{Class: Blitz}, time.Minute, "9.5.3"},
		{Rules{Edition: Laws2018}, 2 * time.Minute, "9.5.3"},
		{Rules{Edition: Laws2018, Class: Rapid}, 2 * time.Minute, "9.5.3"},
		{Rules{Edition: Laws2018, Class: Blitz}, time.Minute, "9.5.3"},
		{Rules{Edition: Laws2005}, 3 * time.Minute, "9.5b"},
		{Rules{Edition: Laws2005, Class: Blitz}, 3 * time.Minute, "9.5b"},
		{Rules{Class: Blitz, WrongClaim: 30 * time.Second}, 30 * time.Second, "9.5.3"},
	} {
		g := play(t, "", "e4 e5 Nf3")
		claim, err := OpenClaim(g, request(t, g, Black, FiftyClaim, "Nc6"), nil, c.rules.Edition, 0, "black")
		if err != nil {
			t.Fatal(err)
		}
		con, err := claim.Rule(false, c.rules, 0, "arbiter")
		if err != nil || con.Result != Unfinished || con.TimeTo != White || con.Time != c.want || con.PlaySAN != "Nc6" || con.Article != c.article {
			t.Errorf("%+v: %+v, %v", c.rules, con, err)
		}
		if _, known := claim.Kept(g); known {
			t.Error("it is told whether he has kept to his move before he has moved")
		}
		for san, want := range map[string]bool{"Nc6": true, "d6": false} {
			after := play(t, "", "e4 e5 Nf3 "+san)
			if kept, known := claim.Kept(after); !known || kept != want {
				t.Errorf("after %s: kept %v, known %v", san, kept, known)
			}
		}
	}
	g := play(t, "", "e4")
	claim, err := OpenClaim(g, request(t, g, Black, ThreefoldClaim, "e5"), nil, Laws2023, 0, "black")
	if err != nil {
		t.Fatal(err)
	}
	con, _ := claim.Rule(false, Rules{Class: Blitz, WrongClaim: 90 * time.Second}, 0, "arbiter")
	if con.Words != "White gets 90 seconds more; the game goes on and Black must play e5" {
		t.Errorf("words: %q", con.Words)
	}
}

func TestClaimNotPossible(t *testing.T) {
	g := play(t, "", dance)
	over := play(t, "", dance)
	over.Result = WhiteWins
	mated := play(t, "", "f3 e5 g4 Qh4")
	five := play(t, "", strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 4))
	open, err := OpenClaim(g, request(t, g, Black, FiftyClaim, ""), nil, Laws2023, 0, "black")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		g       *Game
		r       ClaimRequest
		earlier []*Claim
		edition Edition
		want    error
	}{
		{"not his move", g, request(t, g, White, ThreefoldClaim, ""), nil, Laws2023, ErrNotHisMove},
		{"moved since", g, ClaimRequest{By: White, Ply: 6}, nil, Laws2023, ErrMovedSince},
		{"not there yet", g, ClaimRequest{By: White, Ply: 8}, nil, Laws2023, ErrNoSuchPly},
		{"a ply before the game", g, ClaimRequest{By: White, Ply: -1}, nil, Laws2023, ErrNoSuchPly},
		{"illegal move", g, ClaimRequest{By: Black, Ply: 7, Intended: NewMove(E8, E1, NoRole)}, nil, Laws2023, ErrIllegalMove},
		{"a result stands", over, request(t, over, Black, ThreefoldClaim, ""), nil, Laws2023, ErrGameOver},
		{"mate", mated, request(t, mated, White, ThreefoldClaim, ""), nil, Laws2023, ErrGameOver},
		{"five times", five, request(t, five, White, ThreefoldClaim, ""), nil, Laws2023, ErrGameOver},
		{"five times end nothing in 2005", five, request(t, five, White, ThreefoldClaim, ""), nil, Laws2005, nil},
		{"one claim at a time", g, request(t, g, Black, ThreefoldClaim, ""), []*Claim{open}, Laws2023, ErrClaimOpen},
	} {
		if _, err := OpenClaim(c.g, c.r, c.earlier, c.edition, 0, "x"); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := open.Rule(false, Rules{}, 0, "arbiter"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenClaim(g, request(t, g, Black, ThreefoldClaim, ""), []*Claim{open}, Laws2023, 0, "black"); err != nil {
		t.Errorf("a second claim after the first was ruled on: %v", err)
	}
}

func TestClaimVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, fen, moves, intended string
		kind                       ClaimKind
		unknown                    []int
		correct, provable          bool
		words                      string
	}{
		{"on the board", "", dance + " Ng8", "", ThreefoldClaim, nil, true, true, "the position has stood 3 times"},
		{"twice only", "", "Nf3 Nf6 Ng1 Ng8", "", ThreefoldClaim, nil, false, true, "the position has stood twice"},
		{"a gap", "", dance + " Ng8", "", ThreefoldClaim, []int{3, 4, 5}, false, false, "the position has stood at least twice; the record has a gap, or begins in mid-game"},
		{"near miss by a move", "4k1n1/8/8/8/3p4/8/2P5/4K1N1 w - - 0 1", "c4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8", "Ng1", ThreefoldClaim, nil, false, true,
			"the men stood so 3 times (1.c4, 3.Ng1, the intended 5.Ng1), but the position counts twice: after 1.c4 Black could take en passant on c3"},
		{"fifty", "8/7k/8/6R1/1r3B2/5K2/8/8 b - - 100 119", "", "", FiftyClaim, nil, true, true, "100 half-moves without capture and pawn move; 100 are needed"},
		{"fifty by a move", "6R1/7k/8/8/1r3B2/5K2/8/8 w - - 99 119", "", "Rg5", FiftyClaim, nil, true, true, "100 half-moves without capture and pawn move, 119.Rg5 included; 100 are needed"},
		{"fifty by a capture", "6R1/6rk/8/8/5B2/5K2/8/8 w - - 99 119", "", "Rxg7+", FiftyClaim, nil, false, true, "119.Rxg7+ is a capture or a pawn move"},
		{"fifty short by one", "8/7k/8/6R1/1r3B2/5K2/8/8 b - - 99 119", "", "", FiftyClaim, nil, false, true, "99 half-moves without capture and pawn move; 100 are needed"},
		{"fifty behind a gap", "", "e4 Nf6 Nf3 Ng8", "", FiftyClaim, []int{1, 2, 3}, false, false, "at least 1 half-moves without capture and pawn move; 100 are needed; a gap hides the last capture or pawn move"},
	} {
		g := play(t, c.fen, c.moves)
		plies := append([]Ply(nil), g.Plies()...)
		for _, n := range c.unknown {
			plies[n-1].OrderUnknown = true
		}
		if err := g.ReplacePlies(1, plies); err != nil {
			t.Fatal(err)
		}
		claim, err := OpenClaim(g, request(t, g, g.Current().Turn(), c.kind, c.intended), nil, Laws2023, 0, "player")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v := claim.Verdict(g); v.Correct != c.correct || v.Provable != c.provable || v.Words != c.words {
			t.Errorf("%s: %+v", c.name, v)
		}
		if err := g.ReplaceFrom(1, nil); err != nil {
			t.Fatal(err)
		}
		if v := claim.Verdict(g); c.moves != "" && (v.Correct || v.Words != "the position of the claim is no longer in the record") {
			t.Errorf("%s, taken back: %+v", c.name, v)
		}
	}
}

func TestClaimArticles(t *testing.T) {
	for _, c := range []struct {
		kind     ClaimKind
		edition  Edition
		intended bool
		want     string
	}{
		{ThreefoldClaim, Laws2023, true, "9.2.1"},
		{ThreefoldClaim, Laws2023, false, "9.2.2"},
		{ThreefoldClaim, Laws2018, true, "9.2.1.1"},
		{ThreefoldClaim, Laws2018, false, "9.2.1.2"},
		{ThreefoldClaim, Laws2005, true, "9.2a"},
		{FiftyClaim, Laws2023, true, "9.3.1"},
		{FiftyClaim, Laws2018, false, "9.3.2"},
		{FiftyClaim, Laws2005, false, "9.3b"},
	} {
		if got := c.kind.Article(c.edition, c.intended); got != c.want {
			t.Errorf("%s %s %v: %s, want %s", c.kind, c.edition, c.intended, got, c.want)
		}
	}
	for _, k := range []ClaimKind{ThreefoldClaim, FiftyClaim} {
		if got, err := ParseClaimKind(k.String()); got != k || err != nil {
			t.Errorf("%s: %v, %v", k, got, err)
		}
	}
	if _, err := ParseClaimKind("draw"); err == nil {
		t.Error(`"draw" is a kind of claim`)
	}
}

func TestClaimAccepted(t *testing.T) {
	g := play(t, "", dance)
	for text, want := range map[string]error{"allowed": nil, "claims-only": ErrNoAgreement, "no-offers-before 30": ErrNoAgreement, "no-offers-before 3": nil} {
		rule, err := ParseDrawRule(text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := OpenClaim(g, request(t, g, Black, FiftyClaim, ""), nil, Laws2023, 0, "black")
		if err != nil {
			t.Fatal(err)
		}
		con, err := c.Accept(g, rule, time.Second, "white")
		if !errors.Is(err, want) || (con.Result == Draw) != (want == nil) || c.Decided() != (want == nil) {
			t.Errorf("%s: %+v, %v, %s", text, con, err, c.Last())
		}
	}
}

func TestDrawRule(t *testing.T) {
	for text, want := range map[string]string{"allowed": "allowed", "claims-only": "claims-only", "no-offers-before 30": "no-offers-before 30", "no-offers-before = 40": "no-offers-before 40"} {
		if got, err := ParseDrawRule(text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "forbidden", "no-offers-before", "no-offers-before 0", "no-offers-before 201", "no-offers-before x", "allowed 3"} {
		if got, err := ParseDrawRule(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

func TestCheckResult(t *testing.T) {
	claimsOnly, _ := ParseDrawRule("claims-only")
	before3, _ := ParseDrawRule("no-offers-before 3")
	correct := &Claim{Facts: []ClaimFact{{Step: ClaimOpened}, {Step: ClaimCorrect}}}
	wrong := &Claim{Facts: []ClaimFact{{Step: ClaimOpened}, {Step: ClaimIncorrect}}}
	open := &Claim{Facts: []ClaimFact{{Step: ClaimOpened}}}
	const stale, dead = "8/8/8/8/8/k7/p7/K7 w - - 0 1", "8/8/8/3k4/8/3K4/8/8 w - - 0 1"
	five := strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 4)
	for _, c := range []struct {
		name       string
		rule       DrawRule
		fen, moves string
		result     Result
		claims     []*Claim
		edition    Edition
		unverified bool
	}{
		{"a win needs no reason", claimsOnly, "", "e4", WhiteWins, nil, Laws2023, false},
		{"agreed where it is allowed", DrawRule{}, "", "e4 e5", Draw, nil, Laws2023, false},
		{"agreed before a move by each", DrawRule{}, "", "e4", Draw, nil, Laws2023, true},
		{"agreed where it is not", claimsOnly, "", "e4 e5", Draw, nil, Laws2023, true},
		{"a claim ruled correct", claimsOnly, "", "e4 e5", Draw, []*Claim{wrong, correct}, Laws2023, false},
		{"a claim ruled incorrect", claimsOnly, "", "e4 e5", Draw, []*Claim{wrong}, Laws2023, true},
		{"a claim nobody has ruled on", claimsOnly, "", "e4 e5", Draw, []*Claim{open}, Laws2023, true},
		{"three times without a claim", claimsOnly, "", dance + " Ng8", Draw, nil, Laws2023, true},
		{"stalemate", claimsOnly, stale, "", Draw, nil, Laws2023, false},
		{"dead position", claimsOnly, dead, "", Draw, nil, Laws2023, false},
		{"five times", claimsOnly, "", five, Draw, nil, Laws2023, false},
		{"five times, and played on", claimsOnly, "", five + "e4 e5", Draw, nil, Laws2023, false},
		{"five times in 2005", claimsOnly, "", five, Draw, nil, Laws2005, true},
		{"75 moves", claimsOnly, "4k3/8/6r1/8/8/8/2R5/4K3 w - - 150 1", "", Draw, nil, Laws2023, false},
		{"checkmate is no draw", claimsOnly, "", "f3 e5 g4 Qh4", Draw, nil, Laws2023, true},
		{"before move 3", before3, "", "e4 e5 d4 d5 a3", Draw, nil, Laws2023, true},
		{"after move 3", before3, "", "e4 e5 d4 d5 a3 a6", Draw, nil, Laws2023, false},
	} {
		err := c.rule.CheckResult(play(t, c.fen, c.moves), c.result, c.claims, c.edition)
		var u *UnverifiedDraw
		if errors.As(err, &u) != c.unverified || (err == nil) == c.unverified {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	err := claimsOnly.CheckResult(play(t, "", "e4 e5"), Draw, nil, Laws2023)
	if want := "draw after 1 moves under claims-only: expected a claim ruled correct, a stalemate, a dead position, five occurrences or 75 moves"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
