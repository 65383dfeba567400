package venue

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"boardd/dgt/link"
)

// Config is what the people of a venue may set, in a TOML file. Every key has
// a default that is good enough for one board plugged into a Raspberry Pi, so
// no file is needed.
type Config struct {
	// Listen is the host:port of the web server; an empty host means every
	// address of this machine, port 0 any free port.
	Listen string
	// DataDir is where recorded sessions go. A relative one in a file is
	// relative to the file's folder.
	DataDir string
	// LogLevel is debug, info, warn or error.
	LogLevel string

	Event  EventConfig
	Serial SerialConfig
	// Tables are the tables with settings of their own, by number.
	Tables []TableConfig
}

// EventConfig fills the PGN tags that all games share.
type EventConfig struct {
	Name, Site, Round string
	// TimeControl is that of every table without its own, as people write it.
	TimeControl string
	// Clock is how the clocks come to show it: ClockAuto, ClockSet or ClockVerify.
	Clock string
	// TableOnClock has a DGT 3000 show the table's number before the game.
	TableOnClock bool
}

// Values of EventConfig.Clock.
const (
	ClockAuto   = "auto"   // boardd sets the clocks that stand in remote mode and checks the others
	ClockSet    = "set"    // boardd sets them; one that refuses is an alert
	ClockVerify = "verify" // people set them; boardd checks
)

// SerialConfig says which serial ports boardd may write to. It never writes to
// any other, since it cannot know what listens there.
type SerialConfig struct {
	// Ports are paths of devices with a board on them.
	Ports []string
	// Allow are rules for ports that are found under /dev/serial/by-path:
	// a USB identity as lsusb prints it ("045b:8111"), or a pattern with *
	// and ? of the name there ("*-usb-0:1.2:*") or of the device
	// ("/dev/ttyUSB*").
	Allow []string
}

// TableConfig is one playing place.
type TableConfig struct {
	// Number is the table's number, at least 1.
	Number int
	// Board is the serial number of the board on the table, 5 characters or
	// the 10 of a long one; empty for whichever board comes.
	Board string
	// Port is the device with the board on it; empty for any allowed port.
	Port string

	White, Black string // names for the PGN tags
	// TimeControl is as people write it; the event's when the file gives none.
	TimeControl string
	// ClockSide is the side of the clock, ClockLeft or ClockRight seen from
	// its front, that shows White's time; empty when boardd has to find out.
	ClockSide string
	// StartFEN is the position the game starts from; empty for the usual one.
	StartFEN string
}

// Values of TableConfig.ClockSide.
const (
	ClockLeft  = "left"
	ClockRight = "right"
)

// DefaultConfig is the configuration without a file.
func DefaultConfig() Config {
	c := Config{Listen: ":8080", DataDir: "boardd-data", LogLevel: "info", Event: EventConfig{Clock: ClockAuto}}
	for _, id := range link.DefaultUSB() {
		c.Serial.Allow = append(c.Serial.Allow, id.String())
	}
	return c
}

// maxConfigBytes is some fifty times what a venue of a hundred boards needs.
const maxConfigBytes = 1 << 20

// Load reads a configuration file. Faults in the file are a ConfigErrors;
// others are those of reading it.
func Load(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	return Parse(path, text)
}

// Parse reads a configuration from text; name is the file's, for errors and
// for relative paths. The error is nil or a ConfigErrors.
func Parse(name string, text []byte) (Config, error) {
	if len(text) > maxConfigBytes {
		return Config{}, ConfigErrors{{File: name, Line: 1, Column: 1,
			Expected: fmt.Sprintf("at most %d bytes", maxConfigBytes), Got: "more"}}
	}
	doc, fault := parseDocument(name, text)
	if fault != nil {
		return Config{}, ConfigErrors{fault}
	}
	c := DefaultConfig()
	readConfig(doc.root(), &c)
	if len(doc.faults) > 0 {
		doc.faults.sort()
		return Config{}, doc.faults
	}
	if !filepath.IsAbs(c.DataDir) && doc.values["data-dir"] != nil {
		c.DataDir = filepath.Join(filepath.Dir(name), c.DataDir)
	}
	return c, nil
}

func readConfig(s *section, c *Config) {
	s.text("listen", &c.Listen, listenAddress)
	s.text("data-dir", &c.DataDir, folder)
	s.text("log-level", &c.LogLevel, oneOf("debug", "info", "warn", "error"))

	event := s.table("event")
	event.text("name", &c.Event.Name, shortLine)
	event.text("site", &c.Event.Site, shortLine)
	event.text("round", &c.Event.Round, shortLine)
	event.text("time-control", &c.Event.TimeControl, timeControl)
	event.text("clock", &c.Event.Clock, oneOf(ClockAuto, ClockSet, ClockVerify))
	event.flag("table-on-clock", &c.Event.TableOnClock)
	event.done()

	serial := s.table("serial")
	serial.texts("ports", &c.Serial.Ports, devicePath)
	serial.texts("allow", &c.Serial.Allow, portRule)
	serial.done()

	numbers, boards, ports := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range s.tables("table") {
		t := TableConfig{TimeControl: c.Event.TimeControl}
		readTable(row, &t)
		if t.Number > 0 {
			row.once("number", strconv.Itoa(t.Number), numbers)
		}
		row.once("board", t.Board, boards)
		row.once("port", t.Port, ports)
		c.Tables = append(c.Tables, t)
	}
	slices.SortFunc(c.Tables, func(a, b TableConfig) int { return cmp.Compare(a.Number, b.Number) })
	s.done()
}

func readTable(s *section, t *TableConfig) {
	s.integer("number", &t.Number, 1, maxTableNumber)
	s.require("number")
	s.text("board", &t.Board, serialNumber)
	s.text("port", &t.Port, devicePath)
	s.text("white", &t.White, shortLine)
	s.text("black", &t.Black, shortLine)
	s.text("time-control", &t.TimeControl, timeControl)
	s.text("clock-side", &t.ClockSide, oneOf(ClockLeft, ClockRight))
	s.text("start-fen", &t.StartFEN, startPosition)
	s.done()
}

// ConfigError is one fault in a configuration file.
type ConfigError struct {
	File string
	// Line and Column count from 1, columns in characters.
	Line, Column  int
	Key           string // such as "table.board"; empty for a fault of syntax
	Expected, Got string
}

func (e *ConfigError) Error() string {
	key := ""
	if e.Key != "" {
		key = e.Key + ": "
	}
	return fmt.Sprintf("%s:%d:%d: %sexpected %s, got %s", e.File, e.Line, e.Column, key, e.Expected, e.Got)
}

// ConfigErrors are all faults of one file, in the order of the file.
type ConfigErrors []*ConfigError

// Error gives one fault a line, and no more lines than a screen holds.
func (e ConfigErrors) Error() string {
	const shown = 20
	var b strings.Builder
	for i, fault := range e {
		if i == shown {
			fmt.Fprintf(&b, "\n%s: and %d more faults", fault.File, len(e)-shown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fault.Error())
	}
	return b.String()
}

// Unwrap gives errors.As the single faults.
func (e ConfigErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, fault := range e {
		errs[i] = fault
	}
	return errs
}

func (e ConfigErrors) sort() {
	slices.SortStableFunc(e, func(a, b *ConfigError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

var _ error = ConfigErrors(nil)
