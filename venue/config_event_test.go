package venue

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules"
)

// withEvent loads a configuration that names one of the documented events.
func withEvent(t *testing.T, event, text string) (Config, error) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "docs", "events", event))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "boardd.toml")
	if err := os.WriteFile(name, []byte("[event]\nfile = \""+file+"\"\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(name)
}

func TestEventFileRulesTheHall(t *testing.T) {
	c, err := withEvent(t, "st-louis.toml", "round = \"1\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if c.Event.Draws != "claims-only" || c.Event.Edition != "2023" || c.Event.Name != "Gateway Invitational 2027" {
		t.Errorf("%+v", c.Event)
	}
	if want := (rules.DefaultTime{Stated: true, After: 10 * time.Minute}); c.Event.Default != want {
		t.Errorf("default time %+v", c.Event.Default)
	}
	if len(c.Tables) != 5 {
		t.Fatalf("%d tables, want 5: %+v", len(c.Tables), c.Tables)
	}
	one := c.Tables[0]
	if one.White != "Hale, Jonathan" || one.Black == "" || one.Control == nil || one.Control.Canonical() != "7200+30" {
		t.Errorf("table 1: %+v, control %v", one, one.Control)
	}
	if title, elo, federation := one.Tags.Get("WhiteTitle"), one.Tags.Get("WhiteElo"), one.Tags.Get("WhiteFederation"); title != "GM" || elo != "2641" || federation != "USA" {
		t.Errorf("table 1: tags %v", one.Tags)
	}
	control, err := c.control(one)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Event.regulations(control)
	if err != nil || r.Rules.Class != rules.Standard || r.Draws.String() != "claims-only" {
		t.Errorf("%+v, error %v", r, err)
	}
}

// What the configuration itself says wins over the event.
func TestConfigurationWinsOverTheEvent(t *testing.T) {
	c, err := withEvent(t, "st-louis.toml", "name = \"Ours\"\ndraws = \"allowed\"\nround = \"1\"\n[[table]]\nnumber = 1\nwhite = \"Guest\"\ntime-control = \"5+3\"\n")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Tables, func(t TableConfig) bool { return t.Number == 1 })
	if c.Event.Name != "Ours" || c.Event.Draws != "allowed" || c.Tables[i].White != "Guest" || c.Tables[i].Control != nil {
		t.Errorf("%+v %+v", c.Event, c.Tables[i])
	}
	if control, err := c.control(c.Tables[i]); err != nil || control.Canonical() != "300+3" {
		t.Errorf("control %v, error %v", control, err)
	}
}

func TestEventThatDoesNotFit(t *testing.T) {
	for _, tt := range []struct{ name, event, text, want string }{
		{"no such file", "none.toml", "", "event.file: open"},
		{"no such stage", "barbados.toml", "stage = \"finals\"\n", "event.stage: expected one of the event's stages ("},
		{"no such round", "st-louis.toml", "round = \"99\"\n", "event.round: expected a round of"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := withEvent(t, tt.event, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestLateness(t *testing.T) {
	start := time.Date(2027, 3, 1, 15, 0, 0, 0, time.UTC)
	c := EventConfig{Start: start, Default: rules.DefaultTime{Stated: true, After: 10 * time.Minute}}
	if warn, lose, ok := c.lateness(); !ok || warn != start.Add(5*time.Minute) || lose != start.Add(10*time.Minute) {
		t.Errorf("%v %v %v", warn, lose, ok)
	}
	for name, c := range map[string]EventConfig{
		"no start": {Default: c.Default}, "not stated": {Start: start}, "none": {Start: start, Default: rules.DefaultTime{Stated: true, Never: true}},
	} {
		if _, _, ok := c.lateness(); ok {
			t.Errorf("%s: somebody is late", name)
		}
	}
}
