#!/usr/bin/env bash
# The tempo that presets read does not depend on how often they are asked: sound_tempo.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/drum.sh
. "$(dirname "$0")/lib/drum.sh"
logs=errors

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# number VALUE: four bytes, the lowest first
number() { for shift in 0 8 16 24; do printf "\\$(printf %03o $(($1 >> shift & 255)))"; done; }
drum 26 > "$work/track"
size=$(wc -c < "$work/track")
{
    printf RIFF
    number $((size + 36))
    printf 'WAVEfmt \020\000\000\000\001\000\002\000'
    number 44100
    number 176400
    printf '\004\000\020\000data'
    number "$size"
    cat "$work/track"
} > "$work/track.wav"
tempo_preset > "$work/tempo.milk"

for rate in 10 24 25 30 60 144 240; do
    "$froth" render "$work/tempo.milk" --audio "$work/track.wav" --size 16x16 --fps 10 \
        --step-rate $rate --duration 12 --threads 1 -o - > "$work/film" 2> "$work/errors" ||
        fail "the film fails at $rate steps a second"
    # Of the last picture, 16 x 16 times three planes, the first byte: 16 + 219 * 126 / 255.
    luma=$(tail -c 768 "$work/film" | od -An -tu1 -N1 | tr -d ' ')
    echo "$rate steps a second: grey $luma"
    [ "$luma" -ge 123 ] && [ "$luma" -le 125 ] || fail "at $rate steps a second: $luma, not 124"
done
echo "all well"
