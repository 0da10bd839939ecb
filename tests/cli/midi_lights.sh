#!/usr/bin/env bash
# Lights of controllers by the maps that come with froth, and MIDI clock out, over raw devices that are the ends of
# pseudo-terminals: midi_lights.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb python3
logs='messages found'
work=$(mktemp -d) || exit 1
show=''
clean() { end_all "$show" "$display"; }
trap clean EXIT
alone
draw_plainly
export PYTHONDONTWRITEBYTECODE=1
width=320 height=240
start_display
cd "$work" || exit 1
mkdir -p presets "$XDG_CONFIG_HOME/froth/midi"
printf '%s\n' '[preset00]' fDecay=0.9 zoom=1.0 > presets/one.milk
printf '%s\n' '[preset00]' fDecay=0.8 zoom=1.0 > presets/two.milk
printf '%s\n' 'device: clocked' 'clock: true' > "$XDG_CONFIG_HOME/froth/midi/clock.yaml"
port=$(free_port)
"$froth" play presets --order listed --audio demo --size 64x48 --threads 1 --advance 86400 --osc "$port" \
    --midi "$work/nanoKONTROL2" --midi "$work/APC mini" --midi "$work/Launchpad Mini MK3" --midi "$work/clocked" \
    2> messages &
show=$!
await_osc "$port"
python3 "$source/tests/cli/midi_lights.py" "$port" "$work" "$show" > found 2>&1 || fail "$(tail -n 1 found)"
cat found
wait "$show" || fail "froth ends with $?"
show=
echo "passed"
