#!/usr/bin/env bash
# Runs every fuzz target of the module for the given time each.
# usage: scripts/fuzz.sh TIME
set -eu
time=${1:?usage: scripts/fuzz.sh TIME, as in 30s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

fuzz() { # fuzz PACKAGE TARGET
	go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 20x "$1" >"$log" 2>&1
}

failures=0
while IFS=: read -r file target; do
	package=./$(dirname "$file")
	ok=true
	if ! fuzz "$package" "$target"; then
		ok=false
		# Before Go 1.27 the fuzzer now and then takes its own time limit for a
		# failure (go.dev/issue/75804); a real one names its input.
		if grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
			fuzz "$package" "$target" && ok=true
		fi
	fi
	if $ok; then
		printf 'ok    %-28s %s\n' "$package" "$target"
	else
		printf 'FAIL  %-28s %s\n' "$package" "$target"
		cat "$log"
		failures=$((failures + 1))
	fi
done < <(grep -rHo --include='*_test.go' --exclude-dir=node_modules '^func Fuzz[A-Za-z0-9_]*' . |
	sed 's,^\./,,; s,:func ,:,' | sort)
[ "$failures" -eq 0 ]
