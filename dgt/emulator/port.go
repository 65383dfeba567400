package emulator

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// port is a pty: we hold the host's end of the cable, and the terminal too, so
// that the port outlives the programs that open it.
type port struct {
	host, terminal *os.File
	gone           chan struct{}
}

// openPort opens a pty in raw mode whose name is not the given one.
func openPort(not string) (*port, error) {
	host, terminal, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a pty: %w", err)
	}
	if terminal.Name() == not {
		// The lowest free number is given out, so hold this one meanwhile.
		defer host.Close()
		defer terminal.Close()
		return openPort("")
	}
	p := &port{host, terminal, make(chan struct{})}
	if err := errors.Join(p.unblock(), p.raw()); err != nil {
		p.close()
		return nil, fmt.Errorf("prepare %s: %w", p.name(), err)
	}
	return p, nil
}

// unblock makes deadlines and Close work for the host's end, which the pty
// package leaves in blocking mode.
func (p *port) unblock() error {
	fd, err := unix.FcntlInt(p.host.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return err
	}
	name := p.host.Name()
	p.host.Close()
	p.host = os.NewFile(uintptr(fd), name)
	return nil
}

func (p *port) name() string { return p.terminal.Name() }

// raw keeps the terminal from echoing and from changing bytes before the host
// has opened it.
func (p *port) raw() error {
	c, err := p.terminal.SyscallConn()
	if err != nil {
		return err
	}
	var wrong error
	err = c.Control(func(fd uintptr) {
		t, err := unix.IoctlGetTermios(int(fd), unix.TCGETS)
		if err != nil {
			wrong = err
			return
		}
		t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
		t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B9600
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
		wrong = unix.IoctlSetTermios(int(fd), unix.TCSETS, t)
	})
	return errors.Join(err, wrong)
}

// write hands bytes to the host. What nobody reads is lost, as on a serial
// line without handshake.
func (p *port) write(data []byte) {
	p.host.SetWriteDeadline(time.Now().Add(latency / 4))
	p.host.Write(data)
}

func (p *port) close() {
	close(p.gone)
	p.terminal.Close()
	p.host.Close()
}

// pointTo makes a symbolic link, replacing an old one but nothing else.
func pointTo(link, target string) error {
	info, err := os.Lstat(link)
	switch {
	case err == nil && info.Mode()&os.ModeSymlink == 0:
		return fmt.Errorf("link %s: expected a symbolic link or nothing there", link)
	case err == nil:
		err = os.Remove(link)
	case errors.Is(err, os.ErrNotExist):
		err = nil
	}
	if err == nil {
		err = os.Symlink(target, link)
	}
	if err != nil {
		return fmt.Errorf("link %s: %w", link, err)
	}
	return nil
}
