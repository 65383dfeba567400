package trf_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"boardd/rules/event/standings"
	"boardd/rules/event/trf"
)

func documented(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "events", "amplico.trf"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRead(t *testing.T) {
	f, err := trf.Read("amplico.trf", documented(t))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "Turniej Szybki o Puchar Prezesa 2007" || f.City != "Warszawa" || f.Rounds != 8 || len(f.Players) != 16 {
		t.Errorf("%+v", f)
	}
	if f.Control == nil || f.Control.Canonical() != "900+10" {
		t.Errorf("time control %q: %v", f.TimeControl, f.Control)
	}
	p := f.Players[2]
	if p.Number != 3 || p.Name != "Cieslak, Monika" || p.Title != "WGM" || p.Rating != 2352 || p.Federation != "POL" || p.Sex != "w" {
		t.Errorf("%+v", p)
	}
	if r := p.Rounds[1]; r.Opponent != 13 || !r.Black || r.Outcome != standings.Draw {
		t.Errorf("round 2: %+v", r)
	}
	table, err := f.Table()
	if err != nil {
		t.Fatal(err)
	}
	if rows := table.Standings(nil); rows[0].Points.String() != "6" {
		t.Errorf("%+v", rows[0])
	}
}

const plain = "012 Open\n001    1      Novak, Anna                       2100 CZE                         1.0    1     2 w 1\n" +
	"001    2      Young, Ben                        2000 ENG                         0.0    2     1 b 0\n"

// What programs do to files changes nothing.
func TestReadsFilesOfAllKinds(t *testing.T) {
	want, err := trf.Read("a", []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"CRLF":            strings.ReplaceAll(plain, "\n", "\r\n"),
		"byte-order mark": "\ufeff" + plain,
		"blanks":          strings.ReplaceAll(plain, "\n", "   \n"),
		"unknown lines":   "### made by hand\n" + plain[:9] + "999 something\n" + plain[9:],
	} {
		got, err := trf.Read("a", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range got.Players {
			got.Players[i].Line = want.Players[i].Line
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
	latin := strings.Replace(plain, "Novak, Anna ", "Nov\xe1k, Anna ", 1)
	if f, err := trf.Read("a", []byte(latin)); err != nil || f.Players[0].Name != "Novák, Anna" || f.Players[0].Rating != 2100 {
		t.Errorf("Latin-1: %+v, %v", f, err)
	}
}

func TestFaults(t *testing.T) {
	row := func(number, rest string) string {
		return "001 " + number + "      Novak, Anna                       2100 CZE                         1.0    1  " + rest
	}
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "a.trf:1:1: expected players (lines that begin with 001), got none"},
		{"no number", row("  x1", ""), `a.trf:1:5: expected a start number, got "x1"`},
		{"number nought", row("   0", ""), `a.trf:1:5: expected a start number, got "0"`},
		{"number twice", row("   1", "") + "\n" + row("   1", ""), "a.trf:2:5: expected another start number than in line 1, got 1"},
		{"no name", "001    1", "a.trf:1:15: expected a name, got none"},
		{"rating", strings.Replace(row("   1", ""), "2100", "21OO", 1), `a.trf:1:49: expected a rating, got "21OO"`},
		{"opponent", row("   1", "   x w 1"), `a.trf:1:92: expected the start number of an opponent, got "x"`},
		{"unknown opponent", row("   1", "   7 w 1"), "a.trf:1:92: expected the start number of another player, got 7"},
		{"colour", row("   1", "   1 g 1"), `a.trf:1:97: expected w, b or -, got "g"`},
		{"result", row("   1", "   1 w ?"), `a.trf:1:99: expected a result: one of 1 = 0 + - W D L H F U Z, got "?"`},
		{"game without an opponent", row("   1", "0000 - 1"), "a.trf:1:92: expected an opponent of a game that was played, got none"},
		{"second round", row("   1", "0000 - U     1 x 0"), `a.trf:1:107: expected w, b or -, got "x"`},
		{"too many rounds", row("   1", strings.Repeat("0000 - Z  ", 101)), "a.trf:1:1092: expected at most 100 rounds, got more"},
		{"rounds", "XXR many\n" + row("   1", ""), `a.trf:1:5: expected a number of rounds, 1 to 100, got "many"`},
		{"time control", "222 ninety\n" + row("   1", ""), `a.trf:1:5: expected a time control as in 5400+30, got "ninety"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := trf.Read("a.trf", []byte(tt.text))
			var fault *trf.Error
			if !errors.As(err, &fault) || err.Error() != tt.want || f != nil {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestWriteReadsBack(t *testing.T) {
	for name, text := range map[string][]byte{"documented": documented(t), "plain": []byte(plain)} {
		f, err := trf.Read("a", text)
		if err != nil {
			t.Fatal(err)
		}
		back, err := trf.Read("b", f.Write())
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, f.Write())
		}
		for i := range back.Players {
			back.Players[i].Line = f.Players[i].Line
		}
		if f.Control != nil {
			f.TimeControl = f.Control.Canonical()
		}
		if !reflect.DeepEqual(back, f) {
			t.Errorf("%s: %+v\nwant %+v", name, back, f)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(documented(f))
	f.Add([]byte(plain))
	f.Add([]byte("001    1      \xe1\n222 40/5400:1800\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := trf.Read("f.trf", text)
		if err != nil {
			var fault *trf.Error
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 || fault.Got == "" || file != nil {
				t.Errorf("error %v with %v", err, file)
			}
			return
		}
		if _, err := trf.Read("back.trf", file.Write()); err != nil {
			t.Errorf("written and not read: %v\n%s", err, file.Write())
		}
	})
}
