#!/usr/bin/env bash
# The board's step, and what it says over the network, compile without floats and with little of a C library:
# they ask for nothing but memory functions, those of texts, and the coprocessor's arithmetic.
#   tests/freestanding.sh COMPILER PROJECT
set -uo pipefail

compiler=$1 project=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$project" || exit 1
[[ $(uname -m) == x86_64 ]] || { echo "the processor is none of x86-64: skipped"; exit 77; }

objects=()
for file in board/step/*.c board/net/*.c; do
    name=${file//\//_}
    "$compiler" -std=c17 -O2 -DNDEBUG -ffreestanding -mgeneral-regs-only -Wall -Wextra -Werror -I. \
        -c "$file" -o "$work/$name.o" || exit 1
    objects+=("$work/$name.o")
done
ld -r "${objects[@]}" -o "$work/all.o" || exit 1
wrong=$(nm -u "$work/all.o" | sed 's/^ *U //' |
    grep -vxE 'memcmp|memcpy|memmove|memset|memchr|strcmp|strlen|strchr|base_crc32|pfpu_alu|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail')
[[ -z $wrong ]] || { echo "FAILED: the board has none of: $wrong"; exit 1; }
bytes=$(nm -S --size-sort "$work/all.o" | awk '$3 ~ /^[bBdD]$/ && $4 !~ /\./ { print $4 }')
[[ -z $bytes ]] || { echo "FAILED: data that changes: $bytes"; exit 1; }
