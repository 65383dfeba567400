package rules

import (
	"fmt"
	"strings"
	"time"
)

// cutCommands takes the %clk and %emt commands out of a comment and notes them in
// ply; other commands stay in the text. Commands may be broken over lines. An
// opening "[%" that nothing closes is parted, lest what is left around a command
// becomes one when it is written. bad says that a time was dropped.
func cutCommands(text string, ply *Ply) (left string, bad bool) {
	var rest strings.Builder
	for {
		end := strings.IndexByte(text, ']')
		begin := strings.LastIndex(text[:max(end, 0)], "[%")
		if end < 0 {
			break
		}
		if begin < 0 {
			begin = end + 1
		}
		rest.WriteString(openings.Replace(text[:begin]))
		if begin < end {
			taken, wrong := noteCommand(text[begin+2:end], ply)
			bad = bad || wrong
			if !taken {
				rest.WriteString(text[begin : end+1])
			}
		}
		if begin < end {
			rest.WriteByte(' ')
		}
		text = text[end+1:]
	}
	rest.WriteString(openings.Replace(text))
	return strings.Join(strings.Fields(rest.String()), " "), bad
}

var openings = strings.NewReplacer("[%", "[ %")

// noteCommand understands "clk 1:23:45" and "emt 0:00:05"; ply is nil before the
// first one. A time no clock can show is dropped (bad): it leaves a hole, it is never written on.
func noteCommand(command string, ply *Ply) (taken, bad bool) {
	fields := strings.Fields(command)
	if len(fields) != 2 || ply == nil || fields[0] != "clk" && fields[0] != "emt" {
		return false, false
	}
	d, err := ParseClock(fields[1])
	switch {
	case err != nil:
		return true, true
	case fields[0] == "clk":
		ply.Clock, ply.HasClock = d, true
	default:
		ply.Spent, ply.HasSpent = d, true
	}
	return true, false
}

// ParseClock reads a time as PGN commands and tags have it: h:mm:ss, mm:ss or
// seconds, with or without a fraction down to milliseconds. It refuses ten hours
// and more: no chess clock shows them, but programs write negative times so.
func ParseClock(text string) (time.Duration, error) {
	bad := fmt.Errorf("expected a time 0:00:00 to 9:59:59, got %q", clip(text))
	whole, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(whole, ":")
	if len(parts) > 3 {
		return 0, bad
	}
	var d time.Duration
	for _, part := range parts {
		n, ok := digits(part)
		if !ok {
			return 0, bad
		}
		d = d*60 + time.Duration(n)
	}
	d *= time.Second
	if fraction != "" {
		n, ok := digits((fraction + "00")[:3])
		if !ok {
			return 0, bad
		}
		d += time.Duration(n) * time.Millisecond
	}
	if d >= 10*time.Hour {
		return 0, bad
	}
	return d, nil
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
