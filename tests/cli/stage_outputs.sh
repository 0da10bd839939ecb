#!/usr/bin/env bash
# The show and the operator's window on outputs that come and go: stage_outputs.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
. "$(dirname "$0")/lib/outputs.sh"
need Xorg xrandr xdotool ffmpeg openbox xprop xwininfo
logs=messages

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$manager" "$display"' EXIT

at_failure() {
    for output in DUMMY0 DUMMY1; do
        [ -n "$keep" ] && shot_of "$output" "outputs-failed-$output"
    done
}

alone
mkdir "$work/presets"
preset 'blue lantern' 0 0 1
show='froth - blue lantern'
view='froth - operator'

start() {
    : > "$work/messages"
    (cd "$work" && exec "$froth" play --audio demo --size 640x360 --fps 15 --threads 1 "$@" "$work/presets" 2>> "$work/messages") &
    player=$!
    wait_for "no window" is_titled 'blue lantern'
}
ends() {
    wait_for "$1" has_ended "$player"
    wait "$player" || fail "exit code $?"
    player=
}
says() { grep -q "$1" "$work/messages"; }

# picture OUTPUT NAME MESSAGE: the preset's blue is seen there, and no other colour
picture() {
    wait_for "$3" is_blue "$@"
}
is_blue() {
    shot_of "$1" "$2" && ffmpeg -v error -f rawvideo -pix_fmt rgb24 -video_size "${width}x$height" -i "$work/shot" \
        -vf scale=192:108:flags=area -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
        awk '{ other += $1 > 4 || $2 > 4; blue += $3 > 200 } END { exit other > 0 || 2 * blue < NR }'
}

start_outputs
plug DUMMY1 1920x1080 --right-of DUMMY0

# The show is on the output that is not the primary one, the operator's window on the other.
start --fullscreen
wait_for "the show is not on the second output" fills "$show" DUMMY1
has_keyboard() { [ "$(xdotool getwindowfocus getwindowname)" = "$show" ]; }
wait_for "the show does not get the keyboard" has_keyboard
xdotool key Tab
wait_for "the operator's window is not on the first output" lies "$view" DUMMY0
sleep 0.7
shot_of DUMMY0 outputs-operator
xdotool key F1 F2 F4 F5
sleep 0.7
shot_of DUMMY0 outputs-keys
picture DUMMY1 outputs-show "the show's output has something else than the picture"
says 'name: ' && fail "F4 draws the name on the picture"

# The projector is unplugged, plugged in again, on the other side, with another size.
unplug DUMMY1
wait_for "that its output is gone is not told" says 'DUMMY1 is gone'
wait_for "the show takes the operator's output" lies "$show" DUMMY0
wait_for "the operator's window is not all there" lies "$view" DUMMY0
sleep 0.5
shot_of DUMMY0 outputs-unplugged
xdotool key F10 b b # there is no other one, and that was heard before there is
wait_for "F10 and what follows it are not heard" says 'the picture is back'
plug DUMMY1 1920x1080 --right-of DUMMY0
wait_for "the show does not come back" fills "$show" DUMMY1
wait_for "that it is back is not told" says 'the show is on DUMMY1'
[ "$(grep -c 'is gone' "$work/messages")" -eq 1 ] || fail "a lost output is told twice"
picture DUMMY1 outputs-replugged "the show is not what it was"
lies "$view" DUMMY0 || fail "the operator's window has moved"
plug DUMMY1 4k --left-of DUMMY0
wait_for "the show does not follow its output" fills "$show" DUMMY1
wait_for "the operator's window does not follow its output" lies "$view" DUMMY0
picture DUMMY1 outputs-4k "no picture of 3840x2160"

# Escape ends neither the show nor its full screen; quitting is asked about.
xdotool key Escape sleep 0.3 key Escape
wait_for "Escape is not answered" says 'Escape does not end the full screen'
xdotool key ctrl+q
wait_for "Ctrl+Q does not ask" says 'once more within two seconds ends it'
sleep 0.3
shot_of DUMMY0 outputs-question
xdotool key Escape ctrl+q
fills "$show" DUMMY1 || fail "Escape ends the full screen"
kill -0 "$player" || fail "Ctrl+Q ends the show at once"
sleep 2.2

# Here and there: only when it is asked for do they change places.
xdotool key F10
wait_for "F10 does not move the show" fills "$show" DUMMY0
wait_for "the operator's window does not make room" lies "$view" DUMMY1
sleep 0.5
shot_of DUMMY1 outputs-changed
xdotool key F10
wait_for "F10 does not move the show back" fills "$show" DUMMY1
wait_for "the operator's window does not come back" lies "$view" DUMMY0

# The operator's output goes: the audience does not see his window.
xrandr --output DUMMY1 --primary
unplug DUMMY0
wait_for "the show does not keep its output" fills "$show" DUMMY1
is_closed() { ! xdotool search --name "^$view\$"; }
wait_for "the operator's window is shown to the audience" is_closed
picture DUMMY1 outputs-alone "the audience sees something else than the picture"
plug DUMMY0 1280x720 --right-of DUMMY1
wait_for "the operator's window does not come back with its output" lies "$view" DUMMY0
fills "$show" DUMMY1 || fail "the show goes elsewhere"
again ctrl+q 'once more within two seconds ends it' has_ended "$player"
ends "Ctrl+Q twice does not end it"

# An output that is named and not there is waited for.
xrandr --output DUMMY0 --primary
unplug DUMMY1
start --fullscreen --monitor mmy1
wait_for "a missing monitor is not told" says "no monitor 'mmy1', only 1 DUMMY0"
wait_for "the show is not seen meanwhile" fills "$show" DUMMY0
plug DUMMY2 1280x720 --right-of DUMMY0
sleep 1
fills "$show" DUMMY0 || fail "the show goes to another output than the one that was named"
plug DUMMY1 1920x1080 --right-of DUMMY2
wait_for "the show does not go to the output that was named" fills "$show" DUMMY1
kill "$player"
ends "SIGTERM does not end it"
unplug DUMMY2
start --monitor 2
wait_for "a window is not on the output with its number" lies "$show" DUMMY1
kill "$player"
ends "SIGTERM does not end it"
echo "all well"
