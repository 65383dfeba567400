package link

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

func mustOpen(t *testing.T, path string) *tty {
	t.Helper()
	port, err := openTTY(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(port.close)
	return port
}

func TestReadsAndWrites(t *testing.T) {
	master, path := openPTY(t)
	port := mustOpen(t, path)
	if n, err := port.write([]byte{0x40, 0x4d}, time.Second); n != 2 || err != nil {
		t.Fatalf("write: %d, %v", n, err)
	}
	got := make([]byte, 2)
	if _, err := io.ReadFull(master, got); err != nil || !bytes.Equal(got, []byte{0x40, 0x4d}) {
		t.Fatalf("the board got % x, %v", got, err)
	}
	// Every byte value passes: the line is raw.
	var all []byte
	for i := range 256 {
		all = append(all, byte(i))
	}
	if _, err := master.Write(all); err != nil {
		t.Fatal(err)
	}
	port.readUntil(time.Now().Add(patience))
	var read []byte
	for len(read) < len(all) {
		buf := make([]byte, 300)
		n, err := port.read(buf)
		if err != nil || n == 0 {
			t.Fatalf("read after %d bytes: %d, %v", len(read), n, err)
		}
		read = append(read, buf[:n]...)
	}
	if !bytes.Equal(read, all) {
		t.Fatalf("read % x", read)
	}
}

// The library has no write deadline: a device that takes no bytes would hold its caller for ever.
func TestWriteToAPortThatTakesNoBytesEndsAtItsDeadline(t *testing.T) {
	_, path := openPTY(t) // the master is never read
	port := mustOpen(t, path)
	start := time.Now()
	n, err := port.write(make([]byte, 1<<20), 50*time.Millisecond)
	if !errors.Is(err, ErrStuck) {
		t.Fatalf("write: %d, %v; want ErrStuck", n, err)
	}
	if n == 0 || n == 1<<20 {
		t.Errorf("%d bytes taken; want some and not all", n)
	}
	if took := time.Since(start); took < 50*time.Millisecond || took > patience {
		t.Errorf("took %v", took)
	}
}

// A blocked Write of the library survives Close. Ours belongs to the one goroutine that also closes, and in
// any case ends when somebody else closes the descriptor.
func TestCloseEndsABlockedWrite(t *testing.T) {
	_, path := openPTY(t)
	port := mustOpen(t, path)
	ended := make(chan error, 1)
	full := make(chan struct{})
	go func() {
		port.file.SetWriteDeadline(time.Time{}) // no deadline: only the close may end it
		close(full)
		_, err := port.file.Write(make([]byte, 1<<20))
		ended <- err
	}()
	<-full
	port.file.Close()
	select {
	case err := <-ended:
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("the write ended with %v; want os.ErrClosed", err)
		}
	case <-time.After(patience):
		t.Fatal("the blocked write survived the close")
	}
}

// reuse opens files until one of them has got a descriptor from the set.
func reuse(t *testing.T, dir string, wanted map[int]bool) []*os.File {
	t.Helper()
	var files []*os.File
	hit := false
	for i := 0; i < 64; i++ {
		f, err := os.Create(filepath.Join(dir, "victim"+string(rune('0'+i%10))+string(rune('0'+i/10))))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		files = append(files, f)
		control(f, func(fd int) error { hit = hit || wanted[fd]; return nil })
	}
	if !hit {
		t.Fatal("no file got a descriptor of the closed port: the test shows nothing")
	}
	return files
}

// descriptors lists what is open.
func descriptors(t *testing.T) map[int]bool {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	set := map[int]bool{}
	for _, e := range entries {
		n := 0
		for _, c := range e.Name() {
			n = n*10 + int(c-'0')
		}
		set[n] = true
	}
	return set
}

