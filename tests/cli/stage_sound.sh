#!/usr/bin/env bash
# Sound to picture, in a real window with a real sound server: stage_sound.sh FROTH SOURCE [KEEP]
# What the speakers play moves the picture; the server may die and come back; a click shows soon.
# KEEP: a folder in which the measurement is left. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
probe=$(dirname "$froth")/tests/click_probe
keep=${3:-}
for tool in Xvfb xdotool pulseaudio pactl pacat parec; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: skipped"; exit 77; }
done
[ -x "$probe" ] || { echo "FAILED: $probe is not built (target tests)"; exit 1; }

work=$(mktemp -d)
display=
server=
player=
tone=
clean() {
    for process in "$player" "$tone" "$server" "$display"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    pkill -9 -P $$ 2> /dev/null
    wait 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT

fail() {
    echo "FAILED: $1"
    for file in messages clicks server; do
        [ -f "$work/$file" ] && tail -n 30 "$work/$file" | sed "s/^/    $file: /"
    done
    exit 1
}

# wait_for WHAT COMMAND...: up to 20 seconds
wait_for() {
    local what=$1
    shift
    for _ in $(seq 200); do
        "$@" > /dev/null 2>&1 && return 0
        sleep 0.1
    done
    fail "$what"
}

# Nothing of the machine's own sound is touched, and no other server comes up by itself.
export HOME=$work/home XDG_RUNTIME_DIR=$work/run
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
unset PULSE_SERVER PULSE_RUNTIME_PATH PULSE_SINK PULSE_SOURCE PULSE_COOKIE WAYLAND_DISPLAY
unset DBUS_SESSION_BUS_ADDRESS SDL_VIDEODRIVER
mkdir -p "$XDG_CONFIG_HOME/pulse"
mkdir -m 700 "$XDG_RUNTIME_DIR"
echo 'autospawn = no' > "$XDG_CONFIG_HOME/pulse/client.conf"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

answers() { timeout 2 pactl info; }
start_server() {
    pulseaudio --daemonize=no --use-pid-file=no --exit-idle-time=-1 --log-target=stderr -n \
        -L 'module-native-protocol-unix auth-anonymous=1' \
        -L 'module-null-sink sink_name=stage sink_properties=device.description=Stage' \
        2>> "$work/server" &
    server=$!
    wait_for "the sound server does not start" answers
    pactl set-default-sink stage || fail "no usual output"
}

exec 3> "$work/display"
Xvfb -noreset -displayfd 3 -screen 0 640x480x24 -fbdir "$work" > /dev/null 2>&1 &
display=$!
exec 3>&-
wait_for "Xvfb did not start" test -s "$work/display"
DISPLAY=:$(cat "$work/display")
export DISPLAY
start_server

# White where the sound is loud against what was before, else black.
printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 \
    'per_frame_1=ob_size=0.5;ob_r=above(bass+mid+treb,6);ob_g=ob_r;ob_b=ob_r;' > "$work/click.milk"
"$froth" play "$work/click.milk" --size 320x240 --threads 1 --no-library --do 'name' --do 'name' \
    2>> "$work/messages" &
player=$!
is_shown() { xdotool search --name '^froth - click$'; }
wait_for "no window" is_shown
xdotool windowmove "$(is_shown | head -n 1)" 0 0
sleep 1.5

"$probe" "$work/Xvfb_screen0" 20 120 12 > "$work/clicks" 2>&1 || fail "clicks are not seen"
cat "$work/clicks"
[ -n "$keep" ] && cp "$work/clicks" "$keep/clicks.txt"
seen=$(grep -c 'seen after' "$work/clicks")
[ "$seen" -ge 10 ] || fail "only $seen of 12 clicks are seen"

# The server dies, and comes back.
kill -9 "$server"
wait "$server" 2> /dev/null
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
