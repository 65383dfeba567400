package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Sizes in a write-ahead log (SQLite file format, section 4).
const (
	walHeader   = 32
	frameHeader = 24
)

// walFrame is a page as a write-ahead log holds it.
type walFrame struct {
	page   uint32
	offset int64 // of the page in the file
	live   bool  // in a transaction that was written whole: SQLite reads it
	tail   bool  // of the present log, but behind the first frame that is not whole
	loose  bool  // not whole, and of no log that can be told: it may be of a write that was cut
}

// walState is what a write-ahead log holds, told from its own checksums.
type walState struct {
	pageSize int
	frames   []walFrame // all of the file, stale ones too
	live     int        // frames that SQLite reads
	tail     int        // frames of the present log behind them: a write that was cut
	// damaged: behind the first bad frame a later transaction began. It is written only
	// after the one before it was synced. So the bad frame is damage, or all of it is left
	// over from before a checkpoint: a new log was being written over it when the power went.
	damaged bool
	// headless: the header is not whole, so SQLite reads none of the frames.
	headless bool
}

// readWAL looks through a write-ahead log; an absent one is empty.
func readWAL(path string) (walState, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return walState{}, nil
	}
	if err != nil {
		return walState{}, err
	}
	defer func() { _ = f.Close() }() // was only read
	return scanWAL(bufio.NewReaderSize(f, 1<<16))
}

func scanWAL(r io.Reader) (walState, error) {
	var w walState
	header := make([]byte, walHeader)
	if _, err := io.ReadFull(r, header); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return w, nil
		}
		return w, err
	}
	order := binary.ByteOrder(binary.LittleEndian)
	magic := binary.BigEndian.Uint32(header)
	if magic&1 != 0 {
		order = binary.BigEndian
	}
	w.pageSize = int(binary.BigEndian.Uint32(header[8:]))
	var sum walSum
	sum.add(order, header[:24])
	w.headless = magic&^1 != 0x377f0682 || !sum.is(header[24:]) || !pageSizeOK(w.pageSize)
	if !pageSizeOK(w.pageSize) {
		w.pageSize = 4096
	}
	var salt [8]byte
	copy(salt[:], header[16:24])

	frame := make([]byte, frameHeader+w.pageSize)
	whole := !w.headless    // every frame so far is
	pending := 0            // whole frames since the last commit
	committedLater := false // behind a bad frame a commit was seen
	var old walSum          // what the frame before ends with, if it is of an old log
	for offset := int64(walHeader); ; offset += int64(len(frame)) {
		n, err := io.ReadFull(r, frame)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return w, err
		}
		if n < frameHeader {
			break
		}
		partial := n < len(frame)
		ours := [8]byte(frame[8:16]) == salt
		if ours && committedLater {
			w.damaged = true
		}
		commit := binary.BigEndian.Uint32(frame[4:]) != 0
		if whole {
			sum.add(order, frame[:8])
			sum.add(order, frame[frameHeader:])
			whole = !partial && ours && sum.is(frame[16:])
		}
		if !whole {
			for ; pending > 0; pending-- { // their transaction was cut
				w.frames[len(w.frames)-pending].tail = true
				w.tail++
			}
		}
		switch {
		case whole:
			pending++
			if commit {
				for i := range pending - 1 {
					w.frames[len(w.frames)-1-i].live = true
				}
				w.live += pending
				pending = 0
			}
		case ours:
			w.tail++
			committedLater = committedLater || commit
		}
		if partial {
			break
		}
		// A frame of an old log is whole when it goes on from the one before it.
		loose := false
		if !whole && !ours && !w.headless {
			old.add(order, frame[:8])
			old.add(order, frame[frameHeader:])
			if loose = !old.is(frame[16:]); loose && stray(header, frame) {
				w.tail++
			}
		}
		old = walSum{binary.BigEndian.Uint32(frame[16:]), binary.BigEndian.Uint32(frame[20:])}
		w.frames = append(w.frames, walFrame{
			page: binary.BigEndian.Uint32(frame), offset: offset + frameHeader,
			live: whole && commit, tail: ours && !whole, loose: loose,
		})
	}
	for i := range pending { // whole, but their transaction is not
		w.frames[len(w.frames)-1-i].tail = true
		w.tail++
	}
	return w, nil
}

// manyLogs is more logs than are begun in a file while frames of an old one stand in it.
const manyLogs = 1 << 20

// stray reports whether a frame is of no log before the one of the header. The first half
// of the salt counts the logs that were begun; there is no page 0.
func stray(header, frame []byte) bool {
	if binary.BigEndian.Uint32(frame) == 0 {
		return true
	}
	before := binary.BigEndian.Uint32(header[16:]) - binary.BigEndian.Uint32(frame[8:])
	return before == 0 || before > manyLogs
}

// walSum is the running checksum of a write-ahead log.
type walSum struct{ a, b uint32 }

func (s *walSum) add(order binary.ByteOrder, p []byte) {
	for i := 0; i+8 <= len(p); i += 8 {
		s.a += order.Uint32(p[i:]) + s.b
		s.b += order.Uint32(p[i+4:]) + s.a
	}
}

func (s *walSum) is(p []byte) bool {
	return binary.BigEndian.Uint32(p) == s.a && binary.BigEndian.Uint32(p[4:]) == s.b
}

func pageSizeOK(n int) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }
