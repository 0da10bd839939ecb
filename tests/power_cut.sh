#!/usr/bin/env bash
# The power is cut: tests/power_cut.sh FROTH SOURCE [CUTS]      10 of each if not given
# A disk of its own, an image with ext4, is copied at any moment, as it is without what the system still holds in memory, and
# the copy is what there is after the cut. A rendering with checkpoints goes on from it, and its frames are those of one that
# was made in one go; a recording of a show opens, renders what was shown, and lacks its last second at most. Needs root; exit
# code 77: that, or the tools for it, are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
cuts=${3:-10}
# shellcheck source=cli/lib/common.sh
. "$(dirname "$0")/cli/lib/common.sh"
# shellcheck source=cli/lib/display.sh
. "$(dirname "$0")/cli/lib/display.sh"
need mkfs.ext4 mount ffmpeg Xvfb
logs=messages
work=$(mktemp -d)
program=
close() {
    umount -l "$work/disk" "$work/after" 2> /dev/null
    end_all "$program" "$display"
}
trap 'close || true' EXIT
alone
width=320 height=240
mkdir "$work/disk" "$work/after"
fresh() { # a disk
    truncate -s 0 "$work/image"
    truncate -s 128M "$work/image"
    mkfs.ext4 -q "$work/image" && mount -o loop "$work/image" "$work/disk" 2> /dev/null ||
        { echo "no disk of our own can be mounted: skipped"; exit 77; }
}
cut() { # the power: what is on the disk now is all that is left
    cp --sparse=always "$work/image" "$work/copy"
    kill -9 "$program" 2> /dev/null || true
    wait "$program" 2> /dev/null || true
    program=
    for _ in $(seq 100); do # what it had started ends a moment later
        umount "$work/disk" 2> /dev/null && break
        sleep 0.1
    done
    mount -o loop "$work/copy" "$work/after"
}
frames() { grep '^frame' "$1" || true; }

# ---- renderings ----

film=("$source/presets/originals" --audio demo --duration 40 --size 160x120 --fps 30 --seed 5 --hash)
"$froth" render "${film[@]}" > "$work/whole" 2> "$work/messages" || fail "a rendering"
kept=0
for number in $(seq "$cuts"); do
    fresh
    "$froth" render "${film[@]}" --checkpoint-every 1 -o "$work/disk/film.mp4" > "$work/found" 2> "$work/messages" &
    program=$!
    wait_for "cut $number: no checkpoints" test -e "$work/disk/film.mp4.checkpoints"
    sleep "$((RANDOM % 4)).$((RANDOM % 1000 + 1000))"
    cut
    "$froth" render "${film[@]}" --checkpoint-every 1 -o "$work/after/film.mp4" --overwrite > "$work/found" 2> "$work/messages" ||
        fail "cut $number: it does not go on"
    cmp -s <(frames "$work/whole") <(frames "$work/found") || fail "cut $number: the frames differ"
    behind=$(sed -n 's/.*it goes on after \([0-9.]*\) of .*/\1/p' "$work/messages")
    [ -n "$behind" ] && kept=$((kept + 1))
    umount "$work/after"
done
echo "$cuts cuts of a rendering: all frames are the same; $kept went on from a checkpoint"

# ---- recordings ----

start_display
most=0
for number in $(seq "$cuts"); do
    fresh
    "$froth" play "$source/presets/originals" --no-library --audio demo --size 64x48 --fps 30 --mesh 16x12 --threads 1 --advance 1 \
        --blend 0.5 --order random --hash --seed "$number" --record "$work/disk/set" > "$work/shown" 2> "$work/messages" &
    program=$!
    wait_for "cut $number: no picture" test -s "$work/shown"
    sleep "$((RANDOM % 4 + 1)).$((RANDOM % 1000 + 1000))"
    last=$(awk '$1 == "frame" && NF == 3 && length($3) == 16 { last = $2 } END { print last + 0 }' "$work/shown")
    cut
    "$froth" render "$work/after/set" --as-shown --hash --threads 1 > "$work/found" 2> "$work/messages" ||
        fail "cut $number at frame $last: render"
    same_frames "$work/shown" "$work/found" 1 || fail "cut $number: pictures differ"
    lost=$(awk -v last="$last" '$1 == "frame" { have = $2 } END { print last - have }' "$work/found")
    [ "$lost" -gt "$most" ] && most=$lost
    umount "$work/after"
done
echo "$cuts cuts of a recording: all render what was shown, $most frames of 30 a second are lost at most"
[ "$most" -le 30 ] || fail "more than the last second is lost"
