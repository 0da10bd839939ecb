#!/usr/bin/env bash
# The window is shown by the device that computes, which may be one of software: the same picture to the last bit, black
# beside it, the operator's view over it, other sizes, minimised, full screen, without waiting for the display; a device
# that is lost or hangs, and one that cannot show: stage_screen.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing, or there is no device.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
# shellcheck source=lib/device.sh
. "$(dirname "$0")/lib/device.sh"
need Xvfb xdotool ffmpeg openbox xprop python3
logs=messages

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$manager" "$display"' EXIT
at_failure() { [ -n "$keep" ] && shot failed; }

alone
width=800 height=600
cd "$work" || exit 1
need_device
start_display
make_still 320 240

# play OPTION...: begins a show of that picture
play() {
    : > messages
    "$froth" play still.milk --device gpu --size 320x240 --fps 20 --threads 1 --shaders full --audio demo --names never \
        --no-library --counters "$@" 2>> messages &
    player=$!
    wait_for "no window" is_titled still
}
# ends: the show ends when it is told so
ends() {
    kill -INT "$player"
    wait "$player" || fail "the show ends with $?"
    player=
}
# at X Y: the picture lies there on the screen as it is
at() {
    "$screen" shot "$1" "$2" 320 240 part && cmp -s part still
}
# shown LEAST: so many frames at least came from the device, and never left it before
shown() {
    local count stayed
    count=$(sed -n 's/^counter frames shown by the device: //p' messages)
    stayed=$(sed -n 's/^counter frames that never left it: //p' messages)
    [ "${count:-0}" -ge "$1" ] || fail "the device has shown $count frames only"
    [ "${stayed:-0}" -ge "$1" ] || fail "$stayed of $count frames only never left the device"
}
# To the last bit, with and without waiting for the display, and by SDL alone.
for way in '--vsync on' '--vsync off'; do
    # shellcheck disable=SC2086
    play $way
    wait_for "another picture with $way" at 240 180
    shot "screen-${way#--vsync }"
    stays "the picture does not stay with $way" at 240 180
    ends
    shown 2
done
play --device cpu
wait_for "another picture by SDL" at 240 180
ends
shown 0
grep -q 'shown by the device: 0' messages || fail "a device shows what the processor computes"

# Where the window's system knows no Vulkan the device computes all the same.
SDL_VULKAN_LIBRARY=/none play
wait_for "another picture without Vulkan in the window" at 240 180
ends
grep -q 'shown by the device: 0' messages || fail "a device shows in a window that knows no Vulkan"
grep -q 'stages drawn by the device: [1-9]' messages || fail "the device does not compute without a window of its own"

