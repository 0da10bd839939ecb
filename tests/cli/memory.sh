#!/usr/bin/env bash
# What froth keeps in memory with 10,000 presets, as small machines have it: a window of 1280x720 that changes presets and
# keeps as much of the last minutes as it does by itself where there are 4 GB of memory, and froth check, below 150 MiB
# each: memory.sh FROTH SOURCE. The window is drawn without OpenGL, since on this display that is Mesa's, which draws by
# the processor and takes some 100 MiB itself. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool awk python3
logs=messages

work=$(mktemp -d) || exit 1
player=
clean() {
    [ -n "$player" ] && kill -9 "$player" 2> /dev/null
    [ -n "$display" ] && kill "$display" 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT

alone
width=1280 height=720 count=10000 usual=$((150 * 1024))
mkdir "$work/presets"
most=$usual
awk -v to="$work/presets" -v count=$count '
    FNR == 1 { files++ }
    { text[files] = text[files] $0 "\n" }
    END {
        for (i = 0; i < count; i++) { # no two are the same
            file = sprintf("%s/%05d.milk", to, i)
            printf "// copy %d\n%s", i, text[i % files + 1] > file
            close(file)
        }
    }' "$source"/presets/originals/*.milk

# peak NAME: of the player, in KiB, below the limit
peak() {
    local peak now
    peak=$(sed -nE 's/^VmHWM:\s*([0-9]+) kB/\1/p' "/proc/$player/status")
    now=$(sed -nE 's/^VmRSS:\s*([0-9]+) kB/\1/p' "/proc/$player/status")
    [ -n "$peak" ] || fail "$1: it has ended"
    echo "$1: $count presets, $((peak / 1024)) MiB at most, $((now / 1024)) MiB now"
    ((peak < most)) || fail "$1: more than $((most / 1024)) MiB"
}

start_display
cd "$work" || exit 1
port=$(free_port)
SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=0 "$froth" play "$work/presets" --audio demo \
    --size ${width}x$height --fps 20 --threads 4 --advance 1 --blend 0.5 --keep 32 --osc "$port" 2> "$work/messages" &
player=$!
wait_for "no window" xdotool search --onlyvisible --name .
# Where other programs take the processors, the next preset is ready later, and more of them are there at once.
began=$SECONDS
frames_pass "$port" $((20 * 20)) # as many as there are in twenty seconds
((SECONDS - began > 25)) && most=$((180 * 1024))
peak "froth play"
most=$usual
kill "$player"
wait "$player" 2> /dev/null
player=

"$froth" check --frames 1 "$work/presets" > /dev/null 2> "$work/messages" &
player=$!
has_computed() { awk -v tick="$(getconf CLK_TCK)" '{ exit $14 + $15 + $16 + $17 < 3 * tick }' "/proc/$player/stat"; }
wait_for "froth check does nothing" has_computed
peak "froth check"
kill "$player"
wait "$player" 2> /dev/null
player=
