#!/usr/bin/env bash
# How a window ends: at a crash with its last words, and at once where a decoder hangs:
# play_ends.sh FROTH SOURCE. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool ffmpeg
logs=messages

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$display"' EXIT

alone
width=800 height=600
mkdir "$work/presets"
printf '%s\n' '[preset00]' nWaveMode=0 > "$work/presets/one.milk"
printf '%s\n' '[preset00]' MILKDROP_PRESET_VERSION=201 PSVERSION=2 PSVERSION_WARP=2 PSVERSION_COMP=2 \
    'comp_1=`sampler sampler_big;' 'comp_2=`shader_body { ret = tex2D(sampler_big, uv).xyz; }' \
    > "$work/presets/two.milk"
ffmpeg -v error -f lavfi -i testsrc2=s=8192x8192 -frames:v 1 "$work/presets/big.png" ||
    fail "ffmpeg makes no picture"

start_display
# Who starts decoders is found by this name in its environment.
export FROTH_TEST_MARK=$work
start() {
    : > "$work/messages"
    "$froth" play --audio demo --size 320x180 --threads 1 "$@" 2>> "$work/messages" &
    player=$!
}

for signal in SEGV ABRT; do
    start "$work/presets/one.milk"
    wait_for "no window with the first preset" is_titled one
    kill -s $signal "$player"
    wait "$player" 2> "$work/shell"
    code=$?
    player=
    case $signal:$code in
    SEGV:139 | ABRT:134) grep -q "froth crashes: SIG$signal" "$work/messages" || fail "$signal: no last words" ;;
    *:139 | *:134) fail "$signal: exit code $code" ;;
    # A sanitizer ends it in its way.
    *) grep -q "Sanitizer" "$work/messages" || fail "$signal: exit code $code and no words" ;;
    esac
done

# decoder: the process that decodes for the player, stopped while it works; false if its work was done before it was seen.
# What starts decoders is no child of the player; it is found by the mark in its environment.
decoder=
starter() {
    local folder
    for folder in /proc/[0-9]*; do
        [ "${folder#/proc/}" != "$player" ] && [ "$(readlink "$folder/exe")" = "$froth" ] &&
            grep -qsz "^FROTH_TEST_MARK=$work$" "$folder/environ" && starter=${folder#/proc/} && return 0
    done
    return 1
}
# It lives for a moment only: nothing may be started between two looks.
decoder() {
    local child until=$((SECONDS + patience / 10))
    while ((SECONDS < until)) && kill -0 "$player" 2> /dev/null; do
        child=
        read -r child _ < "/proc/$starter/task/$starter/children"
        [ -n "$child" ] && kill -s STOP "$child" 2> /dev/null && decoder=$child && return 0
    done
    return 1
}
# end_beside_decoder: how long it takes to end while a decoder stands still, in took; false if none was seen
end_beside_decoder() {
    local began ended
    decoder=
    start "$work/presets/two.milk"
    wait_for "nothing that starts decoders" starter
    if ! decoder; then
        kill -9 "$player"
        wait "$player" 2> /dev/null
        return 1
    fi
    sleep 1
    began=$(date +%s%N)
    kill -s TERM "$player"
    wait "$player"
    ended=$(date +%s%N)
    player=
    took=$(((ended - began) / 1000000))
}
# It may be over before it is seen.
took=
for _ in 1 2 3 4 5 6 7 8; do
    end_beside_decoder && break
done
[ -n "$decoder" ] || fail "no decoder was seen"
# A decoder that does nothing is given up after two minutes: who waited for it would take these.
[ "$took" -lt 60000 ] || fail "it ended after $took ms, while a decoder hung"
echo ok
