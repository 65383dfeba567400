#!/usr/bin/env bash
# Builds the spectator page with esbuild, or checks that the result kept in git
# is what its sources give.
# usage: scripts/web.sh build|check
set -eu
action=${1:?usage: scripts/web.sh build|check}
cd broadcast/web
npm ci --no-audit --no-fund --loglevel=error
case $action in
build)
	npm run --silent build
	;;
check)
	npm run --silent check
	kept=$(mktemp -d)
	trap 'rm -rf "$kept"' EXIT
	cp -R dist/. "$kept"
	npm run --silent build
	diff -r "$kept" dist || {
		echo "web: dist is not what its sources give; run 'make web' and commit it" >&2
		exit 1
	}
	;;
*)
	echo "web: expected build or check, got $action" >&2
	exit 2
	;;
esac
