#!/usr/bin/env bash
# MIDI: recorded bytes of controllers through a pipe and a file, learning, maps that change, devices that come and go, and
# ALSA's own tools where the system has a sequencer: midi.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb python3 ffmpeg
keep=
logs='messages found learnt'
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
mkdir presets
printf '%s\n' '[preset00]' fDecay=0.9 zoom=1.0 > presets/one.milk
printf '%s\n' '[preset00]' fDecay=0.8 zoom=1.0 > presets/two.milk
cat > presets/three.fnp << 'END'
midi "any" { fader = fader(1, 7) }
ob_size = 0.5
ob_a = 1
ob_g = 0
ob_b = 0
ob_r = range(fader)
per_frame:
    decay = 0.9
END
maps=$XDG_CONFIG_HOME/froth/midi
mkdir -p "$maps"
cat > knobs.yaml << 'END'
set:
  - {controller: 16, value: fDecay, from: 0.5, to: 1}
  - {controller: 17, value: zoom, from: 0.8, to: 1.2, mode: jump}
  - {controller14: 3, value: warp, from: 0, to: 4, mode: jump}
  - {nrpn: 300, value: gamma, from: 0, to: 4, mode: jump}
  - {controller: 20, value: echo-alpha, mode: twos, step: 0.01}
  - {controller: 45, value: lock}
  - {note: 36, call: next}
  - {note: 37, channel: 10, value: freeze, mode: hold}
END

port=$(free_port)
play() {
    "$froth" play presets --order listed --audio demo --size 64x48 --fps 10 --threads 1 --advance 86400 --counters \
        --no-library --osc "$port" "$@" 2> messages &
    show=$!
}
is_told() { grep -qE "$1" messages; }
hand() { python3 "$source/tests/cli/midi.py" "$port" "${pipe:-cable}" "$@" > found 2>&1 || fail "$*: $(tail -n 1 found)"; }

# A system without a sequencer, and a path that is not there yet.
play --midi all --midi "$work/cable" --midi-map knobs.yaml
await_osc "$port"
wait_for "no word about a pipe that is not there" is_told 'cable: warning: no MIDI: No such file.*; it is tried again'
[ -e /dev/snd/seq ] || wait_for "no word that there is no sequencer" is_told 'warning: no MIDI devices: '
mkfifo cable
wait_for "a pipe that is there is not heard" is_told 'cable: note: MIDI is there'

# Bytes as the makers' charts have them. A knob of a nanoKONTROL2, from its lower end: it picks up at 0.9.
hand preset=one fDecay=0.9 b01000 1010 1030 1050 zoom=1.0 fDecay=0.9 1068 fDecay=0.90945 1070 fDecay=0.94094
# Clock and active sensing inside of a message; 14 bits; a parameter; an encoder, on and back.
hand b011f8fe7f zoom=1.2 b003402300 warp=2.00012 237f warp=2.03113 b06302622c06402600 gamma=2.00012
hand b0140114011403 echo-alpha=0.05 147f echo-alpha=0.04
# A button that sends both ends, a key of another channel that is held, one that calls.
hand b02d7f lock=1 2d00 2d7f lock=0 992540 freeze=1 892500 freeze=0 902464802400
hand preset=three
# A patch in the board's language hears its own fader.
red() { shot red && [ "$(levels 0 0 320 240 | cut -d ' ' -f 1)" "$@" ]; }
hand b00700
wait_for "a patch does not follow its fader down" red -lt 200
hand b0077f
wait_for "a patch does not follow its fader up" red -gt 500
# Program change picks by place. What a knob had picked up belongs to the preset that is gone.
hand c002 preset=two fDecay=0.8 b01072 zoom=1 fDecay=0.8 c000 preset=one
# Bytes of the network are those of one more controller.
hand /midi:192:2:0 preset=two /midi:192:0:0 preset=one
# Pulses drive the beat.
hand clock

# A pipe that goes, and is made anew.
rm cable
wait_for "a pipe that has gone is not told" is_told 'cable: warning: no MIDI: the pipe has gone; it is tried again'
mkfifo cable
is_back() { [ "$(grep -c 'cable: note: MIDI is there' messages)" -eq 2 ]; }
wait_for "a pipe that is made anew is not heard" is_back
hand b01100 zoom=0.8 b01140
# One that another takes the place of.
mkfifo fresh
mv fresh cable
is_back() { [ "$(grep -c 'cable: note: MIDI is there' messages)" -eq 3 ]; }
wait_for "a pipe in the place of another is not heard" is_back
hand b01100 zoom=0.8

