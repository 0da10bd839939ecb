#!/usr/bin/env bash
# Pictures of presets on a graphics processor beside those of the processor:
#   devices.sh [--every N] FROTH FRAMES SIZE PRESET-OR-FOLDER...
# --every N: one preset in so many, in the order of their names.
# A line for each that differs; at the end how many were the same, and how many stages the device has drawn. --device
# gpu if the environment's DEVICE names none. --shared in place of presets: those of $FROTH_SHARED. Exit code 1 if one
# differs, 77 without a device.
set -u

every=1
if [ "$1" = --every ]; then
    every=$2
    shift 2
fi
froth=$(realpath "$1")
library=$(realpath "$(dirname "$0")")/cli/lib/device.sh
frames=$2
size=$3
shift 3
if [ "${1-}" = --shared ]; then
    [ -d "${FROTH_SHARED-}/presets" ] || { echo "FROTH_SHARED is not set"; exit 77; }
    set -- "$FROTH_SHARED/presets"
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work
# shellcheck source=cli/lib/device.sh
. "$library"
(cd "$work" && try_device)
grep -q '"gpu":' "$work/list" || { echo "there is no device: skipped"; exit 77; }
one() {
    local file=$work/$(printf %s "$1" | md5sum | cut -c1-32)
    "$froth" render "$1" --frames "$frames" --size "$size" --hash --threads 1 > "$file.cpu" 2> /dev/null
    "$froth" render "$1" --frames "$frames" --size "$size" --hash --threads 1 --device "${DEVICE:-gpu}" --stage-times > "$file.gpu" 2> "$file.log"
    grep -q '^all ' "$file.cpu" && cmp -s "$file.cpu" "$file.gpu" && echo same > "$file.result" || echo "differs: $1" | tee "$file.result"
    sed -n 's/^device: \([0-9]*\) stages.*/\1/p' "$file.log" > "$file.stages"
}
export -f one
export froth frames size work
find "$@" -name '*.milk' -print0 | LC_ALL=C sort -z | sed -zn "1~${every}p" | xargs -0 -P "$(nproc)" -I PRESET bash -c 'one "$0"' PRESET
same=$(cat "$work"/*.result | grep -c '^same')
echo "$same of $(cat "$work"/*.result | wc -l) presets have the same $frames pictures; $(awk '{ sum += $1 } END { print sum + 0 }' "$work"/*.stages) stages were drawn by the device"
! cat "$work"/*.result | grep -q '^differs'
