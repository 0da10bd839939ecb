#!/usr/bin/env bash
# What the operator's panel and `froth check --target milkymist-one` say a preset costs on a board,
# against what it costs the firmware in the board's twin. Skips itself (77) where the board's compiler
# is not there. Differences that are allowed: coprocessor and texture mapper 1 %, texel cache 1 point,
# memory 6 % (the panel knows the CPU's part of it only roughly), CPU and frame rate 15 %; these two
# only where the CPU computes no equations, which the panel leaves out. Of presets with custom shapes or waves
# only CPU and frame rate are compared, to 25 %: the panel knows a count of them, made in silence.
#   hardware_panel.sh SOURCE FROTH BUILD   the project's folder, the program, a folder to build in
set -euo pipefail

source=$1
froth=$2
build=$3
presets=("Corona" "Tidal Glass" "Ember Tunnel" "Surveyor's Carpet" "Twelve Mirrors" "Julia Voltage"
    "Starling Hour" "Slow Lichen" "Rain on the Night Bus" "Twelve Lanterns" "Totality" "Silk Knot")
frames=12

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"

# number FILE KEY: of a JSON object on one line.
number() {
    sed -En "s/.*\"$2\": ?([0-9.]+).*/\1/p" "$1" | head -n 1
}

failed=0
# near NAME WHAT BOARD PANEL PERCENT
near() {
    awk -v a="$3" -v b="$4" -v p="$5" 'BEGIN { exit !(a > 0 && b > 0 && b / a < 1 + p / 100 && b / a > 1 - p / 100) }' ||
        {
            echo "$1: $2: $3 on the board, $4 in the panel, which is more than $5 % off" >&2
            failed=1
        }
}

compare() {
    local name=$1 board=$build/board.json panel=$build/panel.json pfpu rate
    "$source/tools/card_image" "$build/card.img" "$source/presets/originals/froth - $name.milk"
    timeout 300 "$froth" board "$build/boot.bin" --duration 60 --card "$build/card.img" --frames $((frames + 5)) \
        --command-line "fps=24 patch=P1.MIL" --audio demo --account --json >"$board"
    timeout 60 "$froth" check --target milkymist-one --frames $frames --audio demo --json \
        "$source/presets/originals/froth - $name.milk" >"$panel"
    # Two runs of the coprocessor make a frame, one if the CPU does the per-frame program; a board that
    # falls behind has begun one more than it shows.
    pfpu=$(awk -v c="$(number "$board" pfpu_cycles)" -v n="$(number "$board" pictures)" \
        -v r="$(number "$board" pfpu_runs)" \
        'BEGIN { each = int(r / n + 0.5); print c * n * each / r }')
    rate=$(number "$board" pictures_per_second)
    if grep -Eq '^(shape|wave)code_[0-3]_enabled=1' "$source/presets/originals/froth - $name.milk"; then
        echo "$name: $rate per second; CPU $(number "$board" cpu_cycles), panel $(number "$panel" cpu_cycles)"
        grep -q '"cpu_equations": true' "$panel" && return
        near "$name" "CPU, cycles of a frame" "$(number "$board" cpu_cycles)" "$(number "$panel" cpu_cycles)" 25
        near "$name" "frames per second" "$rate" \
            "$(awk -v f="$(number "$panel" board_fps)" 'BEGIN { print f < 24 ? f : 24 }')" 25
        return
    fi
    near "$name" "coprocessor, cycles of a frame" "$pfpu" "$(number "$panel" pfpu_cycles)" 1
    near "$name" "texture mapper, cycles of a frame" "$(number "$board" tmu_cycles)" \
        "$(number "$panel" tmu_cycles)" 1
    near "$name" "texel cache, percent" "$(number "$board" texel_hits_percent)" \
        "$(number "$panel" texel_hits_percent)" 1
    echo "$name: $rate per second; CPU $(number "$board" cpu_cycles), panel $(number "$panel" cpu_cycles)"
    if grep -q '"cpu_equations": true' "$panel"; then
        return
    fi
    near "$name" "memory, bits per second" "$(number "$board" bandwidth)" "$(number "$panel" bandwidth)" 6
    near "$name" "memory bus, percent" "$(number "$board" occupancy_percent)" \
        "$(number "$panel" occupancy_percent)" 6
    near "$name" "CPU, cycles of a frame" "$(number "$board" cpu_cycles)" "$(number "$panel" cpu_cycles)" 15
    near "$name" "frames per second" "$rate" \
        "$(awk -v f="$(number "$panel" board_fps)" 'BEGIN { print f < 24 ? f : 24 }')" 15
}

for name in "${presets[@]}"; do
    compare "$name"
done
exit $failed
