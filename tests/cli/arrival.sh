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
# shellcheck source=lib/inputs.sh
. "$(dirname "$0")/lib/inputs.sh"
need Xvfb xdotool python3 ip
logs='player found'

work=$(mktemp -d) || exit 1
player=
network=
trap 'end_all "$player" "$display"; close_inputs' EXIT
start_inputs
printf '%s\n' '[preset00]' zoom=1 warp=1 > "$work/still.milk"
ip netns exec "$network" "$froth" play "$work/still.milk" --audio demo --size 64x48 --fps 10 --threads 1 --no-library \
    --osc "$port" --light "$work/light.yaml" --midi "$work/cable" --midi-map "$work/midi.yaml" 2> "$work/player" &
player=$!
wait_for "no window" is_titled still
move_inputs "$turns" || fail "what comes is late"
cat "$work/found"
