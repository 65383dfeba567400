package evidence

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

const (
	karpovMiles = "d4 Nf6 c4 c5 d5 b5 cxb5 a6 e3 Bb7 Nc3 Qa5 Bd2 axb5 Bxb5 Qb6 Qb3 e6 e4 Nxe4 Nxe4 Bxd5 Qd3 Qb7 f3 c4 Bxc4 Bxc4 Qxc4 d5 Qc2 dxe4 Qxe4 Qxe4+ fxe4 Nd7 Ne2 Nc5 Nc3 Nd3+ Ke2 Nxb2 Nb5 Ra4 Nc3 Ra8 Nb5 Ra4 Nc3 Ra8"
	filipowicz  = "e4 e6 d3 Ne7 g3 c5 Bg2 Nbc6 Be3 b6 Ne2 d5 O-O d4 Bc1 g6 Nd2 Bg7 f4 f5 a3 O-O e5 a5 a4 Ba6 b3 Rb8 Nc4 Qc7 Kh1 Nd5 Bd2 Rfd8 Ng1 Bf8 Nf3 Be7 h4 h5 Qe2 Ncb4 Rfc1 Bb7 Kh2 Bc6 Na3 Ra8 Qe1 Rdb8 Qg1 Qb7 Qf1 Kg7 Qh1 Qd7 Ne1 Ra7 Nf3 Rba8 Ne1 Bd8 Nf3 Rb8 Ne1 Bc7 Nf3 Rh8 Ng5 Bd8 Nf3 Be7 Qg1 Bb7 Nb5 Raa8 Na3 Ba6 Qf1 Rab8 Nc4 Bd8 Qd1 Ne7 Nd6 Bc7 Qe2 Ng8 Ng5 Nh6 Bf3 Bd8 Nh3 Ng4+ Kg1 Be7 Nc4 Nd5 Nf2 Bb7 Nh3 Bc6 Qg2 Rhc8 Re1 Rc7 Re2 Ra7 Ree1 Ra6 Re2 Rba8 Ree1 R8a7 Na3 Ra8 Nc4 Nh6 Na3 Nf7 Nf2 Rd8 Nc4 Rb8 Nh3 Bd8 Na3 Ra7 Qh1 Bc7 Qg2 Rd8 Qh1 Nh6 Ng5 Nf7 Nh3 Qe8 Kh2"
)

// claim opens a claim of the player to move; intended is "" or a move in SAN.
func claim(t *testing.T, moves string, kind rules.ClaimKind, intended string) (*rules.Game, *rules.Claim) {
	t.Helper()
	g := rules.NewGame(rules.Start())
	g.Tags.Set("Event", "Interpolis <Open>")
	g.Tags.Set("Round", "13")
	g.Tags.Set("White", "Karpov, Anatoly")
	g.Tags.Set("Black", "Miles, Anthony")
	for _, san := range strings.Fields(moves) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	r := rules.ClaimRequest{By: g.Current().Turn(), Kind: kind, Ply: g.Len()}
	if intended != "" {
		m, err := g.Current().ParseSAN(intended)
		if err != nil {
			t.Fatal(err)
		}
		r.Intended = m
	}
	c, err := rules.OpenClaim(g, r, nil, rules.Laws2023, 90*time.Minute, "player")
	if err != nil {
		t.Fatal(err)
	}
	return g, c
}

func write(t *testing.T, e rules.Evidence) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, e); err != nil {
		t.Fatal(err)
	}
	// BOARDD_SHEETS=DIR keeps the sheets, to be looked at.
	if dir := os.Getenv("BOARDD_SHEETS"); dir != "" {
		name := strings.ReplaceAll(t.Name(), "/", "-") + ".html"
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func has(t *testing.T, html string, wants ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(html), " ")
	for _, want := range wants {
		if !strings.Contains(flat, want) {
			t.Errorf("the sheet lacks %q", want)
		}
	}
}

