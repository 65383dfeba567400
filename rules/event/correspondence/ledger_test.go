package correspondence

import (
	"testing"
	"time"

	"boardd/clock"
)

var tenInThirty = Rate{Moves: 10, Days: 30}

func ledger(t *testing.T, rate Rate, rule Rule, days ...int) *Ledger {
	t.Helper()
	l, err := NewLedger(rate, rule)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range days {
		if o, err := l.Move(d); err != nil || o != (Outcome{}) {
			t.Fatalf("move %d in %d days: %+v, %v", i+1, d, o, err)
		}
	}
	return l
}

func wantAccount(t *testing.T, l *Ledger, left, toGo int) {
	t.Helper()
	if l.Left() != left || l.MovesToGo() != toGo {
		t.Errorf("%d days for %d moves, want %d for %d", l.Left(), l.MovesToGo(), left, toGo)
	}
}

func TestSavedDaysCarryOver(t *testing.T) {
	l := ledger(t, tenInThirty, EarlyRounds)
	wantAccount(t, l, 30, 10)
	l = ledger(t, tenInThirty, EarlyRounds, 3, 0, 2)
	wantAccount(t, l, 25, 7)
	// Ten moves in 12 days: 18 days are saved for the next ten.
	l = ledger(t, tenInThirty, EarlyRounds, 3, 0, 2, 1, 1, 1, 1, 1, 1, 1)
	wantAccount(t, l, 48, 10)
	if l.Moves() != 10 || l.Oversteps() != 0 || l.Lost() {
		t.Errorf("%d moves, %d oversteps, lost %t", l.Moves(), l.Oversteps(), l.Lost())
	}
}

// All 30 days may be used, to the last; the next day is too many.
func TestTheLastDayIsInTime(t *testing.T) {
	l := ledger(t, tenInThirty, FinalRound, 30)
	wantAccount(t, l, 0, 9)
	if o := l.Waiting(0); o.Lost {
		t.Error("lost on the last day")
	}
	if o := l.Waiting(1); !o.Lost || o.Oversteps != 1 {
		t.Errorf("a day more: %+v", o)
	}
	wantAccount(t, l, 0, 9) // waiting changes nothing
}

// Two days over at move 4: five days' penalty, and a new period that begins
// with this move, 30 - 5 - 2 = 23 days for nine moves more.
func TestFirstOverstepCostsFiveDaysThenTheGame(t *testing.T) {
	l := ledger(t, tenInThirty, EarlyRounds, 10, 10, 5)
	o, err := l.Move(7)
	if err != nil || o != (Outcome{Oversteps: 1, PenaltyDays: 5}) {
		t.Fatalf("first overstep: %+v, %v", o, err)
	}
	wantAccount(t, l, 23, 9)
	if o, err = l.Move(24); err != nil || !o.Lost || o.Oversteps != 1 {
		t.Fatalf("second overstep: %+v, %v", o, err)
	}
	if !l.Lost() || l.Left() != 0 || l.Moves() != 4 || l.Oversteps() != 2 {
		t.Errorf("lost %t, %d days, %d moves, %d oversteps", l.Lost(), l.Left(), l.Moves(), l.Oversteps())
	}
	if _, err := l.Move(0); err == nil || err.Error() != "expected no move 5: the game was lost on time" {
		t.Errorf("a move after the end: %v", err)
	}
	if !l.Waiting(0).Lost {
		t.Error("waiting after the end is not lost")
	}
}

func TestPenaltyIsTakenOnceFromTheNewPeriod(t *testing.T) {
	l := ledger(t, tenInThirty, EarlyRounds)
	if _, err := l.Move(31); err != nil {
		t.Fatal(err)
	}
	wantAccount(t, l, 24, 9)
	for range 9 {
		if _, err := l.Move(1); err != nil {
			t.Fatal(err)
		}
	}
	wantAccount(t, l, 45, 10) // 24 - 9 + 30
}

// One silence can overstep twice: 30 days, then the 25 of the new period.
func TestSilenceLosesAfterTwoOversteps(t *testing.T) {
	l := ledger(t, tenInThirty, EarlyRounds)
	for _, tt := range []struct {
		days int
		want Outcome
	}{
		{30, Outcome{}},
		{31, Outcome{Oversteps: 1, PenaltyDays: 5}},
		{55, Outcome{Oversteps: 1, PenaltyDays: 5}},
		{56, Outcome{Oversteps: 2, PenaltyDays: 5, Lost: true}},
		{-3, Outcome{}},
	} {
		if got := l.Waiting(tt.days); got != tt.want {
			t.Errorf("%d days: %+v, want %+v", tt.days, got, tt.want)
		}
	}
}

