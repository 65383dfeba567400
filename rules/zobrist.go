package rules

// The numbers of the position key (Zobrist): one for every man on every square,
// for the side to move, for the rook square of each castling right and for the
// square an en-passant capture goes to. They come from a fixed generator, so a
// key is the same on every machine and may be stored.
var keys = *makeKeys()

type keyNumbers struct {
	man    [16][64]uint64
	right  [64]uint64
	passed [64]uint64
	black  uint64
}

func makeKeys() *keyNumbers {
	state := uint64(0x626f61726464) // "boardd"
	next := func() uint64 {         // splitmix64
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	var k keyNumbers
	for piece := range k.man {
		for s := range k.man[piece] {
			k.man[piece][s] = next()
		}
	}
	for s := range k.right {
		k.right[s], k.passed[s] = next(), next()
	}
	k.black = next()
	return &k
}

// keyOfRights is the part of the key that the castling rooks give.
func keyOfRights(rooks Bitboard) (key uint64) {
	for ; rooks != 0; rooks &= rooks - 1 {
		key ^= keys.right[rooks.First()&63]
	}
	return key
}

// scratchKey computes the key from nothing; the position keeps it up to date move by move.
func (p *Position) scratchKey() (key uint64) {
	for s, piece := range p.board {
		if piece != NoPiece {
			key ^= keys.man[piece&15][s]
		}
	}
	key ^= keyOfRights(p.castle)
	if p.ep != NoSquare {
		key ^= keys.passed[p.ep&63]
	}
	if p.turn == Black {
		key ^= keys.black
	}
	return key
}
