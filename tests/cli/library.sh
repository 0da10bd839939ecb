#!/usr/bin/env bash
# libfroth from outside: library.sh FROTH SOURCE [--accept]
# Its frames are those of froth render, its names and its interface are those that are written down, its header is C99,
# C17 and C++17, it is found where it is installed, the examples run, and nothing of it is left when it is unloaded.
# --accept writes the interface down anew; one that takes something away is refused unless FROTH_ABI is another.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
build=$(dirname "$froth")
library=$build/libfroth.so.0
kept=$source/tests/data/library
# shellcheck source=lib/common.sh
. "$source/tests/cli/lib/common.sh"
# shellcheck source=lib/device.sh
. "$source/tests/cli/lib/device.sh"
logs='log messages'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ -e "$library" ] || { echo "libfroth is not built: skipped"; exit 77; }
need nm cc
alone

# The interface without its comments: declarations and the fields of structs.
abi() { cc -fpreprocessed -dD -E -P "$source/engine/embed/froth.h" 2> /dev/null | sed '/^$/d'; }
abi > abi.txt
if [ "${3-}" = --accept ]; then
    if [ "$(grep FROTH_ABI "$kept/abi.txt" 2> /dev/null)" = "$(grep FROTH_ABI abi.txt)" ] &&
        grep -vxFf abi.txt "$kept/abi.txt" > gone; then
        cat gone
        fail "these go or change: raise FROTH_ABI, and the version of the shared library in tools/library.cmake"
    fi
    mkdir -p "$kept" && cp abi.txt "$kept/abi.txt"
    exit 0
fi
diff "$kept/abi.txt" abi.txt || fail "the interface is another than before; $0 FROTH SOURCE --accept takes it"
grep -oE '\bfroth_[a-z0-9_]+\(' abi.txt | tr -d '(' | sort -u > declared
nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort > seen
diff declared seen || fail "other functions than those of froth.h can be seen"
nm -D --defined-only "$library" | awk '$3 !~ /^(froth_|FROTH_)/' > others
[ -s others ] && { cat others; fail "names can be seen that are not froth's"; }
readelf -d "$library" | grep -q 'soname: \[libfroth.so.0\]' || fail "it has another name"
for name in printf fprintf puts exit abort setlocale signal sigaction fork; do
    nm -D --undefined-only "$library" | grep -qE " U $name(@|$)" && fail "it calls $name"
done

# The header alone, in each language.
printf '#include <froth.h>\n#include <froth.h>\n' > header.c
cp header.c header.cc
for language in c99 c17; do
    cc -std=$language -pedantic -Wall -Wextra -Wconversion -Werror -I "$source/engine/embed" -c header.c -o header.o ||
        fail "the header is not $language"
done
if command -v g++ > /dev/null; then
    g++ -std=c++17 -pedantic -Wall -Wextra -Wconversion -Werror -I "$source/engine/embed" -c header.cc -o header.o ||
        fail "the header is not C++17"
fi

# Frames.
export LD_LIBRARY_PATH=$build
preset() { echo "$source/presets/originals/froth - $1.milk"; }
frames=$build/tests/library_frames
same() { # same SOUND FPS PRESET [MORE...]: what follows is for library_frames
    local sound=$1 fps=$2 name=$3
    shift 3
    "$frames" "$sound" "$(preset "$name")" 80x60 12 "$fps/1" "$@" > ours 2>> messages || fail "$name: no frames"
    "$froth" render "$(preset "$name")" --size 80x60 --frames 12 --fps "$fps" --audio "$sound" --hash 2>> messages |
        grep ^frame > theirs
    cmp -s ours theirs || fail "$name at $fps frames a second with $sound${*:+ ($*)}: other frames than froth render's"
}
for rate in 44100 48000; do
    "$frames" --wav "$rate.wav" "$rate" 2 || fail "no sound"
    for fps in 24 25 30 60 120; do
        same "$rate.wav" "$fps" "Tidal Glass"
    done
