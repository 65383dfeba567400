package venue

import "testing"

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"none": 0, "1 B": 1, "500 MB": 500e6, "500MB": 500e6, "1.5 GB": 1500e6, "2 TB": 2e12, "10 kB": 10e3} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q: %d, error %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0 B", "5", "-5 MB", "1e9 MB", "infB", "nanB", "MB", "5 mb", "99999999999 TB", "5 MB MB", "0.1 B"} {
		if n, err := ParseSize(text); err == nil {
			t.Errorf("%q is read as %d", text, n)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1500: "1.5 kB", 2e6: "2.0 MB", 2e9: "2.0 GB"} {
		if got := FormatSize(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	for _, text := range []string{"none", "500 MB", "1.5GB", "0x1p4 B", "nanB", "9e99 TB", "1 000 kB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseSize(text)
		if err == nil && (n < 0 || n == 0 && text != "none") || err != nil && n != 0 {
			t.Errorf("%q is read as %d, error %v", text, n, err)
		}
	})
}
