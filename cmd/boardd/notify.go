package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"boardd/broadcast"
	"boardd/broadcast/notify"
	"boardd/venue"
)

func newNotifyCommand(p *process) *cobra.Command {
	c := &cobra.Command{
		Use:   "notify",
		Short: "Try the notifications of a configuration",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			got := "none"
			if len(args) > 0 {
				got = fmt.Sprintf("%q", args[0])
			}
			return usagef(seeHelp(c), "notify: expected test, got %s", got)
		},
	}
	c.AddCommand(newNotifyTestCommand(p))
	return c
}

func newNotifyTestCommand(p *process) *cobra.Command {
	file := ""
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Send a test message to each target",
		Long: `Test sends a message that says that it is a test to each target ([[notify]] in the
configuration), or to those that are named, and prints what came back. It needs no running
boardd, and ends with status 1 when a target did not take the message.`,
		Example: `  boardd notify test
  boardd notify test --config hall.toml "arbiters' phone"`,
		RunE: func(c *cobra.Command, names []string) error {
			config, _, err := loadConfig(file, configPlaces)
			if err != nil {
				return err
			}
			config.Notify, err = namedTargets(config.Notify, names)
			if err != nil {
				return usagef(seeHelp(c), "%v", err)
			}
			targets, err := notifyTargets(config)
			if err != nil {
				return err
			}
			failed := 0
			notify.Test(c.Context(), notifyTitle(config), targets, func(name string, err error) {
				if err != nil {
					failed++
					fmt.Fprintf(p.stdout, "%s: failed: %v\n", name, err)
					return
				}
				fmt.Fprintf(p.stdout, "%s: taken\n", name)
			})
			if failed > 0 {
				return fmt.Errorf("%d of %d targets did not take the message", failed, len(targets))
			}
			return nil
		},
	}
	c.Flags().StringVar(&file, "config", "", "configuration file (default ./boardd.toml or /etc/boardd/boardd.toml, if there)")
	return c
}

// namedTargets are the targets with these names; all when there is no name.
func namedTargets(all []venue.NotifyConfig, names []string) ([]venue.NotifyConfig, error) {
	if len(all) == 0 {
		return nil, fmt.Errorf("expected a configuration with [[notify]], got none; name the file with --config")
	}
	if len(names) == 0 {
		return all, nil
	}
	var named []venue.NotifyConfig
	for _, name := range names {
		i := slices.IndexFunc(all, func(c venue.NotifyConfig) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("expected the name of a [[notify]] of the configuration, got %q", name)
		}
		named = append(named, all[i])
	}
	return named, nil
}

// newNotifier makes the service that tells people elsewhere of alerts; without [[notify]] it does nothing.
func newNotifier(p *process, config venue.Config) (*notify.Notifier, error) {
	targets, err := notifyTargets(config)
	if err != nil {
		return nil, err
	}
	return notify.New(notify.Options{Title: notifyTitle(config), Targets: targets, Log: p.log}), nil
}

func notifyTitle(config venue.Config) string {
	if config.Event.Name == "" {
		return "boardd"
	}
	return config.Event.Name
}

// notifyTargets reads the addresses and secrets that the configuration names.
func notifyTargets(config venue.Config) ([]notify.Target, error) {
	var targets []notify.Target
	for _, c := range config.Notify {
		t := notify.Target{Name: c.Name, For: notify.Audience(c.For), Alerts: c.Alerts, Except: c.Except, Tables: c.Tables, Every: c.Every}
		if err := connectTarget(&t, &c); err != nil {
			return nil, fmt.Errorf("notify %q: %w", c.Name, err)
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func connectTarget(t *notify.Target, c *venue.NotifyConfig) error {
	address, err := c.Address()
	if err != nil {
		return err
	}
	secret, err := c.Secret()
	if err != nil {
		return err
	}
	if strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		if secret == "" {
			return fmt.Errorf("a webhook needs secret-file or secret-env, which signs its requests")
		}
		t.Lines = notify.WebhookLines
		t.Sender, err = notify.NewWebhook(address, secret)
		return err
	}
	if secret != "" {
		return fmt.Errorf("expected the address of a webhook (https://...) where there is a secret-file or secret-env; services have their secrets in the address")
	}
	t.Sender, err = notify.NewService(address)
	return err
}

// tell hands each change to the notifier, too.
func tell(n *notify.Notifier, publish func(broadcast.Change)) func(broadcast.Change) {
	return func(c broadcast.Change) {
		n.Take(c)
		publish(c)
	}
}
