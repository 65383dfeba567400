package broadcast

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

func TestGuests(t *testing.T) {
	now := time.Unix(1000, 0)
	at := netip.MustParseAddr
	g := newGuests(3, 2)
	for i := range 3 {
		if !g.enter(at("192.0.2.1"), now) {
			t.Fatalf("connection %d was refused", i+1)
		}
	}
	if g.enter(at("192.0.2.1"), now) || g.enter(at("::ffff:192.0.2.1"), now) {
		t.Error("expected three at a time from one address, however it is written")
	}
	if !g.enter(at("192.0.2.2"), now) {
		t.Error("another address was refused")
	}
	g.leave(at("192.0.2.1"))
	if g.enter(at("192.0.2.1"), now) {
		t.Error("a place is free, but the burst is spent")
	}
	if now = now.Add(500 * time.Millisecond); !g.enter(at("192.0.2.1"), now) {
		t.Error("expected one more after half a second")
	}
	for i := range 3 {
		if !g.enter(at(fmt.Sprintf("2001:db8:1:2::%d", i+1)), now) {
			t.Fatal("IPv6 was refused")
		}
	}
	if g.enter(at("2001:db8:1:2:ffff::1"), now) {
		t.Error("a /64 is one address")
	}
	if !g.enter(at("2001:db8:1:3::1"), now) {
		t.Error("another /64 was refused")
	}
	for range 100 {
		if !g.enter(at("127.0.0.1"), now) || !g.enter(at("::1"), now) {
			t.Fatal("this machine has no bound")
		}
	}
}

func TestGuestsAreForgotten(t *testing.T) {
	now := time.Unix(1000, 0)
	g := newGuests(1, 1)
	for i := range 3 * guestsMax {
		now = now.Add(time.Millisecond)
		addr := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		if !g.enter(addr, now) {
			t.Fatalf("address %d was refused", i)
		}
		g.leave(addr)
	}
	if len(g.all) > guestsMax+1 {
		t.Errorf("%d addresses are remembered", len(g.all))
	}
}

func TestAnAddressTakesOnlyItsShare(t *testing.T) {
	h, _ := running(t, Options{PerAddress: 2})
	handler := h.Handler()
	for i, want := range []int{400, 400, 429} { // 400: there is a place, but this is no WebSocket handshake
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/ws", nil)
		r.RemoteAddr = "192.0.2.7:99"
		handler.ServeHTTP(w, r)
		if w.Code != want || want == 429 && w.Header().Get("Retry-After") == "" {
			t.Errorf("connection %d: expected %d, got %d", i+1, want, w.Code)
		}
	}
}
