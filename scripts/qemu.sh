#!/usr/bin/env bash
# Replays tapes with the ARM binaries under QEMU's user emulation: they have to
# print what this machine's own binary prints, byte for byte.
set -eu
shared=${BOARDD_SHARED:-../shared}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

mapfile -t tapes < <(find cmd dgt venue rules e2e -name '*.tape' 2>/dev/null | sort)
for tape in "$shared"/captures/*.tape; do
	[ ! -e "$tape" ] || tapes+=("$tape")
done
[ "${#tapes[@]}" -gt 0 ] || {
	echo "qemu: expected tapes in the repository or in $shared/captures, found none" >&2
	exit 1
}

emulator() { # emulator NAME: Debian's name of it, before and after trixie
	command -v "qemu-$1-static" || command -v "qemu-$1"
}
play() { # play ARCHITECTURE EMULATOR...
	local arch=$1
	shift
	for format in json events pgn; do
		"$@" "dist/boardd-linux-$arch" replay --format "$format" "${tapes[@]}" >"$out/$arch.$format"
		cmp "$out/native.$format" "$out/$arch.$format"
	done
	echo "ok    $arch replays ${#tapes[@]} tapes as this machine does"
}

for format in json events pgn; do
	bin/boardd replay --format "$format" "${tapes[@]}" >"$out/native.$format"
	[ -s "$out/native.$format" ] || {
		echo "qemu: expected a replay of ${#tapes[@]} tapes as $format, got nothing" >&2
		exit 1
	}
done
play arm64 "$(emulator aarch64)"
play armv6 "$(emulator arm)" -cpu arm1176
