#!/usr/bin/env bash
# A show whose recording meets trouble: tests/set_trouble.sh FROTH SOURCE [SECONDS]      12 a show if not given
# The disk gets full, the folder is deleted, the clock is set back: it is told once, the show goes on, and its frame times are
# those of a show without a recording, within noise. Exit code 77: tools, or rights for a small disk, are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-12}
for tool in Xvfb xvfb-run mount; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done

work=$(mktemp -d)
small=
trap '[ -n "$small" ] && umount "$work/small" 2> /dev/null; rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work SDL_AUDIODRIVER=dummy
fail() {
    echo "FAILED: $1"
    tail -n 20 "$work/messages"
    exit 1
}
play() {
    xvfb-run -a "$froth" play "$source/presets/originals" --no-library --audio demo --size 160x120 --fps 30 --threads 1 \
        --advance 3 --duration "$seconds" --frame-times "$@" 2> "$work/messages"
}
times() { sed -n 's/^drawing: \(.*\), longest.*/\1/p' "$work/messages"; }
told() { # NAME PART: told once, and nothing else went wrong
    [ "$(grep -c "the recording has ended: $2" "$work/messages")" = 1 ] || fail "$1: it is not told once"
    echo "$1: $(times)"
}

play
echo "without a recording: $(times)"
play --record "$work/good"
grep -q 'error' "$work/messages" && fail "a recording"
echo "recorded: $(times)"

mkdir "$work/small"
if mount -t tmpfs -o size=1m tmpfs "$work/small" 2> /dev/null; then
    small=yes
    play --record "$work/small/set"
    told "disk full" "No space left on device"
    "$froth" render "$work/small/set" --as-shown --hash > "$work/again" 2> "$work/messages" || fail "render from a full disk"
    echo "    $(grep -c ^frame "$work/again") frames of it render"
else
    echo "disk full: no rights to make a small one"
fi

( sleep $((seconds / 2)); rm -rf "$work/gone" ) &
play --record "$work/gone"
told "folder deleted" "its folder is gone"

if command -v faketime > /dev/null; then
    echo "2030-01-01 12:00:00" > "$work/clock"
    ( sleep $((seconds / 2)); echo "2001-01-01 12:00:00" > "$work/clock" ) &
    FAKETIME_TIMESTAMP_FILE=$work/clock FAKETIME_NO_CACHE=1 DONT_FAKE_MONOTONIC=1 \
        LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 | head -n 1) play --record "$work/clocked"
    grep -q 'error' "$work/messages" && fail "clock set back"
    echo "clock set back: $(times)"
    "$froth" set check "$work/clocked" > /dev/null 2> "$work/messages" || fail "clock set back: the recording"
else
    echo "clock set back: faketime is not there"
fi
