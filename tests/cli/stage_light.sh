#!/usr/bin/env bash
# A real window on stage between two ends of light: stage_light.sh FROTH SOURCE [KEEP]
# OLA's olad, in a network of its own, sends a universe of sACN and one of Art-Net, which colour the picture, call
# commands and set values; and it receives what becomes of the picture, by both. KEEP: a folder for screenshots. Exit
# code 77: the tools for it are missing, or networks cannot be made.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg olad ola_set_dmx ola_patch ola_dev_info ola_recorder ip setpriv python3
logs='player lights ola patches recorded seen'

work=$(mktemp -d) || exit 1
player=
looking=
ola=
here=frothlight$$
there=frothdesk$$
close_networks() {
    ip netns delete "$here" 2> /dev/null
    ip netns delete "$there" 2> /dev/null
}
trap 'rm -f "$work"/send.*; end_all "$player" "$looking" "$ola" "$display"; close_networks' EXIT
if ! ip netns add "$here" 2> /dev/null || ! ip netns add "$there" 2> /dev/null; then
    echo "no networks of our own can be made: skipped"
    exit 77
fi
ip link add lighthere netns "$here" type veth peer name lightthere netns "$there" || exit 77
for end in "$here here 1" "$there there 2"; do
    read -r space name number <<< "$end"
    ip -n "$space" link set lo up
    ip -n "$space" addr add "10.78.0.$number/24" brd + dev "light$name"
    ip -n "$space" link set "light$name" up
    ip -n "$space" route add 224.0.0.0/4 dev "light$name"
done

alone
draw_plainly
width=640 height=480
start_display

# ---- the desk ----

mkdir -m 777 "$work/ola_home"
chmod 711 "$work"
for plugin in dummy espnet ftdidmx gpio karate kinet milinst opendmx openpixelcontrol osc pathport renard sandnet \
    shownet spi stageprofi uartdmx usbdmx usbserial; do
    echo 'enabled = false' > "$work/ola_home/ola-$plugin.conf"
done
echo 'enabled = true' > "$work/ola_home/ola-artnet.conf"
printf '%s\n' 'enabled = true' 'prepend_hostname = false' > "$work/ola_home/ola-e131.conf"
chmod 666 "$work"/ola_home/*
# A client whose server ends while it writes never returns.
desk() { timeout -s KILL 10 ip netns exec "$there" "$@"; }
# Not through the function, so that its process is the one that is ended.
ip netns exec "$there" setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$work/ola_home" \
    olad --no-http --config-dir "$work/ola_home" -l 3 > "$work/ola" 2>&1 &
ola=$!
# The ids that olad gives to its devices, once it is ready.
ola_ready() {
    desk ola_dev_info > "$work/devices" 2> /dev/null
    artnet=$(sed -n 's/^Device \([0-9]*\): ArtNet.*/\1/p' "$work/devices")
    sacn=$(sed -n 's/^Device \([0-9]*\): E1.31.*/\1/p' "$work/devices")
    [ -n "$artnet" ] && [ -n "$sacn" ]
}
wait_for "olad does not start" ola_ready
desk ola_patch -d "$sacn" -p 0 -u 1 >> "$work/patches" 2>&1       # sends
desk ola_patch -d "$artnet" -p 0 -u 2 >> "$work/patches" 2>&1     # sends
desk ola_patch -i -d "$sacn" -p 0 -u 11 >> "$work/patches" 2>&1   # receives
desk ola_patch -i -d "$artnet" -p 0 -u 12 >> "$work/patches" 2>&1 # receives

# ---- preset and map ----

