#!/usr/bin/env bash
# Shows that are killed while they are recorded: tests/set_kills.sh FROTH SOURCE [TIMES]      50 if not given
# Each recording opens, holds all frames but those of its last second, and renders the pictures that were shown; the show
# goes on from it, its first picture within a second. Exit code 77: tools are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
times=${3:-50}
# shellcheck source=cli/lib/common.sh
. "$(dirname "$0")/cli/lib/common.sh"
# shellcheck source=cli/lib/display.sh
. "$(dirname "$0")/cli/lib/display.sh"
need Xvfb python3
logs=messages

work=$(mktemp -d)
trap 'end_all "$display"' EXIT
alone
width=320 height=240
start_display
play() { # in the background, so that its number is the show's
    exec "$froth" play "$source/presets/originals" --no-library --audio demo --size 64x48 --fps 30 --mesh 16x12 --threads 1 \
        --advance 1 --blend 0.5 --order random --hash "$@"
}

most=0
: > "$work/firsts"
for number in $(seq "$times"); do
    rm -rf "$work/set" "$work/shown"
    play --seed "$number" --record "$work/set" > "$work/shown" 2> "$work/messages" &
    player=$!
    wait_for "kill $number: no picture" test -s "$work/shown"
    sleep "$((RANDOM % 4)).$((RANDOM % 1000 + 1000))"
    kill -9 "$player"
    wait "$player" 2> /dev/null || true
    last=$(awk '$1 == "frame" && NF == 3 && length($3) == 16 { last = $2 } END { print last + 0 }' "$work/shown")
    "$froth" render "$work/set" --as-shown --hash --threads 1 > "$work/rendered" 2> "$work/messages" ||
        fail "kill $number at frame $last: render"
    lost=$(awk -v last="$last" '$1 == "frame" { have = $2 } END { print last - have }' "$work/rendered")
    same_frames "$work/shown" "$work/rendered" 1 || fail "kill $number: pictures differ"
    [ "$lost" -le 30 ] || fail "kill $number: $lost frames are lost"
    [ "$lost" -gt "$most" ] && most=$lost
    # The first picture of the show that goes on.
    python3 - "$froth" "$source/presets/originals" "$work/set" >> "$work/firsts" 2> "$work/messages" << 'END' ||
import subprocess, sys, time
begun = time.monotonic()
show = subprocess.Popen([sys.argv[1], "play", sys.argv[2], "--no-library", "--audio", "demo", "--threads", "1",
                         "--resume=" + sys.argv[3], "--duration", "0.2", "--hash"], stdout=subprocess.PIPE, text=True)
line = show.stdout.readline()
print("%.3f" % (time.monotonic() - begun))
show.stdout.read()
sys.exit(show.wait() or not line.startswith("frame "))
END
        fail "kill $number: it does not go on"
done
echo "$times kills: every recording renders what was shown, $most frames of 30 a second are lost at most"
sort -n "$work/firsts" | awk '{ all[NR] = $1 } END { printf "first picture of a show that goes on: median %.3f s, longest %.3f s\n",
    all[int((NR + 1) / 2)], all[NR]; exit !(all[int((NR + 1) / 2)] <= 1) }' || fail "a show goes on too late"
