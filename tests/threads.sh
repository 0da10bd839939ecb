#!/usr/bin/env bash
# Render, check and play under the thread sanitizer: threads.sh FROTH SOURCE [SECONDS]
# FROTH: of the build type Thread. SECONDS: of the window (60). Exit code 77: the tools for a window are missing; the rest
# has passed.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-60}
lib=$(dirname "$0")/cli/lib
# shellcheck source=cli/lib/common.sh
. "$lib/common.sh"
. "$lib/display.sh"
logs="out"

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$manager" "$display"' EXIT
alone
# What other libraries do among themselves is not seen.
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 ignore_noninstrumented_modules=1 log_path=$work/races"

at_failure() { cat "$work"/races.* 2> /dev/null | head -n 120; }
# races WHAT: fails if any were told
races() {
    for file in "$work"/races.*; do
        [ -s "$file" ] && fail "$1: threads get in each other's way"
    done
}

presets=()
for name in "Aurora Engine" "Tidal Glass" "Leaded Light" "Carina Mill" "Corona"; do
    presets+=("$source/presets/originals/froth - $name.milk")
done
"$froth" render "${presets[@]}" --size 320x240 --frames 150 --threads 4 --blend 0.5 --audio demo --hash \
    > "$work/out" 2>&1 || fail "render ends with an error"
races render
if [ -x "$(dirname "$froth")/tests/library_threads" ]; then
    LD_LIBRARY_PATH=$(dirname "$froth") "$(dirname "$froth")/tests/library_threads" 200 "${presets[@]:0:3}" \
        > "$work/out" 2>&1 || fail "two shows of the library"
    races "two shows of the library"
fi
"$froth" check "${presets[@]}" --frames 20 --threads 2 --jobs 2 > "$work/out" 2>&1 || fail "check ends with an error"
races check

for tool in Xvfb xdotool openbox xprop python3; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: no window"; exit 77; }
done
width=1280 height=800
start_display
start_manager
mkdir "$work/presets"
cp "${presets[@]}" "$work/presets/"
# What comes over the network, and light that goes out; universes of its own, since others may use the machine's.
universe=$((1000 + $$ % 30000))
cat > "$work/map.yaml" << EOF
interface: 127.0.0.1
in: [{protocol: sacn, universe: $universe}, {protocol: artnet, universe: $universe}]
set: [{channel: 1, value: warp}, {channel: 514, call: next}]
zones: {all: {columns: 4}}
out:
  - {protocol: sacn, universe: $((universe + 30001)), fixtures: [{zone: all}]}
  - {protocol: artnet, universe: $universe, to: 127.255.255.255, fixtures: [{zone: all}]}
EOF
printf '%s\n' 'clock: true' 'set: [{controller: 16, value: zoom, from: 0.9, to: 1.1, mode: jump}, {note: 36, call: next}]' > "$work/midi.yaml"
mkfifo "$work/cable"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
options=(--light "$work/map.yaml" --midi "$work/cable" --midi-map "$work/midi.yaml" --titles always --remote --remote-port "$port")
osc=$(python3 -c 'import socket
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(("", 0)); print(u.getsockname()[1])')
if ! "$froth" play "$work/presets" --osc "$osc" --duration 0.1 2>&1 | grep -q 'has no Open Sound Control'; then
    options+=(--osc "$osc")
fi
"$froth" play --audio demo --size 640x360 --threads 2 --operator window --advance 4 --blend 1 "${options[@]}" "$work/presets" \
    > "$work/out" 2>&1 &
player=$!
wait_for "no window" xdotool search --name '^froth - '
python3 -B "$source/tests/stage_flood.py" "$osc" "$universe" "$seconds" 400 > /dev/null 2>&1 &
end=$((SECONDS + seconds))
# A knob to and fro, a key now and then, a clock in between.
while ((SECONDS < end)); do
    for ((place = 0; place < 128; place++)); do
        printf "\\xb0\\x10\\x$(printf %x "$place")\\xf8"
        sleep 0.02
    done
    printf '\x90\x24\x64\x80\x24\x00'
done > "$work/cable" &
link=$(sed -nE 's,.*/(\?token=[0-9a-f]{32});.*,\1,p' "$work/out" | head -n 1)
if [ -n "$link" ] && cookie=$(python3 -B "$source/tests/cli/remote.py" "$port" "$link" enter); then
    python3 -B "$source/tests/stage_attack.py" "$port" "$cookie" "$link" "$seconds" > "$work/attack" 2>&1 &
fi
keys=(Right Left space Tab F1 F2 F3 F4 F5 b f r l n m Up Down)
while ((SECONDS < end)); do
    kill -0 "$player" 2> /dev/null || fail "the player has ended"
    xdotool key "${keys[RANDOM % ${#keys[@]}]}"
    sleep 0.3
done
kill -TERM "$player"
wait "$player"
player=
races play
echo "no two threads got in each other's way"
