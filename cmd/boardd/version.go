package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Set by `make build` through the linker; empty in a plain `go build`, which
// then says what the Go tool recorded.
var (
	version = ""
	commit  = ""
)

func newVersionCommand(p *process) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, commit, Go release and architecture",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			_, err := fmt.Fprintf(p.stdout, "boardd  %s\ncommit  %s\ngo      %s\narch    %s\n",
				b.version, b.commit, b.goVersion, b.arch)
			return err
		},
	}
}

// build says where a binary comes from.
type build struct {
	version, commit, goVersion, arch string
}

func thisBuild() build {
	b := build{version: version, commit: commit, goVersion: runtime.Version(), arch: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOARM": // arm alone does not tell a Pi Zero's binary from a Pi 3's
			b.arch += "v" + s.Value
		case "vcs.revision":
			if b.commit == "" {
				b.commit = s.Value
			}
		}
	}
	if b.version == "" {
		b.version = "(devel)"
	}
	if b.commit == "" {
		b.commit = "unknown"
	}
	return b
}
