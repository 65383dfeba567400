package event

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/tomlfile"
)

// right is an event without a fault; each test spoils one thing.
const right = `name = "Open"
edition = 2023
draws = "allowed"
default-time = 10
delay = 900
sections = ["A", "B"]

[[official]]
role = "chief arbiter"
name = "Ruth Calloway"

[[player]]
name = "Hale"
title = "GM"
rating = 2641
federation = "USA"
fide-id = 2016192
section = "A"

[[player]]
name = "Okafor"
fide-id = 2016193
section = "A"

[[player]]
name = "Brandt"
section = "B"

[[player]]
name = "Villar"
section = "B"

[[stage]]
name = "League"
section = "A"
system = "round robin"
time = "90+30"
tables = [3]
round = [{ start = "2027-03-10 13:00" }]

[[stage]]
name = "Cup"
section = "B"
system = "knock-out"
games = 2
white-time = "25+10"
black-time = "25+10"
groups = [[3, 4]]

[[stage]]
name = "Decider"
system = "sudden death"
play-off = true
white-time = "5 min"
black-time = "4 min"
draw-odds = "black"

[[penalty]]
player = 2
stage = "League"
round = 1
clock = "half"
`

func TestRight(t *testing.T) {
	e, err := Read("event.toml", []byte(right))
	if err != nil || e.Name != "Open" || len(e.Players) != 4 || len(e.Stages) != 3 || len(e.Penalties) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
}

