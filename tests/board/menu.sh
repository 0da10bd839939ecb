#!/usr/bin/env bash
# The menu over the picture, and patches that change by themselves, on the firmware in the board's twin: opened and
# closed by buttons and remote controls, what it changes, and that behind it the pictures are those of before. Skips
# itself (77) where the board's compiler is not there.
#   menu.sh SOURCE FROTH MAKE_CARD BUILD    the project's folder, programs, a folder to build in
set -euo pipefail

source=$1
froth=$(realpath "$2")
make_card=$(realpath "$3")
build=$4
mkdir -p "$build"
originals=$(realpath "$source/presets/originals")

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
count=$(linked_patches "$source" | wc -l)
tidal=$(($(linked_patches "$source" | grep -n 'Tidal Glass' | cut -d : -f 1) - 1))
cd "$build"
failed=0
# chosen NUMBER...: these patches were shown, in this order, and no others.
chosen() {
    local numbers
    numbers=$(sed -n 's/^patch \([0-9]*\) .* cycles$/\1/p' console.txt | tr '\n' ' ')
    [[ $numbers == "$* " ]] || complain "patches $numbers in place of $*"
}
# differ FIRST LAST: the pictures from FIRST to LAST are other ones than those in plain.txt; all others, the same.
differ() {
    local other first last
    other=$(paste plain.txt hashes.txt | awk '$1 != $2 { print NR }')
    first=$(head -n 1 <<<"$other")
    last=$(tail -n 1 <<<"$other")
    [[ -n $other ]] || { complain "no picture differs"; return; }
    ((first >= $1 && last <= $2)) || complain "pictures $first to $last differ, not $1 to $2"
    (($(wc -l <<<"$other") == last - first + 1)) || complain "not all pictures from $first to $last differ"
}
# Arguments for a press of a button (1, 2, 4) behind a picture; of the middle one for long.
short() { printf -- '--at %d:buttons=%d --at %d:buttons=0 ' "$1" "$2" $(($1 + 2)); }
long() { printf -- '--at %d:buttons=2 --at %d:buttons=0 ' "$1" $(($1 + 17)); }
infrared() { printf -- '--at %d:infrared=%s ' "$1" "$2"; }

show "nothing is pressed" 12
chosen "$tidal"
cp hashes.txt plain.txt
(($(wc -l <plain.txt) >= 280)) || complain "too few pictures"

# ---- the menu on the screen ----
# shellcheck disable=SC2046
show "opened and closed by the middle button" 12 $(long 120) $(long 180)
chosen "$tidal"
differ 132 204
# shellcheck disable=SC2046
show "closed by itself" 12 $(long 20)
chosen "$tidal"
differ 32 285
# shellcheck disable=SC2046
show "in all its pages" 12 $(infrared 110 0x0012) $(infrared 120 0x0017) $(infrared 126 0x0011) $(infrared 132 0x0016) \
    $(infrared 140 0x0812) $(short 160 1) $(short 164 1) $(short 168 1) $(short 172 2) $(short 180 2) \
    $(infrared 190 0x0012)
chosen "$tidal"
differ 110 214
# The third row of the list from where it stands.
# shellcheck disable=SC2046
show "a patch from the list" 12 $(long 20) $(short 50 2) $(short 60 4) $(short 65 4) $(short 70 4) $(short 80 2)
chosen "$tidal" $((tidal + 3))

# A remote control: menu, down, ok, down, ok; held keys repeat, in the timing of 36 kHz as well.
# shellcheck disable=SC2046
show "by a remote control" 12 $(infrared 20 0x0012) $(infrared 26 0x0017) $(infrared 40 0x0811/36) \
    $(infrared 60 0x0017/36) $(infrared 80 0x0812)
chosen "$tidal" $((tidal + 1))
repeats=''
for picture in {140..158..3}; do
    repeats+=$(infrared "$picture" 0x0011)
done
# shellcheck disable=SC2046,SC2086
show "a key that is held" 12 $(infrared 100 0x0012) $(infrared 106 0x0017) $repeats $(infrared 170 0x0817)
moved=$(sed -n 's/^patch \([0-9]*\) .* cycles$/\1/p' console.txt | tail -n 1)
((moved >= tidal + 4 && moved <= tidal + 7)) || complain "the list has gone to $moved"

