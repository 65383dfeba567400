package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/broadcast/lichess"
	"boardd/venue"
)

// newLichess makes the service that pushes the games to the broadcast of the
// configuration; one that does nothing when there is none.
func newLichess(p *process, config venue.Config, hub *broadcast.Hub, today time.Time) (service, error) {
	if config.Lichess.Round == "" {
		return func(ctx context.Context) error { <-ctx.Done(); return nil }, nil
	}
	token, err := venue.ReadToken(config.Lichess.TokenFile)
	if err != nil {
		return nil, fmt.Errorf("lichess: %w", err)
	}
	return lichess.NewPusher(lichess.Options{
		URL: config.Lichess.URL, Round: config.Lichess.Round, Token: token, Agent: agent(),
		Event: pgnEvent(config, today), View: hub.Public(),
		News: func(n lichess.News) {
			if n.Over {
				p.log.Info().Msg(n.Detail)
			} else {
				p.log.Warn().Msg(n.Detail)
			}
			hub.Publish(lichess.Alert(n))
		},
	}).Run, nil
}

// agent is who we are to others.
func agent() string { return "boardd/" + version + " (chess venue daemon)" }

func newLichessCommand(p *process) *cobra.Command {
	c := &cobra.Command{
		Use:   "lichess COMMAND",
		Short: "Look after the broadcast on Lichess",
		Long: `Lichess looks after the broadcast that [lichess] in the configuration names. Check sends
a push without games, which changes nothing, and says whether round and token are right.
Reset empties the round: a running boardd fills it again within a minute, and so a corrected
move leaves no trace there.`,
	}
	for _, one := range []struct {
		use, short string
		request    lichess.Request
	}{
		{"check", "Tell whether round and token are right", lichess.Request{}},
		{"reset", "Empty the round, so that all games are pushed anew", lichess.Request{Reset: true}},
	} {
		var file string
		sub := &cobra.Command{
			Use: one.use + " [flags]", Short: one.short, Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error {
				config, _, err := loadConfig(file, configPlaces)
				if err != nil {
					return err
				}
				said, err := askLichess(c.Context(), config, one.request)
				if err == nil {
					fmt.Fprintln(p.stdout, said)
				}
				return err
			},
		}
		sub.Flags().StringVar(&file, "config", "", "configuration file (default ./boardd.toml or /etc/boardd/boardd.toml)")
		c.AddCommand(sub)
	}
	return c
}

// askLichess sends one request and puts the answer into words.
func askLichess(ctx context.Context, config venue.Config, r lichess.Request) (string, error) {
	if config.Lichess.Round == "" {
		return "", errors.New("the configuration names no broadcast: expected [lichess] with round and token-file")
	}
	token, err := venue.ReadToken(config.Lichess.TokenFile)
	if err != nil {
		return "", err
	}
	url := config.Lichess.URL
	if url == "" {
		url = "https://lichess.org"
	}
	a := lichess.Send(ctx, &http.Client{Timeout: 15 * time.Second}, url, config.Lichess.Round, token, agent(), r)
	switch {
	case a.Err != nil:
		return "", fmt.Errorf("%s: %w", url, a.Err)
	case a.Status < 500 && !json.Valid(a.Body): // a sign-in page of the venue's network, or another address
		return "", fmt.Errorf("%s: expected the answer of Lichess, got something else with status %d", url, a.Status)
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden:
		return "", errors.New("the token is not accepted by Lichess: it needs the scope study:write, and its owner must be a contributor of the broadcast")
	case a.Status == http.StatusNotFound:
		return "", fmt.Errorf("round %s is not known to Lichess", config.Lichess.Round)
	case r.Reset && a.Status == http.StatusOK:
		return "The round is empty. A running boardd fills it again within a minute.", nil
	case a.Status == http.StatusOK, a.Status == http.StatusBadRequest: // a push without games
		return "Round and token are right.", nil
	}
	return "", fmt.Errorf("expected status 200 from Lichess, got %d", a.Status)
}
