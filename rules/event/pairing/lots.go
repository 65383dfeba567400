package pairing

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Lots are the outcome of a drawing that anybody can repeat: the lot of each is
// the SHA-256 of the seed, a line feed and the name, and the smallest lot is
// first. By hand: printf 'seed\nname' | sha256sum.
type Lots struct {
	Seed string
	// Order are the names, first drawn first.
	Order []string
}

// DrawLots draws. The seed should be a number that nobody could know when the
// names were fixed, such as dice thrown before witnesses.
func DrawLots(seed string, names []string) (Lots, error) {
	if strings.TrimSpace(seed) == "" {
		return Lots{}, errors.New("expected a seed for the lots, got none")
	}
	if len(names) < 2 {
		return Lots{}, fmt.Errorf("expected at least two names to draw lots between, got %d", len(names))
	}
	order := slices.Clone(names)
	slices.SortFunc(order, func(a, b string) int { return strings.Compare(lot(seed, a), lot(seed, b)) })
	for i := 1; i < len(order); i++ {
		if order[i] == order[i-1] {
			return Lots{}, fmt.Errorf("expected each name once, got %q twice", order[i])
		}
	}
	return Lots{Seed: seed, Order: order}, nil
}

func lot(seed, name string) string {
	sum := sha256.Sum256([]byte(seed + "\n" + name))
	return hex.EncodeToString(sum[:])
}
