package venue

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"boardd/clock"
	"boardd/dgt/link"
	"boardd/rules"
	"boardd/tomlfile"
)

// Config is what the people of a venue may set, in a TOML file. Every key has
// a default that is good enough for one board plugged into a Raspberry Pi, so
// no file is needed.
type Config struct {
	// Listen is the host:port of the web server; an empty host means every
	// address of this machine, port 0 any free port.
	Listen string
	// ArbiterListen is the host:port where arbiters see claims and give orders, undelayed;
	// empty for none. Whoever reaches it is an arbiter.
	ArbiterListen string
	// DataDir is where recorded sessions go. A relative one in a file is
	// relative to the file's folder.
	DataDir string
	// TapesMax is how much room recorded sessions may take, in bytes; 0 for no bound.
	TapesMax int64
	// LogLevel is debug, info, warn or error.
	LogLevel string

	// Delay is how much later spectators see what happens on the boards.
	Delay time.Duration

	Event  EventConfig
	Serial SerialConfig
	PGN    PGNConfig
	// LiveChess is for programs that speak to DGT LiveChess.
	LiveChess LiveChessConfig
	Uplink    UplinkConfig
	// Lichess is the broadcast that gets the games.
	Lichess LichessConfig
	// Notify are those who are told of alerts.
	Notify []NotifyConfig
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
	// File is the event's regulations (rules/event), "" for none; Stage is the stage that
	// is played, the first when it is empty, and Round its round.
	File, Stage string
	// Draws and Edition are the draw rule and the year of the Laws, as event files have them.
	Draws, Edition string
	// TableOnClock has a DGT 3000 show the table's number before the game.
	TableOnClock bool

	// What only an event file says.
	Control *clock.Control    // of every table without its own
	Default rules.DefaultTime // how late a player may come
	Start   time.Time         // of the round, by the clock on the wall; zero when it is not known
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
	// Tags are further PGN tags of the players, which only an event file gives: titles, ratings, FIDE ids.
	Tags rules.Tags
	// TimeControl is as people write it; the event's when the file gives none.
	TimeControl string
	// ClockSide is the side of the clock, ClockLeft or ClockRight seen from
	// its front, that shows White's time; empty when boardd has to find out.
	ClockSide string
	// StartFEN is the position the game starts from; empty for the usual one.
	StartFEN string
	// Control is the time control that the event gives this table, with its penalties.
	Control *clock.Control
}

// Values of TableConfig.ClockSide.
const (
	ClockLeft  = "left"
	ClockRight = "right"
)

// DefaultConfig is the configuration without a file.
func DefaultConfig() Config {
	c := Config{Listen: ":8080", ArbiterListen: "127.0.0.1:8081", DataDir: "boardd-data", TapesMax: 2e9, LogLevel: "info", Delay: 15 * time.Minute, Event: EventConfig{Clock: ClockAuto},
		PGN: PGNConfig{Layout: "both", TimeControl: "pgn"}}
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
	c, err := Parse(path, text)
	if err == nil {
		err = c.loadEvent(path)
	}
	return c, err
}

// Parse reads a configuration from text; name is the file's, for errors and
// for relative paths. The error is nil or a ConfigErrors.
func Parse(name string, text []byte) (Config, error) {
	if len(text) > maxConfigBytes {
		return Config{}, ConfigErrors{{File: name, Line: 1, Column: 1,
			Expected: fmt.Sprintf("at most %d bytes", maxConfigBytes), Got: "more"}}
	}
	doc, fault := tomlfile.Parse(name, text)
	if fault != nil {
		return Config{}, ConfigErrors{fault}
	}
	c := DefaultConfig()
	root := doc.Root()
	readConfig(root, &c)
	if faults := doc.Faults(); len(faults) > 0 {
		return Config{}, faults
	}
	if !filepath.IsAbs(c.DataDir) && root.Has("data-dir") {
		c.DataDir = filepath.Join(filepath.Dir(name), c.DataDir)
	}
	c.Uplink.TokenFile, c.Lichess.TokenFile = besides(name, c.Uplink.TokenFile), besides(name, c.Lichess.TokenFile)
	c.PGN.Folder = besides(name, c.PGN.Folder)
	for i := range c.Notify {
		c.Notify[i].besides(name)
	}
	return c, nil
}

