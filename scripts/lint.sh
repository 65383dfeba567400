#!/usr/bin/env bash
# Form and the faults that tools find without running anything.
set -eu

unformatted=$(find . -name '*.go' -not -path '*/node_modules/*' -exec gofmt -l {} +)
if [ -n "$unformatted" ]; then
	echo "not gofmt-ed:" >&2
	echo "$unformatted" >&2
	exit 1
fi
go mod tidy -diff
for tags in "" e2e; do
	go vet -tags "$tags" ./...
	go tool staticcheck -tags "$tags" ./...
done
shellcheck .ci/run scripts/*.sh