func TestFinalIsLostAtOnce(t *testing.T) {
	l := ledger(t, tenInThirty, FinalRound, 29)
	if o, err := l.Move(2); err != nil || o != (Outcome{Oversteps: 1, Lost: true}) {
		t.Errorf("overstep in the final: %+v, %v", o, err)
	}
}

// 10 moves in 50 days, doubled after 20 days on a move: 23 days cost 26.
func TestDoubledDays(t *testing.T) {
	l := ledger(t, Rate{Moves: 10, Days: 50, DoubleAfter: 20}, FinalRound, 20, 23)
	wantAccount(t, l, 4, 8)
}

func TestRateOfATimeControl(t *testing.T) {
	for text, want := range map[string]Rate{
		"10 moves in 30 days": tenInThirty,
		"10/50 (dup 20)":      {10, 50, 20},
		"3 days/move":         {1, 3, 0},
	} {
		parsed, err := clock.Parse(text, clock.People)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := RateOf(parsed.Control); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	parsed, err := clock.Parse("90+30", clock.People)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := RateOf(parsed.Control); err == nil || err.Error() != "expected a time control in days, as in 10/30d, got 5400+30" {
		t.Errorf("error %v", err)
	}
}

// Days follow the calendar of the place, also over the change to summer time.
func TestDaysBetween(t *testing.T) {
	summer := time.FixedZone("", 3600)
	from := time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)
	to := time.Date(2027, 3, 29, 0, 10, 0, 0, summer)
	if days, err := DaysBetween(from, to); err != nil || days != 2 {
		t.Errorf("%d days, %v; want 2", days, err)
	}
	if days, err := DaysBetween(from, from); err != nil || days != 0 {
		t.Errorf("same day: %d, %v", days, err)
	}
	if _, err := DaysBetween(to, from); err == nil || err.Error() != "expected the reply after 2027-03-29, when the move was received, got 2027-03-27" {
		t.Errorf("error %v", err)
	}
}

func TestLedgersRefused(t *testing.T) {
	for _, tt := range []struct {
		rate Rate
		rule Rule
		want string
	}{
		{Rate{0, 30, 0}, EarlyRounds, "expected a rate of at least 1 move in 1 day, got 0 in 30"},
		{Rate{10, 0, 0}, EarlyRounds, "expected a rate of at least 1 move in 1 day, got 10 in 0"},
		{Rate{1, 3, 0}, EarlyRounds, "expected a penalty of less than the 3 days of a period, got 5"},
		{tenInThirty, Rule{Forgiven: -1}, "expected no negative days, got 0 and 0, forgiven -1 times"},
	} {
		if _, err := NewLedger(tt.rate, tt.rule); err == nil || err.Error() != tt.want {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
	if _, err := ledger(t, tenInThirty, FinalRound).Move(-1); err == nil || err.Error() != "expected 0 days or more for move 1, got -1" {
		t.Errorf("error %v", err)
	}
}

// Whatever days are entered, no account is overdrawn, and all days are used,
// left, or were let go with an overstep.
func FuzzLedger(f *testing.F) {
	f.Add(10, 30, 0, []byte{3, 0, 31, 2, 25})
	f.Add(1, 3, 2, []byte{3, 4})
	f.Fuzz(func(t *testing.T, moves, days, double int, taken []byte) {
		rate := Rate{Moves: moves % 100, Days: days % 400, DoubleAfter: double % 100}
		l, err := NewLedger(rate, Rule{Forgiven: 1, PenaltyDays: min(5, rate.Days-1)})
		if err != nil {
			return
		}
		for i, d := range taken {
			if l.Lost() {
				return
			}
			waiting := l.Waiting(int(d))
			o, err := l.Move(int(d))
			if err != nil || o != waiting {
				t.Fatalf("move %d: %+v, %v; waiting said %+v", i+1, o, err, waiting)
			}
			if l.Left() < 0 || l.MovesToGo() < 1 || l.MovesToGo() > rate.Moves || o.Lost != (l.Oversteps() > 1) {
				t.Fatalf("move %d: %d days for %d moves, %+v", i+1, l.Left(), l.MovesToGo(), o)
			}
		}
	})
}
