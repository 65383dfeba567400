package journal

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
)

// This file finds rows of the table fact by looking at pages one by one, without the
// tree that orders them (SQLite file format, sections 1.6 and 2.1). Facts never change,
// so a row whose checksum fits is true wherever it lies: in the tree, in a
// write-ahead log, in a stale copy.

// source is where a page lies.
type source struct {
	wal    bool
	live   bool // of the database as SQLite reads it, or was before it was damaged
	tail   bool // of a write to the log that was cut
	loose  bool // of a write to the log that may have been cut
	offset int64
}

// pageFiles are a database and its write-ahead log, as files.
type pageFiles struct {
	main, log io.ReaderAt // log may be nil
	size      int64       // of main
	pageSize  int
	wal       walState
	newest    map[uint32]int64 // page -> offset in the log
	closers   []io.Closer
}

// openPages opens a database for reading page by page. SQLite must not have it
// open in this process.
func openPages(path string) (*pageFiles, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &pageFiles{main: f, closers: []io.Closer{f}}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.size = info.Size()
	if p.wal, err = readWAL(path + "-wal"); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if len(p.wal.frames) > 0 {
		log, err := os.Open(path + "-wal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, p.close())
		}
		if err == nil {
			p.log = log
			p.closers = append(p.closers, log)
		}
	}
	p.index()
	return p, nil
}

// index notes the size of pages and which copy of each in the log is the newest.
func (p *pageFiles) index() {
	var header [18]byte
	_, _ = p.main.ReadAt(header[:], 0) // too short: no size is told
	p.pageSize = int(binary.BigEndian.Uint16(header[16:]))
	if p.pageSize == 1 {
		p.pageSize = 65536
	}
	if !pageSizeOK(p.pageSize) {
		p.pageSize = 4096
	}
	p.newest = map[uint32]int64{}
	if p.log == nil || p.wal.pageSize != p.pageSize {
		return
	}
	for _, f := range p.wal.frames {
		// What is not live is older than the database, or of a write that was cut; but where
		// the log is damaged it may be all there is.
		if f.live || p.wal.headless || p.wal.damaged && f.tail {
			p.newest[f.page] = f.offset
		}
	}
}

func (p *pageFiles) close() error {
	var all error
	for _, c := range p.closers {
		all = errors.Join(all, c.Close())
	}
	return all
}

