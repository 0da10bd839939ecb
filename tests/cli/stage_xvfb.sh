#!/usr/bin/env bash
# The operator's view, driven with keys and mouse in a virtual display: stage_xvfb.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg openbox xprop
logs=messages

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$manager" "$display"' EXIT

at_failure() { [ -n "$keep" ] && shot failed; }

alone
mkdir -p "$work/presets" "$XDG_CONFIG_HOME/froth"
width=1280 height=800
start_display
start_manager

says() { grep -q "$1" "$work/messages"; }

# A picture of one colour each: what is seen is what runs.
plain() {
    printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_size=0.5 \
        ob_a=1 "ob_r=$1" "ob_g=$2" "ob_b=$3" 'per_frame_1=ob_size=0.5;'
}
plain 1 0 0 > "$work/presets/red kettle.milk"
plain 0 1 0 > "$work/presets/green lamp.milk"
plain 0 0 1 > "$work/presets/blue lantern.milk"
# Options of the configuration; the command line has the rest.
printf 'advance: 3600\nblend: 0\n' > "$XDG_CONFIG_HOME/froth/config.yaml"

(cd "$work" && exec "$froth" play --audio demo --size 640x360 --threads 1 --fullscreen \
    "$work/presets" 2>> "$work/messages") &
player=$!
wait_for "no window" is_titled 'blue lantern'
focus "$(is_titled 'blue lantern' | head -n 1)"
seen stage-show '60 300 200 200' 'blue > 20000 && red < 1000' "the picture is not blue"

# The operator's view lies over the picture.
xdotool key Tab
seen stage-library '500 100 600 400' 'blue < 9000 && top > 150' "Tab shows no operator's view"

# Search as you type, Enter plays.
xdotool key slash
sleep 0.3
xdotool type --delay 20 'kett'
sleep 0.5
shot stage-search
xdotool key Return
wait_for "what was searched for is not played" is_titled 'red kettle'
xdotool key Escape
seen stage-played '60 300 200 200' 'red > 20000 && blue < 1000' "the picture is not red"

# Mouse: the button Next, and a double click in the list.
xdotool key Tab
sleep 0.7
xdotool mousemove 211 365 click 1
wait_for "the button Next does nothing" is_titled 'blue lantern'
xdotool mousemove 700 107 click 1 key ctrl+u
xdotool type --delay 20 'green'
sleep 0.5
xdotool key Escape mousemove 700 205 click --repeat 2 --delay 60 1
wait_for "a double click in the list does nothing" is_titled 'green lamp'

# The editor: a mistake is marked and the picture stays; its mending shows at once.
xdotool key Escape m
sleep 0.7
xdotool key ctrl+End
xdotool type --delay 15 'per_frame_2=ob_b=1+*(;ob_g=0;'
sleep 1
shot stage-mistake
read -r red green _ _ < <(levels 12 12 80 190)
[ "$green" -gt 15000 ] && [ "$red" -lt 1000 ] || fail "a mistake in the editor changes the picture"
xdotool key shift+Home
xdotool type --delay 15 'per_frame_2=ob_b=1;ob_g=0;'
seen stage-mended '12 12 80 190' 'blue > 15000 && green < 1000' "an edit does not show"
is_titled 'green lamp' > /dev/null || fail "an edit changes the name"

# Blackout has a key that is no text, and is told in red along the upper edge.
xdotool key F9
seen stage-blackout-told '30 12 300 16' 'red > 15000 && green < 9000 && blue < 8000' "F9 in the editor tells no blackout"
xdotool key F9
seen stage-blackout-over '30 12 300 16' 'red < 9000' "F9 in the editor does not end a blackout"

# It is saved as a new file, each time another one; the old one stays as it was.
before=$(cksum < "$work/presets/green lamp.milk")
xdotool key ctrl+s
wait_for "Ctrl+S in the editor saves nothing" test -s "$XDG_DATA_HOME/froth/presets/green lamp - 2.milk"
xdotool key Escape Tab
sleep 0.3
xdotool key s
wait_for "S saves nothing" test -s "$XDG_DATA_HOME/froth/presets/green lamp - 3.milk"
[ "$before" = "$(cksum < "$work/presets/green lamp.milk")" ] || fail "saving changes the old file"
grep -q 'ob_b=1;ob_g=0;' "$XDG_DATA_HOME/froth/presets/green lamp - 2.milk" || fail "the edit is not saved"

