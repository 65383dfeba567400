package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"boardd/broadcast/lcc"
	"boardd/rules"
)

// Folder is the folder of one event. Not safe for concurrent use.
type Folder struct {
	path    string
	layout  Layout
	written map[string]string // ETag of what stands there, by path in the tree
	write   func(path string, data []byte) error
}

// NewFolder is the folder of an event at a path, which Write makes when it is not there.
func NewFolder(path string, layout Layout) *Folder {
	return &Folder{path: path, layout: layout, written: map[string]string{}, write: writeFile}
}

// Write brings the folder up to date with the tree: only files that differ from what was written are written, each
// at once or not at all. It goes on after a file that cannot be written and gives all errors; what failed is tried
// again by the next call. It removes nothing.
func (f *Folder) Write(t Tree) error {
	var failed []error
	for _, path := range t.Paths() {
		if !f.layout.onDisk(path) || f.written[path] == t[path].Tag {
			continue
		}
		if err := f.write(filepath.Join(f.path, filepath.FromSlash(path)), t[path].Data); err != nil {
			failed = append(failed, err)
			if len(failed) == maxFailures { // the disk is full or gone; what follows would say the same
				break
			}
			continue
		}
		f.written[path] = t[path].Tag
	}
	return errors.Join(failed...)
}

const maxFailures = 3

// writeFile puts a file in place at once: whoever looks finds the old one or the new one, also after a power cut.
func writeFile(path string, data []byte) (err error) {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil // from before this run
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// Not *.pgn: upload programs take every one.
	temp, err := os.CreateTemp(dir, ".boardd-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Load puts the games that stand in the folder into a book, and removes what a crash left half written. A folder that
// is not there has none. Files that cannot be read are passed over and told of; they are written anew when their game
// is played.
func (f *Folder) Load(b *Book) error {
	rounds, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	failed := []error{err}
	for _, round := range rounds {
		if !round.IsDir() || !strings.HasPrefix(round.Name(), "round-") {
			continue
		}
		dir := filepath.Join(f.path, round.Name())
		files, err := os.ReadDir(dir)
		failed = append(failed, err)
		for _, file := range files {
			path := filepath.Join(dir, file.Name())
			switch {
			case strings.HasPrefix(file.Name(), ".boardd-") && strings.HasSuffix(file.Name(), ".tmp"):
				failed = append(failed, os.Remove(path))
			case f.layout == Combined && file.Name() == "games.pgn", f.layout != Combined && strings.HasPrefix(file.Name(), "game-") && strings.HasSuffix(file.Name(), ".pgn"):
				failed = append(failed, b.load(path, round.Name()))
			}
		}
	}
	return errors.Join(failed...)
}

// load keeps the games of a file that lies in the folder of its round.
func (b *Book) load(path, folder string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for record, err := range rules.ScanPGN(bytes.NewReader(data), path) {
		if err != nil {
			return err
		}
		board, err := strconv.Atoi(record.Tags.Get("Board"))
		round := roundOf(record.Tags.Get("Round"), board, "")
		if err != nil || board < 1 || round.Folder() != folder {
			return fmt.Errorf("%s: expected a game that boardd wrote for this folder, got board %q of round %q",
				path, record.Tags.Get("Board"), record.Tags.Get("Round"))
		}
		for _, side := range []string{"White", "Black"} { // the name of one who has none
			if record.Tags.Get(side) == noName(board, side) {
				record.Tags.Delete(side)
			}
		}
		b.Keep(round, board, record, firstMove(filepath.Join(filepath.Dir(path), fmt.Sprintf("game-%d.json", board))))
	}
	return nil
}

// firstMove is when a game of the folder began, in Unix ms; 0 when that is not known.
func firstMove(path string) int64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	file, err := lcc.ReadGame(path, data)
	if err != nil || file.FirstMove == nil {
		return 0
	}
	return *file.FirstMove
}
