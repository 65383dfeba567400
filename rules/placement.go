package rules

import (
	"fmt"
	"strings"
)

// Placement says what stands where, and nothing else: no side to move, no
// rights. It may be any arrangement, legal or not.
type Placement [64]Piece

// String is the board field of a FEN.
func (p *Placement) String() string { return string(p.appendTo(make([]byte, 0, 72))) }

func (p *Placement) appendTo(b []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			piece := p[MakeSquare(file, rank)]
			if piece == NoPiece {
				empty++
				continue
			}
			if empty > 0 {
				b = append(b, '0'+empty)
				empty = 0
			}
			b = append(b, piece.Letter())
		}
		if empty > 0 {
			b = append(b, '0'+empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	return b
}

// ParsePlacement reads the board field of a FEN: eight ranks from the eighth to
// the first, eight squares each. It does not ask whether the arrangement is
// legal. The error says which rank is wrong and how.
func ParsePlacement(s string) (Placement, error) {
	var p Placement
	ranks := strings.Split(s, "/")
	if len(ranks) != 8 {
		return Placement{}, fmt.Errorf("expected 8 ranks parted by '/', got %d in %q", len(ranks), clipTo(s, longestFEN))
	}
	for i, text := range ranks {
		rank, file, digit := 7-i, 0, false
		for j := 0; j < len(text); j++ {
			b := text[j]
			if b >= '1' && b <= '8' {
				if digit {
					return Placement{}, fmt.Errorf("rank %d: expected a piece after the digit, got %q in %q", rank+1, b, clip(text))
				}
				file, digit = file+int(b-'0'), true
				continue
			}
			piece, ok := PieceFromLetter(b)
			if !ok {
				return Placement{}, fmt.Errorf("rank %d: expected a piece letter or a digit 1 to 8, got %q", rank+1, b)
			}
			if file < 8 {
				p[MakeSquare(file, rank)] = piece
			}
			file, digit = file+1, false
		}
		if file != 8 {
			return Placement{}, fmt.Errorf("rank %d: expected 8 squares, got %d in %q", rank+1, file, text)
		}
	}
	return p, nil
}
