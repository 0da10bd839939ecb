#!/usr/bin/env bash
# Programs in froth's board and in the processor's simulator: both must write the same bytes, end with
# the same code, and leave the same memory, to which the programs have stored their registers. First
# random programs, then those of tests/board.
#   compare_simulator.sh SOURCE TOOLS BUILD COUNT INSTRUCTIONS
# SOURCE: the project's folder; TOOLS: where twin_run and random_program are; BUILD: a folder for the
# programs; COUNT: of random programs. Fails where the random ones are fewer INSTRUCTIONS than that in
# all. Skips itself (77) where the board's compiler or the simulator is not there.
set -euo pipefail

source=$1
tools=$2
build=$3
count=$4
least=$5
compiler=$("$source/tools/lm32" --where) || exit 77
simulator=$("$source/tools/lm32" --simulator --where)/lm32-elf-run || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compare NAME PROGRAM IMAGE BYTES SIMULATOR-OPTIONS...: runs both, adds to `sum`.
sum=0
failed=0
compare() {
    local name=$1 program=$2 image=$3 bytes=$4 codes=(0 0) what=()
    shift 4
    rm -f "$work/simulator.memory"
    truncate -s $((bytes)) "$work/simulator.memory"
    timeout 500 "$simulator" "$@" --memory-mapfile "$work/simulator.memory" \
        --memory-region "0x40000000,$bytes" "$program" >"$work/simulator.out" || codes[0]=$?
    timeout 500 "$tools/twin_run" "$image" "$work/twin.memory" "$bytes" >"$work/twin.out" \
        2>"$work/instructions" || codes[1]=$?
    ((codes[0] == codes[1])) || what+=("end with ${codes[0]} and ${codes[1]}")
    cmp -s "$work/simulator.out" "$work/twin.out" || what+=("write other bytes")
    cmp "$work/simulator.memory" "$work/twin.memory" >"$work/at" || what+=("leave other memory: $(cat "$work/at")")
    if ((${#what[@]} > 0)); then
        printf '%s: simulator and twin %s\n' "$name" "${what[@]}" >&2
        cat "$work/instructions" >&2
        failed=1
        return
    fi
    sum=$((sum + $(tail -n 1 "$work/instructions")))
}

for ((seed = 1; seed <= count && !failed; seed++)); do
    "$tools/random_program" "$seed" image >"$work/image"
    {
        printf '    .global _start, _fstack\n    .set _fstack, 0x40200000\n    .text\n_start:\n'
        "$tools/random_program" "$seed" words
    } >"$work/program.s"
    "$compiler/lm32-elf-gcc" -nostdlib -Wl,-Ttext=0x40000000 -Wl,--no-warn-rwx-segments \
        -o "$work/program" "$work/program.s"
    compare "random program $seed" "$work/program" "$work/image" 0x400000
    [[ -s $work/twin.out ]] || failed=1
done
((failed)) || echo "$count random programs, $sum instructions: registers, memory and output are the same"
if ((sum < least)); then
    echo "that are fewer than $least instructions" >&2
    failed=1
fi

cmake -G Ninja -S "$source/board/firmware" -B "$build" -DFROTH_LM32="$compiler" -DFROTH_VERSION=test \
    -DCMAKE_TOOLCHAIN_FILE="$source/tools/lm32.cmake" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$build" --target simulator_tests >"$build/log" 2>&1 || {
    cat "$build/log" >&2
    exit 1
}
sum=0
programs=0
for program in "$build"/test_* "$build"/core_*; do
    [[ $program != *.* ]] || continue
    name=${program##*/}
    options=()
    [[ $name != test_* ]] || options=(--environment operating)
    "$compiler/lm32-elf-objcopy" -O binary "$program" "$work/image"
    compare "$name" "$program" "$work/image" 0x8000000 "${options[@]}"
    programs=$((programs + 1))
done
((programs > 0)) || failed=1
((failed)) || echo "$programs compiled programs, $sum instructions: registers, memory and output are the same"
exit $failed
