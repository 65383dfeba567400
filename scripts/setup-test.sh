#!/usr/bin/env bash
# Installs the Debian packages that `make test` needs and this machine lacks.
# With all of them there it asks neither apt nor for a password.
set -eu

missing=()
need() { # need "PACKAGE ..." COMMAND...: the packages without which the command fails
	local packages
	read -r -a packages <<<"$1"
	shift
	"$@" >/dev/null 2>&1 || missing+=("${packages[@]}")
}
compiles() { echo 'int main(void) { return 0; }' | gcc -x c - -o /dev/null; }
emulates() { command -v qemu-aarch64-static || command -v qemu-aarch64; }

for tool in go node npm; do
	command -v "$tool" >/dev/null || {
		echo "setup: expected $tool to be installed (go.mod names the Go release; Node 20 or newer)" >&2
		exit 1
	}
done

need "gcc libc6-dev" compiles # the race detector needs cgo
need "chromium fonts-dejavu-core" command -v chromium
need "python3" command -v python3
need "qemu-user-static" emulates
need "shellcheck" command -v shellcheck
need "pgn-extract" command -v /usr/games/pgn-extract
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "setup: expected root or sudo to install these packages: ${missing[*]}" >&2
		exit 1
	}
	as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
