#!/usr/bin/env bash
# Many patches on the firmware in the board's twin: every picture has the hash that
# `froth render --target milkymist-one` gives for the same patch and sound. The patches are those that come
# with froth and, where FROTH_SHARED is set, some of $FROTH_SHARED/presets/classic, from a memory card.
# One whose pictures stay the same, for the board draws no shaders, is left out. Skips itself (77) where
# the board's compiler is not there.
#   frames.sh SOURCE FROTH TOOLS BUILD [FRAMES [JOBS]]
# TOOLS: where make_card is; BUILD: a folder to build in; JOBS: at a time.
set -euo pipefail

source=$(realpath "$1")
froth=$2
tools=$3
build=$4
frames=${5-200}
jobs=${6-2}
image=$build/boot.bin
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compare_one NUMBER PATCH PRESET: prints one line, and leaves $work/NUMBER.same if all is well, or
# $work/NUMBER.out if there is nothing to compare. Sound and rate change from one to the next.
compare_one() {
    local number=$1 patch=$2 preset=$3 name fps=24 sound=test
    local at=$work/$number
    name=$(basename "$preset")
    name=${name%.*}
    ((number % 2 == 0)) || sound=demo
    ((number % 4 < 2)) || fps=30
    hashes_on_host 24 "$fps" "$sound" "$preset" >"$at.host" || true
    if (($(sort -u "$at.host" | wc -l) < 2)); then
        echo "$name: $([[ -s $at.host ]] && echo "draws nothing" || echo "does not fit")"
        touch "$at.out"
        return
    fi
    hashes_on_host "$frames" "$fps" "$sound" "$preset" >"$at.host" || true
    hashes_on_board "$frames" "$fps" "$sound" "$patch" "$at.console" --quick --card "$work/card" \
        >"$at.board" || true
    if (($(wc -l <"$at.host") == frames)) && cmp -s "$at.host" "$at.board"; then
        touch "$at.same"
        echo "$name: $frames frames, the same ($sound, $fps per second;" \
            "$(sort -u "$at.host" | wc -l) different ones)"
    else
        echo "$name, $sound, $fps per second: other frames:" \
            "$(cmp "$at.host" "$at.board" 2>&1 | sed 's/.*, //') of the hashes, $(wc -l <"$at.board") of them"
        sed 's/^/    /' "$at.console" | tail -n 5
    fi
}
export -f compare_one hashes_on_board hashes_on_host
export froth frames image work

# every STEP FILES...: each STEPth of them.
every() {
    local step=$1 i
    shift
    for ((i = 1; i <= $#; i += step)); do
        printf '%s\n' "${!i}"
    done
}

classic=${FROTH_SHARED:+$FROTH_SHARED/presets/classic}
least=10
mapfile -t originals < <(every "${ORIGINALS_STEP:-1}" "$source"/presets/originals/*.{milk,fnp})
classics=()
if [[ -d $classic ]]; then
    least=40
    mapfile -t classics < <(every "${CLASSICS_STEP:-2}" "$classic"/*.milk)
fi
presets=("${originals[@]}" "${classics[@]}")
number=${#presets[@]}
"$tools/make_card" "$work/card" short-names "${presets[@]}" "$source"/presets/originals/*.png
for i in "${!presets[@]}"; do
    printf '%s\0' "$i" "$(printf 'P%03u.MIL' "$i")" "${presets[i]}"
done >"$work/list"
xargs -0 -n 3 -P "$jobs" bash -c 'compare_one "$@"' compare_one <"$work/list"

shopt -s nullglob
same=("$work"/*.same)
out=("$work"/*.out)
if ((${#same[@]} + ${#out[@]} != number)); then
    echo "$((number - ${#same[@]} - ${#out[@]})) patches differ" >&2
    exit 1
fi
echo "${#same[@]} patches, $frames frames each, all equal"
if ((${#same[@]} < least)); then
    echo "fewer than $least patches" >&2
    exit 1
fi
