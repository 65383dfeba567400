package link

import (
	"reflect"
	"testing"
)

func TestRegistry(t *testing.T) {
	on := func(serial string) Status { return Status{State: Up, Identity: Identity{Serial: serial}} }
	off := Status{State: Down}
	type step struct {
		port string
		st   Status
		want []Sighting
	}
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"there, gone, back", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"a", on("1"), nil}, // a clock was found
			{"a", off, []Sighting{{Vanished, "1", "", "a"}}},
			{"a", Status{State: Refused}, nil},
			{"a", on("1"), []Sighting{{Returned, "1", "a", "a"}}},
		}},
		{"back on another port", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"a", Status{State: Lost}, []Sighting{{Vanished, "1", "", "a"}}},
			{"b", on("1"), []Sighting{{Moved, "1", "b", "a"}}},
		}},
		{"on the other port before the first one noticed", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"b", on("1"), []Sighting{{Doubled, "1", "b", "a"}}},
			{"a", off, []Sighting{{Moved, "1", "b", "a"}}},
			{"b", off, []Sighting{{Vanished, "1", "", "b"}}},
		}},
		{"a doubled port goes again", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"b", on("1"), []Sighting{{Doubled, "1", "b", "a"}}},
			{"b", off, nil},
			{"a", off, []Sighting{{Vanished, "1", "", "a"}}},
		}},
		{"two boards exchange ports", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"b", on("2"), []Sighting{{Discovered, "2", "b", ""}}},
			{"a", off, []Sighting{{Vanished, "1", "", "a"}}},
			{"b", off, []Sighting{{Vanished, "2", "", "b"}}},
			{"a", on("2"), []Sighting{{Moved, "2", "a", "b"}}},
			{"b", on("1"), []Sighting{{Moved, "1", "b", "a"}}},
		}},
		{"another board without a gap", []step{
			{"a", on("1"), []Sighting{{Discovered, "1", "a", ""}}},
			{"a", on("2"), []Sighting{{Vanished, "1", "", "a"}, {Discovered, "2", "a", ""}}},
		}},
		{"no number: the port names it", []step{
			{"a", on(""), []Sighting{{Discovered, "a", "a", ""}}},
			{"b", on(""), []Sighting{{Discovered, "b", "b", ""}}},
			{"a", off, []Sighting{{Vanished, "a", "", "a"}}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r Registry
			for i, s := range c.steps {
				if got := r.Observe(s.port, s.st); !reflect.DeepEqual(got, s.want) {
					t.Errorf("step %d: %v; want %v", i, got, s.want)
				}
			}
			for board, b := range r.boards {
				port, live := r.Port(board)
				if live != b.live || live && r.ports[port] != board {
					t.Errorf("board %s: %s %v", board, port, live)
				}
			}
		})
	}
}

func TestRegistryKnowsWhere(t *testing.T) {
	var r Registry
	if _, ok := r.Port("1"); ok {
		t.Error("an unknown board is somewhere")
	}
	r.Observe("a", Status{State: Up, Identity: Identity{LongSerial: "0000000001"}})
	if port, ok := r.Port("0000000001"); !ok || port != "a" {
		t.Errorf("%s %v", port, ok)
	}
	if board, ok := r.Board("a"); !ok || board != "0000000001" {
		t.Errorf("%s %v", board, ok)
	}
	r.Forget("a")
	if _, ok := r.Port("0000000001"); ok {
		t.Error("still there")
	}
}