done
same 48000.wav 24 "Ink Opera"
same 48000.wav 30 "Petri Waltz"
same 44100.wav 60 "Aurora Engine"
same 48000.wav 25 "Tidal Glass" 3 100
same 44100.wav 24 "Tidal Glass" 1 1
# The same frames by a graphics processor, which is tried once; one that is not there.
if "$froth" devices --json 2>> messages | grep -q '"gpu":.*"passed":true'; then
    export DEVICE=gpu
    same 48000.wav 30 Corona
    grep -q 'is on trial, once' messages || fail "the library does not try a device"
    : > messages
    same 48000.wav 25 "Late Movie"
    grep -q 'is on trial' messages && fail "the library tries a device again"
    if find_layers; then
        export FROTH_LOST_AFTER=12 VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost
        same 48000.wav 30 "Late Movie"
        [ "$(grep -c 'was lost; the processor goes on' messages)" -eq 1 ] || fail "a lost device is not told once"
        unset FROTH_LOST_AFTER VK_LAYER_PATH VK_INSTANCE_LAYERS
    fi
    DEVICE=nosuch "$frames" 48000.wav "$(preset Corona)" 80x60 12 30/1 > ours 2> messages && fail "a show on no device"
    grep -q "there is no device 'nosuch'" messages || fail "no word of a device that is not there"
    unset DEVICE
fi
# Numbers are read alike where the host's language writes them with commas.
if command -v localedef > /dev/null && localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" > log 2>&1; then
    LOCPATH=$work LC_ALL=de_DE.UTF-8 "$frames" 44100.wav "$(preset "Petri Waltz")" 80x60 12 60/1 > ours ||
        fail "no frames in another language"
    "$frames" 44100.wav "$(preset "Petri Waltz")" 80x60 12 60/1 > theirs
    cmp ours theirs || fail "other frames where numbers have commas"
fi

"$build/tests/library_unload" "$library" "$(preset "Tidal Glass")" || fail "something is left of it"
"$build/tests/library_threads" 60 "$(preset "Tidal Glass")" "$(preset "Petri Waltz")" "$(preset "Corona")" > log 2>&1 ||
    fail "two shows in one process"

# Installed, found by its two ways, and used by the examples.
DESTDIR=$work/root cmake --install "$build" --prefix /opt/froth > log 2>&1 || fail "it cannot be installed"
root=$work/root/opt/froth
pc=$(find "$root" -name froth.pc)
[ -n "$pc" ] || fail "froth.pc was not installed"
export PKG_CONFIG_PATH=${pc%/*} LD_LIBRARY_PATH=${pc%/pkgconfig/froth.pc}
example() { # example NAME PACKAGE: builds it as its comment says
    # shellcheck disable=SC2046
    cc -Wall -Wextra -Werror "$source/docs/examples/$1.c" -o "$1" $(pkg-config --cflags --libs froth "$2") 2> log ||
        fail "the example $1 does not compile"
}
for file in "$source"/docs/examples/*; do
    (($(wc -l < "$file") <= 80)) || fail "$file has more than 80 lines"
done
if pkg-config --exists sndfile; then
    example picture sndfile
    ./picture 48000.wav "$(preset "Ink Opera")" 0.5 picture.ppm 2>> messages || fail "the example picture"
    [ "$(wc -c < picture.ppm)" = $((15 + 3 * 640 * 480)) ] || fail "the example picture paints none"
    [ "$(tail -c +16 picture.ppm | tr -d '\000' | wc -c)" -gt 100000 ] || fail "the example picture paints black"
fi
if command -v python3 > /dev/null; then
    python3 "$source/docs/examples/picture.py" "$(preset "Tidal Glass")" 0.3 python.ppm "$library" 2> log ||
        fail "the example in Python"
    [ "$(tail -c +16 python.ppm | tr -d '\000' | wc -c)" -gt 10000 ] || fail "the example in Python paints black"
fi
if pkg-config --exists sdl2 && command -v xvfb-run > /dev/null; then
    example window sdl2
    SDL_AUDIODRIVER=dummy xvfb-run -a ./window "$source/presets/originals" 1 > log 2>&1 || fail "the example window"
    grep -qE '[0-9]+ frames' log || fail "the example window paints nothing"
fi
cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(froth 0.1 REQUIRED)
add_executable(user header.c main.c)
target_link_libraries(user froth::froth)
END
printf '#include <froth.h>\nint main(void)\n{\n    return froth_abi() != FROTH_ABI;\n}\n' > main.c
cmake -B user -Dfroth_DIR="${pc%/pkgconfig/froth.pc}/cmake/froth" > log 2>&1 && cmake --build user >> log 2>&1 &&
    ./user/user || fail "find_package(froth) does not find it"