# checked COMMAND...: with the driver's checker, if it is there
checked() { "$@"; }
if VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LOADER_DEBUG=all "$froth" devices 2>&1 |
    grep -q 'Loading layer library.*validation'; then
    checked() { VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$@"; }
fi

# Sizes that a user gives it: black on either side, the picture between.
start_manager
checked play
window=$(is_titled still)
xdotool windowmove --sync "$window" 50 50 windowsize --sync "$window" 601 300
# From 400 of 601 columns the picture has 100 on each side.
seen screen-wide '60 100 80 200' 'top == 0' "it is not black on the left"
seen screen-wide '570 100 70 200' 'top == 0' "it is not black on the right"
seen screen-wide '160 100 380 200' 'red > 12000 && green > 10000 && top > 200' "there is no picture in a wide window"
xdotool windowsize --sync "$window" 251 500
seen screen-high '60 80 200 60' 'top == 0' "it is not black above"
seen screen-high '60 490 200 50' 'top == 0' "it is not black below"
seen screen-high '60 230 200 150' 'red > 12000 && green > 10000 && top > 200' "there is no picture in a high window"

# The view lies over it, and the picture shines through; where it is, the window is not black.
xdotool windowsize --sync "$window" 700 500
seen screen-large '600 300 100 150' 'top > 150' "there is no picture in a large window"
wait_for "the picture moves" settles screen-large
read -r red _ _ _ < <(levels 600 300 100 150)
focus "$window"
xdotool key Tab
seen screen-view '100 100 600 400' 'red < 9000 && top > 150' "Tab shows no view"
xdotool key Tab
seen screen-view-gone '600 300 100 150' "red > $red - 100 && red < $red + 100" "the view does not go"

# Nobody sees it for a while.
xdotool windowminimize --sync "$window"
sleep 1.5
xdotool windowmap --sync "$window" windowactivate "$window"
seen screen-back '600 300 100 150' "red > $red - 100 && red < $red + 100" "it does not come back when it was minimised"

# Full screen, and back.
focus "$window"
xdotool key F11
seen screen-full '0 0 800 600' 'red > 15000 && green > 13000' "it does not fill the screen"
seen screen-full '760 20 30 30' 'red > 22000 && top > 200' "it does not fill the corner"
xdotool key F11 F11
sleep 1
ends
shown 2
grep -Ei 'validation|VUID' messages && fail "the driver's rules are broken"

# A device that is lost, or does not come back, while it shows: SDL goes on in the same place, with the same picture.
if find_layers; then
    # at_window: the picture lies as it is where the window is now
    at_window() {
        local x y
        read -r x y < <(xwininfo -id "$(is_titled still)" |
            awk '/Absolute upper-left X/ { x = $4 } /Absolute upper-left Y/ { print x, $4 }')
        at "$x" "$y"
    }
    # is_placed: it lies where it was
    is_placed() { [ "$(xdotool getwindowgeometry "$(is_titled still)" | grep -E 'Position|Geometry')" = "$place" ]; }
    losing() {
        local how=$1
        shift
        layer "$how" 200 play "$@"
    }
    for how in lost hang; do
        losing $how
        window=$(is_titled still)
        place=$(xdotool getwindowgeometry "$window" | grep -E 'Position|Geometry')
        wait_for "a device that is $how is not told" grep -q 'was lost; the processor goes on' messages
        wait_for "the window has no title when the device is $how" is_titled still
        wait_for "the window is elsewhere when the device is $how" is_placed
        shot "screen-$how"
        wait_for "another picture when the device is $how" at_window
        window=$(is_titled still)
        focus "$window"
        xdotool key F11
        seen "screen-$how-full" '760 20 30 30' 'red > 22000 && top > 200' "it cannot be full screen when the device is $how"
        xdotool key F11 F11
        ends
        shown 1
    done
    # Only what it shows on is lost: it goes on computing.
    port=$(free_port)
    layer surface 20 play --osc "$port"
    frames_pass "$port" 40
    wait_for "the window has no title when its surface is lost" is_titled still
    wait_for "another picture when the window's surface is lost" at_window
    ends
    grep -q 'shown by the device: 20$' messages || fail "another number of pictures before the surface is lost"
    grep -q 'was lost' messages && fail "the device is taken for lost with the window's surface"
    losing lost --fullscreen
    wait_for "a lost device is not told" grep -q 'was lost; the processor goes on' messages
    seen screen-lost-full '760 20 30 30' 'red > 22000 && top > 200' "it is not full screen when the device is lost"
    seen screen-lost-full '5 5 30 30' 'red < 12000 && red > 5000' "it is not full screen when the device is lost"
    ends
    # The operator's window stays his.
    losing lost --operator window
    wait_for "no operator's window" xdotool search --name '^froth - operator$'
    wait_for "a lost device is not told" grep -q 'was lost; the processor goes on' messages
    xdotool search --name '^froth - operator$' > /dev/null || fail "the operator's window is gone with the device"
    is_titled still > /dev/null || fail "the show's window is gone with the device"
    ends
fi
echo "the device's window: the same picture, all sizes, lost devices"
