#!/usr/bin/env bash
# Runs make targets one after the other, goes on after a failure, and closes
# with what each came to and how long it took.
set -eu

passed=0
failed=0
summary=""
for stage in "$@"; do
	echo "== $stage"
	start=$SECONDS
	if "${MAKE:-make}" --no-print-directory "$stage"; then
		result=ok
		passed=$((passed + 1))
	else
		result=FAILED
		failed=$((failed + 1))
	fi
	summary+=$(printf '%-12s %-7s %4d s' "$stage" "$result" $((SECONDS - start)))$'\n'
done
printf '\n%s' "$summary"
printf '%-12s %-7s %4d s\n\n' "all" "" "$SECONDS"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
