package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Damage tells what became of a damaged file.
type Damage struct {
	Why   string // what was found wrong
	Aside string // where the file stands now, whole
	Kept  int    // facts that went to the new file
	Lost  uint64 // facts that are known to have been there and could not be read
	Where string // their seqs
	Holes []Hole // at which tables
}

// Hole is where facts of a table are missing.
type Hole struct {
	Table int    // 0 is the venue
	Game  GameID // in progress there, as far as is known
	Facts uint64 // how many are missing
	After uint64 // seq of the table's last fact before the hole; 0: the hole is at the beginning
}

// String is for people.
func (d Damage) String() string {
	return fmt.Sprintf("the journal was damaged (%s); it was set aside as %s; %d facts were read from it, %s", d.Why, d.Aside, d.Kept, d.Losses())
}

// Losses says what is missing, for people.
func (d Damage) Losses() string {
	if d.Lost == 0 {
		return "none before the last of them is missing"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "lost: %d (seq %s)", d.Lost, d.Where)
	for i, h := range d.Holes {
		if i == 8 {
			fmt.Fprintf(&b, "; and %d more holes", len(d.Holes)-i)
			break
		}
		fmt.Fprintf(&b, "; %s: %d after seq %d", tableName(h.Table), h.Facts, h.After)
		if h.Game != 0 {
			fmt.Fprintf(&b, " in game %d", h.Game)
		}
	}
	return b.String()
}

func tableName(n int) string {
	if n == 0 {
		return "venue"
	}
	return fmt.Sprintf("table %d", n)
}

// Names beside the journal's own.
const (
	salvageSuffix = ".salvage" // being written
	newSuffix     = ".new"     // written whole; it only has to take the place of the damaged one
)

// logs are the files that belong to a database file, and itself last: while the
// old log stands, no other database may take the place.
var logs = []string{"-wal", "-shm", ""}

// salvage puts what can be read of the damaged file into a new one, sets the old
// one aside, and lets the new one take its place. A crash on the way loses
// nothing: the next open goes on.
func (s *store) salvage(ctx context.Context, why error) error {
	d := &Damage{Why: strings.TrimPrefix(why.Error(), errDamage.Error()+": ")}
	if err := s.rescue(ctx, d); err != nil {
		return fmt.Errorf("salvage of %s: %w", s.path, err)
	}
	var err error
	if d.Aside, err = s.swap(); err != nil {
		return fmt.Errorf("salvage of %s: %w", s.path, err)
	}
	s.notice(Notice{Kind: NoticeDamaged, Damage: d})
	return nil
}

// finishSalvage ends one that a crash has cut.
func (s *store) finishSalvage() error {
	if s.readOnly {
		return nil
	}
	if _, err := os.Stat(s.path + newSuffix); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	aside, err := s.swap()
	if err == nil {
		s.notice(Notice{Kind: NoticeDamaged, Damage: &Damage{
			Why: "found before boardd stopped, and salvaged then", Aside: aside, Where: "see the table repair",
		}})
	}
	return err
}

// swap moves the old files aside and the new one into their place.
func (s *store) swap() (aside string, err error) {
	aside = s.asideName()
	for _, log := range logs {
		if err := os.Rename(s.path+log, aside+log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Rename(s.path+newSuffix, s.path); err != nil {
		return "", err
	}
	return aside, syncDir(s.path)
}

// asideName is a name that nothing has, with the time of day for people.
func (s *store) asideName() string {
	ext := filepath.Ext(s.path)
	base := strings.TrimSuffix(s.path, ext) + ".damaged-" + s.wall().UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := base + ext
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", base, n, ext)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}

// spot is where a row lies.
type spot struct {
	seq  uint64
	run  int64
	from source
	cell int
}

// spots finds every row, in the order of seq, once each. Where two have the same
// seq, one is of a write that never became durable: a later run gave the seq again.
func (p *pageFiles) spots() (list []spot, err error) {
	page := make([]byte, p.pageSize)
	for s := range p.sources() {
		if s.tail && !p.wal.damaged {
			continue // of a write that was cut; nobody was told of it
		}
		if err := p.read(page, s); err != nil {
			continue // a sector that the disk cannot read any more
		}
		p.rows(page, func(cell int, f *foundRow) {
			list = append(list, spot{f.seq(), f.run(), s, cell})
		})
	}
	slices.SortStableFunc(list, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.seq, b.seq), -cmp.Compare(a.run, b.run))
	})
	return slices.CompactFunc(list, func(a, b spot) bool { return a.seq == b.seq }), nil
}

