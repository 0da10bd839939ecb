#!/usr/bin/env bash
# A gamepad that is plugged in, used and pulled out while a show runs; what it does is read over Open
# Sound Control: gamepad.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb python3 cc
logs='messages found'
work=$(mktemp -d) || exit 1
show=''
clean() { end_all "$show" "$display"; }
trap clean EXIT
alone
draw_plainly
width=320 height=240
start_display
cd "$work" || exit 1
mkdir presets
printf '%s\n' '[preset00]' fDecay=0.9 zoom=1.0 fGammaAdj=2 > presets/one.milk
printf '%s\n' '[preset00]' fDecay=0.8 zoom=1.0 fGammaAdj=2 > presets/two.milk
cc -shared -fPIC -o pad.so "$source/tests/cli/virtual_pad.c" -ldl -lpthread || fail "no virtual gamepad"
mkfifo pad
exec 4<> pad
port=$(free_port)
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 FROTH_TEST_PAD=$work/pad LD_PRELOAD=$work/pad.so \
    "$froth" play presets --order listed --audio demo --size 64x48 --fps 20 --threads 1 --advance 86400 --duration 600 \
    --osc "$port" --counters 2> messages &
show=$!
await_osc "$port"
pad() { echo "$*" >&4; }
other() { python3 "$source/tests/cli/osc.py" "$port" "$@" > found 2>&1 || fail "$*: $(tail -n 1 found)"; }
# Until SDL has looked at the gamepad: what comes and goes between two frames is not seen.
settle() {
    local before
    before=$(told frames)
    passed() { [ "$(told frames)" -gt $((before + 2)) ]; }
    wait_for "no frame comes" passed
}
told() { python3 "$source/tests/cli/osc.py" "$port" "$1"; }
other preset=one

pad attach
wait_for "no gamepad comes" grep -q 'note: gamepad: ' messages
for axis in 4 5; do pad axis $axis -32768; done
pad button 0 1
other preset=two
pad button 0 0
pad button 1 1
other preset=one
pad button 1 0
pad button 4 1
other blackout=1.0
pad button 4 0
settle
pad button 4 1
other blackout=0.0
pad button 4 0

# A stick that trembles at rest does nothing; the further it is moved the faster a value goes, both ways.
pad axis 0 3000
settle
other move-x=0.0
is() { python3 - "$(told "$1")" "$2" << 'END'
import sys
sys.exit(not eval(sys.argv[2], {"x": float(sys.argv[1])}))
END
}
pad axis 0 32767
wait_for "a stick moves nothing" is move-x 'x > 0.02'
pad axis 0 0
pad axis 3 -32768
wait_for "a stick moves nothing" is zoom 'x > 1.05'
pad axis 3 32767
wait_for "a stick does not go back" is zoom 'x < 1'
pad axis 3 0

# A trigger leads a value to where the binding says, and back.
pad axis 5 32767
other gamma=4.0
settle
pad axis 5 0
wait_for "a trigger does not go half of the way" is gamma '2.9 < x < 3.1'
pad axis 5 -32768
other gamma=2.0

# Pulled out while it is pressed, and plugged in again.
pad axis 5 32767
other gamma=4.0
pad detach
wait_for "nobody tells that it is gone" grep -q 'a gamepad is gone' messages
other gamma=2.0
pad attach
comes_again() { [ "$(grep -c 'note: gamepad: ' messages)" -ge 2 ]; }
wait_for "it does not come again" comes_again
pad button 0 1
other preset=two

kill -0 "$show" 2> /dev/null || fail "froth has ended"
kill -INT "$show"
wait "$show" || fail "froth ends with $?"
show=
grep -qE '^counter control gamepad: [0-9]+ commands, [1-9][0-9]* values, 0 dropped' messages || fail "nothing is counted"
echo "passed"
