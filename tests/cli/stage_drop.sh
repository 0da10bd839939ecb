#!/usr/bin/env bash
# Files and folders dropped onto both windows, in a virtual display: stage_drop.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
probe=$(dirname "$froth")/tests/drop_probe
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg
# shellcheck disable=SC2034
logs=messages
[ -x "$probe" ] || { echo "FAILED: $probe is not built (target tests)"; exit 1; }

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$display"' EXIT

alone
width=1280 height=720
start_display
mkdir -p "$work/presets" "$work/a stick"
for name in 'presets/first' 'a stick/second' 'a stick/third' fourth fifth; do
    printf '%s\n' '[preset00]' "per_frame_1=a=1; // $name" > "$work/$name.milk"
done
printf 'fifth.milk\n' > "$work/evening.m3u"

"$froth" play --audio demo --size 320x180 --threads 1 --operator window --names never \
    "$work/presets" 2>> "$work/messages" &
player=$!
wait_for "no window" is_titled first
wait_for "no operator's window" xdotool search --name '^froth - operator$'
show=$(is_titled first | head -n 1)
operator=$(xdotool search --name '^froth - operator$' | head -n 1)
says() { grep -q "$1" "$work/messages"; }

# A folder onto the operator's window joins the library; what runs goes on.
"$probe" "$operator" 100 100 "$work/a stick" || fail "the operator's window takes no folder"
wait_for "the folder is not taken in" says 'a stick joined the library, with 2 presets'
is_titled first > /dev/null || fail "the folder took the place of what runs"

# A preset onto the show is shown at once; what is none is told.
"$probe" "$show" 10 10 "$work/fourth.milk" || fail "the show's window takes no preset"
wait_for "the preset is not shown" is_titled fourth
"$probe" "$show" 10 10 "$work/messages" || fail "the show's window takes nothing else"
wait_for "nothing is said of a file of another kind" says 'is neither a preset'

# Two things at once: a playlist is played, and the folder is there.
"$probe" "$operator" 100 100 "$work/a stick" "$work/evening.m3u" || fail "no two things at once"
wait_for "the playlist is not played" is_titled fifth
[ -n "$keep" ] && shot drop
# What is named or dropped and goes is told, and that it is back.
mv "$work/a stick" "$work/away"
wait_for "a folder that goes is not told" says 'this folder is gone, and 2 presets with it'
mv "$work/away" "$work/a stick"
wait_for "a folder that comes back is not told" says 'a stick is back, with 2 presets'
kill "$player"
wait "$player" 2> /dev/null
player=
grep -E 'error|Sanitizer' "$work/messages" && fail "there are errors"
echo "dropped and taken in"
