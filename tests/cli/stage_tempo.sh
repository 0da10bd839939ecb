#!/usr/bin/env bash
# Real windows hear the tempo of what the speakers play: stage_tempo.sh FROTH SOURCE [KEEP]
# 126 beats a minute are 126 at 5 pictures a second, at 144, and on a machine that is far too
# slow; and none of them has lost a sample. KEEP: a folder for the screenshot. Exit code 77: the
# tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
. "$(dirname "$0")/lib/sound.sh"
. "$(dirname "$0")/lib/drum.sh"
need Xvfb xdotool pulseaudio pactl pacat ffmpeg
logs='slow fast late server'

work=$(mktemp -d) || exit 1
players=()
drummer=
trap 'end_all "${players[@]}" "$drummer" "$server" "$display"' EXIT

alone
draw_plainly
width=1040 height=480
start_display
start_server

drum 40 > "$work/beats"
cat "$work/beats"{,,,,,} > "$work/track"
tempo_preset > "$work/tempo.milk"
# window NAME PRESET X SIZE OPTION...
window() {
    local name=$1 preset=$2 x=$3 size=$4
    shift 4
    cp "$work/$preset.milk" "$work/$name.milk"
    "$froth" play "$work/$name.milk" --size "$size" --threads 1 --no-library --counters "$@" \
        2> "$work/$name" &
    players+=($!)
    wait_for "no window" is_titled "$name"
    xdotool windowmove "$(is_titled "$name" | head -n 1)" "$x" 0
}
# One that takes a tenth of a second for a picture, and more on a slower machine; a show leaves what costs much more.
{
    echo MILKDROP_PRESET_VERSION=201
    printf '%s\n' PSVERSION=3 PSVERSION_WARP=0 PSVERSION_COMP=3
    cat "$work/tempo.milk"
    # shellcheck disable=SC2016
    printf 'comp_%d=`%s\n' 1 'shader_body {' \
        2 'float3 sum = 0; for (int i = 0; i < 60; i++) sum += tex2D(sampler_main, uv + i * 0.01).xyz;' \
        3 'ret = tex2D(sampler_main, uv).xyz + sum * 0.00001; }'
} > "$work/heavy.milk"
window slow tempo 0 160x120 --fps 5
window fast tempo 200 160x120 --fps 144
window late heavy 400 640x480 --fps 60 --shaders full
pacat --playback --raw --format=s16le --rate=44100 --channels=2 --device=stage "$work/track" &
drummer=$!

# is_right X: the window there shows 126 beats a minute, or one more or less
is_right() {
    shot tempo && levels "$1" 4 100 16 |
        awk '{ print; exit !($1 >= 12500 && $1 <= 12700) }' > "$work/seen"
}
for window in 'slow 20' 'fast 220' 'late 450'; do
    read -r name x <<< "$window"
    wait_for "the wrong tempo in the window $name: $(cat "$work/seen" 2> /dev/null)" is_right "$x"
done
sleep 2
for x in 20 220 450; do
    is_right "$x" || fail "the tempo is lost again at $x: $(cat "$work/seen")"
done
kill "${players[@]}"
for player in "${players[@]}"; do
    wait "$player" || fail "exit code $?"
done
players=()
for name in slow fast late; do
    grep -q '^counter sound frames lost: 0$' "$work/$name" || fail "the window $name has lost sound"
    grep '^counter \(frames\|sound\)' "$work/$name" | sed "s/^counter/$name:/"
done
echo "all well"
