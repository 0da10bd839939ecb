#!/usr/bin/env bash
# How large the operator's view is, and what it costs the show: stage_scale.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg xrdb openbox xprop xwininfo
logs=messages

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$manager" "$display"' EXIT

at_failure() { [ -n "$keep" ] && shot scale-failed; }

alone
mkdir "$work/presets"
preset 'blue lantern' 0 0 1

start() {
    (cd "$work" && exec "$froth" play --audio demo --size 320x180 --threads 1 "$@" "$work/presets" \
        2>> "$work/messages") &
    player=$!
    wait_for "no window" is_titled 'blue lantern'
}
ends() {
    kill "$player"
    wait "$player" || fail "exit code $?"
    player=
}
stops() {
    kill -9 "$display"
    wait "$display" 2> /dev/null
    rm "$work/display"
}

# band NAME CONDITION MESSAGE: the red of a blackout reaches down to these rows ("large", in text of about 20
# pixels or more) or does not ("usual"). Looks until it is so.
band() {
    seen "$1" '30 42 300 4' "$2" "$3"
}
large='red > 15000 && green < 9000'
usual='red < 9000'

# Keys, an option and the desktop's dots per inch make the view larger.
width=1280 height=720
start_display
start --fullscreen --operator overlay --do 'blackout on'
band scale-usual "$usual" "the view is not of the usual size"
for _ in 1 2 3 4; do
    xdotool key ctrl+plus
done
band scale-larger "$large" "Ctrl and + do not make the view larger"
for _ in 1 2 3 4; do
    xdotool key ctrl+minus
done
band scale-smaller "$usual" "Ctrl and - do not make the view smaller"
ends
start --fullscreen --operator overlay --do 'blackout on' --ui-scale 1.4
band scale-option "$large" "--ui-scale does nothing"
ends
echo 'Xft.dpi: 140' | xrdb -merge
start --fullscreen --operator overlay --do 'blackout on'
band scale-desktop "$large" "the desktop's dots per inch do nothing"
xdotool key ctrl+plus
ends

# A window of its own fits with its title bar.
start_manager
start --operator window
fits() {
    local window top x y wide high
    window=$(xdotool search --name '^froth - operator$' | head -n 1)
    IFS=', ' read -r _ _ top _ < <(xprop -id "$window" _NET_FRAME_EXTENTS | sed 's/.*= //')
    read -r x y wide high < <(xwininfo -id "$window" |
        awk -F: '/Absolute|Width|Height/ { printf "%d ", $2 } END { print "" }')
    ((top > 0 && x >= 0 && y >= top && x + wide <= 1280 && y + high <= 720))
}
wait_for "the operator's window does not fit with its title bar" fits
sleep 0.5
shot scale-window
ends
stops

# On a large display the view costs the show no frames.
width=3840 height=2160
start_display
frames() {
    "$froth" play --audio demo --size 320x180 --threads 1 --fullscreen --duration 4 --counters \
        --operator "$1" "$work/presets" 2>&1 | sed -n 's/^counter frames: //p'
}
without=$(frames off)
with=$(frames overlay)
echo "$without frames without the view, $with with it"
((4 * with >= 3 * without)) || fail "the view costs the show frames: $with in place of $without"
