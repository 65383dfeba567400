package link

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// ModemBits are the two modem lines a host drives. USB boards do not care; some
// RS-232 adapters want both off (facts 1.2). A pty has none, so they are
// only touched when somebody configured them.
type ModemBits struct {
	DTR bool `toml:"dtr"`
	RTS bool `toml:"rts"`
}

// boardLine is 9600 baud, 8 data bits, no parity, 1 stop bit (facts 1.1).
var boardLine = serial.Mode{BaudRate: 9600, DataBits: 8, Parity: serial.NoParity, StopBits: serial.OneStopBit}

// tty is one open port. go.bug.st/serial sets the line up and holds it for us
// alone, but no byte ever passes through it, because its Write has no
// deadline, goes on after Close, and after Close writes into whatever file got the
// descriptor next; its Read panics on descriptors from 1024 on, which a venue with
// many viewers reaches. Bytes go through a second descriptor of the same device,
// an *os.File: it knows deadlines, and refuses every call after Close.
//
// read, write and close belong to one goroutine; wake may be called from any.
type tty struct {
	path   string
	file   *os.File
	line   serial.Port
	device uint64 // device number, to notice a link that leads elsewhere by now
}

// openTTY opens the port exclusively. The error is a *PortError.
func openTTY(path string, bits *ModemBits) (*tty, error) {
	// Looked at before it is opened: opening may itself do something to a device that is no terminal.
	info, err := os.Stat(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if info.Mode()&os.ModeCharDevice == 0 {
		return nil, openError(path, errors.New("a file, not a device"))
	}
	// O_NONBLOCK: neither wait for a carrier nor block a thread in a read.
	file, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, openError(path, err)
	}
	t, err := setUp(path, file, bits)
	if err != nil {
		file.Close()
		return nil, openError(path, err)
	}
	return t, nil
}

func setUp(path string, file *os.File, bits *ModemBits) (*tty, error) {
	if err := file.SetDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("no deadlines: %w", err)
	}
	// TIOCEXCL, which the library sets, does not hold against root; the lock holds
	// against a second boardd of any user.
	if err := control(file, func(fd int) error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) }); err != nil {
		return nil, err
	}
	mode := boardLine
	if bits != nil {
		mode.InitialStatusBits = &serial.ModemOutputBits{DTR: bits.DTR, RTS: bits.RTS}
	}
	line, err := serial.Open(path, &mode)
	if err != nil {
		return nil, libraryError(err)
	}
	// Our own descriptor now sees the exclusive mark, or the path changed between
	// the two calls and the library opened another device.
	var exclusive int
	err = control(file, func(fd int) (err error) {
		exclusive, err = unix.IoctlGetInt(fd, unix.TIOCGEXCL)
		return err
	})
	if err == nil && exclusive == 0 {
		err = fmt.Errorf("the path changed while it was opened: %w", unix.ENODEV)
	}
	if err != nil {
		line.Close()
		return nil, err
	}
	device, err := deviceOf(file.Stat())
	if err != nil {
		line.Close()
		return nil, err
	}
	if isPTY(device) {
		control(file, func(fd int) error { return unix.IoctlSetInt(fd, unix.TIOCNXCL, 0) })
	}
	return &tty{path: path, file: file, line: line, device: device}, nil
}

// isPTY says whether a device number is that of a pseudo terminal's slave. There the exclusive mark lives as long as the
// master does, so it would outlive a killed boardd and keep the next one out. The lock does not, and is enough among
// boards that are programs.
func isPTY(device uint64) bool {
	major := unix.Major(device)
	return major >= 136 && major <= 143
}

// libraryError gives the system's error number back to what the library hides behind its codes.
func libraryError(err error) error {
	var pe *serial.PortError
	if errors.As(err, &pe) {
		switch pe.Code() {
		case serial.PortBusy:
			return unix.EBUSY
		case serial.PermissionDenied:
			return unix.EACCES
		}
	}
	return err
}

// control runs f with the descriptor. File.Fd is not used: it may put the descriptor into blocking mode.
func control(file *os.File, f func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

func deviceOf(info os.FileInfo, err error) (uint64, error) {
	if err != nil {
		return 0, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, errors.New("no device number")
	}
	return uint64(st.Rdev), nil
}

// read waits for bytes until the deadline or a wake. Nothing and no error means that the wait ended without bytes.
// Any other end - error, end of file, a read of zero bytes on a ready port - is ErrGone:
// that is how an unplugged cable looks (facts 8.6).
func (t *tty) read(p []byte) (int, error) {
	n, err := t.file.Read(p)
	if n > 0 {
		return n, nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, nil
	}
	return 0, &PortError{Op: "read", Port: t.path, Kind: ErrGone, Cause: plain(err)}
}

// readUntil sets how long the next reads wait. It also undoes a wake.
func (t *tty) readUntil(at time.Time) { t.file.SetReadDeadline(at) }

// wake ends a read that waits in another goroutine.
func (t *tty) wake() { t.file.SetReadDeadline(time.Unix(1, 0)) }

// write sends p within the time given. It returns how many bytes the system took.
func (t *tty) write(p []byte, within time.Duration) (int, error) {
	t.file.SetWriteDeadline(time.Now().Add(within))
	n, err := t.file.Write(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, &PortError{Op: "write", Port: t.path, Kind: ErrStuck, Cause: plain(err), Hint: hintStuck}
	default:
		return n, &PortError{Op: "write", Port: t.path, Kind: ErrGone, Cause: plain(err)}
	}
}

// close lets the port go. Bytes the device did not take are dropped first: the
// kernel would wait up to 30 s for them.
func (t *tty) close() {
	if t.line == nil {
		return
	}
	t.line.ResetOutputBuffer()
	t.file.Close()
	t.line.Close()
	// The library's port must not be reachable from here on: see the type.
	t.line = nil
}

// moved says whether the path leads to another device than the one open. A path that leads nowhere has not moved: the
// port itself will tell that it is gone.
func (t *tty) moved() bool {
	device, err := deviceOf(os.Stat(t.path))
	return err == nil && device != t.device
}
