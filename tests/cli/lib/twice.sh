#!/usr/bin/env bash
# Runs a test of windows, and once more if it fails: a virtual display on a busy machine may swallow
# a key. twice.sh SCRIPT ARGUMENT...
# Interrupted, it ends the test, waits until that has cleaned up behind itself, and does not begin again.
child=
# shellcheck disable=SC2317
stop() {
    trap '' INT TERM HUP
    [ -z "$child" ] || { kill -TERM "$child" && wait "$child"; } 2> /dev/null
    trap - "$1"
    kill -s "$1" $$
}
for signal in INT TERM HUP; do
    # shellcheck disable=SC2064
    trap "stop $signal" "$signal"
done
once() {
    bash "$@" &
    child=$!
    wait "$child"
}
once "$@"
code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 77 ] && exit "$code"
echo "once more"
once "$@"