func readConfig(s *tomlfile.Section, c *Config) {
	s.Text("listen", &c.Listen, listenAddress)
	s.Text("arbiter-listen", &c.ArbiterListen, listenAddressOrNone)
	s.Text("data-dir", &c.DataDir, folder)
	size := ""
	if s.Text("tapes-max", &size, tapesMax); size != "" {
		c.TapesMax, _ = ParseSize(size) // tapesMax has looked at it
	}
	s.Text("log-level", &c.LogLevel, tomlfile.OneOf("debug", "info", "warn", "error"))

	public, delay := s.Table("public"), ""
	if public.Text("delay", &delay, publicDelay); delay != "" {
		c.Delay, _ = ParseDelay(delay) // publicDelay has looked at it
	}
	public.Done()

	event := s.Table("event")
	event.Text("name", &c.Event.Name, tomlfile.ShortLine)
	event.Text("site", &c.Event.Site, tomlfile.ShortLine)
	event.Text("round", &c.Event.Round, tomlfile.ShortLine)
	event.Text("file", &c.Event.File, folder)
	event.Text("stage", &c.Event.Stage, tomlfile.ShortLine)
	event.Text("draws", &c.Event.Draws, drawRule)
	event.Text("edition", &c.Event.Edition, tomlfile.OneOf("2023", "2018", "2005"))
	event.Text("time-control", &c.Event.TimeControl, tomlfile.TimeControl)
	event.Text("clock", &c.Event.Clock, tomlfile.OneOf(ClockAuto, ClockSet, ClockVerify))
	event.Flag("table-on-clock", &c.Event.TableOnClock)
	event.Done()

	readPGN(s.Table("pgn"), &c.PGN)

	api := s.Table("livechess")
	api.Text("listen", &c.LiveChess.Listen, listenAddressOrNone)
	if api.Has("public") {
		c.LiveChess.Public = new(bool)
		api.Flag("public", c.LiveChess.Public)
	}
	api.Done()
	readUplink(s.Table("uplink"), &c.Uplink)
	readLichess(s.Table("lichess"), &c.Lichess)
	readNotify(s.Tables("notify"), &c.Notify)

	serial := s.Table("serial")
	serial.Texts("ports", &c.Serial.Ports, devicePath)
	serial.Texts("allow", &c.Serial.Allow, portRule)
	serial.Done()

	numbers, boards, ports := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range s.Tables("table") {
		t := TableConfig{TimeControl: c.Event.TimeControl}
		readTable(row, &t)
		if t.Number > 0 {
			row.Once("number", strconv.Itoa(t.Number), numbers)
		}
		row.Once("board", t.Board, boards)
		row.Once("port", t.Port, ports)
		c.Tables = append(c.Tables, t)
	}
	slices.SortFunc(c.Tables, func(a, b TableConfig) int { return cmp.Compare(a.Number, b.Number) })
	s.Done()
}

func readTable(s *tomlfile.Section, t *TableConfig) {
	s.Integer("number", &t.Number, 1, maxTableNumber)
	s.Require("number")
	s.Text("board", &t.Board, serialNumber)
	s.Text("port", &t.Port, devicePath)
	s.Text("white", &t.White, tomlfile.ShortLine)
	s.Text("black", &t.Black, tomlfile.ShortLine)
	s.Text("time-control", &t.TimeControl, tomlfile.TimeControl)
	s.Text("clock-side", &t.ClockSide, tomlfile.OneOf(ClockLeft, ClockRight))
	s.Text("start-fen", &t.StartFEN, startPosition)
	s.Done()
}

// ConfigError is one fault in a configuration file.
type ConfigError = tomlfile.Fault

// ConfigErrors are all faults of one file, in the order of the file.
type ConfigErrors = tomlfile.Faults
