package emulator

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"boardd/dgt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// host is a program that has opened the port.
type host struct {
	t    *testing.T
	file *os.File
	d    dgt.Decoder
}

func dial(t *testing.T, path string) *host {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return &host{t: t, file: f}
}

func (h *host) send(c dgt.Command) {
	h.t.Helper()
	if _, err := h.file.Write(c.AppendTo(nil)); err != nil {
		h.t.Fatal(err)
	}
}

// until reads until a message is the wanted one.
func (h *host) until(what string, wanted func(dgt.Message) bool) {
	h.t.Helper()
	if err := h.file.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		h.t.Fatal(err)
	}
	buffer := make([]byte, 256)
	for found := false; !found; {
		n, err := h.file.Read(buffer)
		if err != nil {
			h.t.Fatalf("waiting for %s: %v", what, err)
		}
		h.d.Feed(buffer[:n], func(m dgt.Message) { found = found || wanted(m) })
	}
}

func open(t *testing.T, o Options) *Device {
	t.Helper()
	d, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func isA[M dgt.Message](m dgt.Message) bool { _, ok := m.(M); return ok }

func TestDevicePlays(t *testing.T) {
	d := open(t, Options{Config: start(1), Speed: 20})
	h := dial(t, d.Path())
	h.send(dgt.SendVersion())
	h.until("a version", isA[*dgt.Version])
	h.send(dgt.UpdateNice())
	h.send(dgt.SendClock())
	h.until("the clock", isA[*dgt.ClockTime]) // so that the mode is set before hands move
	if err := d.Order(t.Context(), "button run"); err != nil {
		t.Fatal(err)
	}
	moves := make(chan error)
	go func() {
		moves <- errors.Join(
			d.PlayMove(t.Context(), sq(t, "e2"), sq(t, "e4")),
			d.PlayMove(t.Context(), sq(t, "e7"), sq(t, "e5")),
		)
	}()
	var seen []string
	h.until("two moves and presses", func(m dgt.Message) bool {
		switch m := m.(type) {
		case *dgt.FieldUpdate:
			seen = append(seen, m.String())
		case *dgt.ClockTime:
			return len(seen) == 4 && m.Running && m.LeverHigh == dgt.Left
		}
		return false
	})
	if want := []string{"e2 .", "e4 P", "e7 .", "e5 p"}; !slices.Equal(seen, want) {
		t.Errorf("expected %v, got %v", want, seen)
	}
	if err := <-moves; err != nil {
		t.Error(err)
	}
	if err := d.PlayMove(t.Context(), sq(t, "e3"), sq(t, "e4")); err == nil {
		t.Error("expected an error from a move of nobody")
	}
	if st := h.d.Stats(); st.SkippedBytes > 0 {
		t.Errorf("expected a clean line, got %+v", st)
	}
}

func TestDeviceComesBackUnderAnotherName(t *testing.T) {
	link := filepath.Join(t.TempDir(), "board")
	d := open(t, Options{Config: start(1), Link: link, Speed: 20})
	if d.Path() != link {
		t.Fatalf("expected the link as the path, got %s", d.Path())
	}
	was := d.PTY()
	h := dial(t, link)
	h.send(dgt.SendVersion())
	h.until("a version", isA[*dgt.Version])

	if err := d.Order(t.Context(), "unplug"); err != nil {
		t.Fatal(err)
	}
	h.file.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := h.file.Read(make([]byte, 256)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("expected the open port to break, got %v", err)
	}
	if _, err := os.Lstat(link); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("expected no link while the cable is out, got %v", err)
	}
	if err := d.Order(t.Context(), "move e2e4"); err != nil {
		t.Fatal(err)
	}
	if err := d.Order(t.Context(), "wait 1s"); err != nil { // a scan
		t.Fatal(err)
	}
	if err := d.Order(t.Context(), "replug"); err != nil {
		t.Fatal(err)
	}
	if d.PTY() == was || d.PTY() == "" {
		t.Errorf("expected another name than %s, got %q", was, d.PTY())
	}
	h = dial(t, link)
	h.send(dgt.SendBoard())
	h.until("the board with the move", func(m dgt.Message) bool {
		b, ok := m.(*dgt.BoardDump)
		return ok && b.Placement[sq(t, "e4")] == dgt.WhitePawn
	})
	d.Close()
	if _, err := os.Lstat(link); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("expected no link after Close, got %v", err)
	}
	if err := d.Order(t.Context(), "move e4e5"); !errors.Is(err, ErrClosed) {
		t.Errorf("expected %v, got %v", ErrClosed, err)
	}
}

func TestDeviceRefusesToReplaceAFile(t *testing.T) {
	link := filepath.Join(t.TempDir(), "board")
	if err := os.WriteFile(link, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(t.Context(), Options{Link: link}); err == nil {
		d.Close()
		t.Error("expected an error where a file is in the way")
	}
}

func TestDeviceOutlivesItsHosts(t *testing.T) {
	// A host that reads nothing, and one that goes away, do not stop the board.
	d := open(t, Options{Config: start(1), Speed: 500})
	h := dial(t, d.Path())
	h.send(dgt.Update())
	h.send(dgt.SendLog())
	h.send(dgt.SendLog()) // more than a pty holds
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := d.Order(ctx, "wait 60s"); err != nil {
		t.Fatal(err)
	}
	h.file.Close()
	h = dial(t, d.Path())
	h.send(dgt.SendVersion())
	h.until("a version", isA[*dgt.Version])
}

func TestDeviceStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, err := Open(ctx, Options{Config: start(1)})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-d.Done()
	d.Close()
	if path := d.PTY(); path != "" {
		t.Errorf("expected no port any more, got %s", path)
	}
}
