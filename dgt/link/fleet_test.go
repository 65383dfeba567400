package link

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/dgt"
)

func startFleet(t testing.TB, f Finder) (*Fleet, *running) {
	t.Helper()
	fleet := NewFleet(FleetConfig{
		Finder: f, Every: 5 * time.Millisecond,
		Configure: func(Found) Config { return Config{Timing: quick()} },
	})
	return fleet, start(t, fleet.Run)
}

// place gives a pty a name below by-path and an identity in sysfs, as a plugged-in device has.
func (l *layout) place(b *ptyBoard, name, id string) (path string) {
	l.t.Helper()
	path = filepath.Join(l.byPath, name)
	// As the kernel does, sysfs comes before udev's link.
	tty := filepath.Join(l.sys, "class/tty", filepath.Base(b.path))
	if _, err := os.Lstat(tty); err != nil {
		l.sysfs(filepath.Base(b.path), name, id)
	}
	l.link(b.path, path)
	return path
}

// The rule of the house: what nobody listed or allowed gets not one byte, however long it is there.
func TestFleetNeverWritesToAPortNobodyAllowed(t *testing.T) {
	l := newLayout(t)
	board, cable, modem, rom := plugIn(t, newFakeBoard()), plugIn(t, newFakeBoard()), plugIn(t, newFakeBoard()), plugIn(t, newFakeBoard())
	l.place(cable, "usb-0:1.1:1.0-port0", "0403:6001") // a cable with who knows what behind it
	l.place(modem, "usb-0:1.2:1.0", "12d1:1506")
	l.place(rom, "usb-0:1.3:1.0", "045b:0261")
	path := l.place(board, "usb-0:1.4:1.0", "045b:8111")
	fleet, r := startFleet(t, l.finder(Rule{USB: DefaultUSB(), Allow: []string{"usb-0:1.3:*"}}))

	if e := r.state(Up); e.Port != path {
		t.Fatalf("%s is up", e.Port)
	}
	// Some rounds of unplugging and looking later still nothing.
	for range 5 {
		os.Remove(path)
		r.state(Down)
		l.link(board.path, path)
		r.state(Up)
	}
	r.stop()
	for name, b := range map[string]*ptyBoard{"cable": cable, "modem": modem, "boot ROM": rom} {
		if !b.silent() {
			t.Errorf("the %s was written to: % x", name, b.heard)
		}
	}
	left := fleet.Left()
	if len(left) != 3 {
		t.Errorf("left %+v", left)
	}
	for _, p := range left {
		if p.Why == "" {
			t.Errorf("%s: no reason", p.Path)
		}
	}
}

func TestFleetTellsOfIgnoredPortsOnce(t *testing.T) {
	l := newLayout(t)
	cable, board := plugIn(t, newFakeBoard()), plugIn(t, newFakeBoard())
	l.place(cable, "usb-0:1.1:1.0-port0", "0403:6001")
	_, r := startFleet(t, l.finder(Rule{USB: DefaultUSB()}))
	e, _ := r.until("ignored", func(e Event) bool { return e.Kind == Ignored })
	if !strings.Contains(e.Text, "0403:6001") || filepath.Base(e.Port) != "usb-0:1.1:1.0-port0" {
		t.Errorf("%+v", e)
	}
	l.place(board, "usb-0:1.2:1.0", "045b:8111")
	_, before := r.until("up", func(e Event) bool { return e.Kind == StatusChanged && e.Status.State == Up })
	for _, e := range before {
		if e.Kind == Ignored {
			t.Errorf("told again: %+v", e)
		}
	}
}

func TestFleetFollowsABoardToAnotherPort(t *testing.T) {
	l := newLayout(t)
	white := newFakeBoard()
	first := plugIn(t, white)
	a := l.place(first, "usb-0:1.1:1.0", "045b:8111")
	fleet, r := startFleet(t, l.finder(Rule{USB: DefaultUSB()}))
	if e := r.sighting(Discovered); e.Sighting != (Sighting{Discovered, "12345", a, ""}) {
		t.Errorf("%+v", e.Sighting)
	}
	if err := fleet.Send("12345", dgt.Beep(1)); err != nil {
		t.Error(err)
	}
	first.await(0x2b, 4, 3, 0x0b, 1, 0)

	first.pullOut()
	os.Remove(a)
	if e := r.sighting(Vanished); e.Sighting.Board != "12345" || e.Sighting.Before != a || e.Hub != "1-1" {
		t.Errorf("%+v", e.Sighting)
	}
	if err := fleet.Send("12345", dgt.Beep(1)); !errors.Is(err, ErrNotUp) {
		t.Errorf("%v", err)
	}

	second := plugIn(t, newFakeBoard()) // the same serial number
	b := l.place(second, "usb-0:1.2:1.0", "045b:8111")
	if e := r.sighting(Moved); e.Sighting != (Sighting{Moved, "12345", b, a}) || e.Status.Identity.Serial != "12345" {
		t.Errorf("%+v", e.Sighting)
	}
	r.received(dumpOf(dgt.StartPlacement())...)
	if err := fleet.Send("12345", dgt.Beep(2)); err != nil {
		t.Error(err)
	}
	second.await(0x2b, 4, 3, 0x0b, 2, 0)
}

func TestFleetSeesAListedPortComeLater(t *testing.T) {
	l := newLayout(t)
	path := filepath.Join(t.TempDir(), "rfcomm0")
	_, r := startFleet(t, l.finder(Rule{Ports: []string{path}}))
	if e := r.state(Down); e.Port != path || !errors.Is(e.Err, ErrAbsent) {
		t.Errorf("%+v", e)
	}
	b := plugIn(t, newFakeBoard())
	l.link(b.path, path)
	r.state(Up)
}

func TestFleetTellsThatAPortWentThatNeverAnswered(t *testing.T) {
	l := newLayout(t)
	dead := newFakeBoard()
	dead.dead = true
	b := plugIn(t, dead)
	path := l.place(b, "usb-0:1.1:1.0", "045b:8111")
	fleet := NewFleet(FleetConfig{
		Finder: l.finder(Rule{USB: DefaultUSB()}), Every: 5 * time.Millisecond,
		Configure: func(Found) Config {
			timing := quick()
			timing.Answer = 5 * time.Millisecond
			return Config{Timing: timing}
		},
	})
	r := start(t, fleet.Run)
	if e := r.state(Refused); !errors.Is(e.Err, ErrNoBoard) {
		t.Errorf("%v", e.Err)
	}
	os.Remove(path)
	r.state(Down) // told by the link or by the fleet, whoever sees it first
}
