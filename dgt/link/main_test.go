package link

import (
	"os"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for something that must happen. It is no sleep: every wait ends
// with the event.
const patience = 20 * time.Second

// openPair gives both ends of a pty, raw. The master can be closed while somebody reads it, as a cable can be pulled at any time:
// creack/pty leaves it in blocking mode, where the close would wait for the read.
func openPair(t testing.TB) (master, slave *os.File) {
	t.Helper()
	m, slave, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pty: %v", err)
	}
	defer m.Close()
	makeRaw(t, slave)
	err = control(m, func(fd int) error {
		d, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return err
		}
		if err := unix.SetNonblock(d, true); err != nil {
			return err
		}
		master = os.NewFile(uintptr(d), m.Name())
		return nil
	})
	if err != nil {
		t.Fatalf("open a pty: %v", err)
	}
	t.Cleanup(func() { master.Close(); slave.Close() })
	return master, slave
}

// openPTY gives a master and the path of its slave, with the slave closed.
func openPTY(t testing.TB) (master *os.File, path string) {
	t.Helper()
	master, slave := openPair(t)
	slave.Close()
	return master, slave.Name()
}

// What the system says when a port cannot be opened.
var errNoEntry, errBusy, errDenied error = unix.ENOENT, unix.EBUSY, unix.EACCES

// makeRaw keeps a line discipline from echoing before the link opens the port.
func makeRaw(t testing.TB, slave *os.File) {
	t.Helper()
	err := control(slave, func(fd int) error {
		settings, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return err
		}
		settings.Lflag, settings.Iflag, settings.Oflag = 0, 0, 0
		return unix.IoctlSetTermios(fd, unix.TCSETS, settings)
	})
	if err != nil {
		t.Fatal(err)
	}
}
