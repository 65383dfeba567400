package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardd/broadcast"
	"boardd/broadcast/livechess"
	"boardd/rules"
	"boardd/venue"
)

// A live API tells what the venue senses at once; a public one takes no notice of it and shows the delayed view.
func TestLiveChessLiveAndPublic(t *testing.T) {
	for _, tt := range []struct {
		public bool
		want   string
	}{
		{false, `[{"serialnr":"12345","source":"ttyACM0","state":"ACTIVE","battery":null,"comment":"table 3","board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR","flipped":false,"clock":null}]`},
		{true, `[]`},
	} {
		config := venue.DefaultConfig()
		config.LiveChess = venue.LiveChessConfig{Listen: "127.0.0.1:0", Public: &tt.public}
		hub := broadcast.NewHub(broadcast.Options{Delay: time.Hour})
		api, err := newLiveChess(&process{}, config, hub)
		if err != nil {
			t.Fatal(err)
		}
		hubCtx, endHub := context.WithCancel(t.Context())
		hubEnded := make(chan struct{})
		go func() { defer close(hubEnded); hub.Run(hubCtx) }()
		start := rules.Start()
		err = api.beside(func(context.Context) error {
			hub.Publish(broadcast.Change{Type: broadcast.TypeStatus, Board: 3, Status: broadcast.LinkLive})
			api.sense()(livechess.Seat{Table: 3, Serial: "12345", Port: "/dev/ttyACM0", Here: true, Men: start.Placement(), Seen: true, Whole: true})
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			res, err := client.Get("http://" + api.ln.Addr().String() + "/api/v1.0/eboards")
			if err != nil {
				return err
			}
			defer res.Body.Close()
			var boards []json.RawMessage
			if err := json.NewDecoder(res.Body).Decode(&boards); err != nil {
				return err
			}
			got, err := json.Marshal(boards)
			if string(got) != tt.want {
				t.Errorf("public %v: %s, want %s", tt.public, got, tt.want)
			}
			return err
		})(t.Context())
		if err != nil {
			t.Error(err)
		}
		endHub()
		<-hubEnded
	}
}

// Without an address there is no API, and an address that is taken is told of by its key.
func TestLiveChessIsOffUnlessNamed(t *testing.T) {
	hub := broadcast.NewHub(broadcast.Options{})
	config := venue.DefaultConfig()
	api, err := newLiveChess(&process{}, config, hub)
	if err != nil || api.server != nil || api.sense() != nil {
		t.Errorf("got %+v, error %v", api, err)
	}
	config.LiveChess.Listen = "127.0.0.1:0"
	if api, err = newLiveChess(&process{}, config, hub); err != nil {
		t.Fatal(err)
	}
	defer api.close()
	config.LiveChess.Listen = api.ln.Addr().String()
	if _, err = newLiveChess(&process{}, config, hub); err == nil || !strings.Contains(err.Error(), "livechess.listen") {
		t.Errorf("a taken address: %v", err)
	}
}
