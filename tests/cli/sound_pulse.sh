#!/usr/bin/env bash
# What the speakers of a sound server play is heard: sound_pulse.sh FROTH SOURCE
# The server is one of its own, with outputs that nobody hears. Exit code 77: there is no PulseAudio.
set -u

froth=$(realpath "$1")
probe=$(dirname "$froth")/tests/sound_probe
for tool in pulseaudio pactl pacat; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: skipped"; exit 77; }
done
[ -x "$probe" ] || { echo "FAILED: $probe is not built (target tests)"; exit 1; }

work=$(mktemp -d)
server=
tone=
listener=
clean() {
    for process in "$listener" "$tone" "$server"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    wait 2> /dev/null
    exec 4>&-
    rm -rf "$work"
}
trap clean EXIT

fail() {
    echo "FAILED: $1"
    for file in probe errors hangs server; do
        [ -f "$work/$file" ] && tail -n 30 "$work/$file" | sed "s/^/    $file: /"
    done
    exit 1
}

# wait_for WHAT COMMAND...: up to 15 seconds
wait_for() {
    local what=$1
    shift
    for _ in $(seq 150); do
        "$@" > /dev/null 2>&1 && return 0
        sleep 0.1
    done
    fail "$what"
}

# Nothing of the machine's own sound is touched, and no other server comes up by itself.
export HOME=$work/home XDG_RUNTIME_DIR=$work/run
export XDG_CONFIG_HOME=$HOME/.config
unset PULSE_SERVER PULSE_RUNTIME_PATH PULSE_SINK PULSE_SOURCE PULSE_COOKIE DISPLAY WAYLAND_DISPLAY
# Sound libraries keep some memory to the end.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
unset DBUS_SESSION_BUS_ADDRESS
mkdir -p "$XDG_CONFIG_HOME/pulse"
mkdir -m 700 "$XDG_RUNTIME_DIR"
echo 'autospawn = no' > "$XDG_CONFIG_HOME/pulse/client.conf"

