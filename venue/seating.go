package venue

import (
	"path/filepath"

	"boardd/dgt/link"
)

// seating says which board plays at which table. It is pure: boards come and
// go by calls, in order. A board is known by its serial number; ports and their
// names change.
type seating struct {
	tables []TableConfig
	// resolve gives the device behind a port's path, so that a table may name
	// its port by any link to it.
	resolve func(path string) string

	seats  map[string]int  // board -> its table, also while it is away
	holder map[int]string  // table -> the board that plays or last played there
	here   map[string]bool // boards that answer now
	kept   map[string]int  // listed port nothing has answered on yet -> its table
	keeper map[int]string  // the same the other way
}

func newSeating(tables []TableConfig) *seating {
	return &seating{
		tables: tables, resolve: device,
		seats: map[string]int{}, holder: map[int]string{}, here: map[string]bool{},
		kept: map[string]int{}, keeper: map[int]string{},
	}
}

// device is what a path leads to now; the path itself when it leads nowhere.
func device(path string) string {
	if d, err := filepath.EvalSymlinks(path); err == nil {
		return d
	}
	return path
}

// remember gives a board the table it had in the last run, and its port that table
// until a board answers on it.
func (s *seating) remember(board, port string, table int) {
	s.seats[board], s.holder[table] = table, board
	if _, taken := s.kept[port]; port != "" && !taken {
		s.kept[port], s.keeper[table] = table, port
	}
}

// keep gives a listed port a table before any board has answered on it, so that
// the order of the list is that of the tables. It returns that table.
func (s *seating) keep(port string) int {
	for _, t := range s.tables {
		if s.at(t, port) { // with a board of its own or without: that is who is expected here
			return t.Number
		}
	}
	if n, ok := s.kept[port]; ok {
		return n
	}
	n := s.free()
	s.kept[port], s.keeper[n] = n, port
	return n
}

// place gives a board its table: the one the configuration names for it, else
// the one it had before, else the one of its port, else the next free number.
func (s *seating) place(board string, id link.Identity, port string) int {
	n := s.find(board, id, port)
	if keeping, ok := s.kept[port]; ok {
		delete(s.kept, port)
		delete(s.keeper, keeping)
	}
	s.seats[board], s.holder[n], s.here[board] = n, board, true
	return n
}

func (s *seating) find(board string, id link.Identity, port string) int {
	for _, t := range s.tables {
		if t.Board != "" && (t.Board == id.Serial || t.Board == id.LongSerial) {
			return t.Number
		}
	}
	if n, ok := s.seats[board]; ok && (s.holder[n] == board || s.vacant(n)) {
		return n
	}
	if n := s.ofPort(port); n != 0 && s.vacant(n) {
		return n
	}
	if n, ok := s.kept[port]; ok {
		return n
	}
	return s.free()
}

// leave notes that a board no longer answers. It keeps its table.
func (s *seating) leave(board string) { delete(s.here, board) }

// vacant says that no board answers at the table now.
func (s *seating) vacant(n int) bool {
	board, ok := s.holder[n]
	return !ok || !s.here[board]
}

// ofPort is the table that the configuration puts at a port, 0 for none.
func (s *seating) ofPort(port string) int {
	for _, t := range s.tables {
		// A table with a board of its own names the port only so that it is opened.
		if t.Board == "" && s.at(t, port) {
			return t.Number
		}
	}
	return 0
}

// at says whether a table names a port.
func (s *seating) at(t TableConfig, port string) bool {
	return t.Port != "" && (t.Port == port || s.resolve(t.Port) == s.resolve(port))
}

// free is the lowest number that neither the configuration binds to a board or
// port nor anybody has or had.
func (s *seating) free() int {
	bound := map[int]bool{}
	for _, t := range s.tables {
		bound[t.Number] = t.Board != "" || t.Port != ""
	}
	for n := 1; ; n++ {
		_, held := s.holder[n]
		_, keeping := s.keeper[n]
		if !bound[n] && !held && !keeping {
			return n
		}
	}
}
