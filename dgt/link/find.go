package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Rule says which ports boardd may write to. Nothing else is ever opened: the
// probe bytes would reach phones, GPS receivers, UPSes and printers (facts 1.6).
type Rule struct {
	// Ports are listed by the operator and always tried, plugged in or not.
	Ports []string
	// Allow are patterns (as path.Match) a found port is accepted by; each is held against the
	// path below /dev/serial/by-path, its last element, and the device it leads to.
	Allow []string
	// USB are identities a found port is accepted by.
	USB []USBID
}

// DefaultUSB is the identity that only boards have. Older boards show FTDI's default
// 0403:6001, which proves nothing: such a port must be listed or allowed.
func DefaultUSB() []USBID { return []USBID{RenesasBoard} }

// Validate tells of patterns that can never match.
func (r Rule) Validate() error {
	var errs []error
	for _, p := range r.Allow {
		if _, err := path.Match(p, ""); err != nil {
			errs = append(errs, fmt.Errorf("allow pattern %q: %w: expected * ? [a-z] and plain characters", p, err))
		}
	}
	for _, p := range r.Ports {
		if !filepath.IsAbs(p) {
			errs = append(errs, fmt.Errorf("port %q: expected an absolute path such as /dev/ttyACM0", p))
		}
	}
	return errors.Join(errs...)
}

// Finder looks for ports. It reads folders and sysfs, and opens no device.
type Finder struct {
	Rule   Rule
	ByPath string // where udev names ports by their place; default /dev/serial/by-path
	Sys    string // where sysfs is; default /sys
}

// Found is a port the rule lets boardd open.
type Found struct {
	Path   string // as listed, or below ByPath
	Device string // what it leads to now, such as /dev/ttyACM0; empty when it leads nowhere
	Listed bool   // by the operator, not found
	Why    string // which part of the rule accepted it
	USB    *USB   // nil when it is not a USB device
}

// Left is a port the rule leaves alone, with the reason in words.
type Left struct {
	Path   string
	Device string
	Why    string
	USB    *USB
}

const (
	defaultByPath = "/dev/serial/by-path"
	defaultSys    = "/sys"
)

// Scan gives the ports to open, in order: first those listed, then those found, by path. A
// device two paths lead to is given once, the listed path first. No ByPath folder means that nothing is plugged in.
func (f Finder) Scan() (found []Found, left []Left, err error) {
	if f.ByPath == "" {
		f.ByPath = defaultByPath
	}
	if f.Sys == "" {
		f.Sys = defaultSys
	}
	taken := map[string]string{} // device -> path that got it
	for _, p := range f.Rule.Ports {
		device, usb := f.look(p)
		if usb != nil && usb.ID == RenesasBootROM {
			left = append(left, Left{p, device, hintBootROM, usb})
			continue
		}
		if first, again := taken[device]; again && device != "" {
			left = append(left, Left{p, device, "the same device as " + first, usb})
			continue
		}
		if device != "" {
			taken[device] = p
		}
		found = append(found, Found{p, device, true, "listed", usb})
	}
	entries, err := os.ReadDir(f.ByPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return found, left, fmt.Errorf("look for ports: %w", err)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	for _, e := range entries {
		p := filepath.Join(f.ByPath, e.Name())
		device, usb := f.look(p)
		if device == "" {
			continue // a link udev has not taken away yet
		}
		if first, again := taken[device]; again {
			if first != p {
				left = append(left, Left{p, device, "the same device as " + first, usb})
			}
			continue
		}
		if why, ok := f.Rule.accepts(p, device, usb); ok {
			taken[device] = p
			found = append(found, Found{p, device, false, why, usb})
		} else {
			left = append(left, Left{p, device, why, usb})
		}
	}
	return found, left, nil
}

// look resolves a path and asks sysfs what is behind it.
func (f Finder) look(p string) (device string, usb *USB) {
	device, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", nil
	}
	if u, ok := readUSB(f.Sys, filepath.Base(device)); ok {
		usb = &u
	}
	return device, usb
}

// accepts is the explicit rule for a found port, with its reason either way.
func (r Rule) accepts(p, device string, usb *USB) (why string, ok bool) {
	if usb != nil && usb.ID == RenesasBootROM {
		return hintBootROM, false
	}
	for _, pattern := range r.Allow {
		for _, name := range []string{p, filepath.Base(p), device} {
			if m, err := path.Match(pattern, name); err == nil && m {
				return fmt.Sprintf("allowed by pattern %q", pattern), true
			}
		}
	}
	if usb == nil {
		return "not a USB device, and neither listed nor allowed", false
	}
	for _, id := range r.USB {
		if id == usb.ID {
			return "allowed by USB id " + id.String(), true
		}
	}
	if usb.ID == FTDIDefault {
		return fmt.Sprintf("USB id %v is shared by older boards and many other adapters: list the port, or allow it by %q", usb.ID, filepath.Base(p)), false
	}
	return fmt.Sprintf("USB id %v is neither listed nor allowed", usb.ID), false
}

// IsBluetooth says whether a path leads to a Bluetooth serial line. Those boards scan at half speed (facts 1.5).
func IsBluetooth(p string) bool {
	device, err := filepath.EvalSymlinks(p)
	if err != nil {
		device = p
	}
	return strings.HasPrefix(filepath.Base(device), "rfcomm")
}
