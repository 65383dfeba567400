package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// simDisk is a disk that can be watched, cut from power, and made to fail. It is a VFS
// of SQLite that passes everything to the system's own, and notes what changes a file, in
// order: so the states a power cut could leave at any moment can be made afterwards.
//
// The model: what was written to a file before its last sync is on the disk. Of what was
// written since, any part may be, in any order, torn at sectors of 512 bytes. A new file is
// there for sure after its first sync (SQLite syncs the folder then, too); a deletion may be undone until
// the next sync.
type simDisk struct {
	name string

	mu  sync.Mutex
	ops []diskOp
	// fail is asked before each operation that changes something; other than 0 is what
	// SQLite is told instead. It may block.
	fail func(diskOp) int32
	// short has half of a write that fails reach the file first.
	short bool
	// readOnly opens everything for reading only.
	readOnly bool

	files map[uintptr]string // open files: their struct in SQLite's memory -> path
}

type diskOp struct {
	kind opKind
	path string
	off  int64
	data []byte
	size int64
	seq  uint64
}

type opKind uint8

const (
	opCreate opKind = iota
	opWrite
	opTruncate
	opSync
	opDelete
	opAck // a fact was told to be durable
)

var simDisks atomic.Int64

// C memory that lives as long as the process: SQLite keeps pointers to it.
var vfsMu sync.Mutex

func method(f any) uintptr {
	// A func value is a pointer to its code's cell, which is what the library calls.
	return *(*uintptr)(unsafe.Add(unsafe.Pointer(&f), unsafe.Sizeof(uintptr(0))))
}

// at is C memory as a Go pointer.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// call makes a C function pointer callable.
func call[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }

// newSimDisk registers a disk.
func newSimDisk(t testing.TB) *simDisk {
	t.Helper()
	vfsMu.Lock()
	defer vfsMu.Unlock()
	d := &simDisk{name: fmt.Sprintf("sim%d", simDisks.Add(1)), files: map[uintptr]string{}}
	tls := libc.NewTLS()
	defer tls.Close()
	realVFS := at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	name, err := libc.CString(d.name)
	if err != nil {
		t.Fatal(err)
	}
	mine := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	v := at[sqlite3.Tsqlite3_vfs](mine)
	*v = *realVFS
	v.FzName, v.FpNext = name, 0
	keep := []any{d.open(realVFS), d.remove(realVFS)}
	v.FxOpen, v.FxDelete = method(keep[0]), method(keep[1])
	if rc := sqlite3.Xsqlite3_vfs_register(tls, mine, 0); rc != 0 {
		t.Fatalf("register: %d", rc)
	}
	kept = append(kept, keep...)
	return d
}

// kept holds what only C memory points to.
var kept []any

type (
	openFunc   = func(tls *libc.TLS, vfs, path, file uintptr, flags int32, out uintptr) int32
	deleteFunc = func(tls *libc.TLS, vfs, path uintptr, syncDir int32) int32
	closeFunc  = func(tls *libc.TLS, file uintptr) int32
	writeFunc  = func(tls *libc.TLS, file, data uintptr, n int32, off int64) int32
	sizeFunc   = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc   = func(tls *libc.TLS, file uintptr, flags int32) int32
)

func (d *simDisk) open(real *sqlite3.Tsqlite3_vfs) openFunc {
	self := real // the system's VFS finds its own state through itself
	var one sync.Mutex
	mine := map[uintptr]uintptr{} // the system's methods of a kind of file -> ours
	return func(tls *libc.TLS, _, path, file uintptr, flags int32, out uintptr) int32 {
		name := ""
		if path != 0 {
			name = libc.GoString(path)
		}
		_, err := os.Stat(name)
		created := errors.Is(err, fs.ErrNotExist)
		d.mu.Lock()
		if d.readOnly {
			flags = flags&^(sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_CREATE) | sqlite3.SQLITE_OPEN_READONLY
		}
		d.mu.Unlock()
		if rc := d.note(diskOp{kind: opCreate, path: name}, created && flags&sqlite3.SQLITE_OPEN_CREATE != 0); rc != 0 {
			at[sqlite3.Tsqlite3_file](file).FpMethods = 0
			return rc
		}
		rc := call[openFunc](real.FxOpen)(tls, uintptr(unsafe.Pointer(self)), path, file, flags, out)
		f := at[sqlite3.Tsqlite3_file](file)
		if rc != 0 || f.FpMethods == 0 {
			return rc
		}
		one.Lock()
		ours := mine[f.FpMethods]
		if ours == 0 {
			ours = d.methods(tls, at[sqlite3.Tsqlite3_io_methods](f.FpMethods))
			mine[f.FpMethods] = ours
		}
		one.Unlock()
		f.FpMethods = ours
		d.mu.Lock()
		d.files[file] = name
		d.mu.Unlock()
		return rc
	}
}

func (d *simDisk) remove(real *sqlite3.Tsqlite3_vfs) deleteFunc {
	return func(tls *libc.TLS, vfs, path uintptr, syncDir int32) int32 {
		if rc := d.note(diskOp{kind: opDelete, path: libc.GoString(path)}, true); rc != 0 {
			return rc
		}
		return call[deleteFunc](real.FxDelete)(tls, vfs, path, syncDir)
	}
}