func written(t *testing.T, files []*os.File) (total int64) {
	t.Helper()
	for _, f := range files {
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	return total
}

// The fault this package guards against: a clock command after Close landed in whatever file got the descriptor.
func TestWriteAfterCloseLandsNowhere(t *testing.T) {
	command := []byte{0x2b, 0x0a, 0x03, 0x0a, 0, 5, 0, 0, 5, 0, 4, 0, 0}

	t.Run("the guard", func(t *testing.T) {
		_, path := openPTY(t)
		before := descriptors(t)
		port := mustOpen(t, path)
		own := map[int]bool{}
		for fd := range descriptors(t) {
			if !before[fd] {
				own[fd] = true
			}
		}
		port.close()
		files := reuse(t, t.TempDir(), own)
		n, err := port.write(command, time.Second)
		if n != 0 || !errors.Is(err, ErrGone) || !errors.Is(err, os.ErrClosed) {
			t.Errorf("write after close: %d, %v; want ErrGone for os.ErrClosed", n, err)
		}
		if _, err := port.read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("read after close: %v; want os.ErrClosed", err)
		}
		port.close() // once more does nothing
		port.wake()
		if port.line != nil {
			t.Error("the library's port can still be reached")
		}
		if n := written(t, files); n != 0 {
			t.Errorf("%d bytes landed in other files", n)
		}
	})

	// The same with the bare library, to show that the test above could fail.
	t.Run("the library alone", func(t *testing.T) {
		_, path := openPTY(t)
		before := descriptors(t)
		port, err := serial.Open(path, &boardLine)
		if err != nil {
			t.Fatal(err)
		}
		own := map[int]bool{}
		for fd := range descriptors(t) {
			if !before[fd] {
				own[fd] = true
			}
		}
		port.Close()
		files := reuse(t, t.TempDir(), own)
		port.Write(command)
		if written(t, files) == 0 {
			t.Skip("this version of the library no longer has the fault")
		}
	})
}

// With descriptors from 1024 on the library's Read panics; a venue with many viewers gets there.
func TestHighDescriptors(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < 1200 {
		t.Skipf("only %d descriptors allowed", limit.Cur)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	control(null, func(fd int) error {
		for range 1100 {
			d, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { unix.Close(d) })
		}
		return nil
	})
	master, path := openPTY(t)
	port := mustOpen(t, path)
	control(port.file, func(fd int) error {
		if fd < 1024 {
			t.Fatalf("descriptor %d: the test shows nothing", fd)
		}
		return nil
	})
	master.Write([]byte{0x93})
	port.readUntil(time.Now().Add(patience))
	if n, err := port.read(make([]byte, 8)); n != 1 || err != nil {
		t.Errorf("read: %d, %v", n, err)
	}
}

func TestReadSeesTheEndOfThePort(t *testing.T) {
	master, path := openPTY(t)
	port := mustOpen(t, path)
	port.readUntil(time.Now().Add(patience))
	master.Close()
	if n, err := port.read(make([]byte, 8)); n != 0 || !errors.Is(err, ErrGone) {
		t.Errorf("read: %d, %v; want ErrGone", n, err)
	}
	if n, err := port.write([]byte{0x45}, time.Second); n != 0 || !errors.Is(err, ErrGone) {
		t.Errorf("write: %d, %v; want ErrGone", n, err)
	}
}

func TestWakeEndsARead(t *testing.T) {
	_, path := openPTY(t)
	port := mustOpen(t, path)
	port.readUntil(time.Now().Add(time.Hour))
	ended := make(chan error, 1)
	go func() {
		_, err := port.read(make([]byte, 8))
		ended <- err
	}()
	port.wake()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("read: %v; want no bytes and no error", err)
		}
	case <-time.After(patience):
		t.Fatal("the read did not end")
	}
}

func TestOpenIsExclusive(t *testing.T) {
	_, path := openPTY(t)
	port := mustOpen(t, path)
	_, err := openTTY(path, nil)
	var pe *PortError
	if !errors.Is(err, ErrBusy) || !errors.As(err, &pe) || pe.Hint == "" || pe.Port != path {
		t.Errorf("second open: %v; want ErrBusy with a hint and the port", err)
	}
	port.close()
	again, err := openTTY(path, nil)
	if err != nil {
		t.Fatalf("open after close: %v", err)
	}
	again.close()
}

