package venue

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"boardd/dgt/link"
	"boardd/rules"
	"boardd/tomlfile"
)

// maxTableNumber is a limit of what a file may say; a test shows that it bites.
const maxTableNumber = 9999

var (
	hostName = regexp.MustCompile(`^[0-9A-Za-z]([0-9A-Za-z.-]{0,251}[0-9A-Za-z])?$`)
	// A serial number is 5 digits, a long one 10 characters
	// (dgt-protocol, messages 91 and a2).
	serialText = regexp.MustCompile(`^([0-9]{5}|[0-9A-Za-z.]{10})$`)
)

// listenAddressOrNone lets "" switch a server off.
func listenAddressOrNone(text string) string {
	if text == "" {
		return ""
	}
	return listenAddress(text)
}

func drawRule(text string) string {
	if _, err := rules.ParseDrawRule(text); err != nil {
		return "allowed, claims-only or no-offers-before N (1 to 200)"
	}
	return ""
}

func listenAddress(text string) string {
	const expected = `host:port or :port, with a port from 0 to 65535`
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return expected
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return expected
	}
	if _, err := netip.ParseAddr(host); err != nil && host != "" && !hostName.MatchString(host) {
		return expected
	}
	return ""
}

func folder(text string) string {
	if text == "" || tomlfile.HasControl(text) {
		return "the path of a folder"
	}
	return ""
}

func devicePath(text string) string {
	if !filepath.IsAbs(text) || filepath.Clean(text) != text || tomlfile.HasControl(text) || text == "/" {
		return "the full path of a device, as in /dev/ttyUSB0"
	}
	return ""
}

// portRule is a USB identity or a pattern of a port's name.
func portRule(text string) string {
	const expected = "a USB identity, as in 045b:8111, or a pattern of a name in /dev/serial/by-path or of a device"
	if _, err := link.ParseUSBID(text); err == nil {
		return ""
	}
	// A typing error in an identity would be a pattern that fits nothing.
	if !strings.ContainsAny(text, "*?-/") {
		return expected
	}
	if _, err := path.Match(text, ""); err != nil || tomlfile.HasControl(text) ||
		strings.Contains(text, "/") && !strings.HasPrefix(text, "/dev/") {
		return expected
	}
	return ""
}

// Rule is what the serial section allows. It takes a checked configuration.
func (s SerialConfig) Rule() link.Rule {
	rule := link.Rule{Ports: s.Ports}
	for _, text := range s.Allow {
		if id, err := link.ParseUSBID(text); err == nil {
			rule.USB = append(rule.USB, id)
		} else {
			rule.Allow = append(rule.Allow, text)
		}
	}
	return rule
}

func serialNumber(text string) string {
	if !serialText.MatchString(text) {
		return "a serial number of 5 digits, or a long one of 10 characters"
	}
	return ""
}

func startPosition(text string) string {
	if _, err := rules.ParseFEN(text); err != nil {
		why := cmp.Or(errors.Unwrap(err), err) // without the FEN itself, which follows
		return fmt.Sprintf("a position in FEN (%v)", why)
	}
	return ""
}
