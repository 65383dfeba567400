package journal

import (
	"path/filepath"
	"testing"

	"boardd/rules"
)

// A ruling names the claim it answers, by the place that only the journal knows.
func TestRulingNamesItsClaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	j := open(t, path, Options{})
	claim := Claim{Code: "claim.threefold", By: rules.White, Step: "opened"}
	paused, withdrawn := claim, claim
	paused.Step, withdrawn.Step = "paused", Withdrawn
	ruling := Ruling{Code: claim.Code, Decision: "incorrect", Who: "arbiter Ben"}
	j.durable(t, Batch{Table: 1, Game: 1, Facts: []Fact{claim}}) // seq 2, after the start
	j.durable(t, Batch{Table: 2, Game: 2, Facts: []Fact{claim, withdrawn}})
	j.durable(t, Batch{Table: 1, Game: 1, Facts: []Fact{paused}})
	j.durable(t, Batch{Table: 3, Game: 3, Facts: []Fact{claim}})
	j.durable(t, Batch{Table: 2, Game: 2, Facts: []Fact{ruling}}) // answers nothing
	j.durable(t, Batch{Table: 1, Game: 1, Facts: []Fact{ruling, ruling}})
	var got []uint64
	if err := j.Since(t.Context(), 0, func(e Entry) error {
		if r, is := e.Fact.(Ruling); is {
			got = append(got, r.Claim)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := [3]uint64{0, 5, 0}; len(got) != 3 || [3]uint64(got) != want {
		t.Errorf("rulings of claims %v, want %v", got, want)
	}
	j.close(t)
	if f := open(t, path, Options{}).found; len(f.Claims) != 1 || f.Claims[0].Table != 3 {
		t.Errorf("open claims %+v, want that of table 3 alone", f.Claims)
	}
}
