package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardd/rules"
)

// Handler serves
//
//	GET /archive/                       the rounds and games, as JSON
//	GET /archive/round-R.pgn            the games of round R as PGN, UTF-8
//	GET /archive/round-R.pgn?event=E    the same of that event, where several had such a round
//
// R is empty for games without a round. Without ?event= it is the event that had round R
// last. Both answers have a strong ETag.
func Handler(a *Archive) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /archive/{$}", func(w http.ResponseWriter, r *http.Request) {
		if games, ok := visible(w, r, a); ok {
			data, err := json.Marshal(index{rounds(games)})
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			serve(w, r, "application/json; charset=utf-8", append(data, '\n'))
		}
	})
	mux.HandleFunc("GET /archive/{file}", func(w http.ResponseWriter, r *http.Request) {
		name, isPGN := strings.CutSuffix(r.PathValue("file"), ".pgn")
		name, isRound := strings.CutPrefix(name, "round-")
		if !isPGN || !isRound {
			http.Error(w, fmt.Sprintf("expected round-R.pgn, as listed at /archive/, got %q", r.PathValue("file")), http.StatusNotFound)
			return
		}
		if games, ok := visible(w, r, a); ok {
			round(w, r, games, name)
		}
	})
	return mux
}

func visible(w http.ResponseWriter, r *http.Request, a *Archive) (games []Game, ok bool) {
	games, err := a.Games(r.Context())
	if err != nil {
		http.Error(w, "the journal cannot be read now", http.StatusServiceUnavailable)
		return nil, false
	}
	return games, true
}

// round serves the games of one round.
func round(w http.ResponseWriter, r *http.Request, games []Game, name string) {
	event, chosen := "", r.URL.Query().Has("event")
	for i := range games {
		if games[i].Round() == name {
			event = games[i].Event()
		}
	}
	if chosen {
		event = r.URL.Query().Get("event")
	}
	var data []byte
	for i := range games {
		if g := &games[i]; g.Round() == name && g.Event() == event {
			data = append(data, g.PGN...)
		}
	}
	if data == nil {
		what := fmt.Sprintf("no finished game of round %q", name)
		if chosen {
			what += fmt.Sprintf(" of %q", event)
		}
		http.Error(w, what+" can be seen; /archive/ lists the rounds", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename*=UTF-8''round-%s.pgn", url.PathEscape(name)))
	serve(w, r, "application/x-chess-pgn; charset=utf-8", data)
}

// The index as JSON. Programs read it: names are stable.
type index struct {
	Rounds []Round `json:"rounds"`
}

// Round is a round in the index.
type Round struct {
	Event string `json:"event"`
	Round string `json:"round"`
	PGN   string `json:"pgn"` // address, from /archive/
	Games []Line `json:"games"`
}

// Line is a game in the index.
type Line struct {
	Game   int64        `json:"game"` // of the journal
	Table  int          `json:"table"`
	White  string       `json:"white"`
	Black  string       `json:"black"`
	Date   string       `json:"date"` // of the game, YYYY.MM.DD
	Begun  string       `json:"begun"`
	Result rules.Result `json:"result"`
}

// rounds groups games, which are in the archive's order.
func rounds(games []Game) []Round {
	list := []Round{}
	for i := range games {
		g := &games[i]
		event, name := g.Event(), g.Round()
		if n := len(list); n == 0 || list[n-1].Event != event || list[n-1].Round != name {
			list = append(list, Round{event, name, "round-" + url.PathEscape(name) + ".pgn?event=" + url.QueryEscape(event), nil})
		}
		last := &list[len(list)-1]
		last.Games = append(last.Games, Line{int64(g.ID), g.Table, g.Tags.Get("White"), g.Tags.Get("Black"), g.Tags.Get("Date"),
			g.Begun.UTC().Format(time.RFC3339), g.Result})
	}
	return list
}

// serve answers 304 to who has it already. Some clients send the tag back without its quotes
// (livechess-and-broadcast C.2).
func serve(w http.ResponseWriter, r *http.Request, kind string, data []byte) {
	sum := sha256.Sum256(data)
	tag := hex.EncodeToString(sum[:12])
	head := w.Header()
	head.Set("Content-Type", kind)
	head.Set("ETag", `"`+tag+`"`)
	head.Set("Cache-Control", "no-cache")
	for have := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		have = strings.TrimPrefix(strings.TrimSpace(have), "W/")
		if have == "*" || strings.Trim(have, `"`) == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Write(data)
}
