#!/usr/bin/env bash
# Random presets on the firmware in the board's twin: each picture has the hash that `froth render --target
# milkymist-one` gives, and what does not fit here does not fit there. They come from a memory card; every
# fourth one is shown until the next one is compiled, which then goes on with its picture.
#   fuzz.sh SECONDS [SEED [BUILD]]
# SEED: a number, of the first preset; without it another one each time. BUILD: the build folder with
# froth and the tests' programs, build/release if nothing is said. A preset whose pictures differ is
# kept in BUILD/board_fuzz. Skips itself (77) where the board's compiler is not there.
set -euo pipefail

seconds=${1:?fuzz.sh SECONDS [SEED [BUILD]]}
first=${2:-$(($(date +%s) % 1000000 * 1000))}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${3:-$source/build/release}
froth=$build/froth
image=$build/board_firmware/boot.bin
kept=$build/board_fuzz
frames_alone=40
frames_both=100
switch_at=4 # pictures; compiling takes some more
on_card=32
differences_max=10
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build/board_firmware"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

presets=0
refused=0
pictures=0
moved=0
switches=0
differences=0

name_of() { # NUMBER on the card
    printf 'P%03u.MIL' "$1"
}

# differs SEED WHAT [SEED]: keeps one preset, or two.
differs() {
    local seed=$1 what=$2 other=${3-}
    differences=$((differences + 1))
    mkdir -p "$kept"
    cp "$seed.milk" "$kept/"
    [[ -z $other ]] || cp "$other.milk" "$kept/"
    echo "$kept/$seed.milk: $what${other:+; then $kept/$other.milk} ($sound, $fps per second)" >&2
    tail -n 3 console | sed 's/^/    /' >&2
}

# same_to FILE FILE: how many lines at their beginning are the same.
same_to() {
    local at
    at=$(cmp "$1" "$2" 2>/dev/null | sed 's/.* line //') || true
    if [[ -n $at ]]; then
        echo $((at - 1))
    else
        local a b
        a=$(wc -l <"$1") b=$(wc -l <"$2")
        echo $((a < b ? a : b))
    fi
}

# is_after COUNT SEED SEED: the hashes on the board are those of the first preset for COUNT frames, then
# those of the second one.
is_after() {
    local count=$1 most=$((2 * $1 < frames ? 2 * $1 : frames))
    hashes_on_host $((2 * count)) "$fps" "$sound" "$2.milk" "$3.milk" | head -n "$most" >after
    head -n "$most" board | cmp -s - after
}

# compare NUMBER SEED [SEED]: the preset of that number on the card, and the next one behind it.
compare() {
    local number=$1 seed=$2 next=${3-} same options=()
    frames=${next:+$frames_both}
    frames=${frames:-$frames_alone}
    [[ -z $next ]] || options=(--at "$switch_at:type=load $(name_of $((number + 1)))"$'\r')
    hashes_on_host "$frames" "$fps" "$sound" "$seed.milk" >host || true
    presets=$((presets + 1))
    if [[ ! -s host ]]; then
        refused=$((refused + 1))
        hashes_on_board 1 "$fps" "$sound" "$(name_of "$number")" console --quick --card card >board || true
        grep -q "^refused: [0-9]* $(name_of "$number")" console || differs "$seed" "fits on the board only"
        return
    fi
    hashes_on_board "$frames" "$fps" "$sound" "$(name_of "$number")" console --quick --card card \
        "${options[@]}" >board || true
    pictures=$((pictures + $(wc -l <board)))
    moved=$((moved + ($(sort -u host | wc -l) > frames / 2)))
    same=$(same_to host board)
    if (($(wc -l <board) != frames)); then
        differs "$seed" "$(wc -l <board) pictures of $frames" "$next"
    elif ((same < frames)) && [[ -z $next ]]; then
        differs "$seed" "differs from picture $((same + 1)) on"
    elif ((same < frames)); then
        check_switch "$seed" "$next" "$same"
    fi
}

# Where nothing is drawn at first, the second preset has begun before the pictures tell.
check_switch() {
    local seed=$1 next=$2 same=$3 count
    for ((count = same; count > switch_at; count--)); do
        if is_after "$count" "$seed" "$next"; then
            switches=$((switches + 1))
            return
        fi
        # Another preset began; how long ago is not to be seen from pictures that stay the same.
        [[ $(sed -n "${count}p" board) == "$(sed -n "$((count - 1))p" board)" ]] || break
    done
    differs "$seed" "differs behind picture $same" "$next"
}

report() {
    echo "seed $first: $presets presets ($moved that move, $refused that do not fit), $switches switches," \
        "$pictures pictures, $differences differences"
}

end=$((SECONDS + seconds))
for ((seed = first; SECONDS < end && differences < differences_max; seed += on_card)); do
    files=()
    for ((i = 0; i < on_card; i++)); do
        "$build/tests/random_preset" $((seed + i)) >"$((seed + i)).milk"
        files+=("$((seed + i)).milk")
    done
    "$build/tests/make_card" card short-names "${files[@]}"
    for ((i = 0; i < on_card && SECONDS < end && differences < differences_max; i++)); do
        sound=$( ((i % 2 == 0)) && echo test || echo demo)
        fps=$( ((i / 2 % 2 == 0)) && echo 24 || echo 30)
        compare "$i" $((seed + i)) $( ((i % 4 == 2)) && echo $((seed + i + 1)))
    done
    rm -f ./*.milk
    report
done
((differences == 0 && pictures > 0))
