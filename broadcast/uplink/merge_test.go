package uplink

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boardd/broadcast"
)

const (
	startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	afterE4  = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
)

func game(table int) broadcast.Change {
	return broadcast.Change{Type: broadcast.TypeGame, Board: table, FEN: startFEN, Tags: map[string]string{"White": "Novak"}}
}

func e4(table int) broadcast.Change {
	return broadcast.Change{Type: broadcast.TypeMove, Board: table, Ply: 1, SAN: "e4", UCI: "e2e4", FEN: afterE4}
}

var twoHalls = map[string]Seats{"east": {1, 10, 1}, "west": {1, 10, 11}}

func TestTake(t *testing.T) {
	tests := []struct {
		name  string
		batch Batch
		want  error
	}{
		{"what follows", Batch{Venue: "east", Epoch: "a", After: 5, N: 9, Changes: []broadcast.Change{e4(3)}}, nil},
		{"nothing but a number", Batch{Venue: "east", Epoch: "a", After: 5, N: 6}, nil},
		{"the same again", Batch{Venue: "east", Epoch: "a", After: 2, N: 5, Changes: []broadcast.Change{game(3)}}, ErrKnown},
		{"older", Batch{Venue: "east", Epoch: "a", After: 0, N: 2}, ErrKnown},
		{"a hole", Batch{Venue: "east", Epoch: "a", After: 6, N: 9}, ErrGap},
		{"one that overlaps", Batch{Venue: "east", Epoch: "a", After: 2, N: 9}, ErrGap},
		{"another record from its beginning", Batch{Venue: "east", Epoch: "b", After: 0, N: 3, Changes: []broadcast.Change{game(3)}}, nil},
		{"another record from its middle", Batch{Venue: "east", Epoch: "b", After: 3, N: 4}, ErrGap},
		{"a venue nobody knows", Batch{Venue: "north", Epoch: "a", After: 0, N: 1}, ErrForeign},
		{"a table the venue has not", Batch{Venue: "east", Epoch: "a", After: 5, N: 6, Changes: []broadcast.Change{game(11)}}, ErrForeign},
		{"one such table among others", Batch{Venue: "east", Epoch: "a", After: 5, N: 6, Changes: []broadcast.Change{e4(3), game(0)}}, ErrForeign},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewState(twoHalls)
			if _, _, err := s.Take(Batch{Venue: "east", Epoch: "a", N: 5, Changes: []broadcast.Change{game(3)}}, 1000); err != nil {
				t.Fatal(err)
			}
			before := s.Boards()
			changes, faults, err := s.Take(tt.batch, 2000)
			if !errors.Is(err, tt.want) || len(faults) > 0 {
				t.Errorf("error %v, faults %v, want %v", err, faults, tt.want)
			}
			if err != nil {
				if diff := cmp.Diff(before, s.Boards(), cmpopts.IgnoreUnexported(broadcast.Board{})); diff != "" || s.Place("east") != (Place{"a", 5}) {
					t.Errorf("a refused batch changed something: place %v\n%s", s.Place("east"), diff)
				}
				return
			}
			if want := (Place{tt.batch.Epoch, tt.batch.N}); s.Place("east") != want || len(changes) != len(tt.batch.Changes) {
				t.Errorf("place %v, %d changes, want %v, %d", s.Place("east"), len(changes), want, len(tt.batch.Changes))
			}
		})
	}
}

// Two venues with the same table numbers keep to their own boards of the event, and
// arbiters' matters stay at the venue.
func TestBoardsOfTwoVenues(t *testing.T) {
	s := NewState(twoHalls)
	for _, venue := range []string{"east", "west"} {
		changes, _, err := s.Take(Batch{Venue: venue, Epoch: "x", N: 1, Changes: []broadcast.Change{game(2), e4(2),
			{Type: broadcast.TypeAlert, Board: 2, Code: "move.illegal"}, {Type: broadcast.TypeClaim, Board: 2, Code: "opened"}}}, 1)
		if err != nil || len(changes) != 2 {
			t.Fatalf("%s: %d changes, error %v", venue, len(changes), err)
		}
	}
	boards := s.Boards()
	if len(boards) != 2 || boards[0].Board != 2 || boards[1].Board != 12 || len(boards[1].Moves) != 1 {
		t.Errorf("boards %+v", boards)
	}
}

// What does not fit the game is told, and the rest stands.
func TestChangeThatDoesNotFit(t *testing.T) {
	s := NewState(twoHalls)
	wrong := e4(1)
	wrong.Ply = 7
	changes, faults, err := s.Take(Batch{Venue: "east", Epoch: "x", N: 4, Changes: []broadcast.Change{game(1), wrong, e4(1), {Type: "nonsense", Board: 1}}}, 1)
	if err != nil || len(changes) != 2 || len(faults) != 2 || s.Place("east").N != 4 {
		t.Errorf("%d changes, faults %v, error %v", len(changes), faults, err)
	}
}

func TestStateOnTheDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "hub.json")
	s := NewState(twoHalls)
	clock := int64(5000)
	if _, _, err := s.Take(Batch{Venue: "west", Epoch: "x", N: 4, Changes: []broadcast.Change{game(1), e4(1),
		{Type: broadcast.TypeClock, Board: 1, Ply: 1, ClockMS: &clock, WhiteMS: &clock, BlackMS: &clock, Running: "black"},
		{Type: broadcast.TypeStatus, Board: 1, Status: "lost", Text: "cable"}}}, 77); err != nil {
		t.Fatal(err)
	}
	data, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := save(name, data); err != nil {
		t.Fatal(err)
	}
	again, aside, err := load(name, twoHalls)
	if err != nil || aside != "" {
		t.Fatalf("error %v, %q", err, aside)
	}
	if diff := cmp.Diff(s.Boards(), again.Boards(), cmp.AllowUnexported(broadcast.Board{}), cmpopts.EquateComparable(), cmpopts.IgnoreFields(broadcast.Board{}, "version")); diff != "" {
		t.Errorf("boards (-before +after):\n%s", diff)
	}
	if again.Place("west") != (Place{"x", 4}) {
		t.Errorf("place %v", again.Place("west"))
	}
	for _, bad := range []string{"", "{", `{"version":9}`, `{"version":1,"boards":[{"board":0}]}`} {
		if err := save(name, []byte(bad)); err != nil {
			t.Fatal(err)
		}
		fresh, aside, err := load(name, twoHalls)
		if err != nil || aside == "" || len(fresh.Boards()) != 0 {
			t.Errorf("%q: error %v, %q, %d boards", bad, err, aside, len(fresh.Boards()))
		}
	}
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte(`{"type":"hello","v":1,"epoch":"a"}`))
	f.Add([]byte(`{"type":"facts","after":1,"n":2,"changes":[{"type":"move","board":1,"ply":1,"san":"e4","uci":"e2e4","fen":"x"}]}`))
	f.Add([]byte(`{"type":"facts","n":18446744073709551615}`))
	f.Add([]byte(`{"type":"ack","n":-1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(data, typeHello, typeHave, typeFacts, typeAck, typeError)
		if err != nil {
			return
		}
		again, err := parse(encode(m), m.Type)
		if err != nil {
			t.Fatalf("%+v cannot be read back: %v", m, err)
		}
		s := NewState(map[string]Seats{"v": {1, 1 << 20, 1}})
		if _, _, err := s.Take(Batch{Venue: "v", Epoch: "e", After: again.After, N: again.N, Changes: again.Changes}, 0); err == nil {
			if data, err := s.encode(); err != nil || NewState(nil).decode(data) != nil {
				t.Fatalf("a state that cannot be read back: %s, %v", data, err)
			}
		}
	})
}

// A hub whose venues are numbered otherwise than before forgets the boards of those, and only
// of those, and asks for their games again.
func TestKeepWithOtherSeats(t *testing.T) {
	s := NewState(twoHalls)
	for _, b := range []Batch{
		{Venue: "east", Epoch: "x", N: 4, Changes: []broadcast.Change{game(1), e4(1)}},
		{Venue: "west", Epoch: "y", N: 6, Changes: []broadcast.Change{game(1), game(10)}},
	} {
		if _, _, err := s.Take(b, 77); err != nil {
			t.Fatal(err)
		}
	}
	data, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name       string
		now        map[string]Seats
		boards     []int
		east, west Place
	}{
		{"as before", twoHalls, []int{1, 11, 20}, Place{"x", 4}, Place{"y", 6}},
		{"one numbered otherwise", map[string]Seats{"east": {1, 10, 1}, "west": {1, 10, 41}}, []int{1}, Place{"x", 4}, Place{}},
		{"one with fewer tables", map[string]Seats{"east": {1, 10, 1}, "west": {1, 9, 11}}, []int{1}, Place{"x", 4}, Place{}},
		{"one gone", map[string]Seats{"west": {1, 10, 11}}, []int{11, 20}, Place{}, Place{"y", 6}},
		{"both gone", map[string]Seats{"north": {1, 5, 1}}, nil, Place{}, Place{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			again := NewState(tt.now)
			if err := again.decode(data); err != nil {
				t.Fatal(err)
			}
			var boards []int
			for _, b := range again.Boards() {
				boards = append(boards, b.Board)
			}
			if diff := cmp.Diff(tt.boards, boards); diff != "" {
				t.Errorf("boards (-want +got):\n%s", diff)
			}
			if again.Place("east") != tt.east || again.Place("west") != tt.west {
				t.Errorf("places %v and %v, want %v and %v", again.Place("east"), again.Place("west"), tt.east, tt.west)
			}
		})
	}
}

// A game longer than any can be is a fault of the venue, and no more of it is kept.
func TestTakeBoundsAGame(t *testing.T) {
	s := NewState(twoHalls)
	piece := func(first, count int) broadcast.Change {
		c := broadcast.Change{Type: broadcast.TypeReplace, Board: 1, Ply: first, FEN: afterE4}
		for i := range count {
			c.Moves = append(c.Moves, broadcast.Move{Ply: first + i, SAN: "e4", UCI: "e2e4"})
		}
		return c
	}
	after := uint64(0)
	take := func(c broadcast.Change) []error {
		t.Helper()
		_, faults, err := s.Take(Batch{Venue: "east", Epoch: "a", After: after, N: after + 1, Changes: []broadcast.Change{c}}, 0)
		if err != nil {
			t.Fatal(err)
		}
		after++
		return faults
	}
	for _, c := range []broadcast.Change{game(1), piece(1, movesMax/2), piece(movesMax/2+1, movesMax/2-1)} {
		if faults := take(c); len(faults) > 0 {
			t.Fatal(faults)
		}
	}
	if faults := take(piece(movesMax, 5)); len(faults) != 1 || !errors.Is(faults[0], broadcast.ErrPly) {
		t.Errorf("faults %v, want one of a game that is too long", faults)
	}
	if n := len(s.Boards()[0].Moves); n != movesMax-1 {
		t.Errorf("%d half-moves are kept, want %d", n, movesMax-1)
	}
}
