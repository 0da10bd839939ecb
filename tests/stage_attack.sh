#!/usr/bin/env bash
# A show whose page for the phone is attacked: stage_attack.sh FROTH SOURCE [ROUNDS SECONDS]
# In turns a quiet show and one under attack (stage_attack.py); how long frames took in each, and how far apart they were
# shown. Frames are late by the machine's other work as well, hence the turns; with rights for it the show runs in real
# time. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
rounds=${3:-1} seconds=${4:-30}
lib=$(dirname "$0")/cli/lib
# shellcheck source=cli/lib/common.sh
. "$lib/common.sh"
# shellcheck source=cli/lib/display.sh
. "$lib/display.sh"
need Xvfb xdotool python3 chrt
logs='player attack'

work=$(mktemp -d) || exit 1
player=
trap 'end_all "$player" "$display"' EXIT
alone
export PYTHONDONTWRITEBYTECODE=1
width=640 height=480
start_display
first=() behind=()
if chrt -r 10 true 2> /dev/null; then
    first=(chrt -r 10) behind=(chrt -o 0)
    chrt -r -p 10 "$display"
fi
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])')
declare -A late=([quiet]=0 [attacked]=0) frames=([quiet]=0 [attacked]=0)

counter() { sed -nE "s/^counter $1([0-9]+)$/\1/p" "$work/player"; }
is_told() { grep -q "$1" "$work/player" || ! kill -0 "$player" 2> /dev/null; }

# run LABEL: one show, quiet or attacked
run() {
    "${first[@]}" "$froth" play "$source/presets/originals/froth - Tidal Glass.milk" --audio demo --size 320x240 --fps 60 \
        --threads 1 --no-library --advance 86400 --counters --frame-times --remote --remote-port "$port" 2> "$work/player" &
    player=$!
    wait_for "no link" is_told '?token='
    if grep -q 'has no page for the phone' "$work/player"; then
        echo "this froth was built without libwebsockets: skipped"
        exit 77
    fi
    wait_for "no window" xdotool search --name '^froth - '
    if [ "$1" = attacked ]; then
        local link cookie
        link=$(sed -nE 's,.*/(\?token=[0-9a-f]{32});.*,\1,p' "$work/player" | head -n 1)
        cookie=$(python3 "$source/tests/cli/remote.py" "$port" "$link" enter) || fail "the link: $cookie"
        "${behind[@]}" python3 "$source/tests/stage_attack.py" "$port" "$cookie" "$link" "$seconds" > "$work/attack" 2>&1 ||
            fail "the attack: $(tail -n 1 "$work/attack")"
        cat "$work/attack"
    else
        sleep "$seconds"
    fi
    kill -INT "$player"
    wait "$player" || fail "the show ends with $?"
    player=
    sed -nE "s/^((apart|drawing): |counter (frames late|control remote): )/$1: &/p" "$work/player"
    late[$1]=$((${late[$1]} + $(counter 'frames late: ')))
    frames[$1]=$((${frames[$1]} + $(counter 'frames: ')))
}

for ((round = 1; round <= rounds; round++)); do
    run quiet
    run attacked
done
echo "late: ${late[quiet]} of ${frames[quiet]} frames without the attack, ${late[attacked]} of ${frames[attacked]} with it"
if [ ${#first[@]} -gt 0 ] && ((rounds * seconds >= 30)) && ((late[attacked] > late[quiet] + frames[attacked] / 100)); then
    fail "the attack makes frames late"
fi
exit 0
