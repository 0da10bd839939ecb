#!/usr/bin/env bash
# Runs the programs of this folder in the processor's simulator; each ends with 0 or the number of the
# check that failed. Skips itself (77) where the board's compiler or the simulator is not there.
# The programs of core/ must print there what they print on the host.
#   run_simulator.sh SOURCE BUILD HOST   the project's folder; a folder for the programs; where those for
#                                        the host are
set -euo pipefail

source=$1
build=$2
host=$3
tools=$("$source/tools/lm32" --where) || exit 77
simulator=$("$source/tools/lm32" --simulator --where)/lm32-elf-run || exit 77

cmake -G Ninja -S "$source/board/firmware" -B "$build" -DFROTH_LM32="$tools" -DFROTH_VERSION=test \
    -DCMAKE_TOOLCHAIN_FILE="$source/tools/lm32.cmake" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target simulator_tests >"$build/log" 2>&1 || {
    cat "$build/log" >&2
    exit 1
}
failed=0
for program in "$build"/test_*; do
    [[ $program != *.* ]] || continue
    code=0
    timeout 60 "$simulator" --environment operating "$program" || code=$?
    if ((code != 0)); then
        echo "${program##*/}: $code" >&2
        failed=1
    fi
done
for program in "$build"/core_*; do
    [[ $program != *.txt ]] || continue
    name=${program##*/}
    "$host/$name" >"$build/$name.host.txt"
    timeout 500 "$simulator" "$program" >"$build/$name.board.txt" || {
        echo "$name: exit code $?" >&2
        failed=1
    }
    diff -u "$build/$name.host.txt" "$build/$name.board.txt" >&2 || failed=1
done
exit $failed
