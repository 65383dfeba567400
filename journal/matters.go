package journal

import (
	"cmp"
	"maps"
	"slices"
)

// Withdrawn is the step of a claim with which the player takes it back.
const Withdrawn = "withdrawn"

// openMatters follows alerts and claims to those that wait for somebody.
type openMatters struct {
	alerts map[alertKey]Entry
	claims map[uint64]Entry
}

// alertKey tells alerts apart: the same code at the same table and half-move is the same alert.
type alertKey struct {
	table int
	code  string
	n     int
}

func newOpenMatters() *openMatters {
	return &openMatters{map[alertKey]Entry{}, map[uint64]Entry{}}
}

func (m *openMatters) add(e Entry) {
	switch f := e.Fact.(type) {
	case Alert:
		key := alertKey{e.Table, f.Code, f.N}
		switch f.Step {
		case Raised:
			m.alerts[key] = e
		case Cleared:
			delete(m.alerts, key)
		}
	case Claim:
		if open, is := m.same(e, f); is {
			delete(m.claims, open)
		}
		if f.Step != Withdrawn {
			m.claims[e.Seq] = e
		}
	case Ruling:
		delete(m.claims, f.Claim)
	}
}

// same is an earlier step of the same claim.
func (m *openMatters) same(e Entry, f Claim) (seq uint64, is bool) {
	for seq, open := range m.claims {
		if c := open.Fact.(Claim); open.Game == e.Game && open.Table == e.Table && c.Code == f.Code && c.By == f.By {
			return seq, true
		}
	}
	return 0, false
}

func (m *openMatters) list() (alerts, claims []Entry) {
	bySeq := func(a, b Entry) int { return cmp.Compare(a.Seq, b.Seq) }
	return slices.SortedFunc(maps.Values(m.alerts), bySeq), slices.SortedFunc(maps.Values(m.claims), bySeq)
}