// rescue writes the new file.
func (s *store) rescue(ctx context.Context, d *Damage) (err error) {
	p, err := openPages(s.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	to := &store{path: s.path + salvageSuffix, vfs: s.vfs, pragmas: s.pragmas, wall: s.wall}
	if err := to.create(ctx, p.each, d); err != nil {
		return err
	}
	if err := os.Rename(to.path, s.path+newSuffix); err != nil {
		return err
	}
	return syncDir(s.path)
}

// each gives every row that can be read, in the order of seq.
func (p *pageFiles) each(yield func(row) error) error {
	list, err := p.spots()
	if err != nil {
		return err
	}
	page := make([]byte, p.pageSize)
	at := source{offset: -1}
	for _, x := range list {
		if x.from != at {
			if err := p.read(page, x.from); err != nil {
				return err
			}
			at = x.from
		}
		var r row
		p.rows(page, func(cell int, f *foundRow) {
			if cell == x.cell {
				r = f.row()
			}
		})
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

// create writes the file, of rows in the order of seq. It leaves none after an error.
func (s *store) create(ctx context.Context, each func(func(row) error) error, d *Damage) error {
	if err := s.discard(); err != nil {
		return err
	}
	err := s.connect(ctx)
	if err == nil {
		err = s.fill(ctx, each, d)
	}
	if err = errors.Join(err, s.shut()); err == nil {
		err = syncFile(s.path)
	}
	if err != nil {
		return errors.Join(err, s.discard())
	}
	return nil
}

// discard removes a file that was not made to its end.
func (s *store) discard() error {
	for _, log := range logs {
		if err := os.Remove(s.path + log); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// fill copies rows and notes what is missing between them.
func (s *store) fill(ctx context.Context, each func(func(row) error) error, d *Damage) error {
	gaps := newGaps()
	var lost []span
	batch := make([]row, 0, commitRows)
	next := uint64(1)
	err := each(func(r row) error {
		if h, missing := gaps.next(&r); missing {
			d.Holes = append(d.Holes, h)
		}
		if r.seq > next {
			lost = append(lost, span{next, r.seq - 1})
		}
		next = r.seq + 1
		d.Kept++
		if batch = append(batch, r); len(batch) < commitRows {
			return nil
		}
		err := s.commit(ctx, batch)
		batch = batch[:0]
		return err
	})
	if err == nil {
		err = s.commit(ctx, batch)
	}
	if err != nil {
		return err
	}
	for _, l := range lost {
		d.Lost += l.last - l.first + 1
		if err := s.addRepair(ctx, s.wall().UnixMilli(), l, "lost by damage: "+d.Why); err != nil {
			return err
		}
	}
	d.Where = spans(lost)
	return s.checkpoint(ctx)
}

// gaps follows the facts of each table and finds where some are missing.
type gaps struct {
	last map[int64]uint64 // table -> nth
	seq  map[int64]uint64
	game map[int64]int64
}

func newGaps() *gaps {
	return &gaps{map[int64]uint64{}, map[int64]uint64{}, map[int64]int64{}}
}

// next takes the rows in the order of seq. A hole is before the row.
func (g *gaps) next(r *row) (h Hole, missing bool) {
	expected := g.last[r.table] + 1
	if r.kind == (refused{}).kind() {
		expected += uint64(r.n)
	}
	if r.nth > expected {
		h, missing = Hole{Table: int(r.table), Game: GameID(g.game[r.table]), Facts: r.nth - expected, After: g.seq[r.table]}, true
	}
	g.last[r.table], g.seq[r.table] = r.nth, r.seq
	if r.game != 0 {
		g.game[r.table] = r.game
	}
	return h, missing
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
