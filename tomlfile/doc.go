// Package tomlfile reads files that people write in TOML, strictly: each key is
// one that somebody asked for, each value is checked, and all faults of a file
// are told at once, with line and column, what was expected and what came.
//
// It knows no file system: text comes in, values go out.
package tomlfile
