#!/usr/bin/env bash
# What is playing stands on the picture: from a file's tags, and from a real player on a message bus, which plays,
# pauses, and goes away with its bus: titles.sh FROTH SOURCE [KEEP]
# KEEP: a folder for screenshots. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=${3:-}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need ffmpeg ffprobe Xvfb xdotool dbus-daemon mpv playerctl
script=/usr/lib/mpv-mpris/mpris.so
[ -f "$script" ] || { echo "mpv-mpris is missing: skipped"; exit 77; }
logs='messages play mpv'
work=$(mktemp -d) || exit 1
bus='' player='' show=''
trap 'end_all "$show" "$player" "$bus" "$display"' EXIT
alone
draw_plainly
width=640 height=360
cd "$work" || exit 1

# Black pictures, so that the card is all there is to be seen.
mkdir presets
printf '%s\n' '[preset00]' fDecay=0 fWaveAlpha=0 nWaveMode=0 zoom=1 warp=0 > presets/black.milk
song() { # FILE TITLE ARTIST
    ffmpeg -v error -y -f lavfi -i 'sine=frequency=220:duration=60' -metadata title="$2" -metadata artist="$3" "$1"
}
mkdir songs
song songs/one.flac 'Über den Wolken' 'Änne & the Öltanks'
song songs/two.ogg $'Two\tLines' 'A \e[31mRed\e[0m Band'

# draw SONG OPTION...: hashes of the frames
draw() {
    local song=$1
    shift
    "$froth" render presets/black.milk --audio "$song" --size ${width}x$height --fps 10 --frames 30 --hash "$@" \
        2> messages
}
draw songs/one.flac > plain || fail "no film"
draw songs/one.flac --titles never > never || fail "no film with titles never"
draw songs/one.flac --titles first > first || fail "no film with a title"
draw songs/two.ogg --titles first > other || fail "no film with another title"
cmp -s plain never || fail "titles never draws a title"
cmp -s <(head -n 10 plain) <(head -n 10 first) || fail "a title comes before its second"
[ "$(sed -n 30p plain)" != "$(sed -n 30p first)" ] || fail "there is no title"
[ "$(sed -n 30p other)" != "$(sed -n 30p first)" ] || fail "the titles of two songs are the same"
draw demo --titles first > demo || fail "no film of the tune with a title"
grep -q 'no title of the built-in sound' messages || fail "it is not told that the tune has no title"
# Every card of the film is whole after a second and a half.
"$froth" render presets/black.milk --audio songs/one.flac --titles always --size ${width}x$height --fps 10 --frames 30 \
    -o wanted.png 2> messages || fail "no picture"
ffmpeg -v error -y -i wanted.png -f rawvideo -pix_fmt rgb24 wanted
[ -n "$keep" ] && cp wanted.png "$keep/titles_film.png"

start_display
# A bus that is not there yet, is, and goes away.
export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
"$froth" play presets --audio demo --size ${width}x$height --threads 1 --no-library --titles always --fullscreen 2> play &
show=$!
wait_for "no window" is_titled black
wait_for "a bus that is missing is not told" grep -q 'message bus cannot be reached' play
dbus-daemon --session --nofork --address="$DBUS_SESSION_BUS_ADDRESS" > /dev/null 2>&1 &
bus=$!
mpv --no-config --no-terminal --ao=null --loop-playlist --script="$script" songs/one.flac songs/two.ogg > mpv 2>&1 &
player=$!
wait_for "the player does not play" eval '[ "$(playerctl status)" = Playing ]'
wait_for "the player plays something else" eval '[ "$(playerctl metadata title)" = "Über den Wolken" ]'

is_wanted() { shot "$1" && cmp -s "$work/shot" "$work/wanted"; }
is_black() { shot "$1" && [ "$(levels 0 0 $width $height)" = '0 0 0 0' ]; }
is_other() { shot "$1" && ! cmp -s "$work/shot" "$work/wanted" && [ "$(levels 0 0 $width $height)" != '0 0 0 0' ]; }
wait_for "the player's title is not that of the file" is_wanted titles_one
playerctl next
wait_for "the next title does not come" is_other titles_two
playerctl pause
wait_for "the title stays while nothing plays" is_black titles_paused
playerctl previous
playerctl play
wait_for "the title does not come back" is_wanted titles_again
kill -9 "$bus"
wait_for "the title stays without a bus" is_black titles_lost
[ "$(grep -c 'message bus is gone' play)" = 1 ] || fail "a lost bus is not told once"
kill "$show"
wait "$show" || fail "exit code $? of the show"
show=
echo "all well"
