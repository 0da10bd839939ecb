#!/usr/bin/env bash
# The show as a camera of PipeWire: share_camera.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb ffmpeg xdotool pipewire wireplumber dbus-daemon gst-launch-1.0 gst-inspect-1.0
logs='messages pipewire wireplumber reader'

work=$(mktemp -d) || exit 1
player=
bus=
graph=
manager_of_graph=
reader=
trap 'end_all "$player" "$reader" "$manager_of_graph" "$graph" "$bus" "$display"' EXIT

alone
draw_plainly
export GST_REGISTRY=$work/registry
gst-inspect-1.0 pipewiresrc > /dev/null 2>&1 || { echo "GStreamer does not read from PipeWire: skipped"; exit 77; }
"$froth" play --share pipewire --duration 0.001 "$work/none" 2> "$work/messages"
grep -q 'built without' "$work/messages" && { echo "froth was built without PipeWire: skipped"; exit 77; }

mkdir "$work/presets"
printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 ob_r=1 ob_g=1 ob_b=0 \
    'per_frame_1=ob_size=1;' > "$work/presets/yellow.milk"

dbus-daemon --session --nofork --address="unix:path=$XDG_RUNTIME_DIR/bus" > "$work/bus" 2>&1 &
bus=$!
export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
wait_for "no message bus" test -S "$XDG_RUNTIME_DIR/bus"
start_graph() {
    pipewire >> "$work/pipewire" 2>&1 &
    graph=$!
    wait_for "PipeWire does not start" test -S "$XDG_RUNTIME_DIR/pipewire-0"
    wireplumber >> "$work/wireplumber" 2>&1 &
    manager_of_graph=$!
}

# told COUNT WORDS: so often until now
told() { [ "$(grep -c "$2" "$work/messages")" -eq "$1" ]; }

# What is not there is told, once, and found when it comes.
width=800 height=500
start_display
: > "$work/messages"
"$froth" play --audio demo --size 320x180 --fps 20 --threads 1 --share pipewire --counters --no-library \
    "$work/presets" 2>> "$work/messages" &
player=$!
wait_for "no window" is_titled yellow
wait_for "no word that there is no server" told 1 'pipewire: warning: there is no PipeWire server'
start_graph
wait_for "a server that comes is not found" told 1 'pipewire: note: the picture is there'

# A camera is known by its name, and gives pictures of its own size.
# pictures CAPS: some as RGB bytes in $work/pictures
pictures() {
    timeout "$patience" gst-launch-1.0 -q pipewiresrc target-object=froth num-buffers=8 ! "$1" ! videoconvert ! \
        video/x-raw,format=RGB ! filesink location="$work/pictures" > "$work/reader" 2>&1
}
# mean BYTES FROM COUNT: mean of red, green, blue of the last picture of so many bytes, of so many pixels
mean() {
    tail -c "$1" "$work/pictures" | tail -c +$(($2 + 1)) | head -c $(($3 * 3)) | od -An -v -tu1 -w3 |
        awk '{ r += $1; g += $2; b += $3 } END { printf "%d %d %d\n", r / NR, g / NR, b / NR }'
}
# is_yellow RED GREEN BLUE
is_yellow() { [ "$1" -gt 200 ] && [ "$2" -gt 200 ] && [ "$3" -lt 60 ]; }

wait_for "no pictures" pictures video/x-raw
[ $(($(stat -c %s "$work/pictures") % (320 * 180 * 3))) -eq 0 ] || fail "pictures of another size"
read -r red green blue < <(mean $((320 * 180 * 3)) 0 $((320 * 180)))
is_yellow "$red" "$green" "$blue" || fail "other pictures: $red $green $blue"

# What another program asks for it gets: the shape stays, and there is black beside it.
for format in YUY2 I420 BGRx; do
    wait_for "no pictures in $format" pictures "video/x-raw,format=$format,width=160,height=160,framerate=10/1"
    read -r red green blue < <(mean $((160 * 160 * 3)) $((160 * 60 * 3)) $((160 * 40)))
    is_yellow "$red" "$green" "$blue" || fail "$format: other pictures: $red $green $blue"
    read -r red green blue < <(mean $((160 * 160 * 3)) 0 $((160 * 30)))
    [ "$red" -lt 20 ] && [ "$green" -lt 20 ] && [ "$blue" -lt 20 ] || fail "$format: no black above: $red $green $blue"
done

# A window of another program shows it. A reader that is stopped holds nothing, and is told.
gst-launch-1.0 pipewiresrc target-object=froth ! videoconvert ! ximagesink > "$work/reader" 2>&1 &
reader=$!
taken() { [ "$(grep -c 'a program takes' "$work/messages")" -gt "$(grep -c 'no program takes' "$work/messages")" ]; }
wait_for "the picture is not taken" taken
shows() {
    shot camera
    read -r red green blue _ < <(levels 20 20 200 100)
    is_yellow $((red / 100)) $((green / 100)) $((blue / 100))
}
wait_for "no picture in the other program's window" shows
kill -STOP "$reader"
stalled() { grep -q 'takes only' "$work/messages"; }
wait_for "a reader that stands is not told" stalled
gone=$(grep -c 'no program takes' "$work/messages")
kill -9 "$reader"
wait_for "a reader that has gone is not told" told $((gone + 1)) 'no program takes'
reader=

# The server goes and comes back.
kill -9 "$graph" "$manager_of_graph"
wait "$graph" "$manager_of_graph" 2> /dev/null
rm -f "$XDG_RUNTIME_DIR/pipewire-0"
wait_for "a lost server is not told" told 1 'pipewire: warning: the PipeWire server has gone'
start_graph
wait_for "a server that is back is not found" told 2 'pipewire: note: the picture is there'
wait_for "no pictures from the new server" pictures video/x-raw
told 1 'there is no PipeWire server' || fail "the missing server is told more than once"

kill -TERM "$player"
wait "$player"
code=$?
player=
[ "$code" -eq 0 ] || fail "exit code $code"
[ "$(sed -n 's/^counter pictures shared: //p' "$work/messages")" -ge 32 ] || fail "pictures are not counted"
grep -q '^counter pictures left out: ' "$work/messages" || fail "what is left out is not counted"
echo "passed"
