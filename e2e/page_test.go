//go:build e2e

package e2e

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// browser starts a headless Chromium of this test's own.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium on this machine (apt-get install chromium)")
	}
	alloc, stop := chromedp.NewExecAllocator(t.Context(),
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
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
	limited, cancel := context.WithTimeout(tab, 2*patience)
	t.Cleanup(cancel)
	return limited
}

// sees waits until an expression is true in the page.
func sees(t *testing.T, tab context.Context, what, expression string) {
	t.Helper()
	if _, err := chromedp.Run(tab, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(2*patience))); err != nil {
		text, _ := chromedp.Run(tab, chromedp.Evaluate[string](`document.getElementById("main").innerText`))
		t.Fatalf("the page does not show %s: %v\nit shows:\n%s", what, err, text)
	}
}

// The page of the real binary in a real browser: a board moves, is lost, and is back.
func TestPageShowsMovesLostAndBack(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "board")
	board := emulate(t, link)
	_, page := serve(t, "--port", link)
	tab := browser(t)
	if err := chromedp.Do(tab, chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	sees(t, tab, "a board", `document.querySelectorAll(".card").length === 1`)
	sees(t, tab, "that it is live", `document.querySelector(".card .badge").hidden`)
	sees(t, tab, "the clocks", `document.querySelector(".card .clock").textContent !== ""`)
	board.order("button run", "move e2e4", "press")
	sees(t, tab, "e4", `document.querySelector(".card .last").textContent.includes("e4")`)
	board.order("unplug")
	sees(t, tab, "the loss", `document.querySelector(".card .badge.lost")?.textContent === "Board lost"`)
	board.order("replug")
	sees(t, tab, "the return", `document.querySelector(".card .badge.back")?.textContent === "Board back"`)
	board.order("move e7e5", "press")
	sees(t, tab, "e5", `document.querySelector(".card .last").textContent.includes("e5")`)
	board.order("move g1f3", "press")
	sees(t, tab, "Nf3", `document.querySelector(".card .last").textContent.includes("Nf3")`)
}

// The demonstration's page shows its boards moving.
func TestPageShowsDemoMoving(t *testing.T) {
	t.Parallel()
	demo := start(t, "demo", "--boards", "8", "--speed", "10", "--listen", "127.0.0.1:0")
	page := demo.wait(`^The games are at (http://127\.0\.0\.1:\d+/)$`)
	tab := browser(t)
	if err := chromedp.Do(tab, chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	sees(t, tab, "8 boards", `document.querySelectorAll(".card").length === 8`)
	sees(t, tab, "a move on each", `[...document.querySelectorAll(".last")].every((e) => e.textContent !== "")`)
	sees(t, tab, "different games", `new Set([...document.querySelectorAll(".card")].map((c) => c.innerText.split("\n").filter((l) => /,/.test(l)).join())).size > 4`)
}
