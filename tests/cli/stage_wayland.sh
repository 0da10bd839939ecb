#!/usr/bin/env bash
# The window on Wayland, in a compositor of somebody else (weston), full screen and shown by the device that computes,
# which may be one of software: the same picture to the last bit, with and without waiting for the display; a device that
# is lost; and by SDL alone: stage_wayland.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing, or there is no device.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
# shellcheck source=lib/device.sh
. "$(dirname "$0")/lib/device.sh"
need Xvfb weston ffmpeg
logs='messages compositor'

work=$(mktemp -d) || exit 1
player=
compositor=
trap 'end_all "$player" "$compositor" "$display"' EXIT
at_failure() { [ -n "$keep" ] && shot failed; }

alone
width=640 height=480
cd "$work" || exit 1
need_device
start_display
weston --backend=x11-backend.so --use-pixman --width=$width --height=$height --socket=stage --idle-time=0 > compositor 2>&1 &
compositor=$!
wait_for "the compositor does not start" test -S "$XDG_RUNTIME_DIR/stage"
make_still "$width" "$height"

# play OPTION...: begins a show of that picture on the whole screen
play() {
    : > messages
    WAYLAND_DISPLAY=stage SDL_VIDEODRIVER=wayland "$froth" play still.milk --size "${width}x$height" --fps 20 --threads 1 \
        --shaders full --audio demo --names never --no-library --fullscreen --counters "$@" 2>> messages &
    player=$!
}
ends() {
    kill -INT "$player"
    wait "$player" || fail "the show ends with $?"
    player=
}
is_shown() { shot "$1" && cmp -s shot still; }
# count NAME: what a counter says
count() { sed -n "s/^counter $1: //p" messages; }

for way in on off; do
    play --device gpu --vsync $way
    wait_for "another picture with --vsync $way" is_shown "wayland-$way"
    stays "the picture does not stay with --vsync $way" is_shown "wayland-$way"
    ends
    [ "$(count 'frames shown by the device')" -ge 2 ] || fail "the device has not shown it"
    [ "$(count 'frames that never left it')" -ge 2 ] || fail "pictures have left the device"
done
play --device cpu
wait_for "another picture by SDL" is_shown wayland-sdl
ends
[ "$(count 'frames shown by the device')" -eq 0 ] || fail "a device shows what the processor computes"

if find_layers; then
    layer lost 150 play --device gpu
    wait_for "a lost device is not told" grep -q 'was lost; the processor goes on' messages
    wait_for "another picture when the device is lost" is_shown wayland-lost
    stays "the picture does not stay when the device is lost" is_shown wayland-lost
    ends
    [ "$(count 'frames shown by the device')" -ge 1 ] || fail "the device was lost before it showed anything"
fi
echo "on Wayland: the same picture by the device and by SDL, and when the device is lost"
