package dgt

// CommandDecoder turns the bytes of a host into commands, as a board hears
// them. The emulator uses it. The zero value is ready; it is not safe for
// concurrent use.
//
// It knows the commands boardd never sends as well: Code tells them, and they
// are not Sendable. A clock frame swallows as many bytes as its size byte says,
// like a real board; a byte >= 80 inside one cuts it off.
type CommandDecoder struct {
	cmd   Command
	got   int // bytes of cmd received, kept or not
	want  int // its length, 0 until known
	stats CommandStats
}

// CommandStats counts what a CommandDecoder has seen. Every byte fed is in
// exactly one of: a whole command, SkippedBytes, or the partial command
// pending.
type CommandStats struct {
	Bytes        uint64
	Commands     uint64
	SkippedBytes uint64
	BadChecksum  uint64 // bus commands
}

// Feed takes the next bytes, cut anywhere, and calls emit for each command
// they complete. It allocates nothing. emit must not call Feed.
func (d *CommandDecoder) Feed(chunk []byte, emit func(Command)) {
	d.stats.Bytes += uint64(len(chunk))
	for _, b := range chunk {
		if d.got > 0 && b >= 0x80 && d.cmd.b[0] != codeKey {
			d.drop()
		}
		if d.got == 0 {
			d.want = firstWant(b)
			if d.want == 0 {
				d.stats.SkippedBytes++
				continue
			}
		}
		d.keep(b)
		if d.got == 2 && d.want == 2 { // a sized frame's size byte
			d.want = 2 + int(b)
		}
		if d.got < d.want {
			continue
		}
		c := d.cmd
		d.cmd, d.got, d.want = Command{}, 0, 0
		if c.b[0] >= 0x80 && c.b[3] != Checksum(c.b[:3]) {
			d.stats.BadChecksum++
			d.stats.SkippedBytes += busCommandLen
			continue
		}
		d.stats.Commands++
		emit(c)
	}
}

// firstWant returns how many bytes a command that begins with b has, as far as
// b tells: 1, 4 on a bus, 2 for a frame whose second byte is its size, 0 if no
// command begins so.
func firstWant(b byte) int {
	switch {
	case b >= 0x80:
		if BusOp(b).Known() {
			return busCommandLen
		}
	case singleNames[b] != "":
		return 1
	case b == codeClockFrame, b == codeI2CFrame, b == codeLEDs, b == codeKey:
		return 2
	}
	return 0
}

func (d *CommandDecoder) keep(b byte) {
	if d.got < commandCap {
		d.cmd.b[d.got] = b
		d.cmd.n++
	} else {
		d.cmd.cut = true
	}
	d.got++
}

func (d *CommandDecoder) drop() {
	d.stats.SkippedBytes += uint64(d.got)
	d.cmd, d.got, d.want = Command{}, 0, 0
}

// Reset skips a partial command, as when a board is unplugged.
func (d *CommandDecoder) Reset() { d.drop() }

// Pending returns how many bytes of an unfinished command are held.
func (d *CommandDecoder) Pending() int { return d.got }

// Stats returns the counters.
func (d *CommandDecoder) Stats() CommandStats { return d.stats }
