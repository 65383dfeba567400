package tomlfile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read is what the tests ask every file for.
type read struct {
	name    string
	n       int
	x       float64
	on      bool
	list    []string
	numbers []int
	lists   [][]int
	rows    []string
}

func readAll(t *testing.T, text string) (read, Faults) {
	t.Helper()
	doc, fault := Parse("f.toml", []byte(text))
	if fault != nil {
		return read{}, Faults{fault}
	}
	var r read
	s := doc.Root()
	s.Text("name", &r.name, OneOf("a", "b"))
	s.Integer("n", &r.n, 1, 9)
	s.Number("x", &r.x, 0, 10)
	s.Flag("on", &r.on)
	s.Texts("list", &r.list, ShortLine)
	s.Integers("numbers", &r.numbers, 1, 9)
	s.IntegerLists("lists", &r.lists, 1, 9)
	below := s.Table("below")
	below.Flag("down", &r.on)
	below.Done()
	seen := map[string]bool{}
	for _, row := range s.Tables("row") {
		var name string
		row.Text("name", &name, ShortLine)
		row.Require("name")
		row.Once("name", name, seen)
		row.Done()
		r.rows = append(r.rows, name)
	}
	s.Done()
	return r, doc.Faults()
}

func TestReadAll(t *testing.T) {
	got, faults := readAll(t, `
name = "a"
n = 3
x = 2
on = true
list = ["p", "q"]
numbers = [3, 1]
lists = [[1, 2], [], [3]]
[[row]]
name = "one"
[[row]]
name = "two"
`)
	want := read{"a", 3, 2, true, []string{"p", "q"}, []int{3, 1}, [][]int{{1, 2}, {}, {3}}, []string{"one", "two"}}
	if faults != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, faults)
	}
}

// All faults come at once, in the order of the file.
func TestAllFaultsAtOnce(t *testing.T) {
	_, faults := readAll(t, `row = [{name = "one"}, {name = "one"}, {}]
name = "c"
n = 10
x = "much"
on = 1
list = ["p", "p", 1]
numbers = [0, 1, 1, 2.5]
lists = [1]
below = { up = 1 }
`)
	want := []string{
		`f.toml:1:32: row.name: expected a name that no other row has, got one again`,
		`f.toml:1:40: row: expected the key name, got none`,
		`f.toml:2:8: name: expected a or b, got "c"`,
		`f.toml:3:5: n: expected a whole number from 1 to 9, got the number 10`,
		`f.toml:4:5: x: expected a number from 0 to 10, got the text "much"`,
		`f.toml:5:6: on: expected true or false, got the number 1`,
		`f.toml:6:14: list: expected each entry once, got "p" again`,
		`f.toml:6:19: list: expected a text in quotes, got the number 1`,
		`f.toml:7:12: numbers: expected a whole number from 1 to 9, got the number 0`,
		`f.toml:7:18: numbers: expected each number once, got 1 again`,
		`f.toml:7:21: numbers: expected a whole number from 1 to 9, got the number 2.5`,
		`f.toml:8:9: lists: expected a list of lists, as in [[1, 2], [3, 4]], got a list`,
		`f.toml:9:11: below: expected one of down, got the unknown key "up"`,
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), faults.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFaultsHaveAnEnd(t *testing.T) {
	_, faults := readAll(t, "row = ["+strings.Repeat("{}, ", 2*maxFaults)+"]\n")
	if len(faults) != maxFaults {
		t.Errorf("%d faults, want %d", len(faults), maxFaults)
	}
}

func TestNotANumberIsInNoRange(t *testing.T) {
	_, faults := readAll(t, "x = nan\n")
	if len(faults) != 1 || faults[0].Got != "the number NaN" {
		t.Errorf("got %v", faults)
	}
}

// What a section finds wrong beyond single values stands at the value, at the
// entry of the list, or at the section when the key is not there.
func TestPlacesOfFaultsFoundLater(t *testing.T) {
	doc, fault := Parse("f.toml", []byte("[below]\nlist = [1,\n  2]\n"))
	if fault != nil {
		t.Fatal(fault)
	}
	s := doc.Root().Table("below")
	s.BadRow("list", 1, "odd", "2")
	s.Bad("list", "less", "more")
	s.Bad("other", "some", "none")
	want := "f.toml:1:2: below.other: expected some, got none\n" +
		"f.toml:2:8: below.list: expected less, got more\n" +
		"f.toml:3:3: below.list: expected odd, got 2"
	if got := doc.Faults().Error(); got != want || s.Faults() != 3 {
		t.Errorf("%d faults:\n%s", s.Faults(), got)
	}
	if !s.Has("list") || s.Has("other") || s.IsText("list") {
		t.Error("what is there is not told right")
	}
}

func TestTimeControls(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"90+30":     "",
		"fast":      `a time control as in 90+30 or G/120;+30 (unknown time control: "fast" is not understood)`,
		"60/60":     "a time control with one meaning, such as 60/3600 (60 moves in 60 min) or 3600+60 (60 min and 60 s a move) (the order of moves and minutes is open)",
		"90+30\n":   "one line of at most 100 characters",
		"90+30\x7f": "one line of at most 100 characters",
	} {
		if got := TimeControl(text); got != want {
			t.Errorf("%q: expected %q, want %q", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("name = \"a\"\n[[row]]\nname = 'x'\n")
	f.Add("a.b.c.d.e.f.g.h.i = 1\nrow = [{x = [[1]]}]\n")
	f.Add("lists = [[1,\n2], [\"x\"]] # \xff")
	f.Fuzz(func(t *testing.T, text string) {
		_, faults := readAll(t, text)
		lines := strings.Count(text, "\n") + 1
		for _, fault := range faults {
			if fault.Line < 1 || fault.Line > lines || fault.Column < 1 || fault.Expected == "" || fault.Got == "" {
				t.Errorf("a fault without its place (of %d lines) or its halves: %+v", lines, fault)
			}
		}
	})
}