// methods are those of a file, with ours in front of some.
func (d *simDisk) methods(tls *libc.TLS, real *sqlite3.Tsqlite3_io_methods) uintptr {
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*real)))
	m := at[sqlite3.Tsqlite3_io_methods](p)
	*m = *real
	var (
		toClose closeFunc = func(tls *libc.TLS, file uintptr) int32 {
			rc := call[closeFunc](real.FxClose)(tls, file)
			d.mu.Lock()
			delete(d.files, file)
			d.mu.Unlock()
			return rc
		}
		toWrite writeFunc = func(tls *libc.TLS, file, data uintptr, n int32, off int64) int32 {
			op := diskOp{kind: opWrite, path: d.path(file), off: off, data: append([]byte(nil), unsafe.Slice(at[byte](data), n)...)}
			rc := d.note(op, true)
			switch {
			case rc == 0:
				return call[writeFunc](real.FxWrite)(tls, file, data, n, off)
			case d.short:
				d.half(op)
				_ = call[writeFunc](real.FxWrite)(tls, file, data, n/2, off) // it fails all the same
			}
			return rc
		}
		toTruncate sizeFunc = func(tls *libc.TLS, file uintptr, size int64) int32 {
			if rc := d.note(diskOp{kind: opTruncate, path: d.path(file), size: size}, true); rc != 0 {
				return rc
			}
			return call[sizeFunc](real.FxTruncate)(tls, file, size)
		}
		toSync syncFunc = func(_ *libc.TLS, file uintptr, _ int32) int32 {
			return d.note(diskOp{kind: opSync, path: d.path(file)}, true) // the disk is simulated: no need to wait for a real one
		}
	)
	keep := []any{toClose, toWrite, toTruncate, toSync}
	m.FxClose, m.FxWrite, m.FxTruncate, m.FxSync = method(keep[0]), method(keep[1]), method(keep[2]), method(keep[3])
	vfsMu.Lock()
	defer vfsMu.Unlock()
	kept = append(kept, keep...)
	return p
}

func (d *simDisk) path(file uintptr) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.files[file]
}

// note writes down an operation unless it is to fail.
func (d *simDisk) note(op diskOp, changes bool) int32 {
	d.mu.Lock()
	fail := d.fail
	d.mu.Unlock()
	if fail != nil && (changes || op.kind == opCreate) {
		if rc := fail(op); rc != 0 {
			return rc
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if changes && !strings.HasSuffix(op.path, "-shm") {
		d.ops = append(d.ops, op)
	}
	return 0
}

// half notes the first half of a write.
func (d *simDisk) half(op diskOp) {
	op.data = op.data[:len(op.data)/2]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, op)
}

func (d *simDisk) setReadOnly(is bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readOnly = is
}

func (d *simDisk) setFail(f func(diskOp) int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = f
}

// acked notes that somebody was told that a fact is durable.
func (d *simDisk) acked(seq uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, diskOp{kind: opAck, seq: seq})
}

// simFile is a file on the disk: what is there for sure, and what may be.
type simFile struct {
	there   bool // for sure
	gone    bool // deleted, not yet for sure
	durable []byte
	pending []diskOp
}

func apply(content []byte, op diskOp, rng *rand.Rand, torn bool) []byte {
	if op.kind == opTruncate {
		if int64(len(content)) > op.size {
			return content[:op.size]
		}
		return append(content, make([]byte, op.size-int64(len(content)))...)
	}
	const sector = 512
	for from := 0; from < len(op.data); {
		to := min(len(op.data), from+sector-int((op.off+int64(from))%sector))
		if !torn || rng.IntN(2) == 0 {
			if need := op.off + int64(to); int64(len(content)) < need {
				content = append(content, make([]byte, need-int64(len(content)))...)
			}
			copy(content[op.off+int64(from):], op.data[from:to])
		}
		from = to
	}
	return content
}

// cut puts into dir what a power cut before operation k leaves, and says up to which seq
// facts had been told to be durable.
func (d *simDisk) cut(t *testing.T, k int, dir string, rng *rand.Rand) (acked uint64) {
	t.Helper()
	files := map[string]*simFile{}
	for _, op := range d.ops[:k] {
		f := files[op.path]
		if f == nil {
			f = &simFile{}
			files[op.path] = f
		}
		switch op.kind {
		case opAck:
			acked = max(acked, op.seq)
		case opCreate:
			if f.gone { // the old name stands for the new file now
				*f = simFile{}
			}
		case opWrite, opTruncate:
			f.pending = append(f.pending, op)
		case opDelete:
			f.gone = true
		case opSync:
			for _, p := range f.pending {
				f.durable = apply(f.durable, p, rng, false)
			}
			f.pending, f.there = nil, true
			for _, other := range files {
				if other.gone && other != f {
					*other = simFile{}
				}
			}
		}
	}
	delete(files, "")
	mode := rng.IntN(5)
	for path, f := range files {
		if f.gone && rng.IntN(2) == 0 {
			continue
		}
		content := append([]byte(nil), f.durable...)
		exists := f.there
		upTo := len(f.pending)
		if mode == 3 && upTo > 0 {
			upTo = rng.IntN(upTo + 1)
		}
		for i, op := range f.pending[:upTo] {
			keep, torn := true, false
			switch mode {
			case 0: // nothing of it
				keep = false
			case 1: // all of it
			case 2: // any part
				keep = rng.IntN(2) == 0
			case 3: // a beginning, the last write torn
				torn = i == upTo-1
			case 4: // any part, torn
				keep, torn = rng.IntN(4) > 0, rng.IntN(2) == 0
			}
			if keep {
				content, exists = apply(content, op, rng, torn), true
			}
		}
		if exists {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return acked
}
