#!/usr/bin/env bash
# Thumbnails in parts, and one folder of them again: gallery.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
logs='messages'
work=$(mktemp -d) || exit 1
trap 'end_all' EXIT
alone
cd "$work" || exit 1
mkdir presets
cp "$source"/presets/originals/froth\ -\ [A-B]*.milk presets
printf '%s\n' '[preset00]' 'per_frame_1=this is none((' > presets/wrong.milk
count=$(find presets -name '*.milk' | wc -l)
thumbnails() { "$froth" library thumbnails "$@" 2> messages; }

thumbnails presets || fail "thumbnails for froth play"
grep -q "$count presets: " messages || fail "it is not told what was done"
whole=$XDG_CACHE_HOME/froth/thumbnails
[ "$(find "$whole" -type f | wc -l)" = "$count" ] || fail "not each preset has a thumbnail"
for part in 1 2 3; do
    threads=$part level=avx2
    [ "$part" = 2 ] && level=plain
    thumbnails presets --shard "$part/3" --threads "$threads" --cpu "$level" -o "part$part" || fail "part $part"
    [ "$(find "part$part" -type f | wc -l)" -lt "$count" ] || fail "part $part is everything"
done
"$froth" library join part1 part2 part3 -o joined 2> messages || fail "join"
diff -r "$whole" joined > messages || fail "the parts are not the whole"
thumbnails presets -o joined || fail "once more"
grep -q " 0 painted, $count there before" messages || fail "what is there is painted again"

# What cannot be.
name=$(find part1 -name '*.png' | head -n 1)
mkdir bad
head -c 200 "$name" > bad/0123456789abcdef.png
cp "$source/docs/pictures/past.png" bad/0123456789abcde0.png
echo text > bad/readme
"$froth" library join bad -o joined 2> messages && fail "pictures that are none"
[ "$(find joined -type f | wc -l)" = "$count" ] || fail "pictures that are none were taken"
"$froth" library join nowhere -o joined 2> messages && fail "a folder that is not there"
thumbnails nowhere && fail "presets that are not there"
thumbnails presets --shard 4/3 && fail "a part that is none"
touch file
thumbnails presets -o file/below && fail "a folder in a file"
"$froth" library 2> messages
[ $? = 2 ] || fail "library of nothing"
exit 0
