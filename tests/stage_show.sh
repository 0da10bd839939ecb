#!/usr/bin/env bash
# A show that MIDI, light, a clock and Open Sound Control alone play, cue by cue: stage_show.sh FROTH SOURCE [SECONDS [FOLDER]]
# SECONDS: 600. FOLDER: where pictures of the screen are left. Tells how many frames were late and how long they took. Exit
# code 77: the tools for it are missing, or networks cannot be made.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-600}
folder=${4:+$(realpath "$4")}
lib=$(dirname "$0")/cli/lib
# shellcheck source=cli/lib/common.sh
. "$lib/common.sh"
# shellcheck source=cli/lib/display.sh
. "$lib/display.sh"
need Xvfb xdotool ffmpeg python3 ip
logs='player cues'

work=$(mktemp -d) || exit 1
player=
here=frothshow$$
trap 'end_all "$player" "$display"; ip netns delete "$here" 2> /dev/null' EXIT
ip netns add "$here" 2> /dev/null || { echo "no network of our own can be made: skipped"; exit 77; }
ip -n "$here" link set lo up
alone
export PYTHONDONTWRITEBYTECODE=1
width=480 height=270
start_display
cat > "$work/midi.yaml" << 'END'
set:
  - {controller: 16, value: zoom, from: 0.95, to: 1.05, mode: jump}
  - {note: 36, call: next}
  - {note: 37, value: blackout}
  - {note: 39, value: freeze, mode: hold}
END
cat > "$work/light.yaml" << 'END'
in: [{protocol: sacn, universe: 7}, {protocol: artnet, universe: 7}]
set:
  - {channel: 1, value: warp, from: 0, to: 2}
  - {channel: 2, call: next}
  - {channel: 513, value: gamma, from: 1, to: 3}
  - {channel: 514, value: blackout, from: 0, to: 1}
END
mkfifo "$work/cable"
ip netns exec "$here" "$froth" play "$source/presets/originals" --audio demo --size "${width}x$height" --fps 30 --threads 1 \
    --no-library --names never --order listed --advance 86400 --counters --frame-times --osc 7777 \
    --light "$work/light.yaml" --midi "$work/cable" --midi-map "$work/midi.yaml" 2> "$work/player" &
player=$!
wait_for "no window" xdotool search --name '^froth - '
xdotool search --name '^froth - ' windowmove 0 0
# shellcheck disable=SC2086
ip netns exec "$here" python3 "$source/tests/stage_show.py" 7777 "$work/cable" 7 "$seconds" "${width}x$height" $folder \
    > "$work/cues" 2>&1 || fail "$(tail -n 1 "$work/cues")"
cat "$work/cues"
ip netns exec "$here" python3 - << 'END'
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"/cmd/quit\0\0\0,\0\0\0", ("127.0.0.1", 7777))
END
wait "$player" || fail "the show ends with $?"
player=
grep -E '^counter (frames|frames late|control)|frame' "$work/player" | sort -u
grep -E '^counter control (osc|light|midi)' "$work/player" | grep -qv ' 0 dropped' && fail "something was lost"
exit 0
