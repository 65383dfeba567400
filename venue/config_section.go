package venue

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// section is one table of a document while its keys are read. Each read notes
// the key as known; done then reports the others.
type section struct {
	doc    *document
	at     keyPath
	label  string // as a person reads it: "table.number" without row numbers
	values map[string]any
	known  []string
}

func (d *document) root() *section {
	return &section{doc: d, values: d.values}
}

// check tells what was expected when a text is wrong, or "" when it is right.
type check func(text string) (expected string)

// text reads a text into, when the key is there and its value right.
func (s *section) text(key string, into *string, ok check) {
	if value, there := s.take(key); there {
		s.readText(s.at.to(key), key, value, into, ok)
	}
}

// texts reads a list of texts, all different.
func (s *section) texts(key string, into *[]string, ok check) {
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

func (s *section) readText(at keyPath, key string, value any, into *string, ok check) bool {
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

// integer reads a whole number from lowest to highest.
func (s *section) integer(key string, into *int, lowest, highest int) {
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

// flag reads true or false.
func (s *section) flag(key string, into *bool) {
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

// table returns the section below a key; an empty one when it is not there.
func (s *section) table(key string) *section {
	below := &section{doc: s.doc, at: s.at.to(key), label: s.name(key)}
	if value, there := s.take(key); there {
		values, isTable := value.(map[string]any)
		if !isTable {
			s.badKey(below.at, key, fmt.Sprintf("a table, as in [%s]", below.label), describe(value))
		}
		below.values = values
	}
	return below
}

// tables returns the sections of an array of tables.
func (s *section) tables(key string) []*section {
	value, there := s.take(key)
	if !there {
		return nil
	}
	list, isList := value.([]any)
	var rows []*section
	for i, row := range list {
		values, isTable := row.(map[string]any)
		if !isTable {
			isList = false
			break
		}
		rows = append(rows, &section{doc: s.doc, at: s.at.to(key).row(i), label: s.name(key), values: values})
	}
	if !isList {
		s.badKey(s.at.to(key), key, fmt.Sprintf("tables, as in [[%s]]", s.name(key)), describe(value))
		return nil
	}
	return rows
}

// done reports the keys that nothing has read.
func (s *section) done() {
	slices.Sort(s.known)
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		if !slices.Contains(s.known, key) {
			s.doc.badKey(s.at.to(key), s.label, "one of "+strings.Join(s.known, ", "), "the unknown key "+strconv.Quote(key))
		}
	}
}

func (s *section) take(key string) (value any, there bool) {
	s.known = append(s.known, key)
	value, there = s.values[key]
	return value, there
}

// name is the key as a person reads it.
func (s *section) name(key string) string {
	if s.label == "" {
		return key
	}
	return s.label + "." + key
}

// badValue records a fault that stands at a value, badKey one at a key.
func (s *section) badValue(at keyPath, key, expected, got string) {
	s.doc.badValue(at, s.name(key), expected, got)
}

func (s *section) badKey(at keyPath, key, expected, got string) {
	s.doc.badKey(at, s.name(key), expected, got)
}

func (d *document) badValue(at keyPath, label, expected, got string) {
	offset, ok := d.valueAt[at]
	if !ok {
		offset = d.keyAt[at]
	}
	d.faults = append(d.faults, d.fault(offset, label, expected, got))
}

func (d *document) badKey(at keyPath, label, expected, got string) {
	offset, ok := d.keyAt[at]
	if !ok {
		offset = d.valueAt[at] // a row of a list in line has no key
	}
	d.faults = append(d.faults, d.fault(offset, label, expected, got))
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
