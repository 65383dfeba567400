package venue

import (
	"testing"

	"boardd/dgt/link"
)

func TestSeating(t *testing.T) {
	type step struct {
		board, port string // come; with no port the board goes
		keep        string // a listed port without a board
		want        int
	}
	tests := []struct {
		name   string
		tables []TableConfig
		steps  []step
	}{
		{"next free numbers without a configuration", nil, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00002", port: "/dev/b", want: 2},
		}},
		{"a board keeps its table on another port", nil, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00002", port: "/dev/b", want: 2},
			{board: "00001"}, {board: "00001", port: "/dev/c", want: 1},
		}},
		{"the table of a board that is away is not given out", nil, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00001"},
			{board: "00002", port: "/dev/a", want: 2}, {board: "00001", port: "/dev/b", want: 1},
		}},
		{"two boards exchange their ports", nil, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00002", port: "/dev/b", want: 2},
			{board: "00001"}, {board: "00002"},
			{board: "00002", port: "/dev/a", want: 2}, {board: "00001", port: "/dev/b", want: 1},
		}},
		{"by serial number", []TableConfig{{Number: 7, Board: "00002"}, {Number: 9, Board: "0000000001"}}, []step{
			{board: "00001", port: "/dev/a", want: 9}, {board: "00002", port: "/dev/b", want: 7},
			{board: "00003", port: "/dev/c", want: 1},
		}},
		{"by port", []TableConfig{{Number: 3, Port: "/dev/b"}}, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00002", port: "/dev/b", want: 3},
			{board: "00003", port: "/dev/c", want: 2}, {board: "00004", port: "/dev/d", want: 4},
		}},
		{"by port through a link", []TableConfig{{Number: 3, Port: "/link/to/b"}}, []step{
			{board: "00001", port: "/dev/b", want: 3},
		}},
		{"the serial number goes before the port", []TableConfig{{Number: 1, Port: "/dev/a"}, {Number: 2, Board: "00001", Port: "/dev/b"}}, []step{
			{board: "00001", port: "/dev/a", want: 2}, {board: "00002", port: "/dev/b", want: 3},
		}},
		{"a spare board takes over the table of its port", []TableConfig{{Number: 5, Port: "/dev/a"}}, []step{
			{board: "00001", port: "/dev/a", want: 5}, {board: "00001"},
			{board: "00002", port: "/dev/a", want: 5}, {board: "00001", port: "/dev/b", want: 1},
		}},
		{"a second board on the port of one that is there", []TableConfig{{Number: 5, Port: "/dev/a"}}, []step{
			{board: "00001", port: "/dev/a", want: 5}, {board: "00001"}, {board: "00001", port: "/dev/b", want: 5},
			{board: "00002", port: "/dev/a", want: 1},
		}},
		{"tables without board and port take whoever comes", []TableConfig{{Number: 1}, {Number: 2}, {Number: 3, Board: "00009"}}, []step{
			{board: "00001", port: "/dev/a", want: 1}, {board: "00009", port: "/dev/b", want: 3},
			{board: "00002", port: "/dev/c", want: 2}, {board: "00003", port: "/dev/d", want: 4},
		}},
		{"listed ports keep tables in their order", nil, []step{
			{keep: "/dev/a", want: 1}, {board: "00002", port: "/dev/b", want: 2},
			{board: "00003", port: "/dev/c", want: 3}, {board: "00001", port: "/dev/a", want: 1},
			{board: "00004", port: "/dev/d", want: 4},
		}},
		{"a kept table is free again when its port's board belongs elsewhere", []TableConfig{{Number: 8, Board: "00001"}}, []step{
			{keep: "/dev/a", want: 1}, {board: "00001", port: "/dev/a", want: 8}, {board: "00002", port: "/dev/b", want: 1},
		}},
		{"a listed port that a table names", []TableConfig{{Number: 8, Port: "/dev/a"}}, []step{
			{keep: "/dev/a", want: 8}, {board: "00001", port: "/dev/a", want: 8},
		}},
		{"a listed port that a table with a board of its own names", []TableConfig{{Number: 8, Board: "00001", Port: "/dev/a"}}, []step{
			{keep: "/dev/a", want: 8}, {board: "00001", port: "/dev/a", want: 8}, {board: "00002", port: "/dev/b", want: 1},
		}},
		{"another board on the port of a table with a board of its own", []TableConfig{{Number: 8, Board: "00001", Port: "/dev/a"}}, []step{
			{keep: "/dev/a", want: 8}, {board: "00002", port: "/dev/a", want: 1}, {board: "00001", port: "/dev/b", want: 8},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSeating(tt.tables)
			s.resolve = func(path string) string {
				if path == "/link/to/b" {
					return "/dev/b"
				}
				return path
			}
			for i, step := range tt.steps {
				switch {
				case step.keep != "":
					if got := s.keep(step.keep); got != step.want {
						t.Errorf("step %d: table %d is kept for %s, want %d", i, got, step.keep, step.want)
					}
				case step.port == "":
					s.leave(step.board)
				default:
					id := link.Identity{Serial: step.board, LongSerial: "00000" + step.board}
					if got := s.place(step.board, id, step.port); got != step.want {
						t.Errorf("step %d: board %s on %s is at table %d, want %d", i, step.board, step.port, got, step.want)
					}
				}
			}
		})
	}
}

func TestInboxNeverWaits(t *testing.T) {
	b := newInbox()
	for range inboxMax + 3 {
		b.put(note{})
	}
	<-b.ready
	notes, lost, closed := b.take()
	if len(notes) != inboxMax || lost != 3 || closed {
		t.Errorf("%d notes, %d lost, closed %t; want %d, 3, false", len(notes), lost, closed, inboxMax)
	}
	b.put(note{})
	b.close()
	b.put(note{}) // too late
	<-b.ready
	if notes, lost, closed := b.take(); len(notes) != 1 || lost != 0 || !closed {
		t.Errorf("%d notes, %d lost, closed %t; want 1, 0, true", len(notes), lost, closed)
	}
}
