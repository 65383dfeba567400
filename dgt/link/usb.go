package link

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// USBID is a vendor and product number as lsusb shows them.
type USBID struct{ Vendor, Product uint16 }

// The identities facts 1.3 knows.
var (
	// RenesasBoard is a Smart or USB-C board with firmware 4.x. No other device is known by it.
	RenesasBoard = USBID{0x045b, 0x8111}
	// RenesasBootROM is the same chip without its program: not a board, and never to be written to.
	RenesasBootROM = USBID{0x045b, 0x0261}
	// FTDIDefault is what older boards show, and with them countless other adapters.
	FTDIDefault = USBID{0x0403, 0x6001}
)

// ParseUSBID reads "045b:8111".
func ParseUSBID(s string) (USBID, error) {
	v, p, ok := strings.Cut(s, ":")
	if ok && len(v) == 4 && len(p) == 4 {
		vendor, err1 := strconv.ParseUint(v, 16, 16)
		product, err2 := strconv.ParseUint(p, 16, 16)
		if err1 == nil && err2 == nil {
			return USBID{uint16(vendor), uint16(product)}, nil
		}
	}
	return USBID{}, fmt.Errorf("USB id %q: expected vendor:product in hexadecimal, such as 045b:8111", s)
}

func (id USBID) String() string { return fmt.Sprintf("%04x:%04x", id.Vendor, id.Product) }

// UnmarshalText reads the form of ParseUSBID, so that a configuration file can hold ids.
func (id *USBID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseUSBID(string(text))
	return err
}

// MarshalText writes the form of ParseUSBID.
func (id USBID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// USB is what sysfs tells about the device behind a port.
type USB struct {
	ID                            USBID
	Manufacturer, Product, Serial string // as the device gives them; often empty
	Hub                           string // sysfs name of the hub it hangs on, such as "1-1"; "usb1" is a root hub
}

// readUSB looks up a terminal ("ttyACM0") below a sysfs root. ok is false when it is not a USB device.
//
// class/tty/NAME leads to .../usb1/1-1/1-1.4/1-1.4:1.0/tty/NAME; the USB device is the
// nearest folder upwards that holds idVendor. Nothing is opened but sysfs files.
func readUSB(sys, name string) (usb USB, ok bool) {
	root, err := filepath.EvalSymlinks(sys)
	if err != nil {
		return USB{}, false
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(root, "class", "tty", name))
	if err != nil {
		return USB{}, false
	}
	for ; len(dir) > len(root) && strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
		vendor, err := os.ReadFile(filepath.Join(dir, "idVendor"))
		if err != nil {
			continue
		}
		attr := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(dir, name))
			return strings.TrimSpace(string(b))
		}
		id, err := ParseUSBID(strings.TrimSpace(string(vendor)) + ":" + attr("idProduct"))
		if err != nil {
			return USB{}, false
		}
		return USB{
			ID: id, Manufacturer: attr("manufacturer"), Product: attr("product"), Serial: attr("serial"),
			Hub: filepath.Base(filepath.Dir(dir)),
		}, true
	}
	return USB{}, false
}