# What another editor saves shows at once.
plain 1 1 0 > "$work/new" && mv "$work/new" "$work/presets/red kettle.milk"
xdotool key BackSpace
wait_for "Backspace does not lead back" is_titled 'blue lantern'
xdotool key BackSpace
wait_for "Backspace does not lead back twice" is_titled 'red kettle'
seen stage-reloaded '60 300 200 200' 'green > 20000 && red > 20000' "the changed file is not shown"
plain 0 1 1 > "$work/new" && mv "$work/new" "$work/presets/red kettle.milk"
seen stage-changed '60 300 200 200' 'green > 20000 && red < 1000' "a file that changes does not come"

# Text that was not saved is kept when another preset is chosen.
xdotool key m
sleep 1
xdotool key ctrl+End
xdotool type --delay 15 'per_frame_2=ob_b=0.25;'
seen stage-edited '12 12 80 190' 'blue < 20000 && blue > 5000 && green > 15000' "the second edit does not show"
xdotool key Escape BackSpace
wait_for "an edit that was not saved is lost" test -s "$XDG_DATA_HOME/froth/presets/red kettle - 2.milk"
grep -q 'ob_b=0.25;' "$XDG_DATA_HOME/froth/presets/red kettle - 2.milk" || fail "another text is kept"
wait_for "Backspace does not lead to the first" is_titled 'blue lantern'
xdotool key Tab

is_large() { xdotool getwindowgeometry "$(is_titled 'blue lantern')" | grep -q "Geometry: 1280x800"; }
# Blackout, freeze, live changes and their undo, the full screen.
xdotool key b
seen stage-blackout '0 0 1280 800' 'top < 3' "blackout is not black"
xdotool key b
sleep 0.5
xdotool key F12
wait_for "no screenshot" test -s "$XDG_PICTURES_DIR/froth-1.png"
# Leaving the full screen, and the show, is asked about once.
xdotool key F11
wait_for "F11 does not ask" says 'once more within two seconds leaves it'
is_large > /dev/null || fail "F11 leaves the full screen at once"
is_small() { xdotool getwindowgeometry "$(is_titled 'blue lantern')" | grep -q "Geometry: 640x360"; }
again F11 'once more within two seconds leaves it' is_small
window=$(is_titled 'blue lantern' | head -n 1)
xdotool windowsize --sync "$window" 900 700
sleep 0.7
shot stage-resized
xdotool key F11
wait_for "F11 does not lead to the full screen" is_large
xdotool key ctrl+q
wait_for "Ctrl+Q does not ask" says 'once more within two seconds ends it'
sleep 2.2
xdotool key Tab
seen stage-overlay '500 100 600 400' 'blue < 9000 && top > 150' "Tab shows no operator's view"
xdotool key ctrl+q
sleep 0.7
shot stage-question
xdotool key Escape sleep 2.2
is_left() { ! is_large; }
again Escape 'once more within two seconds leaves it' is_left
xdotool key Escape
sleep 0.2
kill -0 "$player" || fail "Escape ends the show"
again ctrl+q 'once more within two seconds ends it' has_ended "$player"
wait "$player" || fail "exit code $?"
player=
[ -s "$XDG_CACHE_HOME/froth/index" ] || ls "$XDG_CACHE_HOME/froth" > /dev/null || fail "no index"

# The operator's window of its own.
(cd "$work" && exec "$froth" play --audio demo --size 640x360 --threads 1 --operator window \
    --do 'lock on' "$work/presets" 2>> "$work/messages") &
player=$!
is_operator() { xdotool search --name '^froth - operator$'; }
wait_for "no operator's window" is_operator
wait_for "no show's window" is_titled 'blue lantern'
wait_for "--do does nothing" says 'locked'
sleep 1.5
shot stage-windows
focus "$(is_operator | head -n 1)"
xdotool key alt+F4
is_alone() { ! is_operator; }
wait_for "the operator's window does not close" is_alone
sleep 0.5
kill -0 "$player" || fail "closing the operator's window ends the show"
kill "$player"
wait "$player" || fail "exit code $? after SIGTERM"
player=
echo "all well"
