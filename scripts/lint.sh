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
# The tag adds the end-to-end tests and takes nothing away.
go vet -tags e2e ./...
go tool staticcheck -tags e2e ./...
shellcheck .ci/run scripts/*.sh
