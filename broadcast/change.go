package broadcast

import (
	"errors"
	"fmt"
	"time"
)

// The types of change. Each says which fields of [Change] it fills beside Type, Board and AtMS.
const (
	// TypeGame starts a game on a board and forgets the one before: Tags, FEN (the start position).
	TypeGame = "game"
	// TypeTags replaces the tags of the game in progress: Tags.
	TypeTags = "tags"
	// TypeMove adds one ply: Ply, SAN, UCI, FEN (after it) and ClockMS if the mover's clock is known.
	TypeMove = "move"
	// TypeReplace removes every ply from Ply on and puts Moves in their place: Ply, Moves, FEN (after
	// the last of them). Everything that belonged to the removed plies, clocks included, goes with them.
	TypeReplace = "replace"
	// TypeRetract removes every ply from Ply on: Ply, FEN (the position that remains).
	TypeRetract = "retract"
	// TypeClock is a reading of the clocks: WhiteMS, BlackMS, Running. With Ply and ClockMS it also, or
	// only, records the mover's clock right after his press of that ply.
	TypeClock = "clock"
	// TypeAlert is for arbiters only and never sent to spectators: Code, Detail, Ply if it is about one, and Text
	// where Detail is a mark for programs.
	TypeAlert = "alert"
	// TypeClaim is a step of a claim of a draw, for arbiters only too: Ply (after which it was made), Code (the
	// step: opened, paused, correct, incorrect, accepted), Detail.
	TypeClaim = "claim"
	// TypeResult sets the result and stops the clocks: Result.
	TypeResult = "result"
	// TypeStatus tells of the board's link: Status, and Text for people.
	TypeStatus = "status"
)

// The values of Status. A board that was never heard of is LinkWaiting.
const (
	LinkWaiting = "waiting" // no board has been found for this table yet
	LinkLive    = "live"    // the board answers
	LinkLost    = "lost"    // the board no longer answers; the position shown is the last known
	LinkBack    = "back"    // the board answers again; the state it leaves is LinkLive
)

// The values of Running. Empty means that neither clock runs.
const (
	RunningWhite = "white"
	RunningBlack = "black"
)

// Move is one ply as it is shown: half-move number from 1, SAN, UCI (king-takes-rook castling only in
// Chess960), the mover's clock right after his press in ms (nil when unknown), and the session time it was first
// published, in ms.
type Move struct {
	Ply     int    `json:"ply"`
	SAN     string `json:"san"`
	UCI     string `json:"uci"`
	ClockMS *int64 `json:"clock_ms,omitempty"`
	AtMS    int64  `json:"at_ms,omitempty"`
}

// Change is one thing that happened on one board. The same JSON is the hub's message and a line of
// `boardd replay --format events`, so its names are stable: fields may be added, none renamed or removed.
// An absent field means "not part of this change".
//
// It has no methods that encode it, so it can be embedded beside other keys (replay adds "tape").
type Change struct {
	// Seq numbers the changes of one hub from 1 without a hole, over all boards. The hub sets it.
	Seq  uint64 `json:"seq,omitempty"`
	Type string `json:"type"`
	// Board is the table number, from 1.
	Board int `json:"board,omitempty"`
	// AtMS is the session (or tape) time of the change in ms.
	AtMS int64 `json:"at_ms"`
	// TimeMS is the hub's time of the change in Unix ms: the instant a clock reading counts from. The hub sets
	// it when it is 0; a replay leaves it out.
	TimeMS int64 `json:"time_ms,omitempty"`

	// Ply is the half-move number from 1; the first ply concerned for replace and retract.
	Ply   int    `json:"ply,omitempty"`
	SAN   string `json:"san,omitempty"`
	UCI   string `json:"uci,omitempty"`
	FEN   string `json:"fen,omitempty"`
	Moves []Move `json:"moves,omitempty"`

	// ClockMS is the mover's clock right after his press, in ms; nil when unknown.
	ClockMS *int64 `json:"clock_ms,omitempty"`
	// WhiteMS and BlackMS are the two clocks in ms at TimeMS; nil when unknown.
	WhiteMS *int64 `json:"white_ms,omitempty"`
	BlackMS *int64 `json:"black_ms,omitempty"`
	Running string `json:"running,omitempty"`

	Tags map[string]string `json:"tags,omitempty"`

	Code   string `json:"code,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Cleared says of an alert that what it told of is over.
	Cleared bool `json:"cleared,omitempty"`
	// Tape and Event say where in the table's recording an alert was raised; "" when it is not recorded.
	Tape  string `json:"tape,omitempty"`
	Event int    `json:"event,omitempty"`

	Result string `json:"result,omitempty"`
	Status string `json:"status,omitempty"`
	Text   string `json:"text,omitempty"`

	// Kept is the place in the journal of what the change tells; 0 when it is in none.
	Kept uint64 `json:"-"`
	// Again says that the change tells what was told before the daemon was started anew.
	Again bool `json:"-"`
}

// MS gives a duration in whole milliseconds the way Change carries it.
func MS(d time.Duration) *int64 {
	ms := d.Milliseconds()
	return &ms
}

// Errors of a change that cannot be applied. They reach the log, wrapped with board and ply.
var (
	ErrNoBoard = errors.New("change without a board number")
	ErrType    = errors.New("unknown type of change")
	ErrPly     = errors.New("ply does not follow the game")
	ErrFEN     = errors.New("change without the position it leads to")
	ErrValue   = errors.New("unknown value")
)

// onBoard tells whether c is part of what a [Board] shows.
func (c *Change) onBoard() bool { return c.Type != TypeAlert && c.Type != TypeClaim }

// check tells whether c is complete in itself, without looking at the game.
func (c *Change) check() error {
	if c.Board < 1 && c.Type != TypeAlert { // an alert may be about the whole hall
		return fmt.Errorf("%w: %s", ErrNoBoard, c.Type)
	}
	switch c.Type {
	case TypeGame, TypeMove, TypeRetract:
		if c.FEN == "" {
			return fmt.Errorf("%w: board %d, %s at ply %d", ErrFEN, c.Board, c.Type, c.Ply)
		}
	case TypeReplace:
		if c.FEN == "" {
			return fmt.Errorf("%w: board %d, %s at ply %d", ErrFEN, c.Board, c.Type, c.Ply)
		}
		for i, m := range c.Moves {
			if m.Ply != c.Ply+i {
				return fmt.Errorf("%w: board %d, move %d of the replacement: expected ply %d, got %d", ErrPly, c.Board, i+1, c.Ply+i, m.Ply)
			}
		}
	case TypeClock:
		switch c.Running {
		case RunningWhite, RunningBlack, "":
		default:
			return fmt.Errorf("%w: board %d, running %.40q", ErrValue, c.Board, c.Running)
		}
	case TypeResult:
		switch c.Result {
		case "1-0", "0-1", "1/2-1/2", "*":
		default:
			return fmt.Errorf("%w: board %d, result %.40q", ErrValue, c.Board, c.Result)
		}
	case TypeStatus:
		switch c.Status {
		case LinkWaiting, LinkLive, LinkLost, LinkBack:
		default:
			return fmt.Errorf("%w: board %d, status %.40q", ErrValue, c.Board, c.Status)
		}
	case TypeTags, TypeAlert, TypeClaim: // complete with any value
	default:
		return fmt.Errorf("%w: board %d, %.40q", ErrType, c.Board, c.Type)
	}
	return nil
}
