package broadcast

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// After any change of a session, a new board made from the changes that a board gives
// equals it, and so does its JSON read back.
func TestBoardIsMadeAgain(t *testing.T) {
	text, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	boards := map[int]*Board{}
	n := 0
	var session []Change
	for line := range strings.Lines(string(text)) {
		var frame struct{ Changes []Change }
		if err := json.Unmarshal([]byte(line), &frame); err != nil {
			t.Fatal(err)
		}
		session = append(session, frame.Changes...)
	}
	for _, c := range session {
		line := c.Type
		b := boards[c.Board]
		if b == nil {
			fresh := NewBoard(c.Board)
			b = &fresh
			boards[c.Board] = b
		}
		if err := b.Apply(c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again := NewBoard(c.Board)
		for _, c := range b.Changes() {
			if err := again.Apply(c); err != nil {
				t.Fatalf("made again after %s: %v", line, err)
			}
		}
		want, got := boardText(t, b), boardText(t, &again)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("after %s (-was +made again):\n%s", line, diff)
		}
		var read Board
		if err := json.Unmarshal([]byte(want), &read); err != nil || boardText(t, &read) != want {
			t.Fatalf("read back: %v\n%s\n%s", err, want, boardText(t, &read))
		}
		n++
	}
	if n < 10 {
		t.Errorf("only %d changes", n)
	}
}

func boardText(t *testing.T, b *Board) string {
	t.Helper()
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
