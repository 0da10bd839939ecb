#!/usr/bin/env bash
# A show that runs by itself while thousands of commands come, recorded and rendered again:
#   tests/set_show.sh FROTH SOURCE [SECONDS COMMANDS]      3600 and 5000 if not given
# Each command that does something is in the recording. Every picture of the recording is the one that was shown; at twice
# the size the same happens without a warning; from the middle the pictures are those of the whole, found within 15 seconds
# of processor time. Exit code 77: tools are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-3600}
commands=${4:-5000}
for tool in Xvfb xvfb-run python3; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work SDL_AUDIODRIVER=dummy
fail() {
    echo "FAILED: $1"
    tail -n 20 "$work/messages"
    exit 1
}
# differ ONE OTHER [FIRST]: frames that both have and that differ; the other's first one is FIRST
differ() {
    awk -v first="${3:-1}" '$1 == "frame" && FNR == NR { one[$2] = $3 }
        $1 == "frame" && FNR != NR && ($2 + first - 1) in one { both++; if (one[$2 + first - 1] != $3) bad++ }
        END { printf "%d of %d frames differ\n", bad, both; exit !(both > 0 && bad == 0) }' "$1" "$2"
}

port=$((20000 + $$ % 20000))
xvfb-run -a "$froth" play "$source/presets/originals" --no-library --audio demo --size 64x48 --fps 30 --mesh 16x12 \
    --threads 1 --advance 9 --order random --seed 7 --duration "$seconds" --osc "$port" --record "$work/set" --hash \
    --counters \
    > "$work/shown" 2> "$work/messages" &
player=$!
sleep 2
python3 "$source/tests/set_commands.py" "$port" "$commands" $((seconds - 4)) 7 > "$work/sent"
wait "$player" || fail "the show"
counts=$(sed -n 's/^counter control osc: //p' "$work/messages")
# The first ones are those of the options.
awk '/ do: / && $3 != "0:00:00.000," { sub(/.* do: "(set )?/, ""); sub(/[ "].*/, ""); count[$0]++ }
    END { for (name in count) print name, count[name] }' "$work/set/events.yaml" > "$work/recorded"
# A value that was replaced within its frame by a newer one is not set.
awk -v counts="$counts" 'FNR == NR { recorded[$1] = $2; next }
    $1 == "nothing" { nothing = $2; next }
    { sent += $2; kept += recorded[$1]; if ($2 != recorded[$1]) differ = differ " " $1 "(" $2 "/" recorded[$1] ")" }
    END {
        match(counts, /[0-9]+ dropped/); dropped = substr(counts, RSTART) + 0
        match(counts, /[0-9]+ replaced/); replaced = substr(counts, RSTART) + 0
        printf "sent: %d commands, of these %d that change nothing, %d dropped, %d replaced; recorded: %d%s\n",
            sent + nothing, nothing, dropped, replaced, kept, differ != "" ? "; sent/recorded:" differ : ""
        exit !(kept > 0 && sent - kept == dropped + replaced)
    }' "$work/recorded" "$work/sent" || fail "commands are not in the recording: $counts"
echo "recorded: $(grep -c '^frame' "$work/shown") frames, $(grep -c ' do: ' "$work/set/events.yaml") commands," \
    "$(grep -c ' preset: ' "$work/set/events.yaml") presets"
du -sh "$work/set" | sed 's/\s.*//'

"$froth" render "$work/set" --as-shown --hash --threads 1 > "$work/again" 2> "$work/messages" || fail "render"
same=$(differ "$work/shown" "$work/again") || fail "pictures differ: $same"
echo "again: $same"
"$froth" render "$work/set" --size 128x96 --hash > "$work/large" 2> "$work/messages" || fail "twice the size"
if grep -E 'warning|error' "$work/messages"; then
    fail "a warning at twice the size"
fi
differ "$work/shown" "$work/large" > /dev/null && fail "twice the size has the same bytes"
echo "twice the size: $(grep -c '^frame' "$work/large") frames"

middle=$((seconds / 2))
begun=$(date +%s.%N)
bash -c 'TIMEFORMAT="%U %S"; time "$@"' time "$froth" render "$work/set" --as-shown --hash --threads 1 --from "$middle" \
    --frames 60 > "$work/middle" 2> "$work/times" || fail "from the middle"
used=$(tail -n 1 "$work/times" | awk '{ print $1 + $2 }')
same=$(differ "$work/again" "$work/middle" $((middle * 30 + 1))) || fail "pictures from the middle differ: $same"
echo "from the middle: $same, $used s of processor time," \
    "$(date +%s.%N | awk -v begun="$begun" '{ printf "%.1f", $1 - begun }') s"
awk -v used="$used" 'BEGIN { exit !(used <= 15) }' || fail "it takes too long"
