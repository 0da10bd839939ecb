#!/usr/bin/env bash
# The same picture, byte for byte: 1, 2 and 7 threads, every level of the processor, two runs, and two
# builds with different optimisation.
#   tests/hashes.sh FROTH OTHER-FROTH FOLDER-OF-PRESETS
set -euo pipefail

froth=$1
other=$2
folder=$3
failed=0

hash_of() { # FROTH PRESET OPTIONS...
    "$1" render "$2" --audio demo --frames 40 --size 333x222 --hash "${@:3}" 2>/dev/null | tail -n 1
}

for preset in "$folder"/*.milk; do
    expected=$(hash_of "$froth" "$preset" --threads 1)
    if [[ $expected != all\ ???????????????? ]]; then
        echo "$preset: no hash: $expected"
        failed=1
    fi
    for options in "--threads 1" "--threads 2" "--threads 7" "--cpu plain" "--cpu sse41" "--cpu avx2"; do
        # shellcheck disable=SC2086
        got=$(hash_of "$froth" "$preset" $options)
        [[ $got == "$expected" ]] || { echo "$preset: $options: $got, not $expected" && failed=1; }
    done
    got=$(hash_of "$other" "$preset" --threads 2)
    [[ $got == "$expected" ]] || { echo "$preset: other build: $got, not $expected" && failed=1; }
    echo "$expected  ${preset##*/}"
done
exit "$failed"
