package uplink

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"boardd/broadcast"
)

// However long what follows is, it goes in frames that a hub takes, in order and whole.
func TestFactsFrames(t *testing.T) {
	for _, size := range []int{10, 20_000, 300_000, factsMax} {
		var list []Numbered
		for n := uint64(1); n <= 50; n++ {
			tags := map[string]string{"White": strings.Repeat("x", size)}
			list = append(list, Numbered{3 * n, []broadcast.Change{{Type: broadcast.TypeTags, Board: 1, AtMS: int64(n), Tags: tags}}})
		}
		after, told := uint64(0), int64(0)
		for len(list) > 0 {
			data, last := factsFrame(after, list)
			m, err := parse(data, typeFacts)
			if err != nil || m.After != after || m.N != last || len(m.Changes) == 0 {
				t.Fatalf("size %d, after %d: frame from %d to %d with %d changes, last %d: %v", size, after, m.After, m.N, len(m.Changes), last, err)
			}
			if len(data) > frameMax {
				t.Fatalf("size %d, after %d: a frame of %d bytes, and a hub takes %d", size, after, len(data), frameMax)
			}
			for _, c := range m.Changes {
				if told++; c.AtMS != told {
					t.Fatalf("size %d, after %d: change %d comes as number %d", size, after, c.AtMS, told)
				}
			}
			after, list = last, list[len(m.Changes):]
		}
		if told != 50 || after != 150 {
			t.Errorf("size %d: %d changes up to number %d, want 50 up to 150", size, told, after)
		}
	}
}

// A hub that lets a venue in and refuses what it tells is asked more and more seldom.
func TestRefusedAgainAndAgain(t *testing.T) {
	const times = 9
	asked := make(chan time.Time, times)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		select {
		case asked <- time.Now():
		default:
		}
		for _, m := range []message{{Type: typeHave}, {Type: typeError, Error: "not a board of this venue"}} {
			if _, _, err := conn.ReadMessage(); err != nil {
				return
			}
			if err := conn.WriteMessage(websocket.TextMessage, encode(m)); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	record := newMemory("a")
	record.add(1, game(99))
	const first = time.Millisecond
	s := NewSender(SenderOptions{URLs: []string{"ws" + strings.TrimPrefix(server.URL, "http")}, Token: "x", Record: record, Log: zerolog.Nop(),
		RetryMin: first, RetryMax: time.Minute})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	begun := <-asked
	var last time.Time
	least := time.Duration(0) // the half of each wait is certain
	for n := range times - 1 {
		last = <-asked
		least += first << n / 2
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if took := last.Sub(begun); took < least {
		t.Errorf("asked %d times in %v, want at least %v", times, took, least)
	}
}
