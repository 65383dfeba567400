package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Document is a TOML text as values, with the place of each key and value, so
// that a fault found long after parsing can still say where it stands.
type Document struct {
	name   string
	text   []byte
	values map[string]any
	// Byte offsets by path.
	keyAt, valueAt map[keyPath]int

	faults Faults
}

// keyPath leads to a key: each key or row number on the way, each ended by a NUL.
type keyPath string

// maxDepth is deeper than any key that boardd knows; a path ends there, so a
// hostile file cannot make long ones.
const maxDepth = 8

func (p keyPath) to(key string) keyPath {
	if strings.Count(string(p), "\x00") >= maxDepth {
		return p
	}
	return p + keyPath(key) + "\x00"
}

func (p keyPath) row(n int) keyPath { return p.to(strconv.Itoa(n)) }

// Parse reads TOML syntax only; what the keys mean is for sections. The name is
// the file's, as faults show it.
func Parse(name string, text []byte) (*Document, *Fault) {
	d := &Document{name: name, text: text, keyAt: map[keyPath]int{}, valueAt: map[keyPath]int{}}
	if at := invalidUTF8(text); at >= 0 {
		return nil, d.fault(at, "", "text in UTF-8", fmt.Sprintf("the byte 0x%02x", text[at]))
	}
	if err := toml.Unmarshal(text, &d.values); err != nil {
		at, why := 0, err.Error()
		var de *toml.DecodeError
		if errors.As(err, &de) {
			at = offsetOf(text, de)
		}
		why = strings.TrimPrefix(why, "toml: ")
		return nil, d.fault(at, "", "TOML", fmt.Sprintf("%s (%s)", d.quoteAt(at), why))
	}
	d.locate()
	return d, nil
}

// locate walks the syntax tree for the places of keys and values. The text has
// been parsed once already, so it holds no errors.
func (d *Document) locate() {
	var p unstable.Parser
	p.Reset(d.text)
	var section keyPath
	rows := map[keyPath]int{} // of each [[array of tables]] so far
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			section = ""
			for it := e.Key(); it.Next(); {
				key := it.Node()
				section = section.to(string(key.Data))
				d.noteKey(section, key)
				if e.Kind == unstable.ArrayTable && it.IsLast() {
					rows[section]++
				}
				if n := rows[section]; n > 0 {
					section = section.row(n - 1)
					d.noteKey(section, key)
				}
			}
		case unstable.KeyValue:
			d.locateKeyValue(section, e)
		}
	}
}

func (d *Document) locateKeyValue(at keyPath, kv *unstable.Node) {
	end := 0
	for it := kv.Key(); it.Next(); {
		key := it.Node()
		at = at.to(string(key.Data))
		d.noteKey(at, key)
		end = int(key.Raw.Offset + key.Raw.Length)
	}
	// Only scalars know their own place, so look behind the "=".
	end += bytes.IndexByte(d.text[end:], '=') + 1
	for end < len(d.text) && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	d.locateValue(at, kv.Value(), end)
}

func (d *Document) locateValue(at keyPath, value *unstable.Node, offset int) {
	if _, ok := d.valueAt[at]; ok {
		return // cut off at maxDepth
	}
	d.valueAt[at] = offset
	switch value.Kind {
	case unstable.Array:
		n := 0
		for it := value.Children(); it.Next(); n++ {
			element := offset
			if it.Node().Raw.Length > 0 {
				element = int(it.Node().Raw.Offset)
			}
			d.locateValue(at.row(n), it.Node(), element)
		}
	case unstable.InlineTable:
		for it := value.Children(); it.Next(); {
			d.locateKeyValue(at, it.Node())
		}
	}
}

// noteKey keeps the first place of a key that several headers name.
func (d *Document) noteKey(at keyPath, key *unstable.Node) {
	if _, ok := d.keyAt[at]; !ok {
		d.keyAt[at] = int(key.Raw.Offset)
	}
}

// fault makes the error for the byte at the offset.
func (d *Document) fault(offset int, key, expected, got string) *Fault {
	before := d.text[:min(offset, len(d.text))]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return &Fault{
		File:     d.name,
		Line:     bytes.Count(before, []byte("\n")) + 1,
		Column:   utf8.RuneCount(before[lineStart:]) + 1,
		Key:      key,
		Expected: expected,
		Got:      got,
	}
}

// quoteAt is the rest of the line, as far as a person needs it to find the spot.
func (d *Document) quoteAt(offset int) string {
	const enough = 20
	rest, _, _ := strings.Cut(string(d.text[min(offset, len(d.text)):]), "\n")
	if strings.TrimSpace(rest) == "" {
		return "the end of the line"
	}
	if runes := []rune(strings.TrimRight(rest, "\r")); len(runes) > enough {
		rest = string(runes[:enough]) + "..."
	}
	return strconv.Quote(strings.TrimRight(rest, "\r"))
}

// offsetOf turns the parser's line and byte column, both from 1, into an offset.
func offsetOf(text []byte, e *toml.DecodeError) int {
	line, column := e.Position()
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return min(at+column-1, len(text))
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}
