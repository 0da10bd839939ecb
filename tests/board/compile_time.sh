#!/usr/bin/env bash
# Lets the firmware compile patches in the board's twin and compares the cycles, as it says them on the
# console before the show begins, with what is asked for: 8 million (a tenth of a second) for the
# thesis' patches, which are taken from the memory card where FROTH_SHARED is set, and what is written
# below for some that come with froth. Skips itself (77) where the board's compiler is not there.
#   compile_time.sh SOURCE FROTH BUILD         the project's folder, the program, a folder to build in
#   compile_time.sh SOURCE FROTH BUILD --all   prints the cycles of all that come with froth instead
set -euo pipefail

source=$1
froth=$2
build=$3
asked=8000000
# Each a tenth above what it takes.
originals=("Tidal Glass:8800000" "Surveyor's Carpet:8200000" "Twelve Mirrors:10000000")

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"

# cycles NAME FROTH-ARGUMENTS...: of the first patch; nothing if it is another one.
cycles() {
    local name=$1
    shift
    timeout 300 "$froth" board "$build/boot.bin" --frames 2 --duration 20 --uart - \
        --command-line "exact patch=${name// /_}" "$@" | tr -d '\r' |
        sed -n "s/^patch [0-9]* .*$name.*: \([0-9]*\) cycles$/\1/p"
}

failed=0
check() { # WHAT CYCLES ASKED
    printf '%-64s %11s of %11s cycles\n' "$1" "${2:-none}" "$3"
    [[ -n $2 ]] && (($2 <= $3)) || failed=1
}

if [[ ${4-} == --all ]]; then
    for preset in "$source"/presets/originals/*.milk "$source"/presets/originals/*.fnp; do
        "$source/tools/card_image" "$build/card.img" "$preset"
        ending=${preset##*.}
        ending=${ending^^}
        printf '%11s %s\n' "$(cycles "P1.${ending:0:3}" --card "$build/card.img")" "$(basename "$preset")"
    done | sort -n | awk '{ print; all[NR] = $1 }
        END { print "median " all[int((NR + 1) / 2)] ", most " all[NR] " of " NR }'
    exit
fi
for row in "${originals[@]}"; do
    check "${row%:*}" "$(cycles "${row%:*}")" "${row#*:}"
done
thesis=${FROTH_SHARED-}/presets/thesis
if [[ -n ${FROTH_SHARED-} && -d $thesis ]]; then
    presets=("$thesis"/*.milk)
    "$source/tools/card_image" "$build/card.img" "${presets[@]}"
    for ((i = 0; i < ${#presets[@]}; i++)); do
        check "$(basename "${presets[i]}" .milk)" \
            "$(cycles "P$((i + 1)).MIL" --card "$build/card.img")" "$asked"
    done
fi
exit $failed
