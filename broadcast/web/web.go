// Package web holds the built page: the files of dist, made from src by esbuild (see build.mjs). dist is kept
// in the repository so that `go build` needs no Node.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files is the tree that is served under "/".
func Files() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("web: " + err.Error()) // "dist" is a valid path, so this cannot happen
	}
	return sub
}
