#!/usr/bin/env bash
# Shows that are killed while they are recorded: tests/set_kills.sh FROTH SOURCE [TIMES]      50 if not given
# Each recording opens, holds all frames but those of its last second, and renders the pictures that were shown; the show
# goes on from it, its first picture within a second. Exit code 77: tools are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
times=${3:-50}
for tool in Xvfb python3; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done

work=$(mktemp -d)
display=
trap '[ -n "$display" ] && kill "$display" 2> /dev/null; rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work SDL_AUDIODRIVER=dummy
fail() {
    echo "FAILED: $1"
    tail -n 20 "$work/messages"
    exit 1
}
Xvfb -noreset -displayfd 3 -screen 0 320x240x24 3> "$work/display" > /dev/null 2>&1 &
display=$!
for _ in $(seq 100); do
    [ -s "$work/display" ] && break
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY
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
    for _ in $(seq 1200); do
        [ -s "$work/shown" ] && break
        sleep 0.05
    done
    sleep "$((RANDOM % 4)).$((RANDOM % 1000 + 1000))"
    kill -9 "$player"
    wait "$player" 2> /dev/null || true
    last=$(awk '$1 == "frame" && NF == 3 && length($3) == 16 { last = $2 } END { print last + 0 }' "$work/shown")
    "$froth" render "$work/set" --as-shown --hash --threads 1 > "$work/rendered" 2> "$work/messages" ||
        fail "kill $number at frame $last: render"
    lost=$(awk -v last="$last" '$1 == "frame" { have = $2 } END { print last - have }' "$work/rendered")
    awk '$1 == "frame" && FNR == NR { if (length($3) == 16) one[$2] = $3 }
        $1 == "frame" && FNR != NR && ($2) in one { both++; bad += one[$2] != $3 }
        END { exit !(both > 0 && bad == 0) }' "$work/shown" "$work/rendered" || fail "kill $number: pictures differ"
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
