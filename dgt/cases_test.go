package dgt

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// byteCase is a trouble case of kind "bytes": a line and what it must give.
type byteCase struct {
	ID      string
	Kind    string
	Symptom string
	Input   struct{ Hex string }
	Want    struct {
		Messages []wantMessage
		Dropped  *uint64 `json:"dropped_bytes"`
		Resync   bool
	} `json:"expected"`
}

type wantMessage struct {
	Type       string
	Ack        []int
	OK         *bool
	Valid      *bool
	Connected  *bool
	First      string // right, which comes first on the wire
	FirstFlag  *bool  `json:"first_flag"`
	Second     string
	SecondFlag *bool `json:"second_flag"`
	Square     string
	Piece      string
}

func TestByteCases(t *testing.T) { runByteCases(t, filepath.Join("testdata", "bytes.jsonl"), "") }

func TestSharedByteCases(t *testing.T) {
	runByteCases(t, filepath.Join(shared(t), "cases", "cases.jsonl"), "bytes")
}

func runByteCases(t *testing.T, file, kind string) {
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		t.Skipf("no case file: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var head struct{ Kind string }
		if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
			t.Fatal(err)
		}
		if head.Kind != kind {
			continue
		}
		var c byteCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(c.ID, func(t *testing.T) { runByteCase(t, c) })
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%d cases, %v", n, err)
	}
}

func runByteCase(t *testing.T, c byteCase) {
	b := unhex(t, c.Input.Hex)
	for name, chunks := range map[string][][]byte{"whole": {b}, "byte by byte": byteWise(b)} {
		got, stats := decodeAll(Single, chunks...)
		if len(got) != len(c.Want.Messages) {
			t.Fatalf("%s, %s: want %d messages, got%s", c.Symptom, name, len(c.Want.Messages), show(got))
		}
		for i, w := range c.Want.Messages {
			if why := w.differs(got[i]); why != "" {
				t.Errorf("%s, %s: %s, got%s", c.Symptom, name, why, show(got[i:i+1]))
			}
		}
		if d := c.Want.Dropped; d != nil && *d != stats.SkippedBytes {
			t.Errorf("%s, %s: want %d bytes dropped, got %d", c.Symptom, name, *d, stats.SkippedBytes)
		}
		if c.Want.Resync && stats.Resyncs == 0 {
			t.Errorf("%s, %s: no resync counted", c.Symptom, name)
		}
	}
}

// differs says how m is not what w wants, "" if it is.
func (w wantMessage) differs(m Message) string {
	ok := false
	switch w.Type {
	case "clock_ack":
		a, is := m.(*ClockAck)
		ok = is && fmt.Sprint(a.Ack) == fmt.Sprint(w.Ack) && (w.OK == nil || *w.OK == a.OK())
	case "clock_time":
		if w.Valid != nil && !*w.Valid { // dropped, and told
			r, is := m.(*Rejected)
			ok = is && r.Code == IDClock && r.Reason == BadTime
			break
		}
		c, is := m.(*ClockTime)
		ok = is && (w.Connected == nil || *w.Connected != c.NoClock) &&
			faceIs(c.Right, w.First, w.FirstFlag) && faceIs(c.Left, w.Second, w.SecondFlag)
	case "field_update":
		u, is := m.(*FieldUpdate)
		if w.Piece == "?" { // out of range, or a code that is no chess man
			if r, rejected := m.(*Rejected); rejected {
				masked, told := r.Masked()
				ok = told && masked.Square.String() == w.Square
				break
			}
			ok = is && u.Square.String() == w.Square && !u.Piece.IsMan() && u.Piece != Empty
			break
		}
		ok = is && u.Square.String() == w.Square && u.Piece.String() == w.Piece
	case "trademark":
		_, ok = m.(*Trademark)
	case "rejected":
		_, ok = m.(*Rejected)
	default:
		return "case of an unknown type " + w.Type
	}
	if !ok {
		return fmt.Sprintf("want %+v", w)
	}
	return ""
}

func faceIs(f ClockFace, text string, flag *bool) bool {
	if flag != nil && *flag != f.Flag {
		return false
	}
	if text == "" {
		return true
	}
	var h, m, s int
	if _, err := fmt.Sscanf(text, "%d:%d:%d", &h, &m, &s); err != nil {
		return false
	}
	return f.Time == time.Duration(h*3600+m*60+s)*time.Second
}

// shared finds the read-only material beside the repository.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BOARDD_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		for _, d := range []string{filepath.Join(dir, "shared"), filepath.Join(dir, "..", "shared")} {
			if _, err := os.Stat(filepath.Join(d, "facts")); err == nil {
				return d
			}
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no shared folder: set BOARDD_SHARED to run this test")
		}
	}
}
