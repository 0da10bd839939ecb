#!/usr/bin/env bash
# What comes in from outside is in a recording, and a configuration asks for it: set_inputs.sh FROTH SOURCE
# Light by sACN and Art-Net, a MIDI controller and Open Sound Control move a show that its configuration records; what is
# rendered of it is what was shown. Recordings by themselves keep to their room, and what the configuration has wrong is
# told while the show goes on. Exit code 77: the tools for it are missing, or networks cannot be made.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
# shellcheck source=lib/inputs.sh
. "$(dirname "$0")/lib/inputs.sh"
need Xvfb xdotool python3 ip
logs='messages found again'

work=$(mktemp -d) || exit 1
player=
network=
trap 'end_all "$player" "$display"; close_inputs' EXIT
start_inputs

# Each input colours a part of the picture.
printf '%s\n' '[preset00]' zoom=1 warp=1 fDecay=0.9 ob_size=0.2 ob_a=1 ob_b=0 nWaveMode=0 per_frame_1=ob_r=idmx1 \
    'per_frame_2=ob_g=idmx2' > "$work/inputs.milk"
configuration=$XDG_CONFIG_HOME/froth/config.yaml
homes=$XDG_DATA_HOME/froth/recordings
mkdir -p "$XDG_CONFIG_HOME/froth"
cat > "$configuration" << END
record: always
record-space: 0.05
light: "$work/light.yaml"
midi: ["$work/cable"]
midi-map: ["$work/midi.yaml"]
END
show=(ip netns exec "$network" "$froth" play "$work/inputs.milk" --no-library --audio test --size 64x48 --mesh 16x12 --fps 10
    --threads 1 --hash)
# play OPTION...: a show; its hashes go to shown
play() { "${show[@]}" "$@" > "$work/shown" 2> "$work/messages"; }

# ---- what comes in ----

"${show[@]}" --osc "$port" > "$work/shown" 2> "$work/messages" &
player=$!
wait_for "no window" is_titled inputs
move_inputs 12 || fail "what comes in moves nothing"
kill -TERM "$player"
wait "$player" || fail "the show"
player=
first=$(echo "$homes"/*)
[ -f "$first/events.yaml" ] || fail "the configuration's recording is not there"
"$froth" set check "$first" > "$work/found" 2>&1 || fail "set check"
"$froth" render "$first" --as-shown --hash --threads 1 > "$work/again" 2> "$work/messages" || fail "render"
same_frames "$work/shown" "$work/again" 31 || fail "the pictures differ"
[ "$(awk '{ print $3 }' "$work/again" | sort -u | wc -l)" -gt 20 ] || fail "nothing moves"

# ---- room for recordings ----

mkdir "$homes/mine"
head -c 60000000 /dev/zero > "$homes/mine/film"
head -c 60000000 /dev/zero > "$first/large"
sleep 1.1 # folders are named by the second
play --duration 1 || fail "a second show"
[ -e "$first" ] && fail "the oldest recording does not give way"
[ -f "$homes/mine/film" ] || fail "what is no recording is removed"
[ "$(find "$homes" -name events.yaml | wc -l)" = 1 ] || fail "the newest recording is gone"

# ---- a wrong configuration ----

echo 'in: 5' > "$work/light.yaml"
echo 'set: 5' > "$work/midi.yaml"
sed -i '/^record: always/d' "$configuration"
play --duration 1 || fail "a show whose configuration names wrong maps"
grep -q 'light.yaml:1:' "$work/messages" || fail "the wrong map of light is not told"
grep -q 'midi.yaml:1:' "$work/messages" || fail "the wrong map of MIDI is not told"
[ "$(grep -c '^frame' "$work/shown")" -ge 5 ] || fail "there is no show"
play --duration 1 --light "$work/light.yaml" && fail "a wrong map of the command line"
exit 0
