package rules

import "fmt"

// Chess960Start is start position n of Chess960, 0 to 959 in Scharnagl's
// numbering; 518 has the usual array. Guidelines II of the Laws.
func Chess960Start(n int) (Position, error) {
	if n < 0 || n > 959 {
		return Position{}, fmt.Errorf("expected a Chess960 number 0 to 959, got %d", n)
	}
	var rank [8]Role
	// place puts the role on the k-th file still empty.
	place := func(r Role, k int) {
		for file := range rank {
			if rank[file] == NoRole {
				if k == 0 {
					rank[file] = r
					return
				}
				k--
			}
		}
	}
	rank[n%4*2+1] = Bishop // light
	n /= 4
	rank[n%4*2] = Bishop // dark
	n /= 4
	place(Queen, n%6)
	n /= 6
	for first := range 4 { // the ten ways to put two knights on five files
		if ways := 4 - first; n < ways {
			place(Knight, first)
			place(Knight, first+n) // counted without the file just filled
			break
		} else {
			n -= ways
		}
	}
	place(Rook, 0)
	place(King, 0)
	place(Rook, 0)
	return startOfRank(rank).Position()
}

// StartOf is the start position whose men stand as on this board: the usual one,
// or one of Chess960; ok is false when the board is no start array.
func StartOf(board *Placement) (p Position, ok bool) {
	if *board == startPosition.board {
		return startPosition, true
	}
	var rank [8]Role
	var rooks, bishops []int
	king := -1
	for file := range rank {
		rank[file] = board[file].Role()
		switch rank[file] {
		case Rook:
			rooks = append(rooks, file)
		case Bishop:
			bishops = append(bishops, file)
		case King:
			king = file
		}
	}
	if len(rooks) != 2 || len(bishops) != 2 || king < rooks[0] || king > rooks[1] || (bishops[0]+bishops[1])&1 == 0 {
		return Position{}, false
	}
	setup := startOfRank(rank)
	if setup.Board != *board {
		return Position{}, false
	}
	p, err := setup.Position()
	return p, err == nil && p.roles[Queen].Count() == 2 && p.roles[Knight].Count() == 4
}

// startOfRank sets up both sides from White's first rank.
func startOfRank(rank [8]Role) *Setup {
	s := Setup{EnPassant: NoSquare, Fullmove: 1, Chess960: true}
	for file, role := range rank {
		s.Board[MakeSquare(file, 0)] = NewPiece(White, role)
		s.Board[MakeSquare(file, 1)] = WhitePawn
		s.Board[MakeSquare(file, 6)] = BlackPawn
		s.Board[MakeSquare(file, 7)] = NewPiece(Black, role)
		if role == Rook {
			s.Rooks |= MakeSquare(file, 0).Bit() | MakeSquare(file, 7).Bit()
		}
	}
	return &s
}
