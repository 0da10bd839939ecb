#!/usr/bin/env bash
# The same pictures on arm64, byte for byte, in vectors (NEON) and in plain C: golden tables, and presets beside what
# this machine draws. The processor is emulated, which takes some twenty times as long: pictures are small, and of each
# table only some cases are drawn.
#   tests/arm64.sh PICTURES SOURCE WORK [EVERY [PRESET...]]
# EVERY: one case of a table, and shipped preset, in so many (9). PRESET: others.
set -euo pipefail

pictures=$(realpath "$1")
source=$(realpath "$2")
work=$(realpath -m "$3")
every=${4:-9}

for program in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v "$program" >/dev/null || { echo "$program is missing (tools/deps --arm64): skipped"; exit 77; }
done
mkdir -p "$work"
cmake -S "$source/tests/arm64" -B "$work" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$source/tools/arm64.cmake" \
    -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >"$work/cmake.txt"
cmake --build "$work" --target pictures >"$work/built.txt" || { tail -n 20 "$work/built.txt"; exit 1; }

drawn=("$source"/tests/golden/*.txt "${@:5}")
presets=("$source"/presets/originals/*.milk)
for ((i = 0; i < ${#presets[@]}; i += every)); do
    drawn+=("${presets[i]}")
done
"$pictures" plain "$every" "${drawn[@]}" >"$work/here.txt"
failed=0
for level in plain neon; do
    qemu-aarch64-static "$work/pictures" "$level" "$every" "${drawn[@]}" >"$work/$level.txt" || failed=1
    diff "$work/here.txt" "$work/$level.txt" >"$work/$level.diff" ||
        { echo "$level: other pictures: $(grep -c '^>' "$work/$level.diff")"; head -n 10 "$work/$level.diff"; failed=1; }
done
distinct=$(cut -d ' ' -f 4- "$work/here.txt" | sort -u | wc -l)
((distinct > 50)) || { echo "$distinct different pictures only"; failed=1; }
echo "$(wc -l <"$work/here.txt") pictures, the same on arm64 in plain C and in vectors"
exit "$failed"
