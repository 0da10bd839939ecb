#!/usr/bin/env bash
# froth lab bands from outside, and --levels: filters in the time domain beside the transform.
set -euo pipefail

froth=$1
preset="$2/presets/originals/froth - Ember Tunnel.milk"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "lab_bands.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" "$@" >out 2>err || code=$?
    ((code == expected)) || fail "$*: exit code $code, not $expected: $(cat out err)"
}

# On the built-in tune the filters with the transform's bands follow it in each band.
expect 0 lab bands demo --json
[[ ! -s err ]] || fail "messages: $(cat err)"
(($(grep -c '^{"levels":"\(fir\|board\)","band":"\(bass\|mid\|treb\)",' out) == 6)) || fail "$(cat out)"
sed -n 's/^{"levels":"fir".*"correlation":\([0-9.]*\),"correlation_att":\([0-9.]*\)}$/\1 \2/p' out |
    awk '{ if ($1 <= 0.95 || $2 <= 0.95) bad = 1 } END { exit NR != 3 || bad }' ||
    fail "the filters do not follow the transform: $(cat out)"
expect 0 lab bands test
grep -q '^board  treb    600 to  2900 Hz' out || fail "$(cat out)"

expect 2 lab bands
expect 2 lab bands demo --frames 3
expect 1 lab bands missing.wav
head -c 1000 /dev/zero >short.wav
expect 1 lab bands short.wav

# Each way to measure gives a picture of its own, on any number of threads.
hashes=
for levels in fft fir board; do
    for threads in 1 2; do
        expect 0 render "$preset" --hash --levels $levels --threads $threads --frames 40 --size 64x48
        hashes+="$levels $(tail -n 1 out)"$'\n'
    done
done
(($(printf %s "$hashes" | sort -u | wc -l) == 3)) || fail "threads differ: $hashes"
(($(printf %s "$hashes" | cut -d ' ' -f 2- | sort -u | wc -l) == 3)) || fail "levels agree: $hashes"
expect 0 render "$preset" --hash --frames 40 --size 64x48
[[ $hashes == "fft $(tail -n 1 out)"* ]] || fail "the transform is not what is taken by itself"
expect 2 render "$preset" --hash --levels loud
expect 0 check "$preset" --levels fir --frames 10
