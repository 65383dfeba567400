package venue_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"boardd/broadcast"
	"boardd/broadcast/arbiter"
	"boardd/journal"
	"boardd/rules"
	"boardd/venue"
)

// The journal says who gave an order and from where, what was claimed, and how it was
// ruled.
func TestJournalTellsWhoseOrdersTheyWere(t *testing.T) {
	t.Parallel()
	j, _, err := journal.Open(filepath.Join(t.TempDir(), journal.File), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	config := venue.DefaultConfig()
	config.Serial, config.DataDir, config.Event.Clock = venue.SerialConfig{}, "", venue.ClockVerify
	config.Tables = []venue.TableConfig{{Number: 1}}
	h := venue.New(venue.Options{Config: config, Publish: func(broadcast.Change) {}, Log: zerolog.Nop(), Journal: j})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	const from = "192.0.2.7:5000"
	for _, o := range []arbiter.Order{
		{Text: "clock-side left", Who: "arbiter Novak", From: from},
		{Text: "claim white threefold by arbiter Novak", Who: "arbiter Novak", From: from},
		{Text: "ruling incorrect by arbiter Novak", Who: "arbiter Novak", From: from},
	} {
		if err := h.Obey(1, o); err != nil {
			t.Fatalf("%s: %v", o.Text, err)
		}
	}
	if err := h.Obey(1, arbiter.Order{Text: "sing", Who: "arbiter Novak", From: from}); err == nil {
		t.Error("an order that nobody knows was obeyed")
	}
	if err := h.Order(1, "result 1-0"); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := j.Close(context.Background(), "the test ended"); err != nil {
		t.Fatal(err)
	}
	var got []journal.Fact
	var claim, ruled uint64
	if err := j.Since(t.Context(), 0, func(e journal.Entry) error {
		switch f := e.Fact.(type) {
		case journal.Order, journal.Result:
			got = append(got, f)
		case journal.Claim:
			claim = e.Seq
			f.Text = ""
			got = append(got, f)
		case journal.Ruling:
			ruled, f.Claim = f.Claim, 0
			f.Text = ""
			got = append(got, f)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []journal.Fact{
		journal.Order{Who: "arbiter Novak", From: from, Text: "clock-side left"},
		journal.Order{Who: journal.Tracker, Text: "clock-side left"},
		journal.Order{Who: "arbiter Novak", From: from, Text: "claim white threefold by arbiter Novak"},
		journal.Claim{Code: "claim.threefold", By: rules.White, Step: "opened"},
		journal.Order{Who: "arbiter Novak", From: from, Text: "ruling incorrect by arbiter Novak"},
		journal.Ruling{Code: "claim.threefold", Decision: "incorrect", Who: "arbiter Novak"},
		journal.Order{Who: "operator", Text: "result 1-0"},
		journal.Result{Result: rules.WhiteWins, Who: "operator"},
		journal.Order{Who: "boardd", Text: "end"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if claim == 0 || ruled != claim {
		t.Errorf("the ruling answers fact %d, want the claim, %d", ruled, claim)
	}
}
