package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"boardd/rules"
)

// GameID names a game of this journal for ever; 0 is no game.
type GameID int64

// Fact is one thing that was seen, decided or ordered. The types below are all
// there are.
type Fact interface {
	// kind is the word in the column of that name.
	kind() string
	put(*row)
}

// Entry is a fact with when and where, as it stands in the journal.
type Entry struct {
	Seq   uint64        // place in the journal, from 1 without a hole
	Run   int           // which start of the daemon, from 1
	At    time.Duration // session time of that run, in ms
	Wall  time.Time     // calendar in ms; may jump by years
	Table int           // from 1; 0 is the venue itself
	Nth   uint64        // place among the facts of that table, from 1 without a hole
	Game  GameID
	Fact  Fact
}

// Started begins a run of the daemon; the journal writes it when it opens.
type Started struct {
	Version string
	Before  string // how the last run ended: First, Clean or Unclean
}

// The values of Started.Before.
const (
	First   = "first"
	Clean   = "clean"
	Unclean = "unclean"
)

// Stopped ends a run in order; the journal writes it when it closes.
type Stopped struct{ Reason string }

// InForce puts a configuration or an event's regulations in force.
type InForce struct {
	What string // InForceConfig or InForceEvent
	Hash string // of Text; HashOf
	Text string // the document, whole
	Who  string // by whose word; empty: as found at the start
}

// The values of InForce.What.
const (
	InForceConfig = "config"
	InForceEvent  = "event"
)

// HashOf is the SHA-256 of a document in hex.
func HashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// BoardSeen seats a board at a table.
type BoardSeen struct{ Serial, Port string }

// Link is the line to a table's board, lost or back.
type Link struct {
	Up   bool
	Text string // why, for people
}

// Begun begins a game; the plies, clocks and results of its GameID follow.
type Begun struct {
	FEN  string
	Tags rules.Tags
}

// Tagged replaces the tags of a game.
type Tagged struct{ Tags rules.Tags }

// Ply adds one half-move to a game. PlyOf makes it from a record.
type Ply struct {
	N            int    // half-move of the whole record, from 1
	UCI, SAN     string // the move in the position before it
	FEN          string // the position after it
	Number       int    // move number as written before it: 31 for both half-moves of move 31
	OrderUnknown bool   // filled into a gap where more than one order of moves fits
}

// PlyOf is half-move n of a game, which is half-move before+n of the whole
// record (before is 0 but for play after a Setup).
func PlyOf(g *rules.Game, n, before int) Ply {
	from, p := g.PositionAt(n-1), g.Ply(n)
	return Ply{
		N: before + n, UCI: from.UCI(p.Move), SAN: p.SAN, FEN: g.PositionAt(n).FEN(),
		Number: from.FullmoveNumber(), OrderUnknown: p.OrderUnknown,
	}
}

// Retracted removes every half-move from N on. Those that take their place, if any,
// follow in the same Append.
type Retracted struct {
	N         int
	Who       string // Tracker, or a person
	Why       string
	KeepSetup bool // a Setup after half-move N-1 stays
}

// Tracker is the Who of what the reconstruction decided by itself.
const Tracker = "tracker"

// Clock is the mover's clock right after his press of half-move N.
type Clock struct {
	N    int
	Left time.Duration // in ms
}

// Firm makes half-move N and all before it firm.
type Firm struct{ N int }

// Setup lets play go on, after half-move After, from a position that no legal move
// leads to (an illegal move was completed and stood).
type Setup struct {
	After int
	FEN   string
}

// Result is the result of a game.
type Result struct {
	Result rules.Result
	Who    string // Tracker (result signs), or a person
	Why    string
}

// Claim is a step of a player's claim.
type Claim struct {
	Code string // as "claim.threefold"
	By   rules.Color
	Step string // as "opened", "paused" (the clocks stand), Withdrawn
	N    int    // the half-move it is about; 0 for none
	Text string
}

// Ruling is what the arbiter decided.
type Ruling struct {
	Claim    uint64 // Seq of the claim's last step, filled in by Append; 0 when it answers none
	Code     string // what it is about, as "claim.threefold"
	Decision string // as "correct", "incorrect"
	Who      string
	Text     string // with the consequence, as time added
}

// Alert is a step of an alert.
type Alert struct {
	Code   string // a stable alert name
	Step   AlertStep
	N      int    // the half-move it is about; 0 for none
	Who    string // who acknowledged or cleared it; empty: it cleared by itself
	Detail string
	Tape   string // name of the table's recording at that moment; empty: there was none
	Event  int    // the last event on it, from 1
}

// AlertStep is what became of an alert.
type AlertStep string

// The steps of an alert.
const (
	Raised       AlertStep = "raised"
	Acknowledged AlertStep = "acknowledged"
	Cleared      AlertStep = "cleared"
)

// Order is what a person told the daemon to do.
type Order struct {
	Who  string // role and name
	From string // address it came from
	Text string // in the words of a tape
}

// Released says what the public has been shown: everything up to Upto. A place beyond the journal's end means that
// from then on everything was shown at once.
type Released struct{ Upto uint64 }

// refused says that facts of this table could not be taken, because too many
// waited for the disk already. Nth leaves them out.
type refused struct{ facts uint64 }
