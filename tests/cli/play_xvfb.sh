#!/usr/bin/env bash
# The window, end to end, in a virtual display: play_xvfb.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg
logs=messages

work=$(mktemp -d) || exit 1
manager=
player=
clean() {
    [ -n "$player" ] && kill -9 "$player" 2> /dev/null
    [ -n "$manager" ] && kill "$manager" 2> /dev/null
    [ -n "$display" ] && kill "$display" 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT

alone
width=800 height=600
mkdir "$work/presets"
# A ring in the middle of a black picture, in a colour of its own.
ring() {
    printf '%s\n' '[preset00]' fDecay=0.9 nWaveMode=0 zoom=1.0 warp=0 fWaveAlpha=4 bWaveThick=1 \
        "wave_r=$1" "wave_g=$2" "wave_b=$3" fWaveScale=0.3
}
ring 1 1 0 > "$work/presets/one.milk"
ring 0 1 1 > "$work/presets/two.milk"
printf '\0\0\0' > "$work/broken.milk"

start_display
shots=0
start() {
    : > "$work/messages"
    (cd "$work" && exec env --default-signal=HUP "$froth" play --audio demo --size 640x360 --threads 1 --blend 0.5 "$@" \
        2>> "$work/messages") &
    player=$!
}
# ends CODE: the player ends by itself with this exit code
ends() {
    wait_for "it did not end" has_ended "$player"
    wait "$player"
    local code=$?
    player=
    [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"
}

# A window of 640x360 stands in the middle of the screen, from 80,120.
start "$work/presets"
wait_for "no window with the first preset" is_titled one
sleep 1
shot "play-$((shots += 1))"
read -r red green blue top < <(levels 240 180 320 240)
[ "$top" -gt 100 ] && [ "$red" -gt 50 ] && [ "$red" -gt $((blue * 2)) ] || fail "no yellow picture"
read -r _ _ _ top < <(levels 80 400 200 80)
[ "$top" -lt 60 ] || fail "something is drawn on the picture though nothing was asked for"
mv "$work/shot" "$work/before"
sleep 0.3
shot "play-$((shots += 1))"
cmp -s "$work/shot" "$work/before" && fail "the picture stands still"

xdotool key h
wait_for "H does not cut to the next preset" is_titled two
sleep 1
shot "play-$((shots += 1))"
read -r red green blue top < <(levels 240 180 320 240)
[ "$blue" -gt 50 ] && [ "$blue" -gt $((red * 2)) ] || fail "the second picture is not cyan"
xdotool key space
wait_for "Space does not lead on, around the end" is_titled one
xdotool key BackSpace
wait_for "Backspace does not lead back" is_titled two
xdotool key BackSpace
wait_for "Backspace does not lead back, around the start" is_titled one

ring 1 0 1 > "$work/presets/new" && mv "$work/presets/new" "$work/presets/one.milk"
sleep 1.5
shot "play-$((shots += 1))"
read -r red green blue _ < <(levels 240 180 320 240)
[ "$blue" -gt $((green * 2)) ] && [ "$red" -gt 50 ] || fail "a changed preset does not come"
# A typo or a broken file is reported, and the picture stays.
{ ring 0 1 0 && echo 'per_frame_1=zoom=1+*(;'; } > "$work/presets/new"
mv "$work/presets/new" "$work/presets/one.milk"
wait_for "no message for a typo" grep -q 'one.milk:.*error' "$work/messages"
sleep 1
shot "play-$((shots += 1))"
read -r red green blue _ < <(levels 240 180 320 240)
[ "$blue" -gt $((green * 2)) ] && [ "$red" -gt 50 ] || fail "a typo replaces the picture"
: > "$work/messages"
printf '\0\0\0' > "$work/presets/one.milk"
wait_for "no message for a preset that broke" grep -q 'one.milk.*error' "$work/messages"
is_titled one > /dev/null || fail "a preset that broke ends the picture"

xdotool key grave
wait_for "no message about the lock" grep -q 'note: locked' "$work/messages"
xdotool key F4
wait_for "F4 is not answered" grep -q 'name: at first' "$work/messages"
sleep 0.2
shot "play-$((shots += 1))"
read -r _ _ _ top < <(levels 80 120 200 60)
[ "$top" -lt 60 ] || fail "a message shows in the picture"
read -r _ _ _ top < <(levels 80 400 200 80)
[ "$top" -gt 200 ] || fail "F4 does not show the name"
xdotool key F4 F4
wait_for "F4 is not answered" grep -q 'name: never' "$work/messages"
sleep 0.2
shot "play-$((shots += 1))"
read -r _ _ _ top < <(levels 80 400 200 80)
[ "$top" -lt 60 ] || fail "the name is there though it is off"
xdotool key F1
sleep 0.5
shot "play-$((shots += 1))"
read -r _ _ _ top < <(levels 200 160 160 240)
[ "$top" -gt 200 ] || fail "F1 shows no keys"
xdotool key F1 F5

window=$(is_titled one | head -n 1)
xdotool windowmove "$window" 0 0 windowsize --sync "$window" 400 500 mousemove 200 250
sleep 1
shot "play-$((shots += 1))"
read -r _ _ _ top < <(levels 0 0 400 130)
[ "$top" -eq 0 ] || fail "no bar above the picture"
read -r red _ _ _ < <(levels 80 160 240 180)
[ "$red" -gt 50 ] || fail "no picture in the resized window"
xdotool key Escape q
sleep 0.5
kill -0 "$player" || fail "a key pressed by accident ends the show"
xdotool key ctrl+q
ends 0

start "$work/broken.milk" "$work/presets/two.milk" --duration 1
wait_for "a broken preset is not skipped" is_titled two
ends 0
grep -q 'broken.milk.*error' "$work/messages" || fail "no message for a broken preset"

start "$work/presets/two.milk" --fullscreen
wait_for "no window" is_titled two
sleep 1
shot "play-$((shots += 1))"
read -r _ _ blue _ < <(levels 200 150 400 300)
[ "$blue" -gt 50 ] || fail "no picture on the full screen"
is_large() { xdotool getwindowgeometry "$(is_titled two)" | grep -q "Geometry: ${width}x${height}"; }
is_small() { xdotool getwindowgeometry "$(is_titled two)" | grep -q "Geometry: 640x360"; }
wait_for "the window does not fill the display" is_large
again F11 'once more within two seconds leaves it' is_small
if command -v openbox > /dev/null; then # without a window manager nothing leads there again
    openbox > /dev/null 2>&1 &
    manager=$!
    is_active() { xdotool windowactivate "$(is_titled two)" && [ "$(xdotool getactivewindow)" = "$(is_titled two)" ]; }
    wait_for "the window manager does not activate the window" is_active
    sleep 0.5
    xdotool key alt+Return
    wait_for "Alt+Enter does not lead to full screen" is_large
fi
kill -TERM "$player"
ends 0

start "$work/presets/two.milk"
wait_for "no window" is_titled two
kill -HUP "$player"
ends 0

# A picture is no larger than its threads draw in time, and has the shape that was asked for.
for asked in '1920x1080 avx2 0' '2560x1440 avx2 1' '2560x1440 plain 1'; do
    read -r size level notes <<< "$asked"
    start "$work/presets/two.milk" --duration 0.1 --fps 10 --size "$size" --cpu "$level"
    ends 0
    [ "$(grep -c 'pictures are drawn with' "$work/messages")" -eq "$notes" ] || fail "no word on the size $size, or too many"
done
grep -q 'drawn with 965x543 pixels' "$work/messages" || fail "another size: $(cat "$work/messages")"

start "$work/broken.milk"
ends 1
grep -q 'error: none of the presets' "$work/messages" || fail "no message that nothing can be played"

[ "$(grep -c 'broken.milk.*error' "$work/messages")" -eq 1 ] || fail "an error is told twice"

unset DISPLAY
# instead SIZE NAME: without a display, a video of this size and name is made
instead() {
    SDL_VIDEODRIVER=dummy start "$work/presets/two.milk" --duration 0.2 --fps 10 --size "$1"
    ends 0
    [ -s "$work/$2" ] || fail "no video $2 in place of a window"
    grep -q 'no display' "$work/messages" || fail "no word about the missing display"
}
instead 160x90 froth-demo.mp4
cp "$work/froth-demo.mp4" "$work/first"
instead 161x91 froth-demo-2.mp4
ffmpeg -hide_banner -i "$work/froth-demo-2.mp4" 2>&1 | grep -q 162x92 || fail "no even size"
instead 160x90 froth-demo-3.mp4
cmp -s "$work/froth-demo.mp4" "$work/first" || fail "an older video was overwritten"

(cd "$work" && "$froth" play two.milk --audio demo --audio-device x 2> "$work/messages")
[ $? -eq 2 ] || fail "--audio and --audio-device together are taken"
echo "passed"
