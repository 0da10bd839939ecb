#!/usr/bin/env bash
# Boots the firmware in the board's twin and compares its pictures with those of the same patches and
# the same sound on this machine: frame by frame the same hashes. Skips itself (77) where the board's
# compiler is not there.
#   firmware.sh SOURCE FROTH BUILD [PRESET...]   the project's folder, the program, a folder to build in;
#                                                presets that are linked into the image
set -euo pipefail

source=$1
froth=$2
build=$3
shift 3
frames=${FRAMES:-24}
tools=$("$source/tools/lm32" --where) || exit 77
originals=$source/presets/originals
if (($# == 0)); then
    set -- "$originals/froth - Tidal Glass.milk" "$originals/froth - Ember Tunnel.milk" \
        "$originals/froth - Starling Hour.milk"
fi

cmake -G Ninja -S "$source/app/milkymist_one" -B "$build" -DFROTH_LM32="$tools" -DFROTH_VERSION=test \
    -DCMAKE_TOOLCHAIN_FILE="$source/tools/lm32.cmake" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target images >"$build/log" 2>&1 || {
    cat "$build/log" >&2
    exit 1
}

# on_board NAME SOUND FPS WORDS...: hashes of the frames. The first picture is the black one.
on_board() {
    local name=${1// /_} sound=$2 fps=$3
    shift 3
    timeout 300 "$froth" board "$build/boot.bin" --duration 300 --frames $((frames + 1)) --hash \
        --command-line "exact fps=$fps patch=$name $*" --audio "$sound" --uart "$build/console.txt" |
        sed -n 's/^frame [0-9]* //p' | tail -n +2
}

on_host() {
    timeout 300 "$froth" render --target milkymist-one "$1" --frames "$frames" --hash --audio "$2" \
        --fps "$3" 2>/dev/null | sed -n 's/^frame [0-9]* //p'
}

failed=0
compare() {
    local preset=$1 name
    name=$(basename "$preset" .milk)
    on_host "$preset" "$2" "$3" >"$build/host.txt" || true
    if [[ ! -s $build/host.txt ]]; then
        echo "$name: does not fit"
        return
    fi
    on_board "$name" "$2" "$3" >"$build/board.txt" || true
    if cmp -s "$build/host.txt" "$build/board.txt"; then
        echo "$name, $2, $3 per second: the same $(wc -l <"$build/board.txt") frames;" \
            "$(sed -n 's/^patch .*: /compiled in /p' "$build/console.txt" | tr -d '\r')"
    else
        echo "$name, $2, $3 per second: other frames" >&2
        diff "$build/host.txt" "$build/board.txt" | head -n 4 >&2 || true
        tail -n 5 "$build/console.txt" >&2
        failed=1
    fi
}

for preset; do
    compare "$preset" test 24
done
compare "$1" demo 30

# The patch is chosen by button, MIDI, infrared and console; a held infrared key counts once; what no
# command is changes nothing.
timeout 300 "$froth" board "$build/boot.bin" --duration 20 --command-line "patch=aurora" \
    --audio test --uart "$build/console.txt" --at 10:buttons=4 --at 12:buttons=0 --at 60:midi=C003 \
    --at 150:infrared=0x1020 --at 152:infrared=0x1020 --at 210:type=$'load glass harp\r' \
    --at 211:type=$'load nothing of this\r' --at 212:type=$'nonsense\r' >/dev/null
chosen=$(sed -n 's/^patch \([0-9]*\) froth.*/\1/p' "$build/console.txt" | tr '\n' ' ')
if [[ $chosen != "0 1 3 4 17 " ]]; then
    echo "chosen by button, MIDI, infrared, console: $chosen" >&2
    failed=1
fi
for answer in 'no such patch' 'no such command'; do
    grep -q "$answer" "$build/console.txt" || {
        echo "the console does not say: $answer" >&2
        failed=1
    }
done
exit $failed
