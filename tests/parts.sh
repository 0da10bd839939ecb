#!/usr/bin/env bash
# froth without what may be missing: parts.sh SOURCE [--build]. Without the headers of an outside library its part is left
# out and said; without those of SDL or Pango there is the library alone. --build compiles both.
set -euo pipefail

source=$(realpath "$1")
command -v pkg-config > /dev/null || { echo "no pkg-config: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $1"
    tail -n 30 "$work/log"
    exit 1
}

# configure FOLDER NAME...: what the system has, but for these modules
configure() {
    local folder=$work/$1 path found name
    mkdir "$folder" "$folder/pc"
    tr : '\n' <<< "$(pkg-config --variable pc_path pkg-config)" | while read -r path; do
        for found in "$path"/*.pc; do
            [ ! -e "$found" ] || [ -e "$folder/pc/${found##*/}" ] || ln -s "$found" "$folder/pc/"
        done
    done
    for name in "${@:2}"; do
        rm -f "$folder/pc/$name.pc"
    done
    PKG_CONFIG_LIBDIR=$folder/pc cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release --log-level=NOTICE \
        -DFROTH_GPU=OFF -DLINK_INCLUDE=LINK_INCLUDE-NOTFOUND > "$work/log" 2>&1 || fail "without ${*:2} it is not configured"
}

modules='xrandr wayland-client libpulse portaudio-2.0 sndfile libpng libjpeg SDL2_image alsa liblo libwebsockets libcrypto
    libswscale libpipewire-0.3 dbus-1 libseccomp cmocka gstreamer-1.0 libobs'
# shellcheck disable=SC2086
configure small $modules
for what in 'names of outputs on X11 (apt install libxrandr-dev)' 'PNG pictures (apt install libpng-dev)' \
    'Open Sound Control (apt install liblo-dev)' 'the page for the phone (apt install libwebsockets-dev)'; do
    grep -qF "$what" "$work/log" || fail "it is not said that this is left out: $what"
done
[ "$(grep -c 'froth is built without' "$work/log")" = 1 ] || fail "what is left out is not one line"
configure library sdl2 pangocairo
grep -q 'froth is built without.*windows' "$work/log" || fail "it is not said that there are no windows"
! ninja -C "$work/library/build" -t targets all 2> /dev/null | grep -q '^froth:' || fail "the program is to be built without SDL"
[ "${2-}" = --build ] || exit 0

ninja -C "$work/library/build" > "$work/log" 2>&1 || fail "the library alone is not built"
[ -e "$work/library/build/libfroth.so" ] || fail "there is no library"
ninja -C "$work/small/build" > "$work/log" 2>&1 || fail "the program without its parts is not built"
froth=$work/small/build/froth
"$froth" version --build > "$work/log"
[ "$(grep -c 'not built: apt install' "$work/log")" -ge 16 ] || fail "the table does not name what is missing"
preset=$(find "$source/presets/originals" -name '*Tidal Glass.milk')
"$froth" render "$preset" --audio demo --frames 2 --size 64x48 --hash > "$work/hashes" 2> "$work/log" || fail "it does not render"
[ -s "$work/hashes" ] || fail "there are no hashes"
"$froth" render "$preset" --audio demo --frames 2 --size 64x48 -o "$work/x.png" 2> "$work/log" && fail "a PNG is written"
grep -q 'without libpng' "$work/log" || fail "who wants a PNG is not told"
"$froth" devices > "$work/log" 2>&1 || true
grep -q 'built without Vulkan' "$work/log" || fail "who looks for a graphics processor is not told"