// read reads a page; short is padded with zeros.
func (p *pageFiles) read(buf []byte, s source) error {
	r := p.main
	if s.wal {
		r = p.log
	}
	n, err := r.ReadAt(buf, s.offset)
	clear(buf[n:])
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// sources are all places where a page lies: the database's first, then the log's in the order of writing.
func (p *pageFiles) sources() iter.Seq[source] {
	return func(yield func(source) bool) {
		for at := int64(0); at < p.size; at += int64(p.pageSize) {
			if !yield(source{live: true, offset: at}) {
				return
			}
		}
		if p.log == nil || p.wal.pageSize != p.pageSize {
			return
		}
		for _, f := range p.wal.frames {
			if !yield(source{wal: true, live: f.live, tail: f.tail, loose: f.loose, offset: f.offset}) {
				return
			}
		}
	}
}

// overflow reads page number no for a long row: the newest copy.
func (p *pageFiles) overflow(buf []byte, no uint32) bool {
	if offset, ok := p.newest[no]; ok {
		return p.read(buf, source{wal: true, offset: offset}) == nil
	}
	offset := (int64(no) - 1) * int64(p.pageSize)
	return no > 0 && offset < p.size && p.read(buf, source{offset: offset}) == nil
}

// foundRow is a row as its page holds it: the words are valid until the next row.
type foundRow struct {
	numbers [9]int64
	words   [7][]byte
}

func (f *foundRow) seq() uint64 { return uint64(f.numbers[0]) }
func (f *foundRow) run() int64  { return f.numbers[1] }

// row is a copy that stays.
func (f *foundRow) row() row {
	n, w := &f.numbers, &f.words
	r := row{
		seq: uint64(n[0]), run: n[1], at: n[2], wall: n[3], table: n[4], nth: uint64(n[5]), game: n[6], ply: n[7], n: n[8],
		kind: string(w[0]), who: string(w[1]), from: string(w[2]), step: string(w[3]),
		code: string(w[4]), text: string(w[5]), fen: string(w[6]),
	}
	r.sum = r.checksum()
	return r
}

// columns of the table fact.
const columns = 17

// rows gives every row on a page whose checksum fits.
func (p *pageFiles) rows(page []byte, yield func(cell int, f *foundRow)) {
	head := 0
	if len(page) > 100 && string(page[:15]) == "SQLite format 3" {
		head = 100
	}
	if len(page) < head+8 || page[head] != 0x0d { // a leaf of a table
		return
	}
	cells := int(binary.BigEndian.Uint16(page[head+3:]))
	var f foundRow
	for i := range cells {
		at := head + 8 + 2*i
		if at+2 > len(page) {
			return
		}
		if p.cell(page, int(binary.BigEndian.Uint16(page[at:])), &f) {
			yield(i, &f)
		}
	}
}

// cell reads the cell that begins at offset at.
func (p *pageFiles) cell(page []byte, at int, f *foundRow) bool {
	if at >= len(page) {
		return false
	}
	length, n := varint(page[at:])
	if n == 0 || length > 2*maxText {
		return false
	}
	at += n
	seq, n := varint(page[at:])
	if n == 0 {
		return false
	}
	at += n
	payload, ok := p.payload(page[at:], len(page), int(length))
	return ok && record(payload, seq, f)
}

// payload is the cell's content: of one piece, or with the rest on pages of its own.
func (p *pageFiles) payload(rest []byte, usable, length int) ([]byte, bool) {
	local := length
	if most := usable - 35; length > most {
		least := (usable-12)*32/255 - 23
		if local = least + (length-least)%(usable-4); local > most {
			local = least
		}
	}
	if local == length {
		if len(rest) < length {
			return nil, false
		}
		return rest[:length], true
	}
	if len(rest) < local+4 {
		return nil, false
	}
	payload := append(make([]byte, 0, length), rest[:local]...)
	next := binary.BigEndian.Uint32(rest[local:])
	page := make([]byte, usable)
	for len(payload) < length {
		if !p.overflow(page, next) {
			return nil, false
		}
		next = binary.BigEndian.Uint32(page)
		payload = append(payload, page[4:min(usable, 4+length-len(payload))]...)
	}
	return payload, true
}

// record reads a row of the table fact and compares its checksum.
func record(payload []byte, seq uint64, f *foundRow) bool {
	size, n := varint(payload)
	if n == 0 || size > uint64(len(payload)) {
		return false
	}
	head, body := payload[n:max(n, int(size))], payload[size:]
	var numbers [columns]int64
	var words [columns][]byte
	for i := range columns {
		t, n := varint(head)
		if n == 0 {
			return false
		}
		head = head[n:]
		width := typeWidth(t)
		if width > len(body) {
			return false
		}
		numbers[i], words[i] = integer(t, body[:width]), nil
		if t >= 13 {
			words[i] = body[:width]
		}
		body = body[width:]
	}
	if len(head) != 0 {
		return false
	}
	f.numbers = [9]int64{int64(seq), numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[8], numbers[9]}
	f.words = [7][]byte{words[7], words[10], words[11], words[12], words[13], words[14], words[15]}
	return checksum(&f.numbers, &f.words) == numbers[16]
}

// typeWidth is how many bytes a value of that serial type takes.
func typeWidth(t uint64) int {
	switch {
	case t <= 4:
		return int(t)
	case t == 5:
		return 6
	case t == 6, t == 7:
		return 8
	case t < 12:
		return 0
	}
	return int(min((t-12)/2, 1<<30))
}

// integer is the value of an integer type, 0 of all others.
func integer(t uint64, b []byte) int64 {
	if t == 9 {
		return 1
	}
	if t == 0 || t > 6 {
		return 0
	}
	v := int64(int8(b[0]))
	for _, c := range b[1:] {
		v = v<<8 | int64(c)
	}
	return v
}

// varint reads a SQLite varint, n = 0 when it is cut.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		c := b[n]
		v = v<<7 | uint64(c&0x7f)
		n++
		if c < 0x80 {
			return v, n
		}
	}
	if n < len(b) && n == 8 {
		return v<<8 | uint64(b[8]), 9
	}
	return 0, 0
}
