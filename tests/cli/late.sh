#!/usr/bin/env bash
# Libraries are loaded where they are wanted: froth begins without them, says which one is missing, and goes on without what
# it brings: late.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
# shellcheck disable=SC2034
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need readelf
logs='out log'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
alone
cd "$work" || exit 1
small='--frames 2 --size 64x48 --threads 1'
preset=$(find "$source/presets/originals" -name '*Tidal Glass.milk')

# What each run pays for.
readelf -d "$froth" | sed -nE 's/.*NEEDED.*\[(.*)\].*/\1/p' > linked
grep -vE '^(lib(c|m|dl|pthread|zstd|seccomp|samplerate|utf8proc|xxhash|yaml-0|wayland-client|asan|ubsan|gcov)|ld-linux.*)\.so' linked > out &&
    fail "the program is linked with more than it always needs"

"$froth" version --build > parts 2> log || fail "version --build fails"
[ "$(head -n 1 parts)" = "$("$froth" version)" ] || fail "the version is not in the first line"
grep -q 'sdl2' parts || fail "there is no row of SDL"

# lost SONAME COMMAND...: runs it while that library cannot be loaded
lost() {
    mkdir -p "lost-$1"
    : > "lost-$1/$1"
    LD_LIBRARY_PATH=$work/lost-$1 "${@:2}"
}
names=$(strings -a "$froth" | grep -xE 'lib[A-Za-z0-9_+.-]+\.so\.[0-9]+' | sort -u | grep -vxFf linked | grep -vE '^lib(vulkan|decor)')
[ "$(wc -l <<< "$names")" -ge 5 ] || fail "hardly anything is loaded late: $names"
for name in $names; do
    lost "$name" "$froth" version --build > out 2> log || fail "without $name version --build fails"
    [ "$(grep -cF "$name cannot be loaded" out)" = 1 ] || fail "without $name nothing is said of it"
    # shellcheck disable=SC2086
    lost "$name" "$froth" render "$preset" --audio demo $small --hash > "hash-$name" 2> log || fail "without $name nothing is rendered"
    cmp -s "hash-$name" "hash-$(head -n 1 <<< "$names")" || fail "without $name pictures change"
done

# Who asks for it is told.
says() { # NAME WORDS COMMAND...: fails, or does without it, with these words
    lost "$1" "${@:3}" > out 2> log
    grep -qF "$1 cannot be loaded" log || fail "$3 $4 does not say that $1 is missing"
    grep -qiE "$2" log || fail "$3 $4 does not say what that means: $2"
}
soname() { grep -xE "lib$1[-.0-9]*\.so\.[0-9]+" <<< "$names"; }
# shellcheck disable=SC2086
{
    sdl=$(soname SDL2)
    [ -n "$sdl" ] && DISPLAY=:0 says "$sdl" 'no display' "$froth" play "$preset" --audio demo --no-library \
        --duration 0.2 --fps 5 --size 64x48 --threads 1 -o film.mp4
    png=$(soname png16)
    [ -n "$png" ] && says "$png" 'frame.png' "$froth" render "$preset" --audio demo $small -o frame.png
    lo=$(soname lo)
    web=$(soname websockets)
    if command -v xvfb-run > /dev/null; then
        [ -n "$lo" ] && says "$lo" 'Open Sound Control' xvfb-run -a "$froth" play "$preset" --audio demo --no-library \
            --osc 7999 --duration 0.2 --size 64x48
        [ -n "$web" ] && says "$web" 'page for the phone' xvfb-run -a "$froth" play "$preset" --audio demo --no-library \
            --remote local --duration 0.2 --size 64x48
    fi
}

# A sound file goes through ffmpeg then.
sound=$(soname sndfile)
if [ -n "$sound" ] && command -v ffmpeg > /dev/null; then
    ffmpeg -v error -f lavfi -i sine=440:duration=1 -ac 2 -ar 44100 tone.flac || fail "no sound to try"
    # shellcheck disable=SC2086
    "$froth" render "$preset" --audio tone.flac $small --hash > with 2> log || fail "a sound file is not taken"
    # shellcheck disable=SC2086
    lost "$sound" "$froth" render "$preset" --audio tone.flac $small --hash > without 2> log ||
        fail "without $sound a sound file is not taken"
    cmp -s with without || fail "without $sound the sound is another"
fi
exit 0
