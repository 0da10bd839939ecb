#!/usr/bin/env bash
# froth as the visualization of a music player from Debian: player.sh FROTH SOURCE [KEEP]
# Parole, in a virtual display, with a bus, settings and a sound server of the test's own: froth is chosen in its
# settings, and the preset's colours are seen in its window while the song is heard. KEEP: a folder in which a screenshot
# is left. Exit code 77: the element or a tool for this is missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
build=$(dirname "$froth")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
. "$(dirname "$0")/lib/sound.sh"
logs='player server'
[ -e "$build/plugins/gstreamer/libgstfroth.so" ] || { echo "the element is not built: skipped"; exit 77; }
need parole xfconf-query dbus-run-session Xvfb openbox xdotool ffmpeg pulseaudio pactl setsid

work=$(mktemp -d) || exit 1
player=
clean() {
    # The player, its bus and what that has started.
    [ -n "$player" ] && kill -9 -- "-$player" 2> /dev/null
    end_all "$player" "$manager" "$display" "$server"
}
trap clean EXIT

alone
width=800 height=600
export GST_PLUGIN_PATH=$build/plugins/gstreamer GST_REGISTRY=$work/registry LD_LIBRARY_PATH=$build
export FROTH_PRESETS=$work/presets NO_AT_BRIDGE=1
mkdir "$FROTH_PRESETS"
# A ring that the sound moves, of a colour that no player has: none of blue.
printf '%s\n' '[preset00]' fDecay=0.9 nWaveMode=0 zoom=1.0 warp=0 fWaveAlpha=4 bWaveThick=1 bAdditiveWaves=1 \
    wave_r=1 wave_g=1 wave_b=0 fWaveScale=2 > "$FROTH_PRESETS/ring.milk"
"$build/tests/library_frames" --wav "$work/song.wav" 44100 120 || fail "no sound"

start_display
start_manager
start_server
cat > "$work/session" << 'END'
xfconf-query -c parole -p /audio/visualization-enabled -n -t bool -s true
xfconf-query -c parole -p /audio/visualization-name -n -t string -s froth
exec parole song.wav
END
cd "$work" || exit 1
setsid dbus-run-session -- sh session > player 2>&1 < /dev/null &
player=$!

# place: the middle of the player's window as $X $Y $WIDTH $HEIGHT; its menu and buttons are not in it
place() {
    local window
    window=$(xdotool search --onlyvisible --name song.wav | head -n 1)
    X=0 Y=0 WIDTH=0 HEIGHT=0
    [ -n "$window" ] && eval "$(xdotool getwindowgeometry --shell "$window")" && [ "$WIDTH" -ge 200 ] && [ "$HEIGHT" -ge 200 ] ||
        return 1
    X=$((X + 40)) Y=$((Y + 60)) WIDTH=$((WIDTH - 80)) HEIGHT=$((HEIGHT - 120))
}
# A ring and nothing else: yellow, and no blue.
is_yellow() {
    local red green blue
    place && shot player && read -r red green blue _ <<< "$(levels "$X" "$Y" "$WIDTH" "$HEIGHT")" &&
        [ "$red" -gt 200 ] && [ "$green" -gt 200 ] && [ "$blue" -lt 20 ]
}
is_heard() { [ "$(pactl list short sink-inputs | wc -l)" -ge 1 ]; }
moves() { cp shot before; shot player; ! cmp -s before shot; }

wait_for "the player has no window" xdotool search --onlyvisible --name song.wav
wait_for "the player does not play" is_heard
wait_for "froth's picture is not in the player's window" is_yellow
wait_for "the picture stands still" moves
echo "all well"
