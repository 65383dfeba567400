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

// openPTY gives a master and the path of its slave, with the slave closed.
func openPTY(t testing.TB) (master *os.File, path string) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pty: %v", err)
	}
	path = slave.Name()
	// A port must be raw before anything arrives at it, or the line discipline echoes.
	tt, err := openTTY(path, nil)
	if err != nil {
		t.Fatalf("make the pty raw: %v", err)
	}
	tt.close()
	slave.Close()
	t.Cleanup(func() { master.Close() })
	return master, path
}

// What the system says when a port cannot be opened.
var errNoEntry, errBusy, errDenied error = unix.ENOENT, unix.EBUSY, unix.EACCES
