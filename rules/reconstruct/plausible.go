package reconstruct

import "boardd/rules"

// worth is what a man is worth in pawns, for telling a slip from a plan.
var worth = [...]int{rules.Pawn: 1, rules.Knight: 3, rules.Bishop: 3, rules.Rook: 5, rules.Queen: 9, rules.King: 100}

// losesMan reports whether the ply lets the opponent win a piece at once.
// Hardly anybody means that: such a ply is likelier than others to be put
// right before the press, so it waits for the press.
func losesMan(n *node) bool {
	them := n.pos.Turn()
	us := them.Other()
	gain := 0
	if q := n.parent.pos.CapturedSquare(n.move); q != rules.NoSquare {
		gain = worth[n.parent.pos.PieceAt(q).Role()]
	}
	for men := n.pos.Men(us, rules.NoRole) &^ n.pos.Men(us, rules.King); men != 0; men &= men - 1 {
		q := men.First()
		if loss(n, q, us, them)-gain >= 2 {
			return true
		}
	}
	return false
}

// loss is what the opponent wins, in pawns, by taking the man on q, as far as
// one look at who attacks and who guards it tells.
func loss(n *node, q rules.Square, us, them rules.Color) int {
	attackers := n.pos.Attackers(q, them)
	if attackers == 0 {
		return 0
	}
	man := worth[n.pos.PieceAt(q).Role()]
	if n.pos.Attackers(q, us) == 0 {
		return man
	}
	cheapest := 100
	for ; attackers != 0; attackers &= attackers - 1 {
		cheapest = min(cheapest, worth[n.pos.PieceAt(attackers.First()).Role()])
	}
	return man - cheapest
}
