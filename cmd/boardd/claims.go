package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boardd/rules"
)

type claimsFlags struct {
	asJSON, watch bool
	fen, edition  string
	every         time.Duration
}

func newClaimsCommand(p *process) *cobra.Command {
	var f claimsFlags
	c := &cobra.Command{
		Use:   "claims [flags] FILE.pgn|FOLDER|URL...",
		Short: "Tell which draws may be claimed in games of a PGN",
		Long: `Claims counts repetitions and moves without capture and pawn move in PGN games, of
whatever boards they come from: files, the folder LiveChess writes, or an address
that serves PGN. For each game it tells which draws may be claimed, which come by
themselves, and which only look like one. With --watch it asks again every few
seconds and reports a game when there is something new to claim or to explain; with
--json it prints its line whenever that changes. What it prints is for arbiters only (Laws 6.12.2).`,
		Args: atLeastOne("PGN file, folder or URL"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			run := claimsRun{out: p.stdout, errs: p.stderr, options: o, shown: map[string]string{}}
			for _, arg := range args {
				source, err := openClaims(arg)
				if err != nil {
					return err
				}
				run.sources = append(run.sources, source)
			}
			if !f.watch {
				return run.once(c.Context())
			}
			ticker := time.NewTicker(f.every)
			defer ticker.Stop()
			return run.watch(c.Context(), ticker.C)
		},
	}
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a game")
	c.Flags().BoolVar(&f.watch, "watch", false, "ask again and tell what is new, until interrupted")
	c.Flags().DurationVar(&f.every, "every", 5*time.Second, "how often to ask with --watch")
	c.Flags().StringVar(&f.fen, "fen", "", "position the games start from, instead of the tags'")
	c.Flags().StringVar(&f.edition, "edition", rules.Laws2023.String(), "edition of the Laws: 2023, 2018 or 2005")
	return c
}

type claimsOptions struct {
	asJSON, watch bool
	start         *rules.Position
	edition       rules.Edition
}

func (f *claimsFlags) options(c *cobra.Command) (o claimsOptions, err error) {
	o.asJSON, o.watch = f.asJSON, f.watch
	if f.fen != "" {
		start, err := rules.ParseFEN(f.fen)
		if err != nil {
			return o, fmt.Errorf("--fen: %w", err)
		}
		o.start = &start
	}
	if o.edition, err = rules.ParseEdition(f.edition); err != nil {
		return o, usagef(seeHelp(c), "--edition: %w", err)
	}
	if f.every < time.Second || f.every > time.Hour {
		return o, usagef(seeHelp(c), "--every: expected 1s to 1h, got %s", f.every)
	}
	return o, nil
}

// claimsRun goes through the sources, once or again and again.
type claimsRun struct {
	out, errs io.Writer
	sources   []claimsSource
	options   claimsOptions
	shown     map[string]string // what was printed last, by game or fault
}

// errUnreadable is the failure of a run that has named what it could not read.
var errUnreadable = errors.New("not everything could be read")

// once prints every game. What cannot be read is named and the rest goes on.
func (r *claimsRun) once(ctx context.Context) error {
	whole := true
	for _, source := range r.sources {
		ok, err := r.ask(ctx, source)
		if err != nil {
			return err
		}
		whole = whole && ok
	}
	if !whole {
		return errUnreadable
	}
	return nil
}

// watch asks at once and at every tick, and prints what has changed, until ctx
// ends. A source that fails is asked again.
func (r *claimsRun) watch(ctx context.Context, ticks <-chan time.Time) error {
	for {
		for _, source := range r.sources {
			if _, err := r.ask(ctx, source); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
		}
	}
}

