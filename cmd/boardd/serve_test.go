package main

import (
	"net"
	"strings"
	"testing"
)

// Who is told that an address is taken is told the setting of that very address.
func TestListenNamesTheSettingOfATakenAddress(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, setting := range []string{"--listen", "arbiter-listen", "livechess.listen"} {
		ln, err := listen(first.Addr().String(), setting)
		if err == nil {
			ln.Close()
			t.Fatalf("%s: expected an error for an address that is taken, got none", setting)
		}
		if want := "choose another port with " + setting + ":"; !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q in the error, got %q", want, err)
		}
	}
}
