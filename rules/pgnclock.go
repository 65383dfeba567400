package rules

import (
	"strings"
	"time"
)

// cutCommands takes the %clk and %emt commands out of a comment and notes them in
// ply; other commands stay in the text. Commands may be broken over lines.
func cutCommands(text string, ply *Ply) string {
	var rest strings.Builder
	for {
		begin := strings.Index(text, "[%")
		if begin < 0 {
			break
		}
		length := strings.IndexByte(text[begin:], ']')
		if length < 0 {
			break
		}
		rest.WriteString(text[:begin])
		command := text[begin : begin+length+1]
		text = text[begin+length+1:]
		if !noteCommand(command[2:length], ply) {
			rest.WriteString(command)
		}
		rest.WriteByte(' ')
	}
	rest.WriteString(text)
	return strings.Join(strings.Fields(rest.String()), " ")
}

// noteCommand understands "clk 1:23:45" and "emt 0:00:05"; ply is nil before the first one.
func noteCommand(command string, ply *Ply) bool {
	fields := strings.Fields(command)
	if len(fields) != 2 || ply == nil {
		return false
	}
	d, ok := parseClock(fields[1])
	switch {
	case !ok:
		return false
	case fields[0] == "clk":
		ply.Clock, ply.HasClock = d, true
	case fields[0] == "emt":
		ply.Spent, ply.HasSpent = d, true
	default:
		return false
	}
	return true
}

// parseClock reads h:mm:ss, mm:ss or seconds, the seconds with or without a fraction.
func parseClock(text string) (time.Duration, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(whole, ":")
	if len(parts) > 3 {
		return 0, false
	}
	var d time.Duration
	for _, part := range parts {
		n, ok := digits(part)
		if !ok {
			return 0, false
		}
		d = d*60 + time.Duration(n)
	}
	d *= time.Second
	if fraction != "" {
		n, ok := digits((fraction + "00")[:3])
		if !ok {
			return 0, false
		}
		d += time.Duration(n) * time.Millisecond
	}
	return d, true
}

// digits reads one to five decimal digits.
func digits(text string) (n int, ok bool) {
	if text == "" || len(text) > 5 {
		return 0, false
	}
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return n, true
}