# The left half has the colour of the first three channels by sACN, the right half of those by Art-Net.
cat > "$work/light.milk" << 'EOF'
MILKDROP_PRESET_VERSION=201
PSVERSION=3
PSVERSION_WARP=0
PSVERSION_COMP=3
[preset00]
fWaveAlpha=0
per_frame_1=q1=dmx_in(1);q2=dmx_in(2);q3=dmx_in(3);
per_frame_2=q4=dmx_in(513);q5=dmx_in(514);q6=dmx_in(515);
comp_1=`shader_body {
comp_2=`ret = uv.x < 0.5 ? float3(q1, q2, q3) : float3(q4, q5, q6);
comp_3=`}
EOF
cat > "$work/map.yaml" << 'EOF'
name: froth on stage
in:
  - {protocol: sacn, universe: 1}
  - {protocol: artnet, universe: 2}
set:
  - {channel: 10, call: blackout on}
  - {channel: 11, call: blackout off}
zones:
  left: {width: 0.25}
  right: {x: 0.75}
out:
  - protocol: sacn
    universe: 11
    fixtures:
      - {zone: left, channel: 1, order: rgb}
      - {zone: right, channel: 4, order: rgbw}
  - protocol: artnet
    universe: 12
    fixtures:
      - {zone: right, channel: 1, order: grb}
      - {zone: left, channel: 5, order: d}
EOF

# send UNIVERSE LEVELS: from now on; olad itself sends changes only, and a source that is silent is lost
send() {
    local universe=$1
    [ -f "$work/send.$universe" ] || touch_sender=yes
    echo "$2" > "$work/new" && mv "$work/new" "$work/send.$universe"
    [ -z "${touch_sender:-}" ] || while [ -f "$work/send.$universe" ]; do
        desk ola_set_dmx -u "$universe" -d "$(cat "$work/send.$universe")" > /dev/null 2>&1
        sleep 0.3
    done &
    touch_sender=
}
send 1 188,64,255,0,0,0,0,0,0,0,0

# ---- what there is ----

# Not through a function, so that its process is the one that is ended.
ip netns exec "$here" "$froth" devices --light > "$work/lights" 2> "$work/player" &
player=$!
found() { grep -qE "$1" "$work/lights"; }
wait_for "olad's stream is not found" found "^sACN +universe 1 +10.78.0.2 'OLA Server' sends, priority 100\$"
wait_for "olad's Art-Net is not found" found "^Art-Net +universe 12 +10.78.0.2 '.*' takes it\$"
wait_for "what olad has for Art-Net is not found" found "^Art-Net +universe 2 +10.78.0.2 '.*' says that it sends\$"
kill -INT "$player" 2> /dev/null
wait "$player" || fail "froth devices --light ends with $?"
[ "$(sort "$work/lights" | uniq -d | wc -l)" -eq 0 ] || fail "something is told twice"

# ---- the show ----

ip netns exec "$here" "$froth" play "$work/light.milk" --size 320x240 --fps 60 --threads 1 --no-library \
    --names never --counters --light "$work/map.yaml" 2> "$work/player" &
player=$!
wait_for "no window" is_titled light
xdotool windowmove "$(is_titled light | head -n 1)" 0 0

# is_part X R G B: of the picture; a level may be off by one
is_part() {
    local x=$1
    shot light && levels "$x" 100 40 40 | tee "$work/seen" |
        awk -v r="$2" -v g="$3" -v b="$4" 'function near(a, b) { return a - 100 * b <= 100 && 100 * b - a <= 100 }
            { exit !(near($1, r) && near($2, g) && near($3, b)) }'
}
# receives UNIVERSE LEVELS: what olad has got, to begin with
receives() {
    timeout 1 ip netns exec "$there" ola_recorder --record "$work/recorded" --universes "$1" > /dev/null 2>&1
    grep "^$1 " "$work/recorded" | tail -n 1 | tee "$work/seen" | grep -q "^$1 $2\(,\|$\)"
}

send 1 188,64,255,0,0,0,0,0,0,0,0
send 2 255,188,188
wait_for "sACN does not colour the picture: $(cat "$work/seen" 2> /dev/null)" is_part 10 188 64 255
wait_for "Art-Net does not colour the picture" is_part 270 255 188 188
keep_shot() { [ -z "$keep" ] || cp "$keep/light.png" "$keep/$1.png"; }
keep_shot stage_light_both
# In linear light 188 is half, 64 is 13 of 255.
wait_for "olad does not get sACN: $(cat "$work/seen")" receives 11 '128,13,255,127,0,0,128'
wait_for "olad does not get Art-Net: $(cat "$work/seen")" receives 12 '128,255,128,0,55'
# The source ends; its half is black.
desk ola_patch -r -d "$sacn" -p 0 -u 1 >> "$work/patches" 2>&1
wait_for "the end of a stream is not seen" is_part 10 0 0 0
grep -q "sACN universe 1: 'OLA Server' has ended" "$work/player" || fail "the end of a stream is not told"
is_part 270 255 188 188 || fail "the other protocol has ended as well"
desk ola_patch -d "$sacn" -p 0 -u 1 >> "$work/patches" 2>&1
send 1 0,255,0,0,0,0,0,0,0,200
wait_for "a channel does not call a command" is_part 270 0 0 0
wait_for "lights stay on in a blackout" receives 11 '0,0,0,0,0,0,0'
send 1 0,255,0,0,0,0,0,0,0,0,200
wait_for "the blackout does not end" is_part 10 0 255 0
keep_shot stage_light_sacn
wait_for "the lights stay dark" receives 11 '0,255,0,127,0,0,128'

# Who looks for light takes no packet from a show that hears it.
ip netns exec "$here" "$froth" devices --light --json > "$work/lights" 2> "$work/seen" &
looking=$!
wait_for "sACN is not found beside a show" found \
    '^{"protocol":"sacn","universe":1,"what":"sends","address":"10.78.0.2","name":"OLA Server","priority":100}$'
kill -INT "$looking"
wait "$looking" || fail "froth devices --light beside a show ends with $?"
looking=
grep -q 'Art-Net is not looked for: another program of this machine listens to it' "$work/seen" ||
    fail "Art-Net is taken from the show"
# Two shows at one port are told.
ip netns exec "$here" timeout "$patience" "$froth" play "$work/light.milk" --size 64x48 --threads 1 --no-library --artnet 2 \
    --duration 0.2 2> "$work/seen" || fail "a second show ends with $?"
grep -q 'warning: another program of this machine hears Art-Net too; what is sent to this machine alone' "$work/seen" ||
    fail "two shows at one port are not told"

kill -INT "$player"
wait "$player" || fail "exit code $?"
player=
grep -q "sACN universe 1: 'OLA Server' at 10.78.0.2 sends, priority 100" "$work/player" || fail "the source is not named"
grep -q "Art-Net: '.*' at 10.78.0.2 has universe 12" "$work/player" || fail "the node is not named"
grep -E "^(froth: )?(note: )?(sACN|Art-Net)|^counter control light" "$work/player"
echo "all well"
