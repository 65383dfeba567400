package journal

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// childEnv makes the test binary one of the processes that tests need: to be killed, or
// measured. Its value is the kind and its argument.
const childEnv = "BOARDD_JOURNAL_CHILD"

var children = map[string]func(argument string) error{"open": childOpen}

func TestMain(m *testing.M) {
	if kind, argument, is := strings.Cut(os.Getenv(childEnv), " "); is {
		if err := children[kind](argument); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
