package link

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// venue lays out a by-path folder, devices and a sysfs as udev and the kernel do.
type layout struct {
	t                *testing.T
	dev, byPath, sys string
}

func newLayout(t *testing.T) *layout {
	root := t.TempDir()
	l := &layout{t, filepath.Join(root, "dev"), filepath.Join(root, "dev/serial/by-path"), filepath.Join(root, "sys")}
	l.mkdir(l.byPath)
	l.mkdir(filepath.Join(l.sys, "class/tty"))
	return l
}

func (l *layout) mkdir(dir string) {
	l.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		l.t.Fatal(err)
	}
}

func (l *layout) link(target, path string) {
	l.t.Helper()
	if err := os.Symlink(target, path); err != nil {
		l.t.Fatal(err)
	}
}

func (l *layout) write(path, text string) {
	l.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// plug adds a device and its by-path link; id may be empty for a device that is not on USB.
func (l *layout) plug(name, byPath, id string) (device, path string) {
	l.t.Helper()
	device, path = filepath.Join(l.dev, name), filepath.Join(l.byPath, byPath)
	l.write(device, "")
	l.link(device, path)
	l.sysfs(name, byPath, id)
	return device, path
}

func (l *layout) sysfs(name, place, id string) {
	l.t.Helper()
	if id == "" {
		dir := filepath.Join(l.sys, "devices/platform/serial8250/tty", name)
		l.mkdir(dir)
		l.link(dir, filepath.Join(l.sys, "class/tty", name))
		return
	}
	usb := filepath.Join(l.sys, "devices/pci0000:00/usb1/1-1", place)
	dir := filepath.Join(usb, place+":1.0/tty", name)
	l.mkdir(dir)
	v, p, _ := strings.Cut(id, ":")
	l.write(filepath.Join(usb, "idVendor"), v+"\n")
	l.write(filepath.Join(usb, "idProduct"), p+"\n")
	l.write(filepath.Join(usb, "product"), "USB <-> Serial\n")
	l.link(dir, filepath.Join(l.sys, "class/tty", name))
}

func (l *layout) finder(r Rule) Finder { return Finder{Rule: r, ByPath: l.byPath, Sys: l.sys} }

func paths(found []Found) (p []string) {
	for _, f := range found {
		p = append(p, filepath.Base(f.Path))
	}
	return p
}

func TestScanOpensOnlyWhatTheRuleAccepts(t *testing.T) {
	l := newLayout(t)
	l.plug("ttyACM0", "usb-0:1.1:1.0", "045b:8111")                                   // a board
	l.plug("ttyUSB0", "usb-0:1.2:1.0-port0", "0403:6001")                             // an old board, or any cable
	l.plug("ttyACM1", "usb-0:1.3:1.0", "1546:01a7")                                   // a GPS receiver
	l.plug("ttyACM2", "usb-0:1.4:1.0", "045b:0261")                                   // a boot ROM
	l.plug("ttyS4", "pci-serial-4", "")                                               // no USB
	l.link(filepath.Join(l.dev, "ttyACM9"), filepath.Join(l.byPath, "usb-0:1.9:1.0")) // dangling

	for _, c := range []struct {
		name string
		rule Rule
		want []string
	}{
		{"nothing allowed", Rule{}, nil},
		{"default", Rule{USB: DefaultUSB()}, []string{"usb-0:1.1:1.0"}},
		{"FTDI by id", Rule{USB: []USBID{FTDIDefault}}, []string{"usb-0:1.2:1.0-port0"}},
		{"by name below by-path", Rule{Allow: []string{"usb-0:1.2:*"}}, []string{"usb-0:1.2:1.0-port0"}},
		{"by full path", Rule{Allow: []string{l.byPath + "/pci-*"}}, []string{"pci-serial-4"}},
		{"by device", Rule{Allow: []string{l.dev + "/ttyACM1"}}, []string{"usb-0:1.3:1.0"}},
		{"a boot ROM never, not even by pattern", Rule{Allow: []string{"usb-0:1.4*"}, USB: []USBID{RenesasBootROM}}, nil},
		{"a broken pattern allows nothing", Rule{Allow: []string{"["}}, nil},
		{"listed first, plugged in or not", Rule{Ports: []string{l.dev + "/rfcomm0", l.dev + "/ttyUSB0"}, USB: DefaultUSB()},
			[]string{"rfcomm0", "ttyUSB0", "usb-0:1.1:1.0"}},
		{"listed and found is one port", Rule{Ports: []string{l.dev + "/ttyACM0"}, USB: DefaultUSB()}, []string{"ttyACM0"}},
		{"a listed boot ROM is refused", Rule{Ports: []string{l.dev + "/ttyACM2"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, left, err := l.finder(c.rule).Scan()
			if err != nil {
				t.Fatal(err)
			}
			if got := paths(found); !reflect.DeepEqual(got, c.want) {
				t.Errorf("found %v; want %v", got, c.want)
			}
			for _, f := range found {
				if f.Why == "" {
					t.Errorf("%s: no reason", f.Path)
				}
			}
			for _, f := range left {
				if f.Why == "" {
					t.Errorf("%s: no reason", f.Path)
				}
			}
		})
	}
}

func TestScanWithoutFolder(t *testing.T) {
	found, _, err := Finder{ByPath: filepath.Join(t.TempDir(), "none"), Sys: t.TempDir()}.Scan()
	if len(found) != 0 || err != nil {
		t.Errorf("%v, %v; want nothing and no error", found, err)
	}
}

// Newer udev gives two names to the same place.
func TestScanGivesADeviceOnce(t *testing.T) {
	l := newLayout(t)
	device, first := l.plug("ttyACM0", "pci-usb-0:1:1.0", "045b:8111")
	l.link(device, filepath.Join(l.byPath, "pci-usbv2-0:1:1.0"))
	found, left, _ := l.finder(Rule{USB: DefaultUSB()}).Scan()
	if len(found) != 1 || found[0].Path != first || found[0].Device != device {
		t.Errorf("found %+v", found)
	}
	if len(left) != 1 || !strings.Contains(left[0].Why, first) {
		t.Errorf("left %+v; want the second name with the first", left)
	}
}

func TestScanTellsOfUSB(t *testing.T) {
	l := newLayout(t)
	l.plug("ttyUSB0", "usb-0:1.2:1.0-port0", "0403:6001")
	_, left, _ := l.finder(Rule{USB: DefaultUSB()}).Scan()
	want := &USB{ID: FTDIDefault, Product: "USB <-> Serial", Hub: "1-1"}
	if len(left) != 1 || !reflect.DeepEqual(left[0].USB, want) {
		t.Fatalf("left %+v; want %+v", left, want)
	}
	if !strings.Contains(left[0].Why, "many other adapters") {
		t.Errorf("why: %q", left[0].Why)
	}
}

func TestRuleValidate(t *testing.T) {
	if err := (Rule{Ports: []string{"/dev/ttyACM0"}, Allow: []string{"platform-*"}}).Validate(); err != nil {
		t.Error(err)
	}
	err := Rule{Ports: []string{"ttyACM0"}, Allow: []string{"[a"}}.Validate()
	if err == nil || !strings.Contains(err.Error(), "ttyACM0") || !strings.Contains(err.Error(), "[a") {
		t.Errorf("%v; want both named", err)
	}
}

func TestParseUSBID(t *testing.T) {
	if id, err := ParseUSBID("045b:8111"); err != nil || id != RenesasBoard || id.String() != "045b:8111" {
		t.Errorf("%v, %v", id, err)
	}
	for _, s := range []string{"", "045b", "45b:8111", "045b:8111:0", "045g:8111", "+45b:8111"} {
		if _, err := ParseUSBID(s); err == nil {
			t.Errorf("%q was read", s)
		}
	}
}

func TestIsBluetooth(t *testing.T) {
	l := newLayout(t)
	l.write(filepath.Join(l.dev, "rfcomm0"), "")
	l.link(filepath.Join(l.dev, "rfcomm0"), filepath.Join(l.dev, "board"))
	for p, want := range map[string]bool{"rfcomm0": true, "board": true, "rfcomm9": true, "ttyACM0": false} {
		if got := IsBluetooth(filepath.Join(l.dev, p)); got != want {
			t.Errorf("%s: %v", p, got)
		}
	}
}

func FuzzParseUSBID(f *testing.F) {
	f.Add("045b:8111")
	f.Add("0403:6001")
	f.Add("45b:8111")
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseUSBID(s)
		if err != nil {
			return
		}
		if !strings.EqualFold(id.String(), s) {
			t.Errorf("%q became %v", s, id)
		}
	})
}
