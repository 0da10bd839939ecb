#!/usr/bin/env bash
# A message that comes by Open Sound Control, MIDI, sACN or Art-Net is in the frame behind it: arrival.sh FROTH SOURCE [TURNS]
# TURNS: so many messages by each way, 40 if not given.
# Exit code 77: the tools for it are missing, or networks cannot be made.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
turns=${3:-40}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool python3 ip
logs='player found'

work=$(mktemp -d)
player=
here=frotharrival$$
trap 'end_all "$player" "$display"; ip netns delete "$here" 2> /dev/null' EXIT
ip netns add "$here" 2> /dev/null || { echo "no network of our own can be made: skipped"; exit 77; }
ip -n "$here" link set lo up
alone
width=320 height=240
start_display
printf '%s\n' '[preset00]' zoom=1 warp=1 > "$work/still.milk"
printf '%s\n' 'set: [{controller: 16, value: warp, from: 1, to: 1.5, mode: jump}]' > "$work/midi.yaml"
cat > "$work/light.yaml" << 'END'
in: [{protocol: sacn, universe: 5}, {protocol: artnet, universe: 5}]
set:
  - {channel: 1, value: warp-speed, from: 1, to: 1.5}
  - {channel: 513, value: warp-scale, from: 1, to: 1.5}
END
port=7777
mkfifo "$work/cable"
ip netns exec "$here" "$froth" play "$work/still.milk" --audio demo --size 64x48 --fps 10 --threads 1 --no-library \
    --osc "$port" --light "$work/light.yaml" --midi "$work/cable" --midi-map "$work/midi.yaml" 2> "$work/player" &
player=$!
wait_for "no window" is_titled still
ip netns exec "$here" python3 -B "$source/tests/cli/arrival.py" "$port" "$work/cable" 5 10 "$turns" > "$work/found" 2>&1 ||
    fail "what comes is late"
cat "$work/found"
