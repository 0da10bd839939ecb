#!/usr/bin/env bash
# What --hash prints is what xxhsum says of the same pictures, read by another program.
set -euo pipefail

froth=$(realpath "$1")
preset=$(realpath "$2/presets/originals/froth - Tidal Glass.milk")
for tool in xxhsum ffmpeg; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: skipped"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$froth" render "$preset" --frames 5 --size 62x48 --hash -o %05d.png >out 2>err || { cat err >&2; exit 1; }
for number in 1 2 3 4 5; do
    hash=$(ffmpeg -v error -i "0000$number.png" -f rawvideo -pix_fmt rgb24 - | xxhsum | cut -d ' ' -f 1)
    grep -qx "frame $number $hash" out || { echo "hash.sh: frame $number is $hash, not: $(cat out)" >&2; exit 1; }
done
hash=$(ffmpeg -v error -i %05d.png -f rawvideo -pix_fmt rgb24 - | xxhsum | cut -d ' ' -f 1)
grep -qx "all $hash" out || { echo "hash.sh: all is $hash, not: $(cat out)" >&2; exit 1; }
(($(sort -u out | wc -l) == 6)) || { echo "hash.sh: frames that move are alike: $(cat out)" >&2; exit 1; }
