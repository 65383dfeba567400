package venue

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardd/dgt/link"
	"boardd/tomlfile"
)

// Each faulty file and exactly what a person reads about it.
func TestParseFaults(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		// Syntax.
		{"no value", "listen =",
			`boardd.toml:1:8: expected TOML, got "=" (expected value, not end of input)`},
		{"value without quotes", "listen = :8080",
			`boardd.toml:1:10: expected TOML, got ":8080" (unexpected character U+003A ':' at start of value)`},
		{"text without end", "log-level = \"info\ndata-dir = \"x\"",
			`boardd.toml:1:18: expected TOML, got the end of the line (basic strings cannot have new lines)`},
		{"no equals sign", "# two boards\nlisten \":8080\"",
			`boardd.toml:2:8: expected TOML, got "\":8080\"" (expected '=' after key)`},
		{"half a header", "[serial\nports = []",
			`boardd.toml:1:8: expected TOML, got the end of the line (expected ']' to close table name)`},
		{"key twice", "listen = \":1\"\nlisten = \":2\"",
			`boardd.toml:2:1: expected TOML, got "listen = \":2\"" (key listen is already defined)`},
		{"header twice", "[event]\n\n[event]",
			`boardd.toml:3:2: expected TOML, got "event]" (table event already exists)`},
		{"leading zero", "[[table]]\nnumber = 1\nboard = 01234",
			`boardd.toml:3:9: expected TOML, got "01234" (integers cannot have leading zeroes)`},
		{"not UTF-8", "[event]\nname = \"Z\xfcrich\"",
			`boardd.toml:2:10: expected text in UTF-8, got the byte 0xfc`},

		// Unknown keys and wrong types.
		{"unknown key", "lisen = \":8080\"",
			`boardd.toml:1:1: expected one of arbiter-listen, data-dir, event, lichess, listen, livechess, log-level, notify, pgn, public, serial, table, tapes-max, uplink, got the unknown key "lisen"`},
		{"unknown table", "\n[tables]\nnumber = 1",
			`boardd.toml:2:2: expected one of arbiter-listen, data-dir, event, lichess, listen, livechess, log-level, notify, pgn, public, serial, table, tapes-max, uplink, got the unknown key "tables"`},
		{"unknown key in a table", "[serial]\nport = \"/dev/ttyUSB0\"",
			`boardd.toml:2:1: serial: expected one of allow, ports, got the unknown key "port"`},
		{"unknown key in the second row", "[[table]]\nnumber = 1\n[[table]]\nnumber = 2\n  wite = \"A\"",
			`boardd.toml:5:3: table: expected one of black, board, clock-side, number, port, start-fen, time-control, white, got the unknown key "wite"`},
		{"unknown key in line", `event = { name = "A", town = "B" }`,
			`boardd.toml:1:23: event: expected one of clock, draws, edition, file, name, round, site, stage, table-on-clock, time-control, got the unknown key "town"`},
		{"unknown dotted key", `serial.baud.rate = 9600`,
			`boardd.toml:1:8: serial: expected one of allow, ports, got the unknown key "baud"`},
		{"number for a text", "listen = 8080",
			`boardd.toml:1:10: listen: expected a text in quotes, got the number 8080`},
		{"true for a text", "[event]\nround = true",
			`boardd.toml:2:9: event.round: expected a text in quotes, got true`},
		{"date for a text", "[event]\nround = 2026-11-30",
			`boardd.toml:2:9: event.round: expected a text in quotes, got a date or time`},
		{"text for a list", "[serial]\nallow = \"0403:6001\"",
			`boardd.toml:2:9: serial.allow: expected a list of texts, as in ["...", "..."], got the text "0403:6001"`},
		{"number in a list", "[serial]\nports = [\n  \"/dev/ttyUSB0\", # the left one\n  1,\n]",
			`boardd.toml:4:3: serial.ports: expected a text in quotes, got the number 1`},
		{"text for a number", "[[table]]\nnumber = \"1\"",
			`boardd.toml:2:10: table.number: expected a whole number from 1 to 9999, got the text "1"`},
		{"fraction for a number", "[[table]]\nnumber = 1.5",
			`boardd.toml:2:10: table.number: expected a whole number from 1 to 9999, got the number 1.5`},
		{"one table for many", "[table]\nnumber = 1",
			`boardd.toml:1:2: table: expected tables, as in [[table]], got a table`},
		{"many tables for one", "[[event]]\nname = \"A\"",
			`boardd.toml:1:3: event: expected a table, as in [event], got a list`},
		{"text for a table", "event = \"Open\"",
			`boardd.toml:1:1: event: expected a table, as in [event], got the text "Open"`},

		// Meaning.
		{"listen without colon", `listen = "8080"`,
			`boardd.toml:1:10: listen: expected host:port or :port, with a port from 0 to 65535, got "8080"`},
		{"port too large", `listen = ":65536"`,
			`boardd.toml:1:10: listen: expected host:port or :port, with a port from 0 to 65535, got ":65536"`},
		{"port by name", `listen = "localhost:http"`,
			`boardd.toml:1:10: listen: expected host:port or :port, with a port from 0 to 65535, got "localhost:http"`},
		{"URL for an address", `listen = "http://localhost:8080"`,
			`boardd.toml:1:10: listen: expected host:port or :port, with a port from 0 to 65535, got "http://localhost:8080"`},
		{"bad host", `listen = "-x:8080"`,
			`boardd.toml:1:10: listen: expected host:port or :port, with a port from 0 to 65535, got "-x:8080"`},
		{"no delay", "[public]\ndelay = \"soon\"",
			`boardd.toml:2:9: public.delay: expected a time from "0 s" to "24 h", as in "15 min", "900 s" or "1 h 30 min", got "soon"`},
		{"no size", `tapes-max = "lots"`,
			`boardd.toml:1:13: tapes-max: expected a size, as in "500 MB" or "2 GB", at least 10 MB, or "none", got "lots"`},
		{"too small a size", `tapes-max = "2 kB"`,
			`boardd.toml:1:13: tapes-max: expected a size, as in "500 MB" or "2 GB", at least 10 MB, or "none", got "2 kB"`},
		{"no folder", `data-dir = ""`,
			`boardd.toml:1:12: data-dir: expected the path of a folder, got ""`},
		{"unknown level", `log-level = "verbose"`,
			`boardd.toml:1:13: log-level: expected debug, info, warn or error, got "verbose"`},
		{"long name", "[event]\nname = \"" + strings.Repeat("é", tomlfile.MaxLine+1) + `"`,
			`boardd.toml:2:8: event.name: expected one line of at most 100 characters, got "` + strings.Repeat("é", tomlfile.MaxLine+1) + `"`},
		{"two lines", "[event]\nsite = \"A\\nB\"",
			`boardd.toml:2:8: event.site: expected one line of at most 100 characters, got "A\nB"`},
		{"time control without a meaning", "[event]\ntime-control = \"soon\"",
			`boardd.toml:2:16: event.time-control: expected a time control as in 90+30 or G/120;+30 (unknown time control: "soon" is not understood), got "soon"`},
		{"time control with two meanings", "[event]\ntime-control = \"60/60\"",
			`boardd.toml:2:16: event.time-control: expected a time control with one meaning, such as 60/3600 (60 moves in 60 min) or 3600+60 (60 min and 60 s a move) (the order of moves and minutes is open), got "60/60"`},
		{"no way for the clocks", "[event]\nclock = \"hand\"",
			`boardd.toml:2:9: event.clock: expected auto, set or verify, got "hand"`},
		{"flag that is none", "[event]\ntable-on-clock = \"yes\"",
			`boardd.toml:2:18: event.table-on-clock: expected true or false, got the text "yes"`},
		{"long time control", "[[table]]\nnumber = 1\ntime-control = \"" + strings.Repeat("9", tomlfile.MaxLine+1) + `"`,
			`boardd.toml:3:16: table.time-control: expected one line of at most 100 characters, got "` + strings.Repeat("9", tomlfile.MaxLine+1) + `"`},
		{"relative port", "[serial]\nports = [\"ttyUSB0\"]",
			`boardd.toml:2:10: serial.ports: expected the full path of a device, as in /dev/ttyUSB0, got "ttyUSB0"`},
		{"port by detour", "[[table]]\nnumber = 1\nport = \"/dev/../dev/ttyUSB0\"",
			`boardd.toml:3:8: table.port: expected the full path of a device, as in /dev/ttyUSB0, got "/dev/../dev/ttyUSB0"`},
		{"port twice in a list", "[serial]\nports = [\"/dev/ttyUSB0\", \"/dev/ttyUSB0\"]",
			`boardd.toml:2:26: serial.ports: expected each entry once, got "/dev/ttyUSB0" again`},
		{"half a USB identity", "[serial]\nallow = [\"0403\"]",
			`boardd.toml:2:10: serial.allow: expected a USB identity, as in 045b:8111, or a pattern of a name in /dev/serial/by-path or of a device, got "0403"`},
		{"bad pattern", "[serial]\nallow = [\"*-usb-[\"]",
			`boardd.toml:2:10: serial.allow: expected a USB identity, as in 045b:8111, or a pattern of a name in /dev/serial/by-path or of a device, got "*-usb-["`},
		{"pattern with a path", "[serial]\nallow = [\"usb/ttyUSB*\"]",
			`boardd.toml:2:10: serial.allow: expected a USB identity, as in 045b:8111, or a pattern of a name in /dev/serial/by-path or of a device, got "usb/ttyUSB*"`},
		{"no number", "[[table]]\nwhite = \"A\"",
			`boardd.toml:1:3: table: expected the key number, got none`},
		{"number nought", "[[table]]\nnumber = 0",
			`boardd.toml:2:10: table.number: expected a whole number from 1 to 9999, got the number 0`},
		{"number too large", "[[table]]\nnumber = 10_000",
			`boardd.toml:2:10: table.number: expected a whole number from 1 to 9999, got the number 10000`},
		{"number twice", "[[table]]\nnumber = 7\n\n[[table]]\nnumber = 7",
			`boardd.toml:5:10: table.number: expected a number that no other table has, got 7 again`},
		{"number twice in line", `table = [{ number = 7 }, { number = 7 }]`,
			`boardd.toml:1:37: table.number: expected a number that no other table has, got 7 again`},
		{"board twice", "[[table]]\nnumber = 1\nboard = \"01234\"\n[[table]]\nnumber = 2\nboard = \"01234\"",
			`boardd.toml:6:9: table.board: expected a board that no other table has, got 01234 again`},
		{"port of two tables", "[[table]]\nnumber = 1\nport = \"/dev/ttyUSB0\"\n[[table]]\nnumber = 2\nport = \"/dev/ttyUSB0\"",
			`boardd.toml:6:8: table.port: expected a port that no other table has, got /dev/ttyUSB0 again`},
		{"short serial number", "[[table]]\nnumber = 1\nboard = \"1234\"",
			`boardd.toml:3:9: table.board: expected a serial number of 5 digits, or a long one of 10 characters, got "1234"`},
		{"clock side by colour", "[[table]]\nnumber = 1\nclock-side = \"white\"",
			`boardd.toml:3:14: table.clock-side: expected left or right, got "white"`},
		{"start without a king", "[[table]]\nnumber = 1\nstart-fen = \"8/8/8/8/8/8/8/K7 w - - 0 1\"",
			`boardd.toml:3:13: table.start-fen: expected a position in FEN (illegal position: black: expected one king, got none), got "8/8/8/8/8/8/8/K7 w - - 0 1"`},
		{"start that is no FEN", "[[table]]\nnumber = 1\nstart-fen = \"chess960\"",
			`boardd.toml:3:13: table.start-fen: expected a position in FEN (expected 6 fields (or the first 4), got 1), got "chess960"`},

		{"several faults, in the order of the file", "log-level = 1\n[[table]]\nnumber = 1\ncolour = 1\n[serial]\nports = 1\n",
			`boardd.toml:1:13: log-level: expected a text in quotes, got the number 1
boardd.toml:4:1: table: expected one of black, board, clock-side, number, port, start-fen, time-control, white, got the unknown key "colour"
boardd.toml:6:9: serial.ports: expected a list of texts, as in ["...", "..."], got the number 1`},
		{"column after wide characters", "event = { name = \"Čačak\", round = 3 }",
			`boardd.toml:1:35: event.round: expected a text in quotes, got the number 3`},
		{"Windows line ends", "[event]\r\nround = 3\r\n",
			`boardd.toml:2:9: event.round: expected a text in quotes, got the number 3`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Parse("boardd.toml", []byte(tt.text))
			if err == nil {
				t.Fatalf("no error, read %+v", c)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseEverything(t *testing.T) {
	const text = `
listen = "127.0.0.1:0"
arbiter-listen = ""
data-dir = "/srv/boardd"
tapes-max = "500 MB"
log-level = "debug"

[event]
name = "Čačak Open"
site = "Čačak SRB"
round = "3.1"
time-control = "90+30"
clock = "verify"
draws = "no-offers-before 30"
edition = "2018"
table-on-clock = true

[public]
delay = "5 min"

[pgn]
folder = "/srv/games"
layout = "games"
time-control = "lichess"

[livechess]
listen = ":1982"
public = false

[serial]
ports = ["/dev/ttyUSB7"]
allow = ["045B:8111", "*-usb-0:1.2:*"]

[[table]]
number = 2
board = "01234"
white = "Novak, A"
black = "Young, B"

[[table]]
number = 1
port = "/dev/pts/4"
board = "3.36012345"
time-control = "5+3"
clock-side = "right"
start-fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
`
	got, err := Parse("boardd.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen:    "127.0.0.1:0",
		DataDir:   "/srv/boardd",
		TapesMax:  500e6,
		LogLevel:  "debug",
		Delay:     5 * time.Minute,
		Event:     EventConfig{Name: "Čačak Open", Site: "Čačak SRB", Round: "3.1", TimeControl: "90+30", Clock: ClockVerify, Draws: "no-offers-before 30", Edition: "2018", TableOnClock: true},
		Serial:    SerialConfig{Ports: []string{"/dev/ttyUSB7"}, Allow: []string{"045B:8111", "*-usb-0:1.2:*"}},
		PGN:       PGNConfig{Folder: "/srv/games", Layout: "games", TimeControl: "lichess"},
		LiveChess: LiveChessConfig{Listen: ":1982", Public: new(bool)},
		Tables: []TableConfig{
			{Number: 1, Port: "/dev/pts/4", Board: "3.36012345", TimeControl: "5+3", ClockSide: ClockRight,
				StartFEN: "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
			{Number: 2, Board: "01234", White: "Novak, A", Black: "Young, B", TimeControl: "90+30"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseNothingGivesTheDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing yet\n", "[event]\n[serial]\n"} {
		got, err := Parse("boardd.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(DefaultConfig(), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// The defaults have to pass the checks that a file has to.
func TestDefaultsAreValid(t *testing.T) {
	c := DefaultConfig()
	for _, tt := range []struct {
		text string
		ok   tomlfile.Check
	}{{c.Listen, listenAddress}, {c.DataDir, folder}, {c.LogLevel, tomlfile.OneOf("debug", "info", "warn", "error")},
		{c.Serial.Allow[0], portRule}} {
		if expected := tt.ok(tt.text); expected != "" {
			t.Errorf("%q: expected %s", tt.text, expected)
		}
	}
}

func TestSerialRule(t *testing.T) {
	got := SerialConfig{
		Ports: []string{"/dev/ttyS0"},
		Allow: []string{"0403:6001", "*-usb-0:1.2:*", "045B:8111", "/dev/ttyUSB*"},
	}.Rule()
	want := link.Rule{
		Ports: []string{"/dev/ttyS0"},
		Allow: []string{"*-usb-0:1.2:*", "/dev/ttyUSB*"},
		USB:   []link.USBID{link.FTDIDefault, link.RenesasBoard},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("link finds a checked rule faulty: %v", err)
	}
}

func TestAnEmptyListAllowsNoPort(t *testing.T) {
	c, err := Parse("boardd.toml", []byte("[serial]\nallow = []\n"))
	if err != nil || len(c.Serial.Allow) != 0 {
		t.Errorf("allow %q, error %v", c.Serial.Allow, err)
	}
}

func TestListenAddresses(t *testing.T) {
	for _, address := range []string{":8080", "0.0.0.0:80", "[::1]:8080", "[fe80::1%eth0]:8080", "localhost:0", "pi-3.local:65535"} {
		if expected := listenAddress(address); expected != "" {
			t.Errorf("%q: expected %s", address, expected)
		}
	}
}

func TestLoadTakesPathsFromTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "boardd.toml")
	if err := os.WriteFile(file, []byte(`data-dir = "tapes"`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(file), "tapes"); c.DataDir != want {
		t.Errorf("data-dir %q, want %q", c.DataDir, want)
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.toml"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "configuration: open ") {
		t.Errorf("got %v", err)
	}
}

func TestFileTooLarge(t *testing.T) {
	_, err := Parse("boardd.toml", make([]byte, maxConfigBytes+1))
	if err == nil || err.Error() != "boardd.toml:1:1: expected at most 1048576 bytes, got more" {
		t.Errorf("got %v", err)
	}
}

func TestManyFaultsFitAScreen(t *testing.T) {
	var text strings.Builder
	for range 30 {
		text.WriteString("[[table]]\n")
	}
	_, err := Parse("boardd.toml", []byte(text.String()))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "boardd.toml: and 10 more faults" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
	var fault *ConfigError
	if !errors.As(err, &fault) || fault.Line != 1 || fault.Key != "table" {
		t.Errorf("first fault %+v", fault)
	}
}

// A message is for a person: of a text without end it shows the beginning.
func TestFaultShowsTheBeginningOfALongText(t *testing.T) {
	for _, text := range []string{"[[table]]\nnumber = 1\nstart-fen = %q\n", "log-level = %q\n", "[serial]\nports = %q\n"} {
		_, err := Parse("boardd.toml", fmt.Appendf(nil, text, strings.Repeat("8/", 10000)))
		if err == nil || len(err.Error()) > 400 || !strings.HasSuffix(err.Error(), `..."`) {
			t.Errorf("%s: got %.500v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"",
		"listen = \":8080\"\n[event]\nname = 'A'\n",
		"[[table]]\nnumber = 1\nboard = \"01234\"\n[[table]]\nnumber = 1\n",
		"table = [{number = 1}, {number = 2, x = [[1]]}]",
		"serial = {ports = [\n\"/dev/ttyUSB0\", # one\n1]}\n",
		"a.b.c.d.e.f.g = 1\n[h.i.j.k.l.m]\nn = {o = {p = {q = {r = 1}}}}\n",
		"\"\\u0000\" = 1\n[\"table\"]\n'0' = 1\n",
		"listen = \"\"\"\nx\"\"\"\r\n\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse("f", text)
		if err == nil {
			if c.Listen == "" || c.LogLevel == "" || c.DataDir == "" {
				t.Errorf("a default is lost: %+v", c)
			}
			return
		}
		var faults ConfigErrors
		if !errors.As(err, &faults) || len(faults) == 0 {
			t.Fatalf("not a list of faults: %v", err)
		}
		lines := strings.Count(string(text), "\n") + 1
		for _, fault := range faults {
			if fault.Line < 1 || fault.Line > lines || fault.Column < 1 || fault.Expected == "" || fault.Got == "" {
				t.Errorf("a fault without its place (of %d lines) or its halves: %+v", lines, fault)
			}
		}
	})
}

// eventOnly are fields that only an event file fills.
var eventOnly = map[string]bool{"Control": true, "Default": true, "Start": true, "Tags": true}

// The configuration that operating.md shows has to work, and to show every key.
func TestDocumentedConfiguration(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```toml\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("no toml in operating.md")
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		c, err := Parse("operating.md", []byte(text))
		if err != nil {
			t.Errorf("block %d: %v", i+1, err)
			continue
		}
		if i > 0 {
			continue
		}
		for _, section := range []any{c, c.Event, c.Serial, c.PGN, c.LiveChess, c.Uplink, c.Lichess, c.Tables[0]} {
			v := reflect.ValueOf(section)
			for field, value := range v.Fields() {
				if eventOnly[field.Name] {
					continue
				}
				if value.IsZero() {
					t.Errorf("operating.md sets no %s.%s", v.Type().Name(), field.Name)
				}
			}
		}
	}
}
