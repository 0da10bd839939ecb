#!/usr/bin/env bash
# The same pictures, byte for byte, at every level of the processor: golden tables, the shipped presets, and folders of
# others. Levels are those of this machine, and plain C and vectors (NEON) on arm64, which is emulated by
# qemu-aarch64-static and takes some twenty times as long: pictures are small, and few frames of a preset are drawn.
#   tests/levels.sh PICTURES SOURCE WORK [OPTION...] [FOLDER-OF-PRESETS...]
# --every N: one shipped preset, and on arm64 one case of a table, in so many (1). --size WxH, --frames N,N,...: of
# presets (160x120; 1,4,12: drawn up to the last, compared at these). --jobs N: so many at a time (all processors).
# --processor here|arm64: that alone (both). PICTURES is the program; the one for arm64 is built in WORK.
set -euo pipefail

pictures=$(realpath "$1")
source=$(realpath "$2")
work=$(realpath -m "$3")
shift 3
every=1
size=160x120
frames=1,4,12
jobs=$(nproc)
processor=both
while (($# > 0)) && [[ $1 == --* ]]; do
    case $1 in
    --every) every=$2 ;;
    --size) size=$2 ;;
    --frames) frames=$2 ;;
    --jobs) jobs=$2 ;;
    --processor) processor=$2 ;;
    *)
        echo "tests/levels.sh: what is $1?" >&2
        exit 2
        ;;
    esac
    shift 2
done

mapfile -t levels < <("$pictures" --levels)
emulated=()
if [[ $processor != here ]]; then
    emulated=(plain neon)
    for program in aarch64-linux-gnu-gcc qemu-aarch64-static; do
        command -v "$program" >/dev/null && continue
        [[ $processor == both ]] || { echo "$program is missing (tools/deps --test): skipped"; exit 77; }
        echo "$program is missing (tools/deps --test): nothing of arm64"
        emulated=()
        break
    done
fi
[[ $processor != arm64 ]] || levels=(plain)
rm -rf "$work/hashes"
mkdir -p "$work/hashes" "$work/lists"

if ((${#emulated[@]} > 0)); then
    cmake -S "$source/tests/arm64" -B "$work/arm64" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$source/tools/arm64.cmake" \
        -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >"$work/cmake.txt"
    cmake --build "$work/arm64" --target pictures >"$work/built.txt" || { tail -n 20 "$work/built.txt"; exit 1; }
fi

# Sets of pictures: a name, and a list of files.
sets=(golden originals)
printf '%s\0' "$source"/tests/golden/*.txt >"$work/lists/golden"
shipped=("$source"/presets/originals/*.milk)
: >"$work/lists/originals"
for ((i = 0; i < ${#shipped[@]}; i += every)); do
    printf '%s\0' "${shipped[i]}" >>"$work/lists/originals"
done
for folder; do
    set=$(basename "$folder")
    sets+=("$set")
    printf '%s\0' "$folder"/*.milk >"$work/lists/$set"
done

# run SET LEVEL PROCESSOR: the lines of the set, in hashes/SET.PROCESSOR.LEVEL
run() {
    local program=("$pictures") few=1
    [[ $3 == here ]] || program=(qemu-aarch64-static "$work/arm64/pictures")
    [[ $3 == here && $processor != arm64 ]] || few=$every
    local to=$work/hashes/$1.$3.$2
    xargs -0 "${program[@]}" "$2" --every "$few" --size "$size" --frames "$frames" <"$work/lists/$1" >"$to" \
        2>"$to.messages" || touch "$to.failed"
}
export -f run
export pictures work every size frames processor
{
    for set in "${sets[@]}"; do
        for level in "${emulated[@]}"; do
            echo "$set $level arm64"
        done
    done
    for set in "${sets[@]}"; do
        for level in "${levels[@]}"; do
            echo "$set $level here"
        done
    done
} | xargs -P "$jobs" -L 1 bash -c 'run "$@"' run

# Those of the reference that were drawn on arm64 too: the cases of tables may be fewer there.
failed=0
printf '%-16s %-10s %8s %8s  %s\n' level pictures of frames 'beside plain C here'
# row SET LEVEL PROCESSOR
row() {
    local of=$work/hashes/$1.$3.$2 name=$2 verdict=equal different
    [[ $3 == here ]] || name="$2 on $3"
    different=$(grep -vxFf "$work/hashes/$1.here.plain" "$of" | wc -l || true)
    if ((different > 0)); then
        verdict="$different DIFFERENT, the first: $(grep -vxFf "$work/hashes/$1.here.plain" "$of" | head -n 1)"
        failed=1
    fi
    if [[ -e $of.failed ]]; then
        verdict="$verdict; FAILED: $(tail -n 1 "$of.messages")"
        failed=1
    fi
    printf '%-16s %-10s %8d %8d  %s\n' "$name" "$1" "$(sed 's/ [0-9]* [0-9a-f]*$//' "$of" | sort -u | wc -l)" \
        "$(wc -l <"$of")" "$verdict"
}
for level in "${levels[@]}"; do
    for set in "${sets[@]}"; do
        row "$set" "$level" here
    done
done
for level in "${emulated[@]}"; do
    for set in "${sets[@]}"; do
        row "$set" "$level" arm64
    done
done

# Lines that are missing, and presets that all stood still, would agree, too.
for set in "${sets[@]}"; do
    for level in "${levels[@]:1}"; do
        cmp -s "$work/hashes/$set.here.plain" "$work/hashes/$set.here.$level" || failed=1
    done
    expected=$(wc -l <"$work/hashes/$set.here.plain")
    distinct=$(sed 's/.* //' "$work/hashes/$set.here.plain" | sort -u | wc -l)
    ((distinct > expected / 3)) || { echo "$set: $distinct different pictures only, of $expected"; failed=1; }
    for level in "${emulated[@]}"; do
        got=$(wc -l <"$work/hashes/$set.arm64.$level")
        few=1 # of which tables have more frames than others
        [[ $set != golden || $processor == arm64 ]] || few=$((every > 1 ? 2 * every : 1))
        ((got * few >= expected)) || { echo "$set: $got of $expected frames on arm64"; failed=1; }
    done
done
echo "presets: $size, frames $frames"
exit "$failed"