// ask prints the games of one source that are new or changed. The error is one of
// writing; ok is false when something could not be read.
func (r *claimsRun) ask(ctx context.Context, source claimsSource) (ok bool, err error) {
	ok = true
	fault := func(key string, err error) {
		ok = false
		if text := fmt.Sprintf("boardd: %v\n", err); r.fresh("fault "+key, text) {
			io.WriteString(r.errs, text)
		}
	}
	files, err := source.fetch(ctx)
	if ctx.Err() != nil {
		return ok, nil
	}
	if err != nil {
		fault(source.name(), err)
	} else {
		delete(r.shown, "fault "+source.name()) // to be named again when it comes back
	}
	for _, file := range files {
		reader := rules.NewPGNReader(bytes.NewReader(file.data), file.name)
		if r.options.start != nil {
			reader.StartFrom(*r.options.start)
		}
		n := 0
		for g, err := range reader.Games() {
			n++
			key := fmt.Sprintf("%s#%d", file.name, n)
			if err != nil {
				fault(key, err)
			} else {
				delete(r.shown, "fault "+key)
			}
			if g == nil {
				continue
			}
			text, news, err := r.text(key, g)
			if err != nil {
				return ok, err
			}
			if r.fresh(key, news) && news != "" {
				if _, err := io.WriteString(r.out, text); err != nil {
					return ok, err
				}
			}
		}
	}
	return ok, nil
}

// fresh reports whether a text differs from the one told last under this key.
func (r *claimsRun) fresh(key, text string) bool {
	if r.shown[key] == text {
		return false
	}
	r.shown[key] = text
	return true
}

// text is what is printed of a game, and of it what an arbiter has to be told
// anew when it changes.
func (r *claimsRun) text(key string, g *rules.Game) (text, news string, err error) {
	if r.options.asJSON {
		var b bytes.Buffer
		err := printJSON(&b, claimsOf(key, g))
		return b.String(), b.String(), err
	}
	report := claimsReport(key, g, r.options.edition)
	text = strings.Join(report.lines, "\n") + "\n"
	if r.options.watch {
		return text, strings.Join(report.news, "\n"), nil
	}
	return text, text, nil
}

// claimsLine is the JSON of one game; scripts read it. Plies count from the start
// position, which is 0.
type claimsLine struct {
	Game             string  `json:"game"` // file and number within it
	Plies            int     `json:"plies"`
	ThreefoldOnBoard []int   `json:"threefold_on_board"`
	ThreefoldNext    []int   `json:"threefold_next"`
	FiftyOnBoard     []int   `json:"fifty_on_board"`
	FiftyNext        []int   `json:"fifty_next"`
	FivefoldFirst    *int    `json:"fivefold_first"`
	SeventyFiveFirst *int    `json:"seventyfive_first"`
	End              *string `json:"end"` // "mate", "stalemate", "dead_position" or null
	FinalFEN         string  `json:"final_fen"`
}

func claimsOf(key string, g *rules.Game) claimsLine {
	line := claimsLine{
		Game: key, Plies: g.Len(), FinalFEN: g.Current().FEN(),
		ThreefoldOnBoard: []int{}, ThreefoldNext: []int{}, FiftyOnBoard: []int{}, FiftyNext: []int{},
	}
	first := func(p **int, n int) {
		if *p == nil {
			*p = &n
		}
	}
	for n := 0; n <= g.Len(); n++ {
		c := g.Claims(n)
		if c.Threefold {
			line.ThreefoldOnBoard = append(line.ThreefoldOnBoard, n)
		}
		if len(c.ThreefoldNext) > 0 {
			line.ThreefoldNext = append(line.ThreefoldNext, n)
		}
		if c.Fifty {
			line.FiftyOnBoard = append(line.FiftyOnBoard, n)
		}
		if len(c.FiftyNext) > 0 {
			line.FiftyNext = append(line.FiftyNext, n)
		}
		if c.Fivefold {
			first(&line.FivefoldFirst, n)
		}
		if c.SeventyFive {
			first(&line.SeventyFiveFirst, n)
		}
	}
	if end := g.Current().End(); end != rules.Playing {
		text := end.String()
		if end == rules.Checkmate {
			text = "mate"
		}
		line.End = &text
	}
	return line
}
