package venue_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardd/broadcast"
	"boardd/dgt/tape"
	"boardd/rules"
	"boardd/venue"
)

// playedOut are the events of moves carried out and pressed one after the other; a
// word with @ in front is an order.
func playedOut(t testing.TB, fen, words string) (events []caseEvent) {
	t.Helper()
	p, err := rules.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	add := func(e ...any) {
		var ev caseEvent
		for _, x := range e {
			if n, ok := x.(int); ok {
				ev = append(ev, json.Number(fmt.Sprint(n)))
				continue
			}
			ev = append(ev, x)
		}
		events = append(events, ev)
	}
	for word := range strings.FieldsSeq(words) {
		m, err := p.ParseSAN(word)
		if err != nil {
			t.Fatal(err)
		}
		man := p.PieceAt(m.From())
		add("lift", m.From().String())
		add("place", m.To().String(), string(man.Letter()))
		add("wait", 700)
		add("press", p.Turn().String()[:1])
		add("wait", 1500)
		p = p.Play(m)
	}
	return events
}

// judged plays moves and orders on a tape of a table under those headers.
func judged(t *testing.T, fen, words string, header tape.Header, orders map[int][]string) *played {
	t.Helper()
	made, err := tapeOfCase(fen, playedOut(t, fen, words), plainWire)
	if err != nil {
		t.Fatal(err)
	}
	made.Header = append(made.Header, header...)
	text := tapeText(t, made)
	tp, err := tape.Read(bytes.NewReader(text), "judged.tape")
	if err != nil {
		t.Fatal(err)
	}
	p, err := venue.NewPlayback(tp.Header, venue.TableOptions{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &played{}
	done := 0
	for _, e := range tp.Events {
		for n := p.Table.Game().Len(); done <= n; done++ {
			for _, order := range orders[done] {
				if err := p.Play(tape.Event{At: e.At, Kind: tape.Order, Text: order}); err != nil {
					s.changes = append(s.changes, broadcast.Change{Type: "refused", Detail: err.Error()})
				}
			}
		}
		if err := p.Play(e); err != nil {
			t.Fatal(err)
		}
		s.changes = append(s.changes, p.Table.Take()...)
		s.sent = append(s.sent, p.Table.Commands()...)
	}
	s.changes = append(s.changes, p.Table.Take()...)
	s.game = p.Table.Game()
	return s
}

// judgements are the alerts and claims, in short.
func (s *played) judgements() (list []string) {
	for _, c := range s.changes {
		switch c.Type {
		case broadcast.TypeAlert:
			if strings.HasPrefix(c.Code, "clock.") {
				continue
			}
			mark := ""
			if c.Cleared {
				mark = "-"
			}
			list = append(list, fmt.Sprintf("%s%s@%d", mark, c.Code, c.Ply))
		case broadcast.TypeClaim:
			list = append(list, fmt.Sprintf("claim %s@%d", c.Code, c.Ply))
		case broadcast.TypeResult:
			list = append(list, "result "+c.Result)
		case "refused":
			list = append(list, "refused")
		}
	}
	return list
}

func TestRefereeTellsWhatStandsAndWhatLapses(t *testing.T) {
	const shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"
	for _, tt := range []struct {
		name, fen, moves string
		header           tape.Header
		orders           map[int][]string
		want             []string
	}{
		{"third time", rules.StartFEN, shuffle + " e4", nil, nil, []string{"claim.threefold@8", "-claim.threefold@8"}},
		{"fifty moves, told once", "4k3/8/8/8/8/8/8/R3K2r w - - 98 90", "Kd2 Rh3 Ra2 Rh4", nil, nil, []string{"claim.fifty@2"}},
		{"fifty moves and a capture", "4k3/8/8/8/8/8/8/R3K2r w - - 98 90", "Kd2 Rxa1", nil, nil, nil},
		{"seventy-five", "4k3/8/8/8/8/8/8/R3K2r w - - 148 90", "Kd2 Rh3", nil, nil, []string{"claim.fifty@1", "-claim.fifty@1", "draw.seventyfive@2"}},
		{"five times", rules.StartFEN, shuffle + " " + shuffle, nil, nil,
			[]string{"claim.threefold@8", "-claim.threefold@8", "claim.threefold@9", "-claim.threefold@9", "claim.threefold@10", "-claim.threefold@10",
				"claim.threefold@11", "-claim.threefold@11", "claim.threefold@12", "-claim.threefold@12", "claim.threefold@13", "-claim.threefold@13",
				"claim.threefold@14", "-claim.threefold@14", "claim.threefold@15", "-claim.threefold@15", "draw.fivefold@16"}},
		{"five times under the Laws of 2005", rules.StartFEN, shuffle, tape.Header{{Key: "edition", Value: "2005"}}, nil, []string{"claim.threefold@8"}},
		{"claim ruled correct", rules.StartFEN, shuffle, tape.Header{{Key: "draws", Value: "claims-only"}},
			map[int][]string{8: {"claim white threefold", "ruling correct by Novak"}},
			[]string{"claim.threefold@8", "claim opened@8", "claim correct@8", "result 1/2-1/2"}},
		{"claim ruled incorrect", rules.StartFEN, "Nf3 Nf6", nil, map[int][]string{2: {"claim white threefold", "ruling incorrect"}},
			[]string{"claim opened@2", "claim incorrect@2"}},
		{"claim of the wrong player", rules.StartFEN, "Nf3 Nf6", nil, map[int][]string{2: {"claim black threefold", "ruling correct"}}, []string{"refused", "refused"}},
		{"a draw without a claim", rules.StartFEN, "Nf3 Nf6", tape.Header{{Key: "draws", Value: "claims-only"}}, map[int][]string{2: {"result 1/2-1/2"}},
			[]string{"result.draw_unverified@2"}},
		{"a draw with the arbiter's consent", rules.StartFEN, "Nf3 Nf6", tape.Header{{Key: "draws", Value: "claims-only"}}, map[int][]string{2: {"result 1/2-1/2 with-consent"}},
			[]string{"result 1/2-1/2"}},
		{"consent that comes late", rules.StartFEN, "Nf3 Nf6", tape.Header{{Key: "draws", Value: "claims-only"}}, map[int][]string{2: {"result 1/2-1/2", "result 1/2-1/2 with-consent"}},
			[]string{"result.draw_unverified@2", "result 1/2-1/2"}},
		{"a claim that comes late", rules.StartFEN, shuffle, tape.Header{{Key: "draws", Value: "claims-only"}},
			map[int][]string{8: {"result 1/2-1/2", "claim white threefold", "ruling correct"}},
			[]string{"claim.threefold@8", "result.draw_unverified@8", "claim opened@8", "claim correct@8", "result 1/2-1/2"}},
		{"a win needs no reason", rules.StartFEN, "Nf3 Nf6", tape.Header{{Key: "draws", Value: "claims-only"}}, map[int][]string{2: {"result 1-0"}}, []string{"result 1-0"}},
		{"dead position", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2", nil, nil, []string{"game.over@1"}},
		{"late", rules.StartFEN, "Nf3", nil, map[int][]string{0: {"late warning 300"}, 1: {"late default 600"}}, []string{"player.late@0", "player.default@1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := judged(t, tt.fen, tt.moves, tt.header, tt.orders)
			if got := s.judgements(); !slices.Equal(got, tt.want) {
				t.Errorf("judged %q\nwant   %q\n%s", got, tt.want, s)
			}
		})
	}
}

func TestThreefoldNamesItsOccurrences(t *testing.T) {
	s := judged(t, rules.StartFEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", nil, nil)
	i := slices.IndexFunc(s.changes, func(c broadcast.Change) bool { return c.Code == "claim.threefold" })
	if i < 0 {
		t.Fatal("not told")
	}
	if got, want := s.changes[i].Detail, "3 times: at the start, after 2...Ng8, after 4...Ng8; White may claim"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
