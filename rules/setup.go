package rules

import (
	"fmt"
	"strings"
)

// Setup is an arrangement nobody has checked: what a FEN or a hand may say. Its
// Position method checks it. The zero value is an empty board with e.p. on a1;
// set EnPassant to NoSquare when there is none.
type Setup struct {
	Board     Placement
	Turn      Color
	Rooks     Bitboard // squares of the rooks with a right to castle
	EnPassant Square   // the square behind a pawn that has just made a double step, or NoSquare
	Halfmove  int      // half-moves since the last capture or pawn move, 0 to 9999
	Fullmove  int      // number of the move to be played, 1 to 9999
	Chess960  bool     // true as well when a right's king or rook is off its standard square
}

// Fault is one reason why a Setup is no legal Position. It is an error of its
// own, so that errors.Is(err, rules.FaultTwoKings) tells.
type Fault uint8

// The reasons to refuse an arrangement.
const (
	FaultNoKing            Fault = iota + 1 // a colour without a king
	FaultTwoKings                           // a colour with two kings or more
	FaultTooManyMen                         // more than 16 men of a colour
	FaultTooManyPawns                       // more than 8 pawns of a colour
	FaultTooManyPromoted                    // more extra pieces than pawns are missing
	FaultPawnOnLastRank                     // a pawn on the first or eighth rank
	FaultOpponentInCheck                    // the side not to move is in check
	FaultRightWithoutRook                   // a castling right, but no such rook on the back rank
	FaultRightWithoutKing                   // a castling right, but the king is not on its back rank
	FaultTwoRightsOneWing                   // two castling rights on the same side of the king
	FaultEnPassantRank                      // the e.p. square is not on the rank behind the opponent's double step
	FaultEnPassantPawn                      // no pawn of the opponent in front of the e.p. square
	FaultEnPassantOccupied                  // the e.p. square, or the pawn's origin, is occupied
	FaultCounter                            // a counter is out of range
	FaultPiece                              // a value that is no piece
)

var faultTexts = [...]string{
	FaultNoKing:            "expected one king, got none",
	FaultTwoKings:          "expected one king, got several",
	FaultTooManyMen:        "expected at most 16 men of a colour, got more",
	FaultTooManyPawns:      "expected at most 8 pawns of a colour, got more",
	FaultTooManyPromoted:   "expected at most as many extra pieces as pawns are missing, got more",
	FaultPawnOnLastRank:    "expected no pawn on the first or eighth rank, got one",
	FaultOpponentInCheck:   "expected the side not to move out of check, got it in check",
	FaultRightWithoutRook:  "expected a rook on the back rank for the castling right, got none",
	FaultRightWithoutKing:  "expected the king on its back rank for the castling right, got it elsewhere",
	FaultTwoRightsOneWing:  "expected at most one castling right on each side of the king, got two",
	FaultEnPassantRank:     "expected an en-passant square on rank 6 (White to move) or 3 (Black to move), got another rank",
	FaultEnPassantPawn:     "expected a pawn that has just made a double step over the en-passant square, got none",
	FaultEnPassantOccupied: "expected the en-passant square and the one behind it to be empty, got a man",
	FaultCounter:           "expected half-moves 0 to 9999 and a move number 1 to 9999, got another number",
	FaultPiece:             "expected a piece, got an unknown value",
}

// Error says what was expected and what came.
func (f Fault) Error() string {
	if int(f) < len(faultTexts) && f > 0 {
		return faultTexts[f]
	}
	return fmt.Sprintf("fault %d", uint8(f))
}

// FaultAt is a Fault with its place; At is NoSquare where no one square is to blame.
type FaultAt struct {
	Fault Fault
	Color Color // whose men or rights
	At    Square
}

// String is the text for people.
func (f FaultAt) String() string {
	if f.At < NoSquare {
		return fmt.Sprintf("%s, %s: %s", f.Color, f.At, f.Fault.Error())
	}
	return fmt.Sprintf("%s: %s", f.Color, f.Fault.Error())
}

// SetupError is all that is wrong with a Setup.
type SetupError struct{ Faults []FaultAt }

// Error lists every fault.
func (e *SetupError) Error() string {
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.String()
	}
	return "illegal position: " + strings.Join(texts, "; ")
}

// Unwrap lets errors.Is find each Fault.
func (e *SetupError) Unwrap() []error {
	errs := make([]error, len(e.Faults))
	for i, f := range e.Faults {
		errs[i] = f.Fault
	}
	return errs
}

