#!/usr/bin/env bash
# The firmware in the board's twin shows 30 pictures per second, none left out, by the account of cycles:
# of four presets that come with froth and, where FROTH_SHARED is set, of the thesis' patches. Skips
# itself (77) where the board's compiler is not there.
#   rate.sh SOURCE FROTH BUILD [PRESET...]   the project's folder, the program, a folder to build in
set -euo pipefail

source=$1
froth=$2
build=$3
shift 3
frames=${FRAMES:-60}
if (($# == 0)); then
    originals=$source/presets/originals
    set -- "$originals/froth - Tidal Glass.milk" "$originals/froth - Julia Voltage.milk" \
        "$originals/froth - Ember Tunnel.milk" "$originals/froth - Copper Spiral.fnp"
    if [[ -d ${FROTH_SHARED-}/presets/thesis ]]; then
        set -- "$@" "$FROTH_SHARED"/presets/thesis/*.milk
    fi
fi

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"

FROTH=$froth BOOT=$build/boot.bin "$source/tools/board_table" --frames "$frames" "$@" | tee "$build/table.md"
# Pictures change with the screen's own, and the first ones may be ready sooner than the rest, so that a short show is a
# little off: by a frame at most. None may be left out.
awk -F '|' -v expected=$# -v frames="$frames" '
    NR > 2 && ($3 < 30 * (1 - 1 / frames) || $4 > 0) { print "too slow:" $2 > "/dev/stderr"; failed = 1 }
    END { exit failed || NR != expected + 2 }' "$build/table.md"
