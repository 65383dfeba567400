package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Why a port cannot be opened.
var (
	// ErrAbsent: there is no such device now. It may be plugged in later.
	ErrAbsent = errors.New("no such port")
	// ErrBusy: another program holds the port.
	ErrBusy = errors.New("port busy")
	// ErrDenied: this user may not open the port.
	ErrDenied = errors.New("permission denied")
	// ErrNotSerial: the path names something that is not a serial port.
	ErrNotSerial = errors.New("not a serial port")
	// ErrForbidden: the device is known to be no board and must not be written to.
	ErrForbidden = errors.New("not a board")
)

// Why an open port was given up.
var (
	// ErrGone: the port ended (error, end of file or a read of nothing): unplugged.
	ErrGone = errors.New("port gone")
	// ErrStuck: a write did not end within its deadline.
	ErrStuck = errors.New("port takes no bytes")
	// ErrMoved: the path now leads to another device.
	ErrMoved = errors.New("port leads to another device")
	// ErrNoBoard: the port is open, but nothing there answers as a board does.
	ErrNoBoard = errors.New("no board answers")
	// ErrSilent: a board that did answer no longer does.
	ErrSilent = errors.New("board stopped answering")
)

// Why a command was not taken.
var (
	// ErrNotUp: there is no session with a board now. Commands are never kept for
	// a later session: a clock command of before an outage would be wrong after it.
	ErrNotUp = errors.New("no board on this port now")
	// ErrQueueFull: more commands wait than the line can send in a few seconds.
	ErrQueueFull = errors.New("too many commands wait")
	// ErrOwnedByLink: the command changes the mode of the board, which is the link's own business.
	ErrOwnedByLink = errors.New("the mode of the board belongs to the link")
)

// PortError says what was tried on which port, why it failed and what a person
// can do about it. errors.Is finds both the kind (one of the sentinels) and the cause.
type PortError struct {
	Op    string // "open", "read", "write", "probe"
	Port  string // the path as it was listed or found
	Kind  error  // a sentinel of this package
	Cause error  // what the system said; may be nil
	Hint  string // what to do, in words; may be empty
}

func (e *PortError) Error() string {
	text := fmt.Sprintf("%s %s: %v", e.Op, e.Port, e.Kind)
	if e.Cause != nil {
		text += fmt.Sprintf(" (%v)", e.Cause)
	}
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func (e *PortError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// The hints. Each is what an operator can do now, standing beside the board.
const (
	hintAbsent = "plug the board in or check the path; the link goes on looking"
	hintBusy   = "another program has it open (ModemManager, LiveChess, a second boardd): stop that program; " +
		`against ModemManager install the udev rule ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1" in a file numbered below 77; the link goes on trying`
	hintDenied    = "let the user of boardd join the group %s that owns the port (sudo usermod -aG %[1]s USER, then log in again)"
	hintNotSerial = "list the path of a serial device, such as one below /dev/serial/by-path"
	hintBootROM   = "the chip is in its boot ROM: unplug the board and plug it in again"
	hintNoBoard   = "check that a board is on this port and has power; the link goes on asking"
	hintStuck     = "the device no longer takes bytes: unplug the cable and plug it in again; the link goes on trying"
)

// openError sorts what the system said about opening a port.
func openError(port string, cause error) error {
	e := &PortError{Op: "open", Port: port, Cause: plain(cause)}
	switch {
	case errors.Is(cause, unix.EBUSY), errors.Is(cause, unix.EWOULDBLOCK):
		e.Kind, e.Hint = ErrBusy, hintBusy
	case errors.Is(cause, fs.ErrPermission):
		e.Kind, e.Hint = ErrDenied, fmt.Sprintf(hintDenied, groupOf(port))
	case errors.Is(cause, fs.ErrNotExist), errors.Is(cause, unix.ENXIO), errors.Is(cause, unix.ENODEV),
		errors.Is(cause, unix.EIO), errors.Is(cause, unix.ELOOP), errors.Is(cause, unix.EHOSTDOWN):
		// EIO is a terminal whose other end is gone, EHOSTDOWN a Bluetooth board out of reach.
		e.Kind, e.Hint = ErrAbsent, hintAbsent
	default:
		e.Kind, e.Hint = ErrNotSerial, hintNotSerial
	}
	return e
}

// plain takes the path off an os error: PortError names the port already.
func plain(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// groupOf names the group that may use a port; on Debian it is dialout.
func groupOf(port string) string {
	if info, err := os.Stat(port); err == nil {
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Gid != 0 {
			if g, err := user.LookupGroupId(strconv.Itoa(int(st.Gid))); err == nil {
				return g.Name
			}
		}
	}
	return "dialout"
}
