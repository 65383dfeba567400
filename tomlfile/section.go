package tomlfile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Section is one table of a document while its keys are read. Each read notes
// the key as known; Done then reports the others.
type Section struct {
	doc    *Document
	at     keyPath
	label  string // as a person reads it: "table.number" without row numbers
	values map[string]any
	known  []string
}

// Root is the table that the whole document is.
func (d *Document) Root() *Section {
	return &Section{doc: d, values: d.values}
}

// Check tells what was expected when a text is wrong, or "" when it is right.
type Check func(text string) (expected string)

// Text reads a text into, when the key is there and its value right.
func (s *Section) Text(key string, into *string, ok Check) {
	if value, there := s.take(key); there {
		s.readText(s.at.to(key), key, value, into, ok)
	}
}

// Texts reads a list of texts, all different.
func (s *Section) Texts(key string, into *[]string, ok Check) {
	value, there := s.take(key)
	if !there {
		return
	}
	list, isList := value.([]any)
	if !isList {
		s.badValue(s.at.to(key), key, "a list of texts, as in [\"...\", \"...\"]", describe(value))
		return
	}
	read := make([]string, 0, len(list))
	for i, value := range list {
		var text string
		at := s.at.to(key).row(i)
		if !s.readText(at, key, value, &text, ok) {
			continue
		}
		if slices.Contains(read, text) {
			s.badValue(at, key, "each entry once", strconv.Quote(text)+" again")
			continue
		}
		read = append(read, text)
	}
	*into = read
}

// quoted is a value as a fault shows it: its beginning is enough to find it by.
func quoted(text string) string {
	const most = 120 // characters; the longest FEN is shorter
	if r := []rune(text); len(r) > most {
		return strconv.Quote(string(r[:most]) + "...")
	}
	return strconv.Quote(text)
}

func (s *Section) readText(at keyPath, key string, value any, into *string, ok Check) bool {
	text, isText := value.(string)
	if !isText {
		s.badValue(at, key, "a text in quotes", describe(value))
		return false
	}
	if expected := ok(text); expected != "" {
		s.badValue(at, key, expected, quoted(text))
		return false
	}
	*into = text
	return true
}

// Integer reads a whole number from lowest to highest.
func (s *Section) Integer(key string, into *int, lowest, highest int) {
	value, there := s.take(key)
	if !there {
		return
	}
	n, isInteger := value.(int64)
	if !isInteger || n < int64(lowest) || n > int64(highest) {
		s.badValue(s.at.to(key), key, fmt.Sprintf("a whole number from %d to %d", lowest, highest), describe(value))
		return
	}
	*into = int(n)
}

// Number reads a number, whole or with a decimal point, from lowest to highest.
func (s *Section) Number(key string, into *float64, lowest, highest float64) {
	value, there := s.take(key)
	if !there {
		return
	}
	n, ok := value.(float64)
	if whole, isInteger := value.(int64); isInteger {
		n, ok = float64(whole), true
	}
	if !ok || !(n >= lowest && n <= highest) { // not a number is in no range
		s.badValue(s.at.to(key), key, fmt.Sprintf("a number from %g to %g", lowest, highest), describe(value))
		return
	}
	*into = n
}

// Integers reads a list of whole numbers, all different.
func (s *Section) Integers(key string, into *[]int, lowest, highest int) {
	if value, there := s.take(key); there {
		s.readIntegers(s.at.to(key), key, value, into, lowest, highest)
	}
}

// IntegerLists reads a list of lists of whole numbers, as in [[1, 2], [3, 4]].
func (s *Section) IntegerLists(key string, into *[][]int, lowest, highest int) {
	value, there := s.take(key)
	if !there {
		return
	}
	lists, isList := value.([]any)
	for _, list := range lists {
		if _, inner := list.([]any); !inner {
			isList = false
		}
	}
	if !isList {
		s.badValue(s.at.to(key), key, "a list of lists, as in [[1, 2], [3, 4]]", describe(value))
		return
	}
	read := make([][]int, len(lists))
	for i, list := range lists {
		s.readIntegers(s.at.to(key).row(i), key, list, &read[i], lowest, highest)
	}
	*into = read
}

func (s *Section) readIntegers(at keyPath, key string, value any, into *[]int, lowest, highest int) {
	list, isList := value.([]any)
	if !isList {
		s.badValue(at, key, "a list of whole numbers, as in [1, 2]", describe(value))
		return
	}
	read := make([]int, 0, len(list))
	for i, value := range list {
		n, isInteger := value.(int64)
		switch {
		case !isInteger || n < int64(lowest) || n > int64(highest):
			s.badValue(at.row(i), key, fmt.Sprintf("a whole number from %d to %d", lowest, highest), describe(value))
		case slices.Contains(read, int(n)):
			s.badValue(at.row(i), key, "each number once", strconv.FormatInt(n, 10)+" again")
		default:
			read = append(read, int(n))
		}
	}
	*into = read
}

// Flag reads true or false.
func (s *Section) Flag(key string, into *bool) {
	value, there := s.take(key)
	if !there {
		return
	}
	on, isBool := value.(bool)
	if !isBool {
		s.badValue(s.at.to(key), key, "true or false", describe(value))
		return
	}
	*into = on
}

// Table returns the section below a key; an empty one when it is not there.
func (s *Section) Table(key string) *Section {
	below := &Section{doc: s.doc, at: s.at.to(key), label: s.name(key)}
	if value, there := s.take(key); there {
		values, isTable := value.(map[string]any)
		if !isTable {
			s.badKey(below.at, key, fmt.Sprintf("a table, as in [%s]", below.label), describe(value))
		}
		below.values = values
	}
	return below
}

// Tables returns the sections of an array of tables.
func (s *Section) Tables(key string) []*Section {
	value, there := s.take(key)
	if !there {
		return nil
	}
	list, isList := value.([]any)
	var rows []*Section
	for i, row := range list {
		values, isTable := row.(map[string]any)
		if !isTable {
			isList = false
			break
		}
		rows = append(rows, &Section{doc: s.doc, at: s.at.to(key).row(i), label: s.name(key), values: values})
	}
	if !isList {
		s.badKey(s.at.to(key), key, fmt.Sprintf("tables, as in [[%s]]", s.name(key)), describe(value))
		return nil
	}
	return rows
}

// Done reports the keys that nothing has read.
func (s *Section) Done() {
	slices.Sort(s.known)
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		if !slices.Contains(s.known, key) {
			s.doc.badKey(s.at.to(key), s.label, "one of "+strings.Join(s.known, ", "), "the unknown key "+strconv.Quote(key))
		}
	}
}

// Has tells whether the key is there.
func (s *Section) Has(key string) bool {
	_, there := s.values[key]
	return there
}

// Faults is how many faults the whole document has shown so far. What would only
// follow from them need not be told.
func (s *Section) Faults() int { return len(s.doc.faults) }

// IsText tells whether the key is there and its value a text.
func (s *Section) IsText(key string) bool {
	_, isText := s.values[key].(string)
	return isText
}

// Require reports a key that has to be there.
func (s *Section) Require(key string) {
	if !s.Has(key) {
		s.doc.badKey(s.at, s.label, "the key "+key, "none")
	}
}

// Once reports a value that an earlier row of the same array already has.
func (s *Section) Once(key, value string, seen map[string]bool) {
	if value == "" {
		return
	}
	if seen[value] {
		s.badValue(s.at.to(key), key, fmt.Sprintf("a %s that no other %s has", key, s.label), value+" again")
	}
	seen[value] = true
}

// Bad reports a fault in the value of a key that its reader could not see alone,
// at the key's place or, if the key is not there, at the section's.
func (s *Section) Bad(key, expected, got string) {
	if !s.Has(key) {
		s.doc.badKey(s.at, s.name(key), expected, got)
		return
	}
	s.badValue(s.at.to(key), key, expected, got)
}

// BadRow reports a fault in one entry, from 0, of a list.
func (s *Section) BadRow(key string, row int, expected, got string) {
	s.badValue(s.at.to(key).row(row), key, expected, got)
}

func (s *Section) take(key string) (value any, there bool) {
	s.known = append(s.known, key)
	value, there = s.values[key]
	return value, there
}

// name is the key as a person reads it.
func (s *Section) name(key string) string {
	if s.label == "" {
		return key
	}
	return s.label + "." + key
}

// badValue records a fault that stands at a value, badKey one at a key.
func (s *Section) badValue(at keyPath, key, expected, got string) {
	s.doc.badValue(at, s.name(key), expected, got)
}

func (s *Section) badKey(at keyPath, key, expected, got string) {
	s.doc.badKey(at, s.name(key), expected, got)
}

func (d *Document) badValue(at keyPath, label, expected, got string) {
	offset, ok := d.valueAt[at]
	if !ok {
		offset = d.keyAt[at]
	}
	d.add(offset, label, expected, got)
}

func (d *Document) badKey(at keyPath, label, expected, got string) {
	offset, ok := d.keyAt[at]
	if !ok {
		offset = d.valueAt[at] // a row of a list in line has no key
	}
	d.add(offset, label, expected, got)
}

// maxFaults is more than anybody mends before he looks again. To find the place
// of each takes time in proportion to the file, so a hostile one must not have many.
const maxFaults = 1000

func (d *Document) add(offset int, label, expected, got string) {
	if len(d.faults) < maxFaults {
		d.faults = append(d.faults, d.fault(offset, label, expected, got))
	}
}

// describe names a TOML value by its kind, as far as it is worth showing.
func describe(value any) string {
	switch v := value.(type) {
	case string:
		return "the text " + quoted(v)
	case int64:
		return "the number " + strconv.FormatInt(v, 10)
	case float64:
		return "the number " + strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
