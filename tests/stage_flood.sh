#!/usr/bin/env bash
# A show under ten thousand messages a second: stage_flood.sh FROTH SOURCE [ROUNDS SECONDS]
# In turns a quiet show and one that half as many messages by OSC as by sACN reach; how many frames were late in each, what
# came, and what was lost. A show under the flood must hold its last values, and nothing may be lost. Frames are late by
# the machine's other work as well, hence the turns; with rights for it the show runs in real time. Exit code 77: the
# tools for it are missing, or networks cannot be made.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
rounds=${3:-1} seconds=${4:-10}
rate=10000
lib=$(dirname "$0")/cli/lib
# shellcheck source=cli/lib/common.sh
. "$lib/common.sh"
# shellcheck source=cli/lib/display.sh
. "$lib/display.sh"
need Xvfb xdotool python3 oscsend oscdump ip chrt
logs='player heard'

work=$(mktemp -d) || exit 1
player='' dump=''
here=frothflood$$
trap 'end_all "$player" "$dump" "$display"; ip netns delete "$here" 2> /dev/null' EXIT
ip netns add "$here" 2> /dev/null || { echo "no network of our own can be made: skipped"; exit 77; }
ip -n "$here" link set lo up
alone
width=640 height=480
start_display
first=() behind=()
if chrt -r 10 true 2> /dev/null; then
    first=(chrt -r 10) behind=(chrt -r 5)
    chrt -r -p 10 "$display"
fi
printf '%s\n' 'in: [{protocol: sacn, universe: 7}]' 'set: [{channel: 1, value: warp, from: 0, to: 1}]' > "$work/map.yaml"
port=7777 answers=7778

declare -A late=([quiet]=0 [flood]=0) frames=([quiet]=0 [flood]=0)

# counter NAME: a number of those that the show prints
counter() { sed -nE "s/^counter $1([0-9]+)$/\1/p" "$work/player"; }

# run LABEL FLOOD: one show, with or without the flood
run() {
    ip netns exec "$here" "${first[@]}" "$froth" play "$source/presets/originals/froth - Tidal Glass.milk" \
        --audio demo --size 320x240 --fps 60 --threads 1 --no-library --advance 86400 --counters \
        --osc "$port" --light "$work/map.yaml" 2> "$work/player" &
    player=$!
    wait_for "no window" xdotool search --name '^froth - '
    if [ "$2" = flood ]; then
        ip netns exec "$here" "${behind[@]}" python3 -B "$source/tests/stage_flood.py" "$port" 7 "$seconds" "$rate" || fail "no flood"
        holds zoom 0.75
        holds warp 0.2
    else
        sleep "$seconds"
    fi
    echo "$1: $(awk -v second="$(getconf CLK_TCK)" '{ printf "%.1f", ($14 + $15) / second }' "/proc/$player/stat") s of processor"
    ip netns exec "$here" oscsend localhost "$port" /cmd/quit
    wait "$player" || fail "the show ends with $?"
    player=
    sed -nE "s/^counter (frames|frames late|control .*): /$1: \\1: /p" "$work/player"
    grep -E '^counter control (osc|light)' "$work/player" | grep -qv ' 0 dropped' && fail "something was lost"
    late[$2]=$((${late[$2]} + $(counter 'frames late: ')))
    frames[$2]=$((${frames[$2]} + $(counter 'frames: ')))
}

is_heard() {
    ip netns exec "$here" oscsend localhost "$port" /reply i "$answers"
    ip netns exec "$here" oscsend localhost "$port" "/get/$1"
    sleep 0.1
    grep "/is/$1 " "$work/heard" | tail -n 1 | grep -q "/is/$1 f $2"
}
# holds VALUE NUMBER: it is what was sent last
holds() {
    ip netns exec "$here" oscdump -L "$answers" > "$work/heard" 2>&1 &
    dump=$!
    wait_for "the last value of $1 was lost" is_heard "$1" "$2"
    kill "$dump"
    dump=
}

for ((round = 1; round <= rounds; round++)); do
    run "quiet $round" quiet
    run "flood $round" flood
done

echo "late: ${late[quiet]} of ${frames[quiet]} frames without the flood, ${late[flood]} of ${frames[flood]} with it"
# Some are late by the machine's other work; a flood that costs frames costs many. A short run says little of that.
if [ ${#first[@]} -gt 0 ] && ((rounds * seconds >= 60)) && ((late[flood] > late[quiet] + frames[flood] / 200)); then
    fail "the flood makes frames late"
fi