# ---- what it changes ----
# Darker by four steps, and brighter again: the caption goes after three seconds.
# shellcheck disable=SC2046
show "darker and brighter again" 12 $(infrared 60 0x1013) $(infrared 66 0x1813) $(infrared 90 0x1012) $(infrared 96 0x1812)
differ 60 175
# shellcheck disable=SC2046
show "darker from the menu" 12 $(long 20) $(short 50 4) $(short 60 2) $(short 70 4) $(short 80 4) $(short 90 2) $(long 100)
differ 32 400
words="patch=Tidal brightness=90" show "as dark as the menu has made it" 12
cp hashes.txt dark.txt
# shellcheck disable=SC2046
show "darker from the menu" 12 $(long 20) $(short 50 4) $(short 60 2) $(short 70 4) $(short 80 4) $(short 90 2) $(long 100)
cmp -s <(tail -n +130 dark.txt) <(tail -n +130 hashes.txt) || complain "not as dark as brightness=90"
# shellcheck disable=SC2046
show "softer" 12 $(infrared 60 0x1011)
! cmp -s <(tail -n +150 plain.txt) <(tail -n +150 hashes.txt) || complain "the sound is as loud as before"
words="patch=Tidal gain=14" show "as soft as the remote control has made it" 12
cp hashes.txt soft.txt
# What is heard differs until the softer sound has filled the picture.
! cmp -s soft.txt plain.txt || complain "gain=14 is as loud as gain=15"

# ---- patches by themselves ----
words="patch=Tidal next_seconds=5" show "every five seconds" 17
chosen "$tidal" $((tidal + 1)) $((tidal + 2)) $((tidal + 3))
words="patch=Tidal next_beats=16 order=random" show "on every sixteenth beat, at random" 24
changes=$(grep -c '^patch .* cycles$' console.txt)
distinct=$(sed -n 's/^patch \([0-9]*\) .* cycles$/\1/p' console.txt | sort -u | wc -l)
((changes >= 3 && distinct == changes)) || complain "$changes patches, $distinct of them distinct"
# One that cannot be shown is told once, and passed over.
cp "$originals/froth - Ember Tunnel.milk" "A good one.milk"
printf '[preset00]\nzoom=1.01\nper_frame_1=zoom = 1 + ;\n' >"Bad.milk"
cp "$originals/froth - Ember Tunnel.milk" "Good too.milk"
"$make_card" card.img whole "A good one.milk" Bad.milk "Good too.milk"
words="patch=A_good next_seconds=5" show "a patch that cannot be shown" 17 --card card.img
chosen "$count" $((count + 2)) 0 1
(($(grep -c '^refused: ' console.txt) == 1)) || complain "it is not told once"
# shellcheck disable=SC2046
words="patch=Tidal next_seconds=5" show "by hand in between" 12 $(short 100 4)
chosen "$tidal" $((tidal + 1)) $((tidal + 2))

# ---- the card ----
# What was changed is kept five seconds later, and at once by the menu's row; the next start has it.
# shellcheck disable=SC2046
show "settings that are kept" 9 --card card.img --card-out kept.img $(infrared 20 0x1013)
(($(grep -c '^settings are saved$' console.txt) == 1)) || complain "they are not saved once"
# shellcheck disable=SC2046
show "kept from the menu" 9 --card kept.img --card-out again.img --at 10:type=$'settings\r' --at 12:type=$'set gain=9\r' \
    $(long 20) $(short 45 1) $(short 50 1) $(short 55 2)
grep -q '^brightness=95$' console.txt || complain "the next start has another brightness"
(($(grep -c '^settings are saved$' console.txt) == 1)) || complain "they are not saved once"
show "kept again" 3 --card again.img --at 10:type=$'settings\r'
grep -q '^gain=9$' console.txt || complain "the next start has another gain"

# ---- exact ----
words="exact patch=Tidal" show "exact" 8
cp hashes.txt plain.txt
# shellcheck disable=SC2046
words="exact patch=Tidal next_seconds=5 next_beats=8" show "exact, with all of it" 8 $(long 20) $(infrared 60 0x0012)
chosen "$tidal"
cmp -s plain.txt hashes.txt || complain "other pictures"
exit $failed
