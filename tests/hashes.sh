#!/usr/bin/env bash
# The same picture, byte for byte: 1, 2 and 7 threads, every level of the processor, two runs, and two
# builds with different optimisation. Plain C and the other build, which may have sanitizers, take ten
# times as long for a pixel: they draw as many frames, but smaller ones.
#   tests/hashes.sh FROTH OTHER-FROTH FOLDER-OF-PRESETS
set -euo pipefail

froth=$1
other=$2
folder=$3
failed=0

hash_of() { # FROTH PRESET OPTIONS...
    "$1" render "$2" --audio demo --frames 40 --hash "${@:3}" 2>/dev/null | tail -n 1
}

same() { # WHAT GOT EXPECTED
    [[ $2 == "$3" ]] || { echo "$preset: $1: $2, not $3" && failed=1; }
}

for preset in "$folder"/*.milk; do
    large=$(hash_of "$froth" "$preset" --size 333x222 --threads 1)
    small=$(hash_of "$froth" "$preset" --size 111x75 --threads 1)
    for hash in "$large" "$small"; do
        [[ $hash == all\ ???????????????? ]] || { echo "$preset: no hash: $hash" && failed=1; }
    done
    for options in "--threads 7" "--threads 2 --cpu avx2" "--threads 2 --cpu sse41"; do
        # shellcheck disable=SC2086
        same "$options" "$(hash_of "$froth" "$preset" --size 333x222 $options)" "$large"
    done
    same "--cpu plain" "$(hash_of "$froth" "$preset" --size 111x75 --threads 2 --cpu plain)" "$small"
    same "other build" "$(hash_of "$other" "$preset" --size 111x75 --threads 2)" "$small"
    echo "$large  $small  ${preset##*/}"
done
exit "$failed"
