package rules

import (
	"fmt"
	"strings"
)

// NearMiss is a position that looks as if it had come three times and has not:
// the men stood so often enough, but not with the same side to move and the same
// rights (Laws 9.2.3). Players claim such positions in good faith; an arbiter has
// to say why the claim is wrong.
type NearMiss struct {
	Ply    int          // the question is asked after this ply
	Move   Move         // the intended move, NullMove for the position on the board
	Looks  []int        // plies after which the men stood so; Ply+1 stands for the intended move
	Count  int          // how many of them count as the same position
	Differ []Difference // why the others do not
}

// Difference says what was otherwise after a ply.
type Difference struct {
	Ply int
	Why string // in words: "White had the move", "Black could still castle queenside"
}

// NearMiss looks at the position after ply n; ok is false when the men have not
// stood so three times, or when the position truly has.
func (g *Game) NearMiss(n int) (miss NearMiss, ok bool) {
	miss = NearMiss{Ply: n, Count: g.Occurrences(n)}
	return g.look(miss, &g.positions[n], n-1, n)
}

// NearMissAfter looks at the position that a legal move would bring about after ply n.
func (g *Game) NearMissAfter(n int, m Move) (miss NearMiss, ok bool) {
	next := g.positions[n].Play(m)
	miss = NearMiss{Ply: n, Move: m, Count: len(g.OccurrencesAfter(n, m)) + 1}
	return g.look(miss, &next, n, n+1)
}

// look compares p with the positions from the last capture or pawn move up to
// the ply upTo; p itself is numbered self.
func (g *Game) look(miss NearMiss, p *Position, upTo, self int) (NearMiss, bool) {
	for i := max(0, self-p.HalfmoveClock()); i <= upTo; i++ {
		q := &g.positions[i]
		if q.board != p.board || g.uncertain(i) {
			continue
		}
		miss.Looks = append(miss.Looks, i)
		if why := differences(q, p); why != "" {
			miss.Differ = append(miss.Differ, Difference{i, why})
		}
	}
	miss.Looks = append(miss.Looks, self)
	return miss, len(miss.Looks) >= 3 && miss.Count < 3
}

// differences says in words what q had and p has not, the men being the same; ""
// when they are one position. p is the later one.
func differences(q, p *Position) string {
	var why []string
	if q.turn != p.turn {
		why = append(why, q.turn.Name()+" had the move")
	}
	for c := White; c <= Black; c++ {
		if lost := q.castle &^ p.castle & q.colors[c]; lost != 0 {
			why = append(why, c.Name()+" could still castle "+q.wings(lost))
		}
	}
	if q.ep != p.ep && q.ep != NoSquare {
		why = append(why, fmt.Sprintf("%s could take en passant on %s", q.turn.Name(), q.ep))
	}
	return strings.Join(why, " and ")
}

// wings names the sides of the rooks, which are of one colour, as their king sees
// the board: "kingside and queenside". In Chess960 the rooks' squares are told too.
func (p *Position) wings(rooks Bitboard) string {
	var names []string
	for ; rooks != 0; rooks &= rooks - 1 {
		rook := rooks.First()
		name := "kingside"
		if rook < p.KingSquare(p.board[rook&63].Color()) {
			name = "queenside"
		}
		if p.chess960 {
			name += " with the rook on " + rook.String()
		}
		names = append([]string{name}, names...) // the rook of the h-file comes last and is named first
	}
	return strings.Join(names, " and ")
}

// Rights tells in words who has the move and what a placement does not show:
// "Black to move; White may castle kingside; Black may castle kingside and queenside;
// no en passant". A right counts though the way be blocked for the moment (Laws 9.2.3.2).
func (p *Position) Rights() string {
	parts := []string{p.turn.Name() + " to move"}
	for c := White; c <= Black; c++ {
		may := "may not castle"
		if rooks := p.castle & p.colors[c]; rooks != 0 {
			may = "may castle " + p.wings(rooks)
		}
		parts = append(parts, c.Name()+" "+may)
	}
	if p.ep == NoSquare {
		return strings.Join(append(parts, "no en passant"), "; ")
	}
	return strings.Join(append(parts, "en passant on "+p.ep.String()), "; ")
}

// Numbered names a ply as players do: "21...Nxb2", "22.Nb5"; "the start" for 0.
func (g *Game) Numbered(n int) string {
	if n == 0 {
		return "the start"
	}
	return numbered(&g.positions[n-1], g.plies[n-1].SAN)
}

// NumberedMove names a legal move not yet played after ply n.
func (g *Game) NumberedMove(n int, m Move) string {
	return numbered(&g.positions[n], g.positions[n].SAN(m))
}

func numbered(before *Position, san string) string {
	dots := "."
	if before.turn == Black {
		dots = "..."
	}
	return fmt.Sprintf("%d%s%s", before.fullmove, dots, san)
}

// Explain puts a near miss into words for an arbiter: "the men stood so 3 times
// (21...Nxb2, 23...Ra8, 25...Ra8), but the position counts 2 times: after 21...Nxb2 Black
// could still castle queenside".
func (g *Game) Explain(miss NearMiss) string {
	name := func(n int) string {
		if miss.Move != NullMove && n > miss.Ply {
			return "the intended " + g.NumberedMove(miss.Ply, miss.Move)
		}
		return g.Numbered(n)
	}
	names := make([]string, len(miss.Looks))
	for i, n := range miss.Looks {
		names[i] = name(n)
	}
	why := make([]string, len(miss.Differ))
	for i, d := range miss.Differ {
		why[i] = fmt.Sprintf("after %s %s", name(d.Ply), d.Why)
		if d.Ply == 0 {
			why[i] = "at the start " + d.Why
		}
	}
	return fmt.Sprintf("the men stood so %s (%s), but the position counts %s: %s",
		times(len(miss.Looks)), strings.Join(names, ", "), times(miss.Count), strings.Join(why, "; "))
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
