package rules

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

func TestEvidence(t *testing.T) {
	g := play(t, "4k1n1/8/8/8/3p4/8/2P5/4K1N1 w - - 0 7", "c4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8")
	g.Tags.Set("White", "A")
	g.SetClock(8, 3*time.Minute)
	g.MakeFirm(5, time.Minute)
	c, err := OpenClaim(g, request(t, g, White, ThreefoldClaim, "Ng1"), nil, Laws2023, time.Hour, "white")
	if err != nil {
		t.Fatal(err)
	}
	clocks := ClockTimes{White: time.Minute, HasWhite: true, Running: "white"}
	e := g.Evidence(c, Surroundings{
		Rules: Rules{Edition: Laws2018, Class: Blitz}, Clocks: clocks,
		Incidents: []Incident{{Ply: 0, Code: "early"}, {Ply: 1, Code: "late"}},
	})
	if e.White != "A" || e.OnMove != "white" || e.Claim.By != "white" || e.Claim.Intended != "11.Ng1" || e.Claim.Article != "9.2.1.1" ||
		e.Claim.After != "10...Ng8" || len(e.Claim.Facts) != 1 || e.Clocks != clocks || e.Penalty != time.Minute || e.PenaltyFrom != "9.5.3" || e.Verdict.Correct || e.Over != "" {
		t.Errorf("%+v", e)
	}
	type short struct {
		after, why       string
		counts, intended bool
	}
	var got []short
	for _, o := range e.Occurrences {
		got = append(got, short{o.After, o.Why, o.Counts, o.Intended})
	}
	want := []short{{"7.c4", "Black could take en passant on c3", false, false}, {"9.Ng1", "", true, false}, {"11.Ng1", "", true, true}}
	if !slices.Equal(got, want) {
		t.Errorf("occurrences %+v, want %+v", got, want)
	}
	if want := (QuietMoves{Last: "7.c4", LastPly: 1, White: 3, Black: 4, Halfmoves: 7}); e.Quiet != want {
		t.Errorf("quiet moves %+v, want %+v", e.Quiet, want)
	}
	if len(e.Health) != 2 || e.Health[0].Code != "late" || e.Health[1].Words != "3 plies that neither a press nor a reply has confirmed" {
		t.Errorf("health %+v", e.Health)
	}
	if n := len(e.Score); n != 4 || e.Score[0].Number != 7 || !e.Score[0].White.Marked || e.Score[3].Black.SAN != "Ng8" || !e.Score[3].Black.HasClock {
		t.Errorf("score %+v", e.Score)
	}
	if e.Occurrences[0].Rights != "Black to move; White may not castle; Black may not castle; en passant on c3" {
		t.Errorf("rights: %s", e.Occurrences[0].Rights)
	}
	if _, err := json.Marshal(e); err != nil {
		t.Error(err)
	}
}

// TestEvidenceStartsWithBlack: a score whose first move is Black's, a gap, and a record from mid-game.
func TestEvidenceStartsWithBlack(t *testing.T) {
	g := play(t, "4k3/8/8/8/8/4P3/8/4K3 b - - 3 40", "Kd7 Kd2 Ke8 Ke1 Kd7")
	plies := slices.Clone(g.Plies())
	plies[1].OrderUnknown, plies[2].OrderUnknown = true, true
	if err := g.ReplacePlies(1, plies); err != nil {
		t.Fatal(err)
	}
	e := g.Evidence(&Claim{ClaimRequest: ClaimRequest{By: White, Kind: FiftyClaim, Ply: 5}}, Surroundings{})
	if want := (QuietMoves{White: 4, Black: 4, Halfmoves: 8}); e.Quiet != want {
		t.Errorf("quiet moves %+v, want %+v", e.Quiet, want)
	}
	if len(e.Score) != 3 || e.Score[0].White.SAN != "" || e.Score[0].Black.SAN != "Kd7" {
		t.Errorf("score %+v", e.Score)
	}
	var codes []string
	for _, i := range e.Health {
		codes = append(codes, i.Code)
	}
	if !slices.Equal(codes, []string{"record.gap", "record.midgame"}) || len(e.Occurrences) != 0 {
		t.Errorf("health %v, occurrences %+v", codes, e.Occurrences)
	}
	threefold := g.Evidence(&Claim{ClaimRequest: ClaimRequest{By: White, Ply: 5}}, Surroundings{})
	if n := len(threefold.Occurrences); n != 2 || !threefold.Occurrences[0].Counts || threefold.Verdict.Provable {
		t.Errorf("occurrences %+v, verdict %+v", threefold.Occurrences, threefold.Verdict)
	}
}
