package broadcast

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// browser starts Chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine (apt-get install chromium)")
	}
	opts := append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir())},
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", false))
	alloc, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	tab, end := chromedp.NewContext(alloc)
	t.Cleanup(func() {
		chromedp.Cancel(tab) // waits for the browser to end
		end()
	})
	// The first run starts the browser, which lives as long as its context, so that one has no time limit.
	if err := chromedp.Do(tab, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(tab, 2*time.Minute)
	t.Cleanup(cancel)
	return limited
}

// TestScreenshots writes pictures of the page for people to look at, into the folder named by BOARDD_SHOTS.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("BOARDD_SHOTS")
	if dir == "" {
		t.Skip("set BOARDD_SHOTS to a folder to take pictures of the page")
	}
	ctx := browser(t)
	h, srv := running(t, Options{Title: "Open Championship of the City"})
	_, empty := running(t, Options{})
	newHall(t, h).fill()
	sizes := []struct {
		name string
		w, h int64
		dpr  float64
	}{{"desktop", 1440, 900, 1}, {"phone", 390, 844, 2}, {"tablet", 820, 1180, 1}}
	for _, size := range sizes {
		for _, theme := range []string{"light", "dark"} {
			for _, view := range []struct{ name, path string }{{"grid", "/"}, {"board", "/#board=2"}, {"lost", "/#board=4"}, {"long", "/#board=3"}, {"mate", "/#board=1"}, {"empty", ""}} {
				if size.name == "tablet" && (theme == "dark" || view.name != "grid" && view.name != "board") || view.name == "empty" && theme == "dark" {
					continue
				}
				url := srv.URL + view.path
				if view.path == "" {
					url = empty.URL
				}
				media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
				if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
					t.Fatal(err)
				}
				options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(size.dpr)}
				if size.name == "phone" {
					options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
				}
				err := chromedp.Do(ctx, chromedp.EmulateViewport(size.w, size.h, options...), chromedp.Navigate("about:blank"),
					chromedp.Navigate(url), chromedp.WaitVisible(".state.live"), chromedp.Sleep(400*time.Millisecond))
				if err != nil {
					t.Fatal(err)
				}
				over, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.documentElement.scrollWidth > innerWidth"))
				if err != nil {
					t.Fatal(err)
				}
				picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				if over {
					t.Errorf("%s %s %s: the page is wider than the screen", size.name, theme, view.name)
				}
				if err := os.WriteFile(filepath.Join(dir, size.name+"-"+theme+"-"+view.name+".png"), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
