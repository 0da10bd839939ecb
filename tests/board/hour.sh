#!/usr/bin/env bash
# An hour on a stage, or less: random presses, codes of remote controls, MIDI, lights, bytes, packets and cards on the
# firmware in the board's twin, while patches change by themselves; at its end each patch of the image must be shown 30
# times per second. Skips itself (77) where the board's compiler is not there.
#   hour.sh SOURCE MAKE_CARD INPUT_STORM BUILD [SECONDS] [SEED]    the project's folder, programs, a folder to build
#                                                                  in; seconds of the board's time
set -euo pipefail

source=$1
make_card=$(realpath "$2")
storm=$(realpath "$3")
build=$4
seconds=${5:-3600}
seed=${6:-1}
mkdir -p "$build"
originals=$(realpath "$source/presets/originals")

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
patches=$(linked_patches "$source" | wc -l)
cd "$build"
cp "$originals"/*[aeiou].milk "$originals"/*.fnp .
printf '[preset00]\nzoom=1.01\nper_frame_1=zoom = 1 + ;\n' >"Bad equation.milk"
head -c 20000 "$storm" >"Binary.milk"
"$make_card" storm.img whole ./*.milk ./*.fnp
rm -f ./*.milk ./*.fnp
"$storm" boot.bin storm.img "$seconds" "$seed" "$patches"
