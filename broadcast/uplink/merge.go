package uplink

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"boardd/broadcast"
)

// Why a batch is not taken.
var (
	// ErrKnown: the hub has it already. It is no fault.
	ErrKnown = errors.New("known already")
	// ErrGap: it does not follow what the hub has.
	ErrGap = errors.New("it does not follow what the hub has")
	// ErrForeign: it is about boards of others.
	ErrForeign = errors.New("not a board of this venue")
)

// Seats are which boards a venue has, and what they are called in the event.
type Seats struct {
	First int `json:"first"` // table numbers at the venue
	Last  int `json:"last"`
	As    int `json:"as"` // number of its first in the event
}

// has reports whether a board of the event is one of these.
func (s Seats) has(board int) bool { return board >= s.As && board <= s.As+s.Last-s.First }

// boardOf is the event's number of a table.
func (s Seats) boardOf(table int) (int, bool) {
	if table < s.First || table > s.Last {
		return 0, false
	}
	return table - s.First + s.As, true
}

// Place is how far a hub has come in the record of a venue.
type Place struct {
	Epoch string `json:"epoch"`
	N     uint64 `json:"n"`
}

// State is what a hub knows: the boards of the event, and how far it has come in the
// record of each venue. Pure; not safe for concurrent use.
type State struct {
	seats  map[string]Seats
	places map[string]Place
	boards map[int]*broadcast.Board
}

// movesMax is more half-moves than a game can have before the rule of 75 moves ends it (about
// 11,800): a venue that is out of order shall not fill the memory of a hub, and of everybody who looks.
const movesMax = 12_000

// NewState is a hub that has heard nothing.
func NewState(seats map[string]Seats) *State {
	return &State{seats: seats, places: map[string]Place{}, boards: map[int]*broadcast.Board{}}
}

// Place is how far it has come with a venue.
func (s *State) Place(venue string) Place { return s.places[venue] }

// Take takes a batch whole or not at all, and returns its changes with the board numbers
// of the event. The error is ErrKnown, ErrGap or ErrForeign. A change that does not fit the
// game as it is known here is left out and returned as a fault: the others stand. nowMS is
// the hub's time, in Unix ms, from which clocks count on.
func (s *State) Take(b Batch, nowMS int64) (changes []broadcast.Change, faults []error, err error) {
	if err := Mine(s.seats, b); err != nil {
		return nil, nil, err
	}
	seats := s.seats[b.Venue]
	place := s.places[b.Venue]
	if place.Epoch != b.Epoch {
		place = Place{Epoch: b.Epoch} // another record begins
	}
	switch {
	case b.N <= place.N:
		return nil, nil, ErrKnown
	case b.After != place.N:
		return nil, nil, fmt.Errorf("%w: expected what follows number %d, got what follows %d", ErrGap, place.N, b.After)
	}
	for _, c := range b.Changes {
		c.Board, _ = seats.boardOf(c.Board)
		c.Seq, c.TimeMS = 0, nowMS
		if c.Type == broadcast.TypeAlert || c.Type == broadcast.TypeClaim {
			continue // for arbiters, who are at the venue
		}
		board := s.boards[c.Board]
		if board == nil {
			fresh := broadcast.NewBoard(c.Board)
			board = &fresh
			s.boards[c.Board] = board
		}
		if n := c.Ply + len(c.Moves); n > movesMax {
			faults = append(faults, fmt.Errorf("%w: board %d, %s: expected at most %d half-moves, got %d", broadcast.ErrPly, c.Board, c.Type, movesMax, n))
			continue
		}
		if err := board.Apply(c); err != nil {
			faults = append(faults, err)
			continue
		}
		changes = append(changes, c)
	}
	s.places[b.Venue] = Place{b.Epoch, b.N}
	return changes, faults, nil
}

// Mine looks whether a batch is of a known venue and about its own boards; the error is
// ErrForeign.
func Mine(all map[string]Seats, b Batch) error {
	seats, known := all[b.Venue]
	if !known {
		return fmt.Errorf("venue %q: %w", clip(b.Venue), ErrForeign)
	}
	for i := range b.Changes {
		if _, ok := seats.boardOf(b.Changes[i].Board); !ok {
			return fmt.Errorf("%w: table %d, expected %d to %d", ErrForeign, b.Changes[i].Board, seats.First, seats.Last)
		}
	}
	return nil
}

// Skip goes on with a venue from another place: what was before can no longer be had.
func (s *State) Skip(venue string, to Place) { s.places[venue] = to }

// Boards are all boards that were heard of, by number.
func (s *State) Boards() []broadcast.Board {
	var all []broadcast.Board
	for _, n := range slices.Sorted(maps.Keys(s.boards)) {
		all = append(all, *s.boards[n])
	}
	return all
}
