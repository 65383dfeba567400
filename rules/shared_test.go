package rules

import (
	"os"
	"path/filepath"
	"testing"
)

// sharedPath finds a file of the material that lies beside the repository
// (BOARDD_SHARED, else ../shared seen from some folder above) and skips without it.
func sharedPath(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("BOARDD_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "shared")); err == nil {
				root = filepath.Join(dir, "shared")
				break
			}
			if filepath.Dir(dir) == dir {
				t.Skip("needs the shared material: set BOARDD_SHARED or put it in ../shared")
			}
			dir = filepath.Dir(dir)
		}
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs the shared material: %v", err)
	}
	return path
}
