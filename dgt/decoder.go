package dgt

// Mode is the mode the host has put a board into. It decides what id 86 means;
// all other ids are the same in both.
type Mode uint8

// The two modes. Single is the zero value because it is what boardd uses.
const (
	Single Mode = iota // one board on the line
	Bus                // many boards share the line
)

// String returns "single" or "bus".
func (m Mode) String() string {
	if m == Bus {
		return "bus"
	}
	return "single"
}

// keptBytes is how many skipped bytes a decoder remembers for a debug dump.
const keptBytes = 256

// Decoder turns the bytes of a board into messages. The zero value is ready
// for a single board. It is not safe for concurrent use.
//
// Any byte >= 80 starts a message, always: when one is due to go on, bytes
// were lost and the partial message is skipped. A message whose declared
// length does not fit its id is skipped up to the next byte >= 80. Memory is
// bounded by the longest message the format allows, 16383 bytes.
type Decoder struct {
	// Mode may be changed between two calls of Feed.
	Mode Mode

	buf   []byte // the message being received, from its id on
	size  int    // its declared length, 0 until the header is complete
	stats DecoderStats

	skipped  [keptBytes]byte // ring of the bytes that made no sense
	skippedN uint64

	slots slots
}

// DecoderStats counts what a decoder has seen. Bytes is the sum of MessageBytes,
// SkippedBytes and what is pending.
type DecoderStats struct {
	Bytes        uint64
	MessageBytes uint64 // in whole messages, rejected and ignored ones included
	Messages     uint64 // understood and emitted
	SkippedBytes uint64 // noise and parts of broken messages
	Resyncs      uint64 // partial messages cut off by the start of the next
	BadLength    uint64 // messages whose length does not fit their id
	BadChecksum  uint64 // bus replies, emitted as *Rejected
	OutOfRange   uint64 // squares, pieces, times; emitted as *Rejected
	Unknown      uint64 // emitted as *Unknown
	EmptyClock   uint64 // all-zero clock messages, ignored
	TurnMismatch uint64 // clock times whose turn bits contradict the lever

	LastRejected Reason // of the latest *Rejected, 0 if there was none
	LastID       byte   // its id
	LastValue    byte   // the offending byte; of a checksum, the one received
}

// Feed takes the next bytes from the wire, cut anywhere, and calls emit for
// each message they complete. It allocates nothing once its buffer has grown to
// the longest message seen. emit must not call Feed.
func (d *Decoder) Feed(chunk []byte, emit func(Message)) {
	d.stats.Bytes += uint64(len(chunk))
	for _, b := range chunk {
		if b >= 0x80 {
			if len(d.buf) > 0 {
				d.stats.Resyncs++
				d.drop()
			}
			d.buf = append(d.buf, b)
			continue
		}
		if len(d.buf) == 0 {
			d.skip(b)
			continue
		}
		d.buf = append(d.buf, b)
		if len(d.buf) == headerLen {
			d.size = int(d.buf[1])<<7 | int(d.buf[2])
			if !lengthFits(d.buf[0], d.size, d.Mode) {
				d.stats.BadLength++
				d.drop()
				continue
			}
		}
		if len(d.buf) == d.size {
			d.stats.MessageBytes += uint64(d.size)
			m := d.decode(d.buf)
			d.buf, d.size = d.buf[:0], 0
			if m != nil {
				emit(m)
			}
		}
	}
}

// Reset skips a partial message, as after a link has been lost. The counters
// go on.
func (d *Decoder) Reset() {
	d.drop()
}

// Pending returns how many bytes of an unfinished message are held.
func (d *Decoder) Pending() int { return len(d.buf) }

// Stats returns the counters.
func (d *Decoder) Stats() DecoderStats { return d.stats }

// AppendSkipped appends the latest skipped bytes, up to 256, oldest first.
func (d *Decoder) AppendSkipped(dst []byte) []byte {
	if d.skippedN <= keptBytes {
		return append(dst, d.skipped[:d.skippedN]...)
	}
	i := d.skippedN % keptBytes
	dst = append(dst, d.skipped[i:]...)
	return append(dst, d.skipped[:i]...)
}

func (d *Decoder) drop() {
	for _, b := range d.buf {
		d.skip(b)
	}
	d.buf, d.size = d.buf[:0], 0
}

func (d *Decoder) skip(b byte) {
	d.skipped[d.skippedN%keptBytes] = b
	d.skippedN++
	d.stats.SkippedBytes++
}

// lengthFits reports whether a message of this id can have n bytes in all.
// Where the sheet knows several lengths, or none, it is lenient: an overlong
// message costs nothing, since the next one cuts it off.
func lengthFits(id byte, n int, mode Mode) bool {
	if isBusID(id, mode) {
		switch id {
		case IDBusBoardDump:
			return n == busMinLen+Squares
		case IDBusClock:
			return n == busMinLen+7
		case IDBusPing, IDBusStartSet:
			return n == busMinLen
		case IDBusVersion:
			return n == busMinLen || n == busMinLen+2
		case IDBusDraughts:
			return n == busMinLen+draughtsHalfCells
		}
		return n >= busMinLen
	}
	switch id {
	case IDBoardDump:
		return n == headerLen+Squares || n == headerLen+100
	case IDClock:
		return n == headerLen+7
	case IDFieldUpdate, IDBusAddress, IDVersion, IDHardwareVersion:
		return n == headerLen+2
	case IDSerial:
		return n == headerLen+5
	case IDLongSerial:
		return n == headerLen+10
	case IDDraughtsBlack, IDDraughtsWhite:
		return n == headerLen+draughtsHalfCells
	case IDBattery:
		return n > headerLen && n <= headerLen+16 // two sizes are on record
	}
	return n >= headerLen
}
