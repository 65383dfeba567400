package tomlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong in a file.
type Fault struct {
	File string
	// Line and Column count from 1, columns in characters.
	Line, Column  int
	Key           string // such as "table.board"; empty for a fault of syntax
	Expected, Got string
}

// Error is "file:line:column: key: expected ..., got ...".
func (e *Fault) Error() string {
	key := ""
	if e.Key != "" {
		key = e.Key + ": "
	}
	return fmt.Sprintf("%s:%d:%d: %sexpected %s, got %s", e.File, e.Line, e.Column, key, e.Expected, e.Got)
}

// Faults are all that is wrong in one file.
type Faults []*Fault

// Error gives one fault a line, and no more lines than a screen holds.
func (e Faults) Error() string {
	const shown = 20
	var b strings.Builder
	for i, fault := range e {
		if i == shown {
			fmt.Fprintf(&b, "\n%s: and %d more faults", fault.File, len(e)-shown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fault.Error())
	}
	return b.String()
}

// Unwrap gives errors.As the single faults.
func (e Faults) Unwrap() []error {
	errs := make([]error, len(e))
	for i, fault := range e {
		errs[i] = fault
	}
	return errs
}

// Faults are what parsing and reading have found so far, in the order of the file.
func (d *Document) Faults() Faults {
	slices.SortStableFunc(d.faults, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.faults
}

var _ error = Faults(nil)