func TestSheetOfANearMiss(t *testing.T) {
	g, c := claim(t, karpovMiles, rules.ThreefoldClaim, "Nb5")
	e := g.Evidence(c, rules.Surroundings{
		Clocks:    rules.ClockTimes{White: 12*time.Minute + 3*time.Second, Black: 45 * time.Second, HasWhite: true, HasBlack: true, Running: "white"},
		Incidents: []rules.Incident{{At: 5 * time.Minute, Ply: 10, Code: "board.lost", Words: "early"}, {At: 80 * time.Minute, Ply: 45, Code: "board.lost", Words: "no word from the board for 12 s"}},
	})
	html := write(t, e)
	has(t, html, "The record says: not correct.", "for the arbiter only", "Interpolis &lt;Open&gt; · round 13",
		"does not count: Black could still castle queenside", "after the declared 26.Nb5", "White 0:12:03, Black 0:00:45",
		"no word from the board for 12 s", "White 4, Black 4 moves (8 half-moves); the last was 21...Nxb2",
		"2 minutes to the opponent (Article 9.5.3, Laws of 2023), and 26.Nb5 must be played")
	if n := strings.Count(html, `class="board"`); n != 3 {
		t.Errorf("%d diagrams, want 3", n)
	}
	for _, foreign := range []string{"<script", "src=", "http:", "https:", "url(", "@import", "early"} {
		if strings.Contains(html, foreign) {
			t.Errorf("the sheet has %q", foreign)
		}
	}
}

func TestSheetOfFiftyMoves(t *testing.T) {
	g, c := claim(t, filipowicz, rules.FiftyClaim, "Rd7")
	if err := c.Pause(91*time.Minute, "boardd"); err != nil {
		t.Fatal(err)
	}
	html := write(t, g.Evidence(c, rules.Surroundings{Rules: rules.Rules{Class: rules.Rapid}}))
	has(t, html, "The record says: correct.", "with <b>70...Rd7</b> declared", "White 50, Black 49 moves (99 half-moves); the last was 20...h5",
		"1 minute to the opponent", "White –, Black –", "No outage, no correction, no gap.", "<mark>h5</mark>", "<dt>Paused</dt><dd>at 1:31:00, boardd")
	if n := strings.Count(html, `class="board"`); n != 1 {
		t.Errorf("%d diagrams, want 1", n)
	}
}

// TestSheetOfManyOccurrences: the page has room for six boards; no claim has been opened.
func TestSheetOfManyOccurrences(t *testing.T) {
	g, _ := claim(t, "e4 e5", rules.FiftyClaim, "")
	for _, san := range strings.Fields(strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 9)) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	e := g.Evidence(&rules.Claim{ClaimRequest: rules.ClaimRequest{By: rules.White, Ply: g.Len()}}, rules.Surroundings{})
	if len(e.Occurrences) != 10 {
		t.Errorf("%d occurrences, want 10", len(e.Occurrences))
	}
	html := write(t, e)
	has(t, html, "4 between them are left out", "<b>Drawn without a claim: five times the same position (9.6.1).</b>", "after 1...e5", "after 19...Ng8")
	if n := strings.Count(html, `class="board"`); n != 6 {
		t.Errorf("%d diagrams, want 6", n)
	}
}

type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	g, c := claim(t, "e4 e5", rules.FiftyClaim, "")
	e := g.Evidence(c, rules.Surroundings{})
	if err := WriteHTML(full{}, e); !errors.Is(err, errFull) {
		t.Errorf("%v, want %v", err, errFull)
	}
	e.FEN, e.Occurrences = "not a position", nil
	if err := WriteHTML(new(bytes.Buffer), e); err == nil {
		t.Error("a sheet of no position")
	}
}

// TestOnePage prints the sheet of a long game with as many boards as there may be.
func TestOnePage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine (apt-get install chromium)")
	}
	g, _ := claim(t, filipowicz, rules.FiftyClaim, "")
	for _, san := range strings.Fields(strings.Repeat("Rd7 Kg2 Rd8 Kh2 ", 20)) {
		if err := g.PushSAN(san); err != nil {
			t.Fatal(err)
		}
	}
	e := g.Evidence(&rules.Claim{ClaimRequest: rules.ClaimRequest{By: rules.Black, Ply: g.Len()}},
		rules.Surroundings{Incidents: []rules.Incident{{Ply: 150, Code: "board.lost", Words: "the line was down for 20 s"}, {Ply: 170, Code: "move.corrected", Words: "ply 169 was read anew"}}})
	if len(e.Score) < 100 || len(e.Occurrences) <= mostDiagrams {
		t.Fatalf("%d moves, %d occurrences: no hard case", len(e.Score), len(e.Occurrences))
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "sheet.html"), filepath.Join(dir, "sheet.pdf")
	if err := os.WriteFile(in, []byte(write(t, e)), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--no-pdf-header-footer", "--print-to-pdf="+out, "file://"+in).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	pdf, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n != 1 {
		t.Errorf("%d pages, want 1", n)
	}
}