// Each faulty file gives one error with file, line and what was expected, and
// no event.
func TestFaults(t *testing.T) {
	tests := []struct {
		name, old, new, want string
	}{
		// Syntax and keys.
		{"no quotes", `name = "Open"`, `name = Open`,
			`event.toml:1:8: expected TOML, got "Open" (unexpected character U+004F 'O' at start of value)`},
		{"not UTF-8", `"Ruth Calloway"`, "\"Ren\xe9\"",
			`event.toml:10:12: expected text in UTF-8, got the byte 0xe9`},
		{"unknown key", `delay = 900`, `dely = 900`,
			`event.toml:5:1: expected one of default-time, delay, draws, edition, name, official, penalty, place, player, results-stand, sections, stage, still-tied, withdrawn, got the unknown key "dely"`},
		{"unknown key of a player", `rating = 2641`, `elo = 2641`,
			`event.toml:15:1: player: expected one of federation, fide-id, name, number, rating, section, title, got the unknown key "elo"`},
		{"unknown key of a stage", `games = 2`, `gmes = 2`,
			`event.toml:45:1: stage: expected one of advance-at, black-time, colours, draw-odds, games, group-size, groups, name, overstep, pairings, penalty-days, play-off, results, round, rounds, section, swap-last-rounds, system, tables, ties, time, weight, white-time, got the unknown key "gmes"`},
		{"one stage in single brackets", right[strings.Index(right, "[[stage]]"):], "[stage]\nname = \"League\"\n",
			`event.toml:33:2: stage: expected tables, as in [[stage]], got a table`},

		// The event.
		{"no name", "name = \"Open\"\n", "", `event.toml:1:1: expected the key name, got none`},
		{"empty name", `name = "Open"`, `name = " "`, `event.toml:1:8: name: expected a text that is not empty, got " "`},
		{"unknown edition", `edition = 2023`, `edition = 2014`,
			`event.toml:2:11: edition: expected an edition of the Laws, 2023, 2018 or 2005, got 2014`},
		{"edition in quotes", `edition = 2023`, `edition = "2023"`,
			`event.toml:2:11: edition: expected a whole number from 1900 to 2100, got the text "2023"`},
		{"unknown draw rule", `draws = "allowed"`, `draws = "sofia"`,
			`event.toml:3:9: draws: expected "allowed", "claims-only" or "no-offers-before = N" with 1 to 200 moves, got "sofia"`},
		{"no offers before what", `draws = "allowed"`, `draws = "no-offers-before = 0"`,
			`event.toml:3:9: draws: expected "allowed", "claims-only" or "no-offers-before = N" with 1 to 200 moves, got "no-offers-before = 0"`},
		{"default time in words", `default-time = 10`, `default-time = "ten"`,
			`event.toml:4:16: default-time: expected minutes without quotes, or "none", got "ten"`},
		{"negative default time", `default-time = 10`, `default-time = -1`,
			`event.toml:4:16: default-time: expected a whole number from 0 to 1440, got the number -1`},
		{"delay of two days", `delay = 900`, `delay = 172800`,
			`event.toml:5:9: delay: expected a whole number from 0 to 86400, got the number 172800`},
		{"section twice", `["A", "B"]`, `["A", "B", "A"]`, `event.toml:6:23: sections: expected each entry once, got "A" again`},
		{"official without a role", "role = \"chief arbiter\"\n", "",
			`event.toml:8:3: official: expected the key role, got none`},
		{"unknown end of a play-off", `delay = 900`, "delay = 900\nstill-tied = \"coin\"",
			`event.toml:6:14: still-tied: expected arbiter or lots, got "coin"`},

		// Players.
		{"player without a name", "name = \"Okafor\"\n", "",
			`event.toml:20:3: player: expected the key name, got none`},
		{"name twice", `name = "Okafor"`, `name = "Hale"`,
			`event.toml:21:8: player.name: expected a name that no other player has, got Hale again`},
		{"FIDE id twice", `2016193`, `2016192`,
			`event.toml:22:11: player.fide-id: expected a fide-id that no other player has, got 2016192 again`},
		{"unknown title", `title = "GM"`, `title = "Dr"`,
			`event.toml:14:9: player.title: expected GM, IM, FM, CM, WGM, WIM, WFM, WCM, NM, CGM, SIM, CIM, CCM, CCE, LGM or LIM, got "Dr"`},
		{"rating of five figures", `rating = 2641`, `rating = 26410`,
			`event.toml:15:10: player.rating: expected a whole number from 1 to 3999, got the number 26410`},
		{"federation in full", `federation = "USA"`, `federation = "Usa"`,
			`event.toml:16:14: player.federation: expected three capital letters, as in POL, got "Usa"`},
		{"number beyond the players", `name = "Okafor"`, "name = \"Okafor\"\nnumber = 5",
			`event.toml:22:10: player.number: expected a whole number from 1 to 4, got the number 5`},
		{"number twice", `name = "Okafor"`, "name = \"Okafor\"\nnumber = 1",
			`event.toml:22:10: player.number: expected a number that no other player has, got 1 again`},
		{"number taken from one who has none", `name = "Hale"`, "name = \"Hale\"\nnumber = 2",
			`event.toml:21:3: player: expected the key number, got none`},
		{"unknown section", "fide-id = 2016193\nsection = \"A\"", "fide-id = 2016193\nsection = \"C\"",
			`event.toml:23:11: player.section: expected A or B, got "C"`},
		{"no section", "fide-id = 2016193\nsection = \"A\"\n", "fide-id = 2016193\n",
			`event.toml:20:3: player: expected the key section, got none`},

		// Stages.
		{"no stage", right[strings.Index(right, "[[stage]]"):], "", `event.toml:1:1: expected the key stage, got none`},
		{"stage without a system", "system = \"round robin\"\n", "",
			`event.toml:33:3: stage: expected the key system, got none`},
		{"unknown system", `"round robin"`, `"all play all"`,
			`event.toml:36:10: stage.system: expected round robin, double round robin, swiss, knock-out or sudden death, got "all play all"`},
		{"stage name twice", `name = "Cup"`, `name = "League"`,
			`event.toml:42:8: stage.name: expected a name that no other stage has, got League again`},
		{"no time", "time = \"90+30\"\n", "", `event.toml:33:3: stage: expected the key time, got none`},
		{"time that may be two things", `"90+30"`, `"90/30/30"`,
			`event.toml:37:8: stage.time: expected a time control with one meaning, such as `},
		{"time that is none", `"90+30"`, `"fast"`,
			`event.toml:37:8: stage.time: expected a time control as in 90+30 or G/120;+30 (unknown time control: "fast" is not understood), got "fast"`},
		{"unknown time", `"90+30"`, `"?"`, `event.toml:37:8: stage.time: expected a time control as in 90+30 or G/120;+30, got "?"`},
		{"time of one side", "black-time = \"25+10\"\n", "",
			`event.toml:41:3: stage: expected the key black-time, got none`},
		{"time thrice", `games = 2`, "games = 2\ntime = \"25+10\"",
			`event.toml:46:8: stage.time: expected either time or white-time and black-time, got both`},
		{"days for one side", `black-time = "25+10"`, `black-time = "10/30d"`,
			`event.toml:47:14: stage.black-time: expected one time for White and one for Black, got 1500+10 and 10/30d`},
		{"draw odds not said", "draw-odds = \"black\"\n", "",
			`event.toml:50:3: stage.draw-odds: expected "none", "white" or "black", since the times are not equal, got nothing`},
		{"draw odds against the time", "white-time = \"5 min\"\nblack-time = \"4 min\"\ndraw-odds = \"black\"", "time = \"W5' B4', draw = B\"\ndraw-odds = \"white\"",
			`event.toml:55:13: stage.draw-odds: expected "black", as the time says, got "white"`},
		{"draw odds in a league", `time = "90+30"`, "time = \"90+30\"\ndraw-odds = \"black\"",
			`event.toml:38:13: stage.draw-odds: expected no draw odds but in sudden death, got "black"`},
		{"colours of another system", `time = "90+30"`, "time = \"90+30\"\ncolours = \"by lot\"",
			`event.toml:38:11: stage.colours: expected berger for the system round robin, got "by lot"`},
		{"unknown tie rule", `time = "90+30"`, "time = \"90+30\"\nties = [\"wins\", \"buchholtz\"]",
			`event.toml:38:17: stage.ties: expected modified-median, solkoff, cumulative, cumulative-of-opposition, buchholz, buchholz-cut-1, buchholz-cut-2, buchholz-median-1, buchholz-median-2, sonneborn-berger, progress, direct-encounter, wins or most-blacks, got "buchholtz"`},
		{"swap in a single round robin", `time = "90+30"`, "time = \"90+30\"\nswap-last-rounds = true",
			`event.toml:38:20: stage.swap-last-rounds: expected a double round robin, got round robin`},
		{"games without matches", `time = "90+30"`, "time = \"90+30\"\ngames = 2",
			`event.toml:38:9: stage.games: expected games of a match in a knock-out only, got 2`},
		{"rounds of a round robin", `time = "90+30"`, "time = \"90+30\"\nrounds = 9",
			`event.toml:38:10: stage.rounds: expected a number of rounds for a Swiss only; elsewhere it follows from the players, got 9`},
		{"Swiss without rounds", `system = "round robin"`, `system = "swiss"`,
			`event.toml:33:3: stage: expected the key rounds, got none`},
		{"sudden death for all", "play-off = true\n", "",
			`event.toml:52:10: stage.system: expected play-off = true with sudden death, got no play-off`},
		{"play-off that is a knock-out", "system = \"sudden death\"\nplay-off = true\nwhite-time = \"5 min\"\nblack-time = \"4 min\"\ndraw-odds = \"black\"", "system = \"knock-out\"\nplay-off = true\ntime = \"5 min\"",
			`event.toml:52:10: stage.system: expected round robin, double round robin or sudden death for a play-off, got knock-out`},
		{"play-off with groups", "play-off = true\n", "play-off = true\ngroup-size = 4\n", `event.toml:53:12: stage.play-off: expected a play-off without groups: its players are those who are tied, got groups`},
		{"play-off first", `tables = [3]`, "play-off = true", `event.toml:38:12: stage.play-off: expected a stage that decides who is tied before a play-off, got none`},
		{"groups that leave one", "section = \"A\"\nsystem = \"round robin\"", "group-size = 3\nsystem = \"round robin\"", `event.toml:35:14: stage.group-size: expected a size that leaves groups of at least 2, got one of 1`},
		{"penalty in games by post", `time = "90+30"`, "time = \"10 moves in 30 days\"\noverstep = \"loss\"", `event.toml:61:9: penalty.stage: expected a stage that is played with clocks, got "League"`},
		{"later stage without players", "section = \"B\"\nsystem = \"knock-out\"\ngames = 2\nwhite-time = \"25+10\"\nblack-time = \"25+10\"\ngroups = [[3, 4]]", "section = \"A\"\nsystem = \"round robin\"\ntime = \"25+10\"", `event.toml:41:3: stage.group-size: expected group-size or groups, since not all players are in a later stage, got neither`},
		{"nothing to reverse", `draw-odds = "black"`, "draw-odds = \"black\"\ncolours = \"reversed\"", `event.toml:57:11: stage.colours: expected a play-off before this one, to reverse its colours, got the stage "Cup"`},
		{"starts out of order", `system = "knock-out"`, "system = \"knock-out\"\nround = [{ start = \"2027-03-10 13:00\" }, { start = \"2027-03-10 12:00\" }]", `event.toml:45:52: stage.round.start: expected a start after that of the round before, got 2027-03-10 12:00`},
		{"table twice", `tables = [3]`, `tables = [3, 3]`, `event.toml:38:14: stage.tables: expected each number once, got 3 again`},
		{"table nought", `tables = [3]`, `tables = [0]`, `event.toml:38:11: stage.tables: expected a whole number from 1 to 9999, got the number 0`},
		{"start without a time", `"2027-03-10 13:00"`, `"2027-03-10"`,
			`event.toml:39:20: stage.round.start: expected a date and time of the venue, as in "2027-03-01 13:00", got "2027-03-10"`},
		{"31st of June", `"2027-03-10 13:00"`, `"2027-06-31 13:00"`,
			`event.toml:39:20: stage.round.start: expected a date and time of the venue, as in "2027-03-01 13:00", got "2027-06-31 13:00"`},
		{"round that does not exist", `{ start =`, `{ number = 2, start =`,
			`event.toml:39:21: stage.round.number: expected a whole number from 1 to 1, got the number 2`},
		{"more starts than rounds", `{ start = "2027-03-10 13:00" }`, `{ start = "2027-03-10 13:00" }, { start = "2027-03-11 13:00" }`,
			`event.toml:39:42: stage.round.number: expected no start after round 1, the last, got one more`},
		{"group of one", `groups = [[3, 4]]`, `groups = [[3]]`,
			`event.toml:48:10: stage.groups: expected groups of at least 2 players and at most group-size, got one of 1`},
		{"player of another section", `groups = [[3, 4]]`, `groups = [[3, 2]]`,
			`event.toml:48:10: stage.groups: expected players of the section B, got 2, who is in A`},
		{"player in two groups", `groups = [[3, 4]]`, `groups = [[3, 4], [4, 3]]`, `event.toml:48:10: stage.groups: expected each player in one group, got 4 again`},
		{"group of a player who is not there", `groups = [[3, 4]]`, `groups = [[3, 5]]`,
			`event.toml:48:15: stage.groups: expected a whole number from 1 to 4, got the number 5`},
		{"file elsewhere", `games = 2`, "games = 2\nresults = \"../r.pgn\"",
			`event.toml:46:11: stage.results: expected a file in the folder of this one, ending in .trf, .trfx, .pgn or .csv, got "../r.pgn"`},
		{"reflection without a clock of days", `games = 2`, "games = 2\noverstep = \"loss\"",
			`event.toml:46:12: stage.overstep: expected a time control in days, as in 10/30d, got 1500+10`},
		{"days without a rule", `"90+30"`, `"10 moves in 30 days"`, `event.toml:33:3: stage: expected the key overstep, got none`},
		{"penalty of a whole period", `time = "90+30"`, "time = \"1 move in 3 days\"\noverstep = \"penalty\"", `event.toml:33:3: stage.penalty-days: expected less than the 3 days of a period, got 5`},
		{"penalty days without a penalty", `time = "90+30"`, "time = \"10 moves in 30 days\"\noverstep = \"loss\"\npenalty-days = 5", `event.toml:39:16: stage.penalty-days: expected overstep = "penalty", got no penalty`},
		{"group of other than numbers", `groups = [[3, 4]]`, `groups = [["Brandt"]]`, `event.toml:48:12: stage.groups: expected a whole number from 1 to 4, got the text "Brandt"`},
		{"one group without its brackets", `groups = [[3, 4]]`, `groups = [3, 4]`, `event.toml:48:10: stage.groups: expected a list of lists, as in [[1, 2], [3, 4]], got a list`},
		{"points in words", `games = 2`, "games = 2\nadvance-at = \"4.5\"", `event.toml:46:14: stage.advance-at: expected a number from 0 to 1000, got the text "4.5"`},
		{"weight with three decimals", `games = 2`, "games = 2\nweight = 2.255",
			`event.toml:46:10: stage.weight: expected at most two decimals, got 2.255`},

		// Penalties.
		{"penalty for nobody", "player = 2\n", "player = 7\n",
			`event.toml:59:10: penalty.player: expected a whole number from 1 to 4, got the number 7`},
		{"penalty in no stage", `stage = "League"`, `stage = "Legue"`,
			`event.toml:60:9: penalty.stage: expected the name of a stage, got "Legue"`},
		{"penalty after the last round", `round = 1`, `round = 2`,
			`event.toml:61:9: penalty.round: expected a whole number from 1 to 1, got the number 2`},
		{"penalty twice", "clock = \"half\"\n", "clock = \"half\"\n[[penalty]]\nplayer = 2\nstage = \"League\"\nround = 1\nclock = \"half\"\n",
			`event.toml:66:9: penalty.round: expected one penalty of a player in a round, got a second one in round 1`},
		{"penalty of a third", `clock = "half"`, `clock = "third"`, `event.toml:62:9: penalty.clock: expected half, got "third"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFault(t, tt.old, tt.new, tt.want)
		})
	}
}

// spoil is the event without fault with one change.
func spoil(t *testing.T, old, with string) string {
	t.Helper()
	if !strings.Contains(right, old) {
		t.Fatalf("no %q in the event", old)
	}
	return strings.Replace(right, old, with, 1)
}

func checkFault(t *testing.T, old, with, want string) {
	t.Helper()
	e, err := Read("event.toml", []byte(spoil(t, old, with)))
	if e != nil {
		t.Error("an event in spite of the fault")
	}
	var faults tomlfile.Faults
	if !errors.As(err, &faults) || len(faults) != 1 {
		t.Fatalf("want one fault, got:\n%v", err)
	}
	if got := err.Error(); got != want && !(strings.HasSuffix(want, "such as ") && strings.HasPrefix(got, want)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Each key that the reader knows stands in the documentation.
func TestEveryKeyIsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "events", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"", "[[official]]\n", "[[player]]\n", "[[stage]]\n", "[[stage.round]]\n", "[[penalty]]\n"} {
		prefix := ""
		if header == "[[stage.round]]\n" {
			prefix = "[[stage]]\n"
		}
		_, err := Read("event.toml", []byte(prefix+header+"nonsense = 1\n"))
		if err == nil {
			t.Fatalf("%s: nonsense is read", header)
		}
		_, known, _ := strings.Cut(err.Error(), "expected one of ")
		known, _, _ = strings.Cut(known, ", got the unknown key")
		keys := strings.Split(known, ", ")
		if len(keys) < 2 {
			t.Errorf("%q: keys %q", header, keys)
		}
		for _, key := range keys {
			if !strings.Contains(string(page), "`"+key+"`") && !strings.Contains(string(page), "`"+key+" = ") &&
				!strings.Contains(string(page), "{ "+key+" = ") && !strings.Contains(string(page), "[["+key+"]]") {
				t.Errorf("docs/events/README.md does not know %q %q", header, key)
			}
		}
	}
}
