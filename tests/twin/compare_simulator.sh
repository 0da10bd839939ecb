#!/usr/bin/env bash
# Random programs in froth's board and in the processor's simulator: both must write the same bytes.
#   compare_simulator.sh FROTH RANDOM_PROGRAM [COUNT]
# Skips itself (77) where lm32-elf-gcc or lm32-elf-run are neither on the path nor where tools/lm32 has
# put them.
set -euo pipefail

froth=$1
random_program=$2
count=${3-100}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for option in '' --simulator; do
    if [[ -x $root/tools/lm32 ]] && folder=$("$root/tools/lm32" $option --where 2>/dev/null); then
        PATH=$PATH:$folder
    fi
done
for tool in lm32-elf-gcc lm32-elf-run; do
    command -v $tool >/dev/null || {
        echo "compare_simulator.sh: $tool is not there"
        exit 77
    }
done

cd "$work"
for ((seed = 1; seed <= count; seed++)); do
    "$random_program" "$seed" image >image
    {
        printf '    .global _start, _fstack\n    .set _fstack, 0x40200000\n    .text\n_start:\n'
        "$random_program" "$seed" words
    } >program.s
    lm32-elf-gcc -nostdlib -Wl,-Ttext=0x40000000 -Wl,--no-warn-rwx-segments -o program program.s
    timeout 60 lm32-elf-run --memory-region 0x40000000,0x400000 program >simulator
    timeout 60 "$froth" board image --calls --uart - >twin
    [[ -s twin ]] || { echo "seed $seed: nothing written"; exit 1; }
    cmp simulator twin || { echo "seed $seed differs"; exit 1; }
done
echo "$count programs, $(wc -c <twin) bytes each, the same"
