#!/usr/bin/env bash
# What the speakers of a sound server play is heard: sound_pulse.sh FROTH SOURCE
# The server is one of its own, with outputs that nobody hears. Exit code 77: there is no PulseAudio.
set -u

froth=$(realpath "$1")
probe=$(dirname "$froth")/tests/sound_probe
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/sound.sh"
need pulseaudio pactl pacat
logs='probe errors hangs server'
[ -x "$probe" ] || { echo "FAILED: $probe is not built (target tests)"; exit 1; }

work=$(mktemp -d) || exit 1
tone=
listener=
counter=
clean() {
    for process in "$listener" "$counter" "$tone" "$server"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    wait 2> /dev/null
    exec 4>&-
    rm -rf "$work"
}
trap clean EXIT

alone
# The descriptor that feeds the probe is not for the server.
start_booth_too() {
    start_server 'module-null-sink sink_name=booth sink_properties=device.description=Booth' 4>&-
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
# has_words FILE: more stands there than what ALSA's library says by itself on a busy machine
has_words() { grep -Ev '^(ALSA lib .*)?$|[Uu]nderrun (occurred|detected)' "$1"; }
# is STATE NAME, is_loud STATE NAME: what the last line says
is() { last | grep -q "^$1 .*$2"; }
is_loud() { is "$@" && last | awk '{ exit !($2 > 0.1 && $3 > 0.1) }'; }
told() { grep -c "^! .*$1" "$work/probe"; }
# times COUNT WORDS: a message is there so many times
times() { [ "$(told "$2")" -eq "$1" ] || fail "'$2' is told $(told "$2") times instead of $1"; }
has_told() { [ "$(told "$1")" -ge 1 ]; }

"$froth" devices > "$work/list" 2> "$work/errors" || fail "no list without a server"
has_words "$work/errors" && fail "words on standard error without a server"

start_booth_too
"$froth" devices > "$work/list" 2> "$work/errors" || fail "no list of devices"
grep -q '^  0  Monitor of Stage  (pulse, what an output plays, usual)$' "$work/list" ||
    fail "the usual monitor is not the first device: $(cat "$work/list")"
grep -q '^  1  Monitor of Booth  (pulse, what an output plays)$' "$work/list" ||
    fail "the other monitor is not the second device: $(cat "$work/list")"
"$froth" devices --json > "$work/list" 2>> "$work/errors"
grep -qx '{"number":0,"name":"Monitor of Stage","system":"pulse","inputs":2,"outputs":0,"monitor":true,"usual":true}' \
    "$work/list" || fail "no monitor in JSON: $(cat "$work/list")"
has_words "$work/errors" && fail "words on standard error: $(cat "$work/errors")"

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
stays "a device that was named is left" is listening "Monitor of Stage"
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
sleep 2.5 # it is tried again, and that is not told
times 1 "is lost: Monitor of Stage"
start_booth_too
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

# Each frame of a sound is heard once and in order, by a reader that comes as seldom as one on a
# machine that cannot keep up. The server may cut the ends of what it plays; in between nothing is missing, but what a
# busy machine takes from the server now and then.
count_frames() {
    "$probe" --count booth.monitor > "$work/count" 2>> "$work/errors" 4>&- &
    counter=$!
    wait_for "the counter does not start" grep -q '^counts$' "$work/count"
    "$probe" --numbers 6 | pacat --playback --raw --format=s16le --rate=44100 --channels=2 \
        --device=booth 2> /dev/null 4>&- || fail "no numbers are played"
    wait "$counter" || fail "the counter ends with an error"
    counter=
    grep -q '^heard 2[56][0-9]\{4\}, missing 0, dropped 0$' "$work/count"
}
count_frames || count_frames || count_frames || count_frames || fail "sound is lost: $(tail -n 1 "$work/count")"

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
timeout "$patience" "$froth" devices > "$work/list" 2> "$work/hangs"
[ $? -eq 1 ] || fail "a server that hangs is not told"
grep -q 'error: the sound system does not start' "$work/hangs" || fail "no word about it"
kill -CONT "$server"
echo 0 >&4
wait_for "a server that goes on is not heard" is listening "Monitor of Stage"

exec 4>&-
wait_for "the end of input does not end it" has_ended "$listener"
wait "$listener" || fail "it ends with an error"
listener=
has_words "$work/errors" && fail "words on standard error: $(cat "$work/errors")"
echo "passed"
