#!/usr/bin/env bash
# A film of a show with light: light_film.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need ffmpeg
logs='out'
work=$(mktemp -d) || exit 1
trap 'end_all' EXIT
alone
cd "$work" || exit 1

cat > light.milk << 'EOF'
MILKDROP_PRESET_VERSION=201
PSVERSION=3
PSVERSION_WARP=0
PSVERSION_COMP=3
[preset00]
fWaveAlpha=0
per_frame_1=q1=dmx_in(1);q2=dmx_in(2);q3=dmx_in(3);q4=dmx_in(513);
comp_1=`shader_body {
comp_2=`ret = uv.x < 0.5 ? float3(q1, q2, q3) : float3(q4, 0, 0);
comp_3=`}
EOF
sed 's/ret = .*/ret = float3(0, 0, q1);/' light.milk > other.milk
printf '%s\n' 'nWaveMode=0' 'per_frame:' 'wave_a = 0' 'ob_size = 1' 'ob_a = 1' 'ob_r = idmx1' > board.fnp
printf '%s\n' 'OLA Show' '1 255,0,0' 500 '2 255' 500 '1 0,255,0,255' 0 '1 0,255,0' 500 '1 0,255,0,0,255' 1000 \
    '1 255,0,0,0,0,255' 200 > show

render() { "$froth" render "$@" --light-recording show --size 64x32 --fps 10 --duration 4 -o '%03d.png' --overwrite > out 2>&1; }
# The colours of the left and the right part of a picture.
colours() {
    ffmpeg -v error -i "$1.png" -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w192 |
        awk 'NR == 16 { print $46, $47, $48, $151, $152, $153 }'
}
# is PICTURE COLOURS: of a picture, counted from 1; ten pictures are a second
is() { [ "$(colours "$1")" = "$2" ] || fail "picture $1 is '$(colours "$1")', not '$2'"; }

render light.milk || fail "a film with light"
is 001 '255 0 0 0 0 0'
is 005 '255 0 0 0 0 0'
is 006 '255 0 0 255 0 0'
is 010 '255 0 0 255 0 0'
is 011 '0 255 0 255 0 0'
is 040 '255 0 0 255 0 0'
render light.milk && "$froth" render light.milk --light-recording show --size 64x32 --fps 10 --duration 4 --hash > one 2> out
"$froth" render light.milk --light-recording show --size 64x32 --fps 10 --duration 4 --hash --threads 3 > two 2> out
cmp -s one two || fail "the same light gives other pictures"

# Its time is that of the sound.
render light.milk --start 1.5 || fail "a film that begins later"
is 001 '0 255 0 255 0 0'

# The map says which universe is first, and what channels do.
printf '%s\n' 'in: [{protocol: artnet, universe: 2}, {protocol: sacn, universe: 1}]' 'set:' \
    ' - {channel: 516, call: blackout on}' ' - {channel: 517, call: blackout off}' ' - {channel: 518, call: next}' > map.yaml
render light.milk other.milk --light map.yaml --transition fade || fail "a film with a map"
is 001 '0 0 0 255 0 0'
is 006 '255 0 0 255 0 0'
is 011 '0 0 0 0 0 0'
is 015 '0 0 0 0 0 0'
is 016 '255 0 0 0 0 0'
is 040 '0 0 255 0 0 255'

# The board's own patches read its first eight channels, in both ways.
for target in host milkymist-one; do
    rm -f ./*.png
    options=(--target "$target")
    [ "$target" = host ] && options=(--size 640x480)
    "$froth" render board.fnp "${options[@]}" --fps 24 --duration 2 --light-recording show -o '%03d.png' > out 2>&1 ||
        fail "a film of a patch of the board"
    red() { ffmpeg -v error -i "$1.png" -vf crop=1:1:5:240 -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 | awk '{ print ($1 > 200) }'; }
    [ "$(red 012) $(red 036)" = "1 0" ] || fail "a patch of the board does not read light ($target)"
done

# refuses WHAT MESSAGE OPTION...
refuses() {
    local what=$1 message=$2
    shift 2
    "$froth" render light.milk --hash "$@" > out 2>&1 && fail "$what is taken"
    grep -qF "$message" out || fail "$what"
}
printf 'OLA Show\n1 1,2,300\n' > bad
refuses "a wrong level" 'bad:2:7: error: a level is a whole number from 0 to 255' --light-recording bad
refuses "another file" 'light.milk:1:1: error: that is no recording of light' --light-recording light.milk
refuses "a map without light" 'a film hears no network; --light-recording FILE' --light map.yaml
if command -v ola_recorder > /dev/null; then
    ola_recorder --verify show 2>&1 | grep -q 'Universe 1: 5 frames' || fail "OLA reads something else in it"
fi
echo "all well"
