#!/usr/bin/env bash
# Sound to picture, in a real window with a real sound server: stage_sound.sh FROTH SOURCE [KEEP]
# What the speakers play moves the picture; the server may die and come back; a click shows soon.
# KEEP: a folder in which the measurement is left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
probe=$(dirname "$froth")/tests/click_probe
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
. "$(dirname "$0")/lib/sound.sh"
need Xvfb xdotool pulseaudio pactl pacat parec
logs='messages clicks server'
[ -x "$probe" ] || { echo "FAILED: $probe is not built (target tests)"; exit 1; }

work=$(mktemp -d) || exit 1
player=
clean() {
    for process in "$player" "$server" "$display"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    pkill -9 -P $$ 2> /dev/null
    wait 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT

alone
width=640 height=480
start_display -fbdir "$work"
start_server

# White where the sound is loud against what was before, else black.
printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 \
    'per_frame_1=ob_size=0.5;ob_r=above(bass+mid+treb,6);ob_g=ob_r;ob_b=ob_r;' > "$work/click.milk"
"$froth" play "$work/click.milk" --size 320x240 --threads 1 --no-library --do 'name' --do 'name' \
    2>> "$work/messages" &
player=$!
wait_for "no window" is_titled click
xdotool windowmove "$(is_titled click | head -n 1)" 0 0
sleep 1.5

"$probe" "$work/Xvfb_screen0" 20 120 12 > "$work/clicks" 2>&1 || fail "clicks are not seen"
cat "$work/clicks"
[ -n "$keep" ] && cp "$work/clicks" "$keep/clicks.txt"
seen=$(grep -c 'seen after' "$work/clicks")
[ "$seen" -ge 8 ] || fail "only $seen of 12 clicks are seen"

# The server dies, and comes back.
kill_server
lost() { grep -q 'warning' "$work/messages"; }
wait_for "no message that the sound is lost" lost
sleep 1
kill -0 "$player" || fail "the window dies with the sound server"
start_server
back() { grep -q 'back' "$work/messages"; }
wait_for "no message that the sound is back" back
[ "$(grep -c warning "$work/messages")" -eq 1 ] || fail "more than one warning"
"$probe" "$work/Xvfb_screen0" 20 120 3 > "$work/clicks" 2>&1 || fail "clicks are not seen any more"
kill "$player"
wait "$player" || fail "exit code $?"
player=
echo "all well"