func TestModemBitsAreNotTouched(t *testing.T) {
	_, path := openPTY(t)
	// A pty refuses modem bits, so that opening it at all shows that none were set ...
	port, err := openTTY(path, nil)
	if err != nil {
		t.Fatalf("open without modem bits: %v", err)
	}
	port.close()
	// ... and that they are set when configured shows by the refusal.
	if port, err := openTTY(path, &ModemBits{}); err == nil {
		port.close()
		t.Error("configured modem bits were not applied")
	} else if !errors.Is(err, ErrNotSerial) {
		t.Errorf("open with modem bits on a pty: %v; want ErrNotSerial", err)
	}
}

func TestMoved(t *testing.T) {
	_, first := openPTY(t)
	_, second := openPTY(t)
	path := filepath.Join(t.TempDir(), "board")
	if err := os.Symlink(first, path); err != nil {
		t.Fatal(err)
	}
	port := mustOpen(t, path)
	if port.moved() {
		t.Error("moved at once")
	}
	os.Remove(path)
	if port.moved() {
		t.Error("a path that leads nowhere counts as moved")
	}
	os.Symlink(second, path)
	if !port.moved() {
		t.Error("the new target went unnoticed")
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o600)
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	dead := slave.Name()
	slave.Close()
	master.Close()
	loop := filepath.Join(dir, "loop")
	os.Symlink(loop, loop)

	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"nothing there", filepath.Join(dir, "none"), ErrAbsent},
		{"a pty whose master is gone", dead, ErrAbsent},
		{"a link to itself", loop, ErrAbsent},
		{"a file", file, ErrNotSerial},
		{"a folder", dir, ErrNotSerial},
		{"a device that is no terminal", os.DevNull, ErrNotSerial},
	} {
		t.Run(c.name, func(t *testing.T) {
			port, err := openTTY(c.path, nil)
			if err == nil {
				port.close()
			}
			var pe *PortError
			if !errors.Is(err, c.want) || !errors.As(err, &pe) || pe.Port != c.path || pe.Hint == "" {
				t.Errorf("%v; want %v with port and hint", err, c.want)
			}
		})
	}
	// These need another user or another program, so the sorting is tested by itself.
	for cause, want := range map[error]error{
		unix.EBUSY: ErrBusy, unix.EWOULDBLOCK: ErrBusy, unix.EACCES: ErrDenied, unix.EPERM: ErrDenied,
		unix.ENOENT: ErrAbsent, unix.ENXIO: ErrAbsent, unix.ENODEV: ErrAbsent, unix.ENOTTY: ErrNotSerial,
	} {
		err := openError("/dev/ttyACM0", &os.PathError{Op: "open", Path: "/dev/ttyACM0", Err: cause})
		if !errors.Is(err, want) || !errors.Is(err, cause) {
			t.Errorf("%v became %v; want %v", cause, err, want)
		}
	}
}

// Against a killed boardd: on a pty the mark would stay until the master goes, and refuse every later open but root's.
func TestNoExclusiveMarkStaysOnAPTY(t *testing.T) {
	_, path := openPTY(t)
	port := mustOpen(t, path)
	if !isPTY(port.device) {
		t.Fatalf("device %x is no pty", port.device)
	}
	var mark int
	if err := control(port.file, func(fd int) (err error) { mark, err = unix.IoctlGetInt(fd, unix.TIOCGEXCL); return err }); err != nil || mark != 0 {
		t.Errorf("mark %d, %v", mark, err)
	}
	if isPTY(unix.Mkdev(166, 0)) || isPTY(unix.Mkdev(188, 0)) {
		t.Error("ttyACM and ttyUSB are no ptys")
	}
}
