//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestPictures takes the pictures of the documentation, of the demonstration in
// mid-game, into the folder that BOARDD_PICTURES names.
func TestPictures(t *testing.T) {
	dir := os.Getenv("BOARDD_PICTURES")
	if dir == "" {
		t.Skip("set BOARDD_PICTURES to a folder to take the pictures of the documentation")
	}
	demo := start(t, "demo", "--boards", "8", "--listen", "127.0.0.1:0", "--speed", "6")
	page := demo.wait(`^The games are at (http://127\.0\.0\.1:\d+/)$`)
	tab := browser(t)
	for _, picture := range []struct {
		name, path    string
		width, height int64
		options       []chromedp.EmulateViewportOption
	}{
		{"demo.png", "", 1200, 860, nil},
		{"demo-phone.png", "", 390, 844, []chromedp.EmulateViewportOption{chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch}},
		{"demo-board.png", "#board=4", 1200, 800, nil},
	} {
		err := chromedp.Do(tab, chromedp.EmulateViewport(picture.width, picture.height, picture.options...),
			chromedp.Navigate("about:blank"), chromedp.Navigate(page+picture.path), chromedp.WaitVisible(".state.live"))
		if err != nil {
			t.Fatal(err)
		}
		sees(t, tab, "games in the middle", `[...document.querySelectorAll(".last")].filter((e) => parseInt(e.textContent) >= 9).length >= 7`)
		// A man may still be gliding.
		if err := chromedp.Do(tab, chromedp.Sleep(500*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		shot, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, picture.name), shot, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
