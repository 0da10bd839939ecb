#!/usr/bin/env bash
# The pictures of forty presets are those of the table beside this file, byte for byte, on each system, compiler and
# processor: a hash of the first frames of each preset. Where what froth paints has changed on purpose, --accept writes
# the table anew. FROTH may be a script that starts it in an emulator.
#   tests/systems/hashes.sh FROTH SOURCE [--accept]
set -euo pipefail

froth=$(realpath "$1")
source=$(realpath "$2")
table=$source/tests/systems/hashes.txt
frames=8 # of a preset
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work
unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME

mapfile -t names < <(grep -v '^#' "$table" | cut -d ' ' -f 2-)
((${#names[@]} == 40)) || { echo "$table: not 40 presets"; exit 1; }
"$froth" render "${names[@]/#/$source/presets/originals/}" --audio demo --blend 0 --size 160x120 --threads 2 \
    --frames $((frames * ${#names[@]})) --hash >"$work/frames" 2>"$work/messages" ||
    { echo "it fails:"; tail -n 5 "$work/messages"; exit 1; }
grep -E '^frame [0-9]+ [0-9a-f]{16}$' "$work/frames" >"$work/hashes" || true
(($(wc -l <"$work/hashes") == frames * ${#names[@]})) || { echo "not $frames frames of each preset"; exit 1; }
# Presets that all stood still would agree, too.
(($(cut -d ' ' -f 3 "$work/hashes" | sort -u | wc -l) > frames * ${#names[@]} / 2)) || { echo "pictures stand still"; exit 1; }

grep '^#' "$table" >"$work/table"
for ((i = 0; i < ${#names[@]}; i++)); do
    sum=$(sed -n "$((i * frames + 1)),$(((i + 1) * frames))p" "$work/hashes" | cut -d ' ' -f 3 | sha256sum)
    echo "${sum:0:16} ${names[i]}" >>"$work/table"
done
if [[ ${3-} == --accept ]]; then
    cp "$work/table" "$table"
    echo "$table is written"
    exit
elif ! diff "$table" "$work/table" >"$work/different"; then
    grep '^>' "$work/different" | cut -d ' ' -f 3- | sed 's/^/other pictures: /'
    echo "$(grep -c '^>' "$work/different") of ${#names[@]} presets are different; where that is wanted: $0 FROTH SOURCE --accept"
    exit 1
fi
echo "${#names[@]} presets, $frames frames of each, are equal"
