#!/usr/bin/env bash
# The show and the operator's window on Wayland, where nobody but the compositor knows where windows are: in sway with two
# outputs that are called the same but for their connectors: stage_sway.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/sway.sh
. "$(dirname "$0")/lib/sway.sh"
need sway swaymsg grim wtype ffmpeg python3 setpriv
"$froth" version > /dev/null || fail "froth does not run"
screen=$(dirname "$froth")/tests/screen
logs='messages compositor list'

work=$(mktemp -d) || exit 1
player=
trap 'end_sway "$player"' EXIT
at_failure() {
    swaymsg -t get_tree 2> /dev/null | grep -E '"(name|type|fullscreen_mode|app_id)"'
    for output in HEADLESS-1 HEADLESS-2; do
        [ -n "$keep" ] && shot_of "$output" "sway-failed-$output"
    done
}

alone
mkdir "$work/presets"
preset 'blue lantern' 0 0 1
preset 'red lamp' 1 0 0
view='froth - operator'
show='froth - blue lantern'

# play OPTION...
play() {
    [ -n "${recorder-}" ] || : > "$work/messages"
    : > "$work/frames"
    (cd "$work" && exec "$froth" play --audio demo --size 320x180 --fps 20 --threads 1 --names never --device cpu --advance 3600 \
        --no-library "$@" 2>> "$work/messages" >> "$work/frames") &
    player=$!
}
opens() { wait_for "there is no window '$1'" is_open "$1"; }
# ends CODE WHY: the player ends by itself
ends() {
    wait "$player"
    local code=$?
    player=
    [ "$code" -eq "$1" ] || fail "$2: exit code $code"
}
stop() {
    kill -INT "$player"
    ends 0 "the show does not end well"
}
says() { grep -q "$1" "$work/messages"; }

# is_seen OUTPUT NAME CHANNEL: the output shows the colour of this channel (1, 2, 3), and no other
is_seen() {
    local mode width height
    mode=$(swaymsg -t get_outputs | python3 -c '
import json, sys
for output in json.load(sys.stdin):
    if output["name"] == sys.argv[1]:
        print(output["current_mode"]["width"], output["current_mode"]["height"])' "$1")
    read -r width height <<< "$mode"
    shot_of "$1" "$2" &&
        "$screen" levels "$work/shot" "$width" 0 0 $((width / 5)) "$height" |
        awk -v channel="$3" '{ good = 1; for (i = 1; i <= 3; i++) good = good && (i == channel ? $i > 20000 : $i < 1000) }
            END { exit !good }'
}

start_sway 'output HEADLESS-1 mode 640x360 position 0 0' 'output HEADLESS-2 mode 320x180 position 640 0'

# Outputs are listed by the names of their connectors.
VK_ICD_FILENAMES=none "$froth" devices > "$work/list" 2> "$work/messages" || fail "no list of devices"
grep -q '^  1  HEADLESS-1  (monitor, .*640x360 at 0,0)$' "$work/list" || fail "the first output is not listed"
grep -q '^  2  HEADLESS-2  (monitor, .*320x180 at 640,0)$' "$work/list" || fail "the second output is not listed"

# Full screen on the output that is told, by its number, or part of its name; the other one is the operator's.
play --fullscreen --monitor headless-2 --operator window "presets/blue lantern.milk"
opens "$show"
wait_for "the show is not on its output" is_on "$show" HEADLESS-2
wait_for "the operator's window is not on the other output" is_on "$view" HEADLESS-1
[ "$(window_of "$show" | cut -d ' ' -f 5,6)" = 'io.froth.froth enabled' ] || fail "the window is not known, or idle: $(window_of "$show")"
wait_for "another picture" is_seen HEADLESS-2 sway-show 3
sleep 1
shot_of HEADLESS-1 sway-operator
key -k F10
wait_for "F10 does not move the show" is_on "$show" HEADLESS-1
wait_for "the operator's window does not make room" is_on "$view" HEADLESS-2
key -k F10
wait_for "F10 does not move the show back" is_on "$show" HEADLESS-2
wait_for "the operator's window does not come back" is_on "$view" HEADLESS-1
wait_for "another picture after two moves" is_seen HEADLESS-2 sway-back 3

stop

# What is typed is text, and no key of the show: the search begins with a sign, and finds the other preset.
play --fullscreen --monitor HEADLESS-2 --operator window --hash "presets/blue lantern.milk" "presets/red lamp.milk" \

opens "$show"
wait_for "the operator's window is not there" is_on "$view" HEADLESS-1
tell_sway '[title="operator"] focus'
key -d 100 '/red' -k Return
wait_for "the search does not find what was typed" is_open 'froth - red lamp'
wait_for "another picture after a search" is_seen HEADLESS-2 sway-typed 1

# A window that is not seen holds nothing: no second in which most of the frames were left out, or not all of some.
tell_sway '[title="operator"] kill'
tell_sway focus output HEADLESS-2
tell_sway workspace away
is_hidden() { [[ "$(window_of 'froth - red lamp' | cut -d ' ' -f 7)" == False ]]; }
wait_for "the window is still seen" is_hidden
# frames FIRST: how many were shown since that line of the list, and how many were due
frames() {
    sed "1,$1d" "$work/frames" | awk '$1 == "frame" { if (shown++ == 0) first = $2; last = $2 } END { print shown + 0, last - first + 1 }'
}
for _ in $(seq 20); do
    first=$(wc -l < "$work/frames")
    sleep 2
    read -r shown due <<< "$(frames "$first")"
    echo "hidden: $shown of $due frames"
    ((shown >= 20 && 4 * shown >= 3 * due)) && break
done
((shown >= 20 && 4 * shown >= 3 * due)) || fail "a window that is not seen holds the show"
stop

# The compositor ends: so does the show, unless somebody else gets it.
play --fullscreen --monitor HEADLESS-2 --record kept "presets/blue lantern.milk"
recorder=$player
opens "$show"
play "presets/red lamp.milk"
opens 'froth - red lamp'
kill -9 "$compositor"
ends 1 "a display that goes away is no error"
says 'error: the display is gone' || fail "a display that goes away is not told"
player=$recorder
grows() {
    local before
    before=$(du -bs "$work/kept" | cut -f 1)
    sleep 2
    kill -0 "$player" && [ "$(du -bs "$work/kept" | cut -f 1)" -gt "$before" ]
}
wait_for "the recording does not go on without a display" grows
[ "$(grep -c 'the show goes on without a window' "$work/messages")" -eq 1 ] || fail "it is not told once that the show goes on"
stop
echo "on Wayland the show goes to its output, keys are text where they are typed; hidden it goes on, and without a display"
