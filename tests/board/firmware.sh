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
image=$build/boot.bin
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
originals=$source/presets/originals
if (($# == 0)); then
    set -- "$originals/froth - Tidal Glass.milk" "$originals/froth - Surveyor's Carpet.milk" \
        "$originals/froth - Twelve Mirrors.milk" "$originals/froth - Paper Lanterns.fnp"
fi

failed=0
compare() {
    local preset=$1 name
    name=$(basename "$preset")
    name=${name%.*}
    hashes_on_host "$frames" "$3" "$2" "$preset" >"$build/host.txt" || true
    if [[ ! -s $build/host.txt ]]; then
        echo "$name: does not fit"
        return
    fi
    hashes_on_board "$frames" "$3" "$2" "${name// /_}" "$build/console.txt" >"$build/board.txt" || true
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

# What no linked patch has, from a memory card.
for part in chance heavy; do
    "$source/tools/card_image" "$build/part.img" "$source/tests/data/board/$part.milk"
    hashes_on_host "$frames" 24 demo "$source/tests/data/board/$part.milk" >"$build/host.txt" || true
    hashes_on_board "$frames" 24 demo P1.MIL "$build/console.txt" --card "$build/part.img" >"$build/board.txt" || true
    if [[ -s $build/host.txt ]] && cmp -s "$build/host.txt" "$build/board.txt"; then
        echo "$part: the same $(wc -l <"$build/board.txt") frames"
    else
        echo "$part: other frames" >&2
        diff "$build/host.txt" "$build/board.txt" | head -n 4 >&2 || true
        failed=1
    fi
done

# A patch of the board's own language from a memory card.
cat >"$build/card.fnp" <<'END'
// read from a card
nWaveMode = 6  fWaveAlpha = 1  ob_size = 0.02  ob_a = 1
midi "any" { colour = fader(7) wheel = differential(2, 9) }
ob_r = range(colour)
way = cyclic(wheel)
per_frame:
    own = own + 0.02 if bass > 0.5
    rot = 0.03*sin(own) + 0.02*idmx1
    zoom = 0.97 + 0.02*way
    ob_g = time % 1
per_vertex:
    w = rad*rad
    dx = 0.02*w if x > y
END
"$source/tools/card_image" "$build/card.img" "$build/card.fnp"
# What a controller says is heard at once, and seen a frame or two later.
timeout 300 "$froth" board "$build/boot.bin" --duration 300 --frames $((frames + 1)) --hash \
    --command-line 'exact patch=P1.FNP' --card "$build/card.img" --audio test --uart "$build/console.txt" \
    --at 1:dmx=0/200 --at 9:midi=B0077FB10903 |
    sed -n 's/^frame [0-9]* //p' | tail -n +2 >"$build/board.txt" || true
for late in 8 9 10 11 12; do
    timeout 300 "$froth" render --target milkymist-one "$build/card.fnp" --frames "$frames" --hash --audio test \
        --at 0:dmx=0/200 --at $late:midi=B0077FB10903 2>/dev/null |
        sed -n 's/^frame [0-9]* //p' >"$build/host.txt" || true
    cmp -s "$build/host.txt" "$build/board.txt" && break
done
if [[ -s $build/host.txt ]] && cmp -s "$build/host.txt" "$build/board.txt"; then
    echo "a patch from a card, with DMX and MIDI: the same $(wc -l <"$build/board.txt") frames"
else
    echo "a patch from a card, with DMX and MIDI: other frames" >&2
    failed=1
fi

# The patch is chosen by button, MIDI, infrared and console; a held infrared key counts once; what no
# command is changes nothing.
mapfile -t linked < <(linked_patches "$source")
last=$((${#linked[@]} - 1))
timeout 300 "$froth" board "$build/boot.bin" --duration 20 \
    --audio test --uart "$build/console.txt" --at 10:buttons=4 --at 12:buttons=0 --at 60:midi=C003 \
    --at 150:infrared=0x1020 --at 152:infrared=0x1020 --at 210:type="load ${linked[last]#froth - }"$'\r' \
    --at 211:type=$'load nothing of this\r' --at 212:type=$'nonsense\r' >/dev/null
chosen=$(sed -n 's/^patch \([0-9]*\) froth.*/\1/p' "$build/console.txt" | tr '\n' ' ')
if [[ $chosen != "0 1 3 4 $last " ]]; then
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
