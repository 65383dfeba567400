package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// claimsSource is where PGN comes from.
type claimsSource interface {
	name() string
	// fetch gives the files that have changed since the last call. With an error
	// may come the files that could be read all the same.
	fetch(ctx context.Context) ([]claimsFile, error)
}

// claimsFile is one PGN text with many games or one.
type claimsFile struct {
	name string
	data []byte
}

// maxClaimsBytes bounds one PGN text: a round of a thousand boards needs less.
const maxClaimsBytes = 64 << 20

func openClaims(arg string) (claimsSource, error) {
	if strings.HasPrefix(arg, "http://") || strings.HasPrefix(arg, "https://") {
		if _, err := http.NewRequest(http.MethodGet, arg, nil); err != nil {
			return nil, fmt.Errorf("expected the address of a PGN, got %q: %w", arg, err)
		}
		return &claimsURL{url: arg}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, err
	}
	return &claimsPath{path: arg, folder: info.IsDir(), seen: map[string]fileState{}}, nil
}

// claimsPath is a file, or a folder as LiveChess writes it: a folder a round,
// with game-1.pgn and so on, or games.pgn with all of them, or both.
type claimsPath struct {
	path   string
	folder bool
	seen   map[string]fileState
}

type fileState struct {
	size    int64
	changed time.Time
}

func (s *claimsPath) name() string { return s.path }

func (s *claimsPath) fetch(context.Context) ([]claimsFile, error) {
	paths := []string{s.path}
	if s.folder {
		var err error
		if paths, err = pgnFilesBelow(s.path); err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s: expected PGN files in the folder, got none", s.path)
		}
	}
	var files []claimsFile
	var errs []error
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		now := fileState{info.Size(), info.ModTime()}
		if s.seen[path] == now {
			continue
		}
		data, err := readClaims(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.seen[path] = now
		files = append(files, claimsFile{s.label(path), data})
	}
	return files, errors.Join(errs...)
}

// label is a file's name, with its folders below the one that was named.
func (s *claimsPath) label(path string) string {
	if below, err := filepath.Rel(s.path, path); s.folder && err == nil {
		return filepath.ToSlash(below)
	}
	return filepath.Base(path)
}

func readClaims(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, path)
}

func readBounded(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxClaimsBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > maxClaimsBytes {
		return nil, fmt.Errorf("%s: expected at most %d MB of PGN, got more", name, maxClaimsBytes>>20)
	}
	return data, nil
}

// pgnFilesBelow lists the PGN files of a folder and those below it, by the numbers
// in their names. A games.pgn beside files of single games holds the same games
// again and is left out.
func pgnFilesBelow(folder string) ([]string, error) {
	byFolder := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && strings.EqualFold(filepath.Ext(path), ".pgn") {
			byFolder[filepath.Dir(path)] = append(byFolder[filepath.Dir(path)], path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []string
	for _, paths := range byFolder {
		if len(paths) > 1 {
			paths = slices.DeleteFunc(paths, func(p string) bool { return strings.EqualFold(filepath.Base(p), "games.pgn") })
		}
		all = append(all, paths...)
	}
	slices.SortFunc(all, byNumbers)
	return all, nil
}

// byNumbers orders names as people count: game-2 before game-10.
func byNumbers(a, b string) int {
	for a != "" && b != "" {
		x, restA := leadingNumber(a)
		y, restB := leadingNumber(b)
		if x >= 0 && y >= 0 {
			if x != y {
				return cmp.Compare(x, y)
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingNumber is the number a text begins with, -1 for none.
func leadingNumber(s string) (n int, rest string) {
	end := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return -1, s
	}
	return n, s[end:]
}

// claimsURL asks an address for PGN, and with its last ETag, so that an unchanged
// text is not sent again.
type claimsURL struct {
	url, etag string
}

func (s *claimsURL) name() string { return s.url }

// claimsClient gives up on a server that does not answer before the next question is due.
var claimsClient = &http.Client{Timeout: 10 * time.Second}

func (s *claimsURL) fetch(ctx context.Context) ([]claimsFile, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/x-chess-pgn, text/plain, */*")
	request.Header.Set("User-Agent", "boardd/"+version)
	if s.etag != "" {
		request.Header.Set("If-None-Match", s.etag)
	}
	answer, err := claimsClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusNotModified:
		return nil, nil
	case http.StatusOK:
	default:
		return nil, fmt.Errorf("%s: expected status 200 or 304, got %s", s.url, answer.Status)
	}
	data, err := readBounded(answer.Body, s.url)
	if err != nil {
		return nil, err
	}
	s.etag = answer.Header.Get("ETag")
	return []claimsFile{{s.url, data}}, nil
}