// Position checks the arrangement. The error is a *SetupError with every reason found.
func (s *Setup) Position() (Position, error) {
	p := Position{ep: NoSquare, turn: s.Turn & 1}
	var bad SetupError
	fault := func(f Fault, c Color, at Square) { bad.Faults = append(bad.Faults, FaultAt{f, c, at}) }
	for sq, piece := range s.Board {
		switch {
		case piece == NoPiece:
		case piece > 15 || piece.Role() == NoRole || piece.Role() > King:
			fault(FaultPiece, White, Square(sq))
		default:
			p.put(piece, Square(sq))
		}
	}
	kings := true
	for c := White; c <= Black; c++ {
		kings = p.checkMen(c, fault) && kings
	}
	if kings {
		king := p.KingSquare(p.turn.Other())
		if p.Attackers(king, p.turn) != 0 {
			fault(FaultOpponentInCheck, p.turn.Other(), king)
		}
		s.checkRights(&p, fault)
		s.checkEnPassant(&p, fault)
	}
	if s.Halfmove < 0 || s.Halfmove > 9999 || s.Fullmove < 1 || s.Fullmove > 9999 {
		fault(FaultCounter, p.turn, NoSquare)
	}
	if bad.Faults != nil {
		return Position{}, &bad
	}
	p.halfmove, p.fullmove = uint16(s.Halfmove), uint16(s.Fullmove)
	p.key = p.scratchKey()
	return p, nil
}

// checkMen counts the men of a colour; it reports whether there is exactly one king.
func (p *Position) checkMen(c Color, fault func(Fault, Color, Square)) bool {
	count := func(r Role) int { return p.Men(c, r).Count() }
	kings, pawns := count(King), count(Pawn)
	switch {
	case kings == 0:
		fault(FaultNoKing, c, NoSquare)
	case kings > 1:
		fault(FaultTwoKings, c, NoSquare)
	}
	if count(NoRole) > 16 {
		fault(FaultTooManyMen, c, NoSquare)
	}
	extra := max(0, count(Queen)-1) + max(0, count(Rook)-2) + max(0, count(Bishop)-2) + max(0, count(Knight)-2)
	switch {
	case pawns > 8:
		fault(FaultTooManyPawns, c, NoSquare)
	case extra > 8-pawns:
		fault(FaultTooManyPromoted, c, NoSquare)
	}
	for b := p.Men(c, Pawn) & (rank1 | rank8); b != 0; b &= b - 1 {
		fault(FaultPawnOnLastRank, c, b.First())
	}
	return kings == 1
}

// checkRights takes over the castling rights; each colour has one king.
func (s *Setup) checkRights(p *Position, fault func(Fault, Color, Square)) {
	p.chess960 = s.Chess960
	if b := s.Rooks &^ (rank1 | rank8); b != 0 {
		fault(FaultRightWithoutRook, White, b.First())
	}
	for c := White; c <= Black; c++ {
		rooks := s.Rooks & backRank(c)
		if rooks == 0 {
			continue
		}
		king := p.KingSquare(c)
		if !backRank(c).Has(king) {
			fault(FaultRightWithoutKing, c, king)
			continue
		}
		if b := rooks &^ p.Men(c, Rook); b != 0 {
			fault(FaultRightWithoutRook, c, b.First())
			continue
		}
		left := rooks & (king.Bit() - 1)
		if left.several() || (rooks &^ left).several() {
			fault(FaultTwoRightsOneWing, c, king)
			continue
		}
		p.castle |= rooks
		if king.File() != 4 || rooks&^(fileA|fileH) != 0 {
			p.chess960 = true
		}
	}
}

// checkEnPassant takes over the en-passant square if a capture there is legal; each colour has one king.
func (s *Setup) checkEnPassant(p *Position, fault func(Fault, Color, Square)) {
	if s.EnPassant == NoSquare {
		return
	}
	us, them := p.turn, p.turn.Other()
	rank, ep := rank6, s.EnPassant
	if us == Black {
		rank = rank3
	}
	if ep > NoSquare || !rank.Has(ep) {
		fault(FaultEnPassantRank, them, ep)
		return
	}
	if p.PieceAt(ep^8) != NewPiece(them, Pawn) {
		fault(FaultEnPassantPawn, them, ep)
		return
	}
	if p.PieceAt(ep) != NoPiece || p.PieceAt(ep^24) != NoPiece {
		fault(FaultEnPassantOccupied, them, ep)
		return
	}
	for b := pawnAttacks[them][ep] & p.Men(us, Pawn); b != 0; b &= b - 1 {
		if p.passedCaptureLegal(b.First(), ep, us) {
			p.ep = ep
			return
		}
	}
}

// Setup is the position as an arrangement, to change and check again.
func (p *Position) Setup() Setup {
	return Setup{p.board, p.turn, p.castle, p.ep, int(p.halfmove), int(p.fullmove), p.chess960}
}