answers() { timeout 2 pactl info; }
start_server() {
    pulseaudio --daemonize=no --use-pid-file=no --exit-idle-time=-1 --log-target=stderr -n \
        -L 'module-native-protocol-unix auth-anonymous=1' \
        -L 'module-null-sink sink_name=stage sink_properties=device.description=Stage' \
        -L 'module-null-sink sink_name=booth sink_properties=device.description=Booth' \
        2>> "$work/server" 4>&- &
    server=$!
    wait_for "the sound server does not start" answers
    pactl set-default-sink stage || fail "no usual output"
}
kill_server() {
    kill -9 "$server"
    wait "$server" 2> /dev/null
    server=
}
# A tone of half the greatest level.
start_tone() {
    pacat --playback --raw --format=s16le --rate=44100 --channels=2 --device=stage \
        "$work/tone" 2> /dev/null 4>&- &
    tone=$!
}
stop_tone() {
    kill "$tone" 2> /dev/null
    wait "$tone" 2> /dev/null
    tone=
}
# A square wave of 100 frames, over and over for a minute.
level() { for _ in $(seq 50); do printf '\000\'"$1"'\000\'"$1"; done; }
{ level 100; level 300; } > "$work/wave"
for _ in $(seq 12); do
    cat "$work/wave" "$work/wave" > "$work/longer"
    mv "$work/longer" "$work/wave"
done
cat "$work/wave" "$work/wave" "$work/wave" "$work/wave" "$work/wave" "$work/wave" > "$work/tone"

last() { grep -v '^[!?]' "$work/probe" | tail -n 1; }
# is STATE NAME, is_loud STATE NAME: what the last line says
is() { last | grep -q "^$1 .*$2"; }
is_loud() { is "$@" && last | awk '{ exit !($2 > 0.1 && $3 > 0.1) }'; }
told() { grep -c "^! .*$1" "$work/probe"; }
# times COUNT WORDS: a message is there so many times
times() { [ "$(told "$2")" -eq "$1" ] || fail "'$2' is told $(told "$2") times instead of $1"; }
has_told() { [ "$(told "$1")" -ge 1 ]; }

"$froth" devices > "$work/list" 2> "$work/errors" || fail "no list without a server"
[ -s "$work/errors" ] && fail "words on standard error without a server"

start_server
"$froth" devices > "$work/list" 2> "$work/errors" || fail "no list of devices"
grep -q '^  0  Monitor of Stage  (pulse, what an output plays, usual)$' "$work/list" ||
    fail "the usual monitor is not the first device: $(cat "$work/list")"
grep -q '^  1  Monitor of Booth  (pulse, what an output plays)$' "$work/list" ||
    fail "the other monitor is not the second device: $(cat "$work/list")"
"$froth" devices --json > "$work/list" 2>> "$work/errors"
grep -qx '{"number":0,"name":"Monitor of Stage","system":"pulse","inputs":2,"outputs":0,"monitor":true,"usual":true}' \
    "$work/list" || fail "no monitor in JSON: $(cat "$work/list")"
[ -s "$work/errors" ] && fail "words on standard error: $(cat "$work/errors")"

mkfifo "$work/orders"
exec 4<> "$work/orders"
start_tone
"$probe" < "$work/orders" > "$work/probe" 2> "$work/errors" 4>&- &
listener=$!
wait_for "the tone is not heard" is_loud listening "Monitor of Stage"
echo '?' >&4
wait_for "no devices for the operator" grep -qx '? Monitor of Booth' "$work/probe"

# Another usual output, to which the server moves the tone, is followed; one named is not left.
pactl set-default-sink booth
wait_for "another usual output is not followed" is_loud listening "Monitor of Booth"
echo stage.monitor >&4
wait_for "no change to a device by name" is listening "Monitor of Stage"
pactl set-default-sink stage
wait_for "the tone is not heard by name" is_loud listening "Monitor of Stage"
pactl set-default-sink booth
sleep 1
is listening "Monitor of Stage" || fail "a device that was named is left"
echo demo >&4
wait_for "the tune does not play" is_loud playing demo
pactl set-default-sink stage
echo 0 >&4
wait_for "the tone is not heard by number" is_loud listening "Monitor of Stage"
echo nowhere >&4
wait_for "no word about a device that is not there" has_told "no sound input fits 'nowhere'"
wait_for "a wrong name ends the sound" is_loud listening "Monitor of Stage"
times 0 "is lost"

kill_server
wait_for "a lost server is not told" is lost "Monitor of Stage"
wait "$tone" 2> /dev/null
sleep 2.5
times 1 "is lost: Monitor of Stage"
start_server
start_tone
wait_for "the tone does not come back" is_loud listening "Monitor of Stage"
times 1 "sound comes from Monitor of Stage again"
times 1 "is lost"

times 0 "nothing but silence"
stop_tone
wait_for "silence is not told" is silent "Monitor of Stage"
wait_for "no word about silence" has_told "nothing but silence arrives from Monitor of Stage"
start_tone
wait_for "the tone is not heard after silence" is_loud listening "Monitor of Stage"
times 1 "nothing but silence"

# An output that goes takes its monitor along.
pactl unload-module module-null-sink
wait_for "an unplugged output is not told" is lost "Monitor of Stage"
pactl load-module module-null-sink sink_name=stage sink_properties=device.description=Stage \
    > /dev/null
wait_for "an output that is back is not heard" is listening "Monitor of Stage"
times 2 "is lost"

# A server that hangs holds nobody up.
kill -STOP "$server"
echo demo >&4
wait_for "a server that hangs holds up the tune" is playing demo
timeout 10 "$froth" devices > "$work/list" 2> "$work/hangs"
[ $? -eq 1 ] || fail "a server that hangs is not told"
grep -q 'error: the sound system does not start' "$work/hangs" || fail "no word about it"
kill -CONT "$server"
echo 0 >&4
wait_for "a server that goes on is not heard" is listening "Monitor of Stage"

exec 4>&-
has_ended() { ! kill -0 "$listener"; }
wait_for "the end of input does not end it" has_ended
wait "$listener" || fail "it ends with an error"
listener=
[ -s "$work/errors" ] && fail "words on standard error: $(cat "$work/errors")"
echo "passed"