# What is learnt: a knob and a value of another source, a button and a command; it holds at once, and is taken back.
wait_moved() { grep -q "learnt: $1" messages; }
hand /cmd/learn:1 learn=1 b0151015111512
sleep 0.3
hand /value/warp-speed:3 learn=0
wait_for "nothing is learnt" wait_moved 'controller 21 of channel 1 moves warp-speed'
cp "$maps/learnt.yaml" learnt
grep -q '^  - {device: "cable", controller: 21, channel: 1, value: warp-speed, from: 0.1, to: 8, mode: pick-up}$' learnt ||
    fail "the learnt row is another one"
hand b01500157f warp-speed=8
hand /cmd/learn:1 learn=1 902864802800
sleep 0.3
hand /cmd/blackout learn=0 blackout=0
wait_for "no button is learnt" wait_moved 'note 40 of channel 1 moves blackout'
hand 902864802800 blackout=1 902864802800 blackout=0
sed -i 's/^  - .*warp-speed.*/# mine\n&/' "$maps/learnt.yaml"
hand /cmd/forget
forgot() { ! grep -q 'blackout' "$maps/learnt.yaml" && grep -qx '# mine' "$maps/learnt.yaml"; }
wait_for "what was learnt is not forgotten" forgot
hand /cmd/learn:1 learn=1 /cmd/learn:0 learn=0

# A map that changes is read again; a wrong one is told with its place, and what it said before goes on.
printf 'set:\n  - {controller: 16, value: gamm}\n' > knobs.yaml
wait_for "a wrong map is not told" is_told 'knobs.yaml:2:29: error: no value of this name'
hand b0117f zoom=1.2
printf 'set:\n  - {controller: 30, value: zoom, from: 0.8, to: 1.2, mode: jump}\n' > new.yaml
mv new.yaml knobs.yaml
wait_for "a map that changed is not read" is_told 'knobs.yaml: read again'
hand b01e00 zoom=0.8
hand /cmd/quit
wait "$show" || fail "froth ends with $?"
show=
grep -qE '^counter control midi: [1-9][0-9]* commands, [1-9][0-9]* values, 0 dropped' messages || fail "nothing is counted"

# A device whose cable is pulled, and put in again; a recorded file.
printf '\xb0\x1e\x7f' > recorded
cat > device.py << 'END'
import os, sys, time, tty
def plug():
    master, slave = os.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.symlink(name, "plugged.new")
    os.rename("plugged.new", "plugged")
    return master, slave
master, slave = plug()
for line in sys.stdin:
    if line == "pull\n":
        os.remove("plugged")
        os.close(slave)
        os.close(master)
    elif line == "plug\n":
        master, slave = plug()
    else:
        os.write(master, bytes.fromhex(line))
END
mkfifo orders
python3 device.py < orders &
device=$!
exec 4> orders
clean() { end_all "$show" "$display" "$device"; }
pipe=/dev/null
wait_for "no device" test -e plugged
play --midi "$work/plugged" --midi "$work/recorded" --midi-map knobs.yaml
hand preset=one zoom=1.2
wait_for "no word that the file has come" is_told 'recorded: note: all of its MIDI has come'
echo b01e00 >&4
hand zoom=0.8
echo pull >&4
wait_for "a lost device is not told" is_told 'plugged: warning: no MIDI: .*; it is tried again'
echo plug >&4
wait_for "a device that is back is not heard" is_told 'plugged: note: MIDI is there'
echo b01e7f >&4
hand zoom=1.2
[ "$(grep -c 'warning: no MIDI' messages)" -eq 1 ] || fail "a lost device is told more than once"
exec 4>&-

# ALSA's own tools.
if [ -e /dev/snd/seq ] && command -v aplaymidi > /dev/null && command -v aseqdump > /dev/null; then
    "$froth" devices > found || fail "no list of devices"
    grep -q '^MIDI: ' found || fail "no MIDI devices are listed"
    kill "$show"
    wait "$show" 2> /dev/null
    play --midi all --midi-map knobs.yaml
    own() { aplaymidi -l | sed -nE 's/^ *([0-9]+:[0-9]+) +froth .*/\1/p' | head -n 1; }
    wait_for "froth has no port" test -n "$(own)"
    python3 -c 'import sys
track = bytes.fromhex("00b01e00 00ff2f00")
sys.stdout.buffer.write(b"MThd" + bytes.fromhex("00000006000000010060") + b"MTrk" + len(track).to_bytes(4, "big") + track)' > song.mid
    aplaymidi -p "$(own)" song.mid || fail "aplaymidi"
    hand zoom=0.8
else
    echo "no sequencer here: ALSA's tools are left out"
fi
hand /cmd/quit
wait "$show" || fail "froth ends with $?"
show=

# Wrong maps and words are told before the show begins.
printf 'set:\n  - {controller: 200, value: zoom}\n' > wrong.yaml
timeout "$patience" "$froth" play presets --midi-map wrong.yaml --audio demo --no-library 2> messages
[ $? -eq 1 ] && is_told 'wrong.yaml:2:18: error: controller is a whole number from 0 to 127' || fail "a wrong map: $(cat messages)"
echo "passed"
