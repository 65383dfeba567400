package uplink

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"boardd/broadcast"
)

// keptVersion is that of the file; another one is refused and left as it is.
const keptVersion = 1

// keptState is a State as a file has it.
type keptState struct {
	Version int               `json:"version"`
	Seats   map[string]Seats  `json:"seats"` // which the boards were numbered by
	Places  map[string]Place  `json:"places"`
	Boards  []broadcast.Board `json:"boards"`
}

// encode gives the state as its file.
func (s *State) encode() ([]byte, error) {
	return json.Marshal(keptState{keptVersion, s.seats, s.places, s.Boards()})
}

// decode takes the state from its file.
func (s *State) decode(data []byte) error {
	var k keptState
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	if k.Version != keptVersion {
		return fmt.Errorf("expected version %d, got %d", keptVersion, k.Version)
	}
	k.reseat(s.seats)
	return s.Restore(k.Boards, k.Places)
}

// reseat forgets venues whose boards have other numbers now, or that are none of the event's
// any more: who still is one tells its games again. Files of a hub that kept no seats are
// believed.
func (k *keptState) reseat(now map[string]Seats) {
	for venue, was := range k.Seats {
		if now[venue] == was {
			continue
		}
		delete(k.Places, venue)
		k.Boards = slices.DeleteFunc(k.Boards, func(b broadcast.Board) bool { return was.has(b.Board) })
	}
}

// Restore begins with what a hub knew. The error is that of boards that cannot be.
func (s *State) Restore(boards []broadcast.Board, places map[string]Place) error {
	for _, b := range boards {
		again := broadcast.NewBoard(b.Board)
		for _, c := range b.Changes() {
			if err := again.Apply(c); err != nil {
				return err
			}
		}
		s.boards[b.Board] = &again
	}
	for venue, p := range places {
		s.places[venue] = p
	}
	return nil
}

// load reads what a hub knew; without a file it has heard nothing. A file that cannot be
// read is set aside, and the venues tell everything again.
func load(name string, seats map[string]Seats) (s *State, aside string, err error) {
	s = NewState(seats)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	why := s.decode(data)
	if why == nil {
		return s, "", nil
	}
	aside = name + ".damaged"
	if err := os.Rename(name, aside); err != nil {
		return nil, "", errors.Join(why, err)
	}
	return NewState(seats), fmt.Sprintf("%s: %v; set aside as %s", name, why, aside), nil
}

// save puts data into a file, so that after a power cut it is the old one or the new.
func save(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return nil // the file is there
	}
	return errors.Join(dir.Sync(), dir.Close())
}
