package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"boardd/broadcast/uplink"
	"boardd/tomlfile"
	"boardd/venue"
)

// hubConfig is what the people of a hub set in a TOML file.
type hubConfig struct {
	listen, title, dataDir string
	delay                  time.Duration
	seats                  map[string]uplink.Seats
	tokens                 map[string]string

	nats, stream string // of several hubs that are one; nats empty: this is the only one
	replicas     int
}

// maxBoard is the highest board number of an event.
const maxBoard = 99999

// loadHub reads a hub's configuration, and the tokens it names.
func loadHub(file string) (hubConfig, error) {
	c := hubConfig{listen: ":8080", dataDir: "hub-data", seats: map[string]uplink.Seats{}, tokens: map[string]string{}}
	text, err := os.ReadFile(file)
	if err != nil {
		return c, fmt.Errorf("configuration: %w", err)
	}
	doc, fault := tomlfile.Parse(file, text)
	if fault != nil {
		return c, tomlfile.Faults{fault}
	}
	root := doc.Root()
	root.Text("listen", &c.listen, hostPort)
	root.Text("title", &c.title, tomlfile.ShortLine)
	root.Text("data-dir", &c.dataDir, notEmpty)
	public, delay := root.Table("public"), ""
	public.Text("delay", &delay, publicDelay)
	public.Done()
	nats := root.Table("nats")
	nats.Text("url", &c.nats, natsAddress)
	nats.Text("stream", &c.stream, streamName)
	nats.Integer("replicas", &c.replicas, 1, 5)
	nats.Done()
	files, boards := map[string]string{}, map[int]string{}
	names := map[string]bool{}
	for _, row := range root.Tables("venue") {
		readHubVenue(row, &c, names, files, boards)
	}
	root.Done()
	if len(c.seats) == 0 && doc.Faults() == nil {
		root.Bad("venue", "at least one [[venue]]", "none")
	}
	if faults := doc.Faults(); len(faults) > 0 {
		return c, faults
	}
	if delay != "" {
		c.delay, _ = venue.ParseDelay(delay) // publicDelay has looked at it
	}
	if !filepath.IsAbs(c.dataDir) {
		c.dataDir = filepath.Join(filepath.Dir(file), c.dataDir)
	}
	known := map[string]string{}
	for name, path := range files {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if c.tokens[name], err = venue.ReadToken(path); err != nil {
			return c, fmt.Errorf("venue %s: %w", name, err)
		}
		if other := known[c.tokens[name]]; other != "" {
			return c, fmt.Errorf("venues %s and %s: expected a token each, got the same one", other, name)
		}
		known[c.tokens[name]] = name
	}
	return c, nil
}

func readHubVenue(s *tomlfile.Section, c *hubConfig, names map[string]bool, files map[string]string, boards map[int]string) {
	var name, file string
	var tables []int
	as := 0
	s.Text("name", &name, tomlfile.ShortLine)
	s.Require("name")
	s.Once("name", name, names)
	s.Text("token-file", &file, notEmpty)
	s.Require("token-file")
	s.Integers("tables", &tables, 1, maxBoard)
	s.Require("tables")
	s.Integer("as", &as, 1, maxBoard)
	s.Done()
	if len(tables) != 2 || tables[0] > tables[1] {
		if len(tables) > 0 {
			s.Bad("tables", "the first and the last table, as in [1, 40]", fmt.Sprint(tables))
		}
		return
	}
	if as == 0 {
		as = tables[0]
	}
	for n := as; n <= as+tables[1]-tables[0]; n++ {
		if other, taken := boards[n]; taken {
			s.Bad("as", "boards that no other venue has", fmt.Sprintf("board %d, which is of %s", n, other))
			return
		}
		boards[n] = name
	}
	c.seats[name], files[name] = uplink.Seats{First: tables[0], Last: tables[1], As: as}, file
}

func hostPort(text string) string {
	if _, _, err := net.SplitHostPort(text); err != nil {
		return `host:port, as in ":8080"`
	}
	return ""
}

func notEmpty(text string) string {
	if text == "" {
		return "a path"
	}
	return ""
}

func publicDelay(text string) string {
	if _, err := venue.ParseDelay(text); err != nil {
		return `a time from "0 s" to "24 h", as in "15 min"`
	}
	return ""
}

func natsAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Host == "" {
		return `the address of a NATS server, as in "nats://nats.example:4222"`
	}
	return ""
}

func streamName(text string) string {
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`).MatchString(text) {
		return "1 to 60 letters, digits, - and _"
	}
	return ""
}
