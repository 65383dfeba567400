package journal

import "fmt"

// survey is what the pages of a journal hold, whatever its tree says.
type survey struct {
	rows    int
	seqs    bitset
	last    uint64           // highest seq that is not only in a write that was cut
	cut     uint64           // highest seq of a write that was cut
	run     int64            // highest run
	game    int64            // highest game
	nth     map[int64]uint64 // table -> its highest nth
	tail    int              // pages of a write that was cut
	damaged bool             // the log may be, by its own checksums
}

// survey looks at every page.
func (p *pageFiles) survey() (survey, error) {
	v := survey{nth: map[int64]uint64{}, tail: p.wal.tail, damaged: p.wal.damaged}
	page := make([]byte, p.pageSize)
	for s := range p.sources() {
		if err := p.read(page, s); err != nil {
			return v, err
		}
		p.rows(page, func(_ int, f *foundRow) {
			v.run, v.game = max(v.run, f.run()), max(v.game, f.numbers[6])
			if s.tail || s.loose {
				v.cut = max(v.cut, f.seq())
				return
			}
			if v.seqs.set(f.seq()) {
				v.rows++
			}
			v.last = max(v.last, f.seq())
			v.nth[f.numbers[4]] = max(v.nth[f.numbers[4]], uint64(f.numbers[5]))
		})
	}
	return v, nil
}

// fits compares the pages with the last seq that SQLite finds and with what is known
// to be lost: nil when nothing is amiss.
func (v *survey) fits(last uint64, known []span) error {
	switch {
	case v.damaged && v.cut > last:
		return fmt.Errorf("the write-ahead log has a bad page before good ones")
	case v.last > last:
		return fmt.Errorf("expected facts up to seq %d, the last to be read is %d", v.last, last)
	}
	for _, k := range known {
		for seq := k.first; seq <= k.last; seq++ {
			v.seqs.set(seq)
		}
	}
	if missing := v.seqs.missing(last); len(missing) > 0 {
		return fmt.Errorf("facts that cannot be read: seq %s", spans(missing))
	}
	return nil
}

// span is a run of seqs.
type span struct{ first, last uint64 }

func (s span) String() string {
	if s.first == s.last {
		return fmt.Sprint(s.first)
	}
	return fmt.Sprintf("%d to %d", s.first, s.last)
}

// spans lists the first of many.
func spans(list []span) string {
	const told = 5
	text := ""
	for i, s := range list {
		if i == told {
			return text + fmt.Sprintf(" and %d more places", len(list)-told)
		}
		if i > 0 {
			text += ", "
		}
		text += s.String()
	}
	return text
}

// bitset is a set of seqs.
type bitset []uint64

// set adds a seq and says whether it is new.
func (b *bitset) set(seq uint64) bool {
	word, bit := seq/64, uint64(1)<<(seq%64)
	for uint64(len(*b)) <= word {
		*b = append(*b, make([]uint64, 1+len(*b)/2)...)
	}
	fresh := (*b)[word]&bit == 0
	(*b)[word] |= bit
	return fresh
}

// missing are the seqs from 1 to last that are not in the set.
func (b bitset) missing(last uint64) (list []span) {
	for seq := uint64(1); seq <= last; seq++ {
		word := uint64(0)
		if i := seq / 64; i < uint64(len(b)) {
			word = b[i]
		}
		if seq%64 == 0 && word == ^uint64(0) {
			seq += 63
			continue
		}
		if word&(1<<(seq%64)) != 0 {
			continue
		}
		if n := len(list); n > 0 && list[n-1].last == seq-1 {
			list[n-1].last = seq
		} else {
			list = append(list, span{seq, seq})
		}
	}
	return list
}
