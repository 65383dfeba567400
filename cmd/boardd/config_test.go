package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"boardd/venue"
)

func TestLoadConfig(t *testing.T) {
	dir := t.TempDir()
	here, etc, none := filepath.Join(dir, "here.toml"), filepath.Join(dir, "etc.toml"), filepath.Join(dir, "none.toml")
	for path, text := range map[string]string{here: `listen = ":1"`, etc: `listen = ":2"`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name       string
		flag       string
		places     []string
		listen     string
		file       string
		notExisted bool
	}{
		{"the flag's file", etc, []string{here}, ":2", etc, false},
		{"the flag's file has to exist", none, []string{here}, "", none, true},
		{"the first place", "", []string{here, etc}, ":1", here, false},
		{"the first that exists", "", []string{none, etc}, ":2", etc, false},
		{"no file at all", "", []string{none}, venue.DefaultConfig().Listen, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, file, err := loadConfig(tt.flag, tt.places)
			if errors.Is(err, fs.ErrNotExist) != tt.notExisted || (err != nil && !tt.notExisted) {
				t.Fatalf("error %v", err)
			}
			if c.Listen != tt.listen || file != tt.file {
				t.Errorf("listen %q from %q, want %q from %q", c.Listen, file, tt.listen, tt.file)
			}
		})
	}
}

// A file that is there but wrong must not fall through to the next place.
func TestLoadConfigStopsAtAFaultyFile(t *testing.T) {
	faulty := filepath.Join(t.TempDir(), "faulty.toml")
	if err := os.WriteFile(faulty, []byte("listen = 8080"), 0o600); err != nil {
		t.Fatal(err)
	}
	var faults venue.ConfigErrors
	if _, _, err := loadConfig("", []string{faulty, "/nowhere.toml"}); !errors.As(err, &faults) {
		t.Errorf("got %v, want the faults of %s", err, faulty)
	}
}
