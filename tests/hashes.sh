#!/usr/bin/env bash
# The same pictures, byte for byte, of every preset: 1, 2 and 7 threads, every level of the processor, two runs, and
# two builds with different optimisation. Each run shows all presets, one after the other. SSE4.1 and plain C, and the
# other build, which may have sanitizers, take up to ten times as long for a pixel: they draw as many frames, but
# smaller ones.
#   tests/hashes.sh FROTH OTHER-FROTH FOLDER-OF-PRESETS
set -euo pipefail

froth=$1
other=$2
presets=("$3"/*.milk)
each=12 # frames of a preset
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# hashes NAME FROTH OPTIONS...: a line for each frame in $work/NAME
hashes() {
    "$2" render "${presets[@]}" --audio demo --blend 0 --frames $((each * ${#presets[@]})) --hash "${@:3}" \
        >"$work/$1" 2>"$work/messages" || { echo "$1: it fails: $(tail -n 3 "$work/messages")"; exit 1; }
    [[ $(grep -cE '^frame [0-9]+ [0-9a-f]{16}$' "$work/$1") == "$((each * ${#presets[@]}))" ]] ||
        { echo "$1: not $each frames of each preset"; exit 1; }
}

# same NAME REFERENCE: at the first difference, of which preset it is
same() {
    local frame
    cmp -s "$work/$1" "$work/$2" && return
    frame=$(diff "$work/$1" "$work/$2" | sed -nE '/^< frame/{s/^< frame ([0-9]+) .*/\1/p;q}' || true)
    echo "$1: other pictures than $2 from frame $frame on, of ${presets[(frame - 1) / each]##*/}"
    failed=1
}

large=(--size 222x149)
small=(--size 75x51)
hashes large "$froth" "${large[@]}" --threads 1
hashes threads_7 "$froth" "${large[@]}" --threads 7
hashes avx2 "$froth" "${large[@]}" --threads 2 --cpu avx2
hashes small "$froth" "${small[@]}" --threads 1
hashes sse41 "$froth" "${small[@]}" --threads 2 --cpu sse41
hashes plain "$froth" "${small[@]}" --threads 2 --cpu plain
hashes other_build "$other" "${small[@]}" --threads 2
same threads_7 large
same avx2 large
same sse41 small
same plain small
same other_build small
# Presets that all stood still would agree, too.
for name in large small; do
    distinct=$(grep '^frame ' "$work/$name" | cut -d ' ' -f 3 | sort -u | wc -l)
    ((distinct > each * ${#presets[@]} / 2)) || { echo "$name: $distinct different pictures only"; failed=1; }
done
echo "${#presets[@]} presets, large $(tail -n 1 "$work/large"), small $(tail -n 1 "$work/small")"
exit "$failed"
