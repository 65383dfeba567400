package journal

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"boardd/rules"
)

// row is a line of the table fact. Zero and "" are NULL there.
type row struct {
	seq   uint64
	run   int64
	at    int64 // ms
	wall  int64 // Unix ms
	table int64
	nth   uint64
	game  int64
	kind  string
	ply   int64
	n     int64 // a number whose meaning is the kind's
	who   string
	from  string
	step  string
	code  string
	text  string
	fen   string
	sum   int64
}

// numbers and words are the fields in the order of the columns, those after seq
// and without the sum.
func (r *row) numbers() [9]int64 {
	return [9]int64{int64(r.seq), r.run, r.at, r.wall, r.table, int64(r.nth), r.game, r.ply, r.n}
}

func (r *row) words() [7]string {
	return [7]string{r.kind, r.who, r.from, r.step, r.code, r.text, r.fen}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers every column, so that a row whose sum fits is what was
// written, wherever it is found.
func (r *row) checksum() int64 {
	numbers, words := r.numbers(), r.words()
	return checksum(&numbers, &words)
}

func checksum[W string | []byte](numbers *[9]int64, words *[7]W) int64 {
	b := make([]byte, 0, 256)
	for _, n := range numbers {
		b = binary.AppendVarint(b, n)
	}
	for _, w := range words {
		b = binary.AppendUvarint(b, uint64(len(w)))
		b = append(b, w...)
	}
	return int64(int32(crc32.Checksum(b, castagnoli))) // signed: four bytes in the file
}

func (r *row) size() int {
	n := 0
	for _, w := range r.words() {
		n += len(w)
	}
	return n
}

func (r *row) entry() (Entry, error) {
	if sum := r.checksum(); sum != r.sum {
		return Entry{}, fmt.Errorf("seq %d: expected checksum %d, got %d", r.seq, sum, r.sum)
	}
	f, err := r.fact()
	if err != nil {
		return Entry{}, fmt.Errorf("seq %d: %w", r.seq, err)
	}
	return Entry{
		Seq: r.seq, Run: int(r.run), At: time.Duration(r.at) * time.Millisecond, Wall: time.UnixMilli(r.wall),
		Table: int(r.table), Nth: r.nth, Game: GameID(r.game), Fact: f,
	}, nil
}

func (Started) kind() string   { return "started" }
func (Stopped) kind() string   { return "stopped" }
func (InForce) kind() string   { return "in_force" }
func (BoardSeen) kind() string { return "board" }
func (Link) kind() string      { return "link" }
func (Begun) kind() string     { return "game" }
func (Tagged) kind() string    { return "tags" }
func (Ply) kind() string       { return "ply" }
func (Retracted) kind() string { return "retract" }
func (Clock) kind() string     { return "clock" }
func (Firm) kind() string      { return "firm" }
func (Setup) kind() string     { return "setup" }
func (Result) kind() string    { return "result" }
func (Claim) kind() string     { return "claim" }
func (Ruling) kind() string    { return "ruling" }
func (Alert) kind() string     { return "alert" }
func (Order) kind() string     { return "order" }
func (Released) kind() string  { return "public" }
func (refused) kind() string   { return "refused" }

func (f Started) put(r *row)   { r.code, r.step = f.Version, f.Before }
func (f Stopped) put(r *row)   { r.text = f.Reason }
func (f InForce) put(r *row)   { r.code, r.from, r.text, r.who = f.What, f.Hash, f.Text, f.Who }
func (f BoardSeen) put(r *row) { r.code, r.from = f.Serial, f.Port }
func (f Link) put(r *row)      { r.step, r.text = linkStep[f.Up], f.Text }
func (f Begun) put(r *row)     { r.fen, r.text = f.FEN, tagsText(f.Tags) }
func (f Tagged) put(r *row)    { r.text = tagsText(f.Tags) }
func (f Ply) put(r *row) {
	r.ply, r.code, r.text, r.fen, r.n = int64(f.N), f.UCI, f.SAN, f.FEN, int64(f.Number)
	if f.OrderUnknown {
		r.step = orderUnknown
	}
}
func (f Retracted) put(r *row) {
	r.ply, r.who, r.text = int64(f.N), f.Who, f.Why
	if f.KeepSetup {
		r.step = setupKept
	}
}
func (f Clock) put(r *row)  { r.ply, r.n = int64(f.N), f.Left.Milliseconds() }
func (f Firm) put(r *row)   { r.ply = int64(f.N) }
func (f Setup) put(r *row)  { r.ply, r.fen = int64(f.After), f.FEN }
func (f Result) put(r *row) { r.code, r.who, r.text = string(f.Result), f.Who, f.Why }
func (f Claim) put(r *row) {
	r.code, r.who, r.step, r.ply, r.text = f.Code, f.By.String(), f.Step, int64(f.N), f.Text
}
func (f Ruling) put(r *row) {
	r.n, r.code, r.step, r.who, r.text = int64(f.Claim), f.Code, f.Decision, f.Who, f.Text
}
func (f Alert) put(r *row) {
	r.code, r.step, r.ply, r.who, r.text = f.Code, string(f.Step), int64(f.N), f.Who, f.Detail
	r.from, r.n = f.Tape, int64(f.Event)
}
func (f Order) put(r *row)    { r.who, r.from, r.text = f.Who, f.From, f.Text }
func (f Released) put(r *row) { r.n = int64(f.Upto) }
func (f refused) put(r *row)  { r.n = int64(f.facts) }

const (
	orderUnknown = "order unknown"
	setupKept    = "setup kept"
)

var linkStep = map[bool]string{true: "back", false: "lost"}

// fact is the fact that put made the row from.
func (r *row) fact() (Fact, error) {
	switch r.kind {
	case "started":
		return Started{Version: r.code, Before: r.step}, nil
	case "stopped":
		return Stopped{Reason: r.text}, nil
	case "in_force":
		return InForce{What: r.code, Hash: r.from, Text: r.text, Who: r.who}, nil
	case "board":
		return BoardSeen{Serial: r.code, Port: r.from}, nil
	case "link":
		return Link{Up: r.step == linkStep[true], Text: r.text}, nil
	case "game":
		tags, err := tagsOf(r.text)
		return Begun{FEN: r.fen, Tags: tags}, err
	case "tags":
		tags, err := tagsOf(r.text)
		return Tagged{Tags: tags}, err
	case "ply":
		return Ply{N: int(r.ply), UCI: r.code, SAN: r.text, FEN: r.fen, Number: int(r.n), OrderUnknown: r.step == orderUnknown}, nil
	case "retract":
		return Retracted{N: int(r.ply), Who: r.who, Why: r.text, KeepSetup: r.step == setupKept}, nil
	case "clock":
		return Clock{N: int(r.ply), Left: time.Duration(r.n) * time.Millisecond}, nil
	case "firm":
		return Firm{N: int(r.ply)}, nil
	case "setup":
		return Setup{After: int(r.ply), FEN: r.fen}, nil
	case "result":
		result, err := rules.ParseResult(r.code)
		return Result{Result: result, Who: r.who, Why: r.text}, err
	case "claim":
		by := rules.White
		if r.who == rules.Black.String() {
			by = rules.Black
		}
		return Claim{Code: r.code, By: by, Step: r.step, N: int(r.ply), Text: r.text}, nil
	case "ruling":
		return Ruling{Claim: uint64(r.n), Code: r.code, Decision: r.step, Who: r.who, Text: r.text}, nil
	case "alert":
		return Alert{Code: r.code, Step: AlertStep(r.step), N: int(r.ply), Who: r.who, Detail: r.text, Tape: r.from, Event: int(r.n)}, nil
	case "order":
		return Order{Who: r.who, From: r.from, Text: r.text}, nil
	case "public":
		return Released{Upto: uint64(r.n)}, nil
	case "refused":
		return refused{facts: uint64(r.n)}, nil
	}
	return nil, fmt.Errorf("expected a kind of fact that this boardd knows, got %q", r.kind)
}

// tagsText writes tags as a JSON object in their order, for json_extract.
func tagsText(tags rules.Tags) string {
	if len(tags) == 0 {
		return ""
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	word := func(s string) {
		_ = enc.Encode(s) // a string into memory: there is no error
	}
	for i, t := range tags {
		b.WriteByte("{,"[min(i, 1)])
		word(t.Name)
		b.WriteByte(':')
		word(t.Value)
	}
	b.WriteByte('}')
	return strings.ReplaceAll(b.String(), "\n", "") // Encode ends its lines; in strings they are written \n
}

// tagsOf reads what tagsText wrote.
func tagsOf(text string) (rules.Tags, error) {
	if text == "" {
		return nil, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("tags: expected a JSON object, got %.40q", text)
	}
	var tags rules.Tags
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("tags: %w", err)
		}
		value, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("tags: %w", err)
		}
		n, isName := name.(string)
		v, isText := value.(string)
		if !isName || !isText {
			return nil, fmt.Errorf("tags: expected names and texts, got %v: %v", name, value)
		}
		tags = append(tags, rules.Tag{Name: n, Value: v})
	}
	return tags, nil
}
