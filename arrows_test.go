// Package boardd_test keeps the rooms of the house apart.
package boardd_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arrow says what one room may import besides the standard library.
type arrow struct {
	rooms     []string // of this module, by path below it; "x/..." is everything below x
	libraries []string // of others, by module path or a package path below one
}

// arrows is docs/architecture.md as a table. A room that is not in it fails the
// test: a new room comes with its arrows.
var arrows = map[string]arrow{
	"dgt":            {},
	"dgt/tape":       {},
	"dgt/tape/shelf": {rooms: []string{"dgt/tape"}},
	"dgt/emulator":   {rooms: []string{"dgt"}, libraries: []string{"github.com/creack/pty", "golang.org/x/sys"}},
	"dgt/link": {
		rooms:     []string{"dgt", "dgt/tape"},
		libraries: []string{"go.bug.st/serial", "golang.org/x/sys", "github.com/rs/zerolog"},
	},
	"rules":             {},
	"rules/opening":     {rooms: []string{"rules"}, libraries: []string{"github.com/notnil/chess"}},
	"rules/reconstruct": {rooms: []string{"rules"}},
	"broadcast": {
		rooms:     []string{"rules", "rules/opening", "broadcast/web"},
		libraries: []string{"github.com/gorilla/websocket", "github.com/rs/zerolog"},
	},
	"broadcast/livechess": {
		rooms:     []string{"rules", "rules/reconstruct", "broadcast"},
		libraries: []string{"github.com/gorilla/websocket", "github.com/rs/zerolog"},
	},
	"broadcast/lichess": {rooms: []string{"broadcast", "broadcast/pgn"}},
	"broadcast/cluster": {
		rooms:     []string{"broadcast", "broadcast/uplink"},
		libraries: []string{"github.com/nats-io/nats.go", "github.com/rs/zerolog"},
	},
	"broadcast/uplink": {
		rooms:     []string{"broadcast"},
		libraries: []string{"github.com/gorilla/websocket", "github.com/rs/zerolog"},
	},
	"broadcast/notify": {
		rooms:     []string{"broadcast"},
		libraries: []string{"github.com/nicholas-fedor/shoutrrr", "github.com/rs/zerolog"},
	},
	"broadcast/evidence": {rooms: []string{"rules"}},
	"broadcast/web":      {},
	"broadcast/lcc":      {rooms: []string{"rules"}},
	"broadcast/pgn": {
		rooms:     []string{"rules", "clock", "broadcast", "broadcast/lcc"},
		libraries: []string{"github.com/rs/zerolog"},
	},
	"broadcast/arbiter":          {rooms: []string{"rules", "broadcast/evidence"}},
	"rules/event":                {rooms: []string{"tomlfile", "clock", "rules", "rules/event/..."}},
	"rules/event/standings":      {},
	"rules/event/trf":            {rooms: []string{"clock", "rules/event/standings"}},
	"rules/event/roster":         {rooms: []string{"rules"}},
	"rules/event/pairing":        {rooms: []string{"clock", "rules"}},
	"rules/event/correspondence": {rooms: []string{"clock"}},
	"tomlfile":                   {rooms: []string{"clock"}, libraries: []string{"github.com/pelletier/go-toml/v2"}},
	"venue": {
		rooms:     []string{"tomlfile", "journal", "clock", "clock/...", "dgt", "dgt/...", "rules", "rules/...", "broadcast", "broadcast/..."},
		libraries: []string{"github.com/rs/zerolog", "github.com/creack/pty"},
	},
	"venue/players": {rooms: []string{"dgt", "dgt/emulator", "rules"}},
	"cmd/boardd": {
		rooms: []string{"venue", "tomlfile", "venue/players", "clock", "journal", "journal/archive", "dgt", "dgt/...", "rules", "rules/...", "broadcast", "broadcast/..."},
		libraries: []string{"github.com/spf13/cobra", "github.com/rs/zerolog", "github.com/mattn/go-isatty",
			"github.com/creack/pty"},
	},
	"clock":       {},
	"clock/plan":  {rooms: []string{"clock"}},
	"clock/check": {rooms: []string{"clock"}},
	"journal": {
		rooms:     []string{"rules", "clock"},
		libraries: []string{"modernc.org/sqlite"},
	},
	"journal/archive": {rooms: []string{"journal", "rules"}},
	"e2e":             {},
}

// pure rooms hold no goroutine's wake-up, no wall clock and no I/O, so that a
// tape replays to the same game on any machine.
var pure = []string{"dgt", "rules", "rules/reconstruct", "rules/event", "rules/event/pairing", "rules/event/correspondence", "clock", "tomlfile", "broadcast/lcc"}

// Packages of the standard library, and words of package time, that a pure
// room has no use for.
var impure = []string{"net", "net/http", "os", "os/exec", "os/signal", "syscall", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand"}
var clockWords = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// roomsOfThisModule asks the go tool for every package and what it imports.
func roomsOfThisModule(t *testing.T) (rooms map[string][]string, standard map[string]bool) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Standard,Imports", "./...").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("go list: %v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	rooms, standard = map[string][]string{}, map[string]bool{"C": true, "unsafe": true}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return rooms, standard
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Standard {
			standard[p.ImportPath] = true
		}
		if room, ours := strings.CutPrefix(p.ImportPath, "boardd/"); ours {
			rooms[room] = p.Imports
		}
	}
}

func TestImportArrows(t *testing.T) {
	rooms, standard := roomsOfThisModule(t)
	if len(rooms) < 5 {
		t.Fatalf("go list names %d rooms only: %v", len(rooms), rooms)
	}
	for room, imports := range rooms {
		may, known := arrows[room]
		if !known {
			t.Errorf("%s: a room without arrows; give it a line in this test and in docs/architecture.md", room)
			continue
		}
		for _, path := range imports {
			if below, ours := strings.CutPrefix(path, "boardd/"); ours {
				if !allowed(below, may.rooms) {
					t.Errorf("%s imports %s; it may import %v", room, path, may.rooms)
				}
			} else if !standard[path] && !belowAny(path, may.libraries) {
				t.Errorf("%s imports %s; it may import %v", room, path, may.libraries)
			}
		}
	}
}

func TestPureRoomsTouchNothingOutside(t *testing.T) {
	rooms, _ := roomsOfThisModule(t)
	for _, room := range pure {
		for _, path := range rooms[room] {
			if slices.Contains(impure, path) {
				t.Errorf("%s imports %s; its time and input are arguments", room, path)
			}
		}
	}
}

func TestPureRoomsStartNoGoroutineAndReadNoClock(t *testing.T) {
	for _, room := range pure {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(room), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, error %v", room, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: a goroutine in a pure room", set.Position(n.Pos()))
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clockWords, n.Sel.Name) {
						t.Errorf("%s: time.%s in a pure room; time is an argument", set.Position(n.Pos()), n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

func allowed(room string, rooms []string) bool {
	for _, r := range rooms {
		if above, all := strings.CutSuffix(r, "/..."); all && strings.HasPrefix(room, above+"/") || r == room {
			return true
		}
	}
	return false
}

func belowAny(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return path == m || strings.HasPrefix(path, m+"/")
	})
}
