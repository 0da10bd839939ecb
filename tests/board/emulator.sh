#!/usr/bin/env bash
# Boots the firmware in the system emulator of tools/lm32 --emulator, below a display without a screen:
# the console says that a patch is there, and the picture is neither black nor of one colour. Its
# coprocessor and texture mapper are not exact, and it hears silence (in which many presets are black), so no more is asked of it; what it
# and the twin show lies in BUILD, emulator.png and twin.png, to compare by eye. Skips itself (77) where
# the emulator, the board's compiler or Xvfb is not there.
#   emulator.sh SOURCE FROTH BUILD [PATCH]   the project's folder, the program, a folder to build in, part
#                                            of a preset's name
set -euo pipefail

source=$1
froth=$2
build=$3
patch=${4:-surveyor}
emulator=$("$source/tools/lm32" --emulator --where)/qemu-system-lm32 || exit 77
for program in Xvfb identify convert; do
    command -v "$program" >/dev/null || {
        echo "$program is not there: skipped"
        exit 77
    }
done

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"

children=()
stop() {
    exec 4>&- || true
    for child in "${children[@]}"; do
        kill "$child" 2>/dev/null || true
    done
    wait
}
trap stop EXIT

fail() {
    echo "emulator.sh: $*" >&2
    cat "$build/console.txt" >&2 || true
    grep -av '(qemu)' "$build/emulator.log" >&2 || true
    exit 1
}

# Without -noreset the server would forget everything when the emulator has looked at it once.
rm -f "$build"/{display,monitor,console.txt,emulator.log,emulator.ppm,emulator.png,twin.png}
Xvfb -displayfd 3 -screen 0 640x480x24 -noreset 3>"$build/display" 2>/dev/null &
children+=($!)
for ((i = 0; i < 100; i++)); do
    [[ ! -s $build/display ]] || break
    sleep 0.1
done
[[ -s $build/display ]] || {
    echo "no display can be started: skipped"
    exit 77
}

mkfifo "$build/monitor"
: >"$build/console.txt"
DISPLAY=:$(<"$build/display") "$emulator" -M milkymist -display none -monitor stdio \
    -serial "file:$build/console.txt" -append "patch=$patch" -kernel "$build/boot.bin" \
    <"$build/monitor" >"$build/emulator.log" 2>&1 &
machine=$!
children+=("$machine")
exec 4>"$build/monitor"

wait_for_patch() {
    local i
    for ((i = 0; i < 600; i++)); do
        ! grep -q '^patch [0-9]' "$build/console.txt" || return 0
        kill -0 "$machine" 2>/dev/null || fail "the emulator has ended"
        sleep 0.1
    done
    fail "no patch after a minute"
}

# Colours of the picture, and its mean in thousandths.
look() {
    rm -f "$build/emulator.ppm"
    echo "screendump $build/emulator.ppm" >&4
    sleep 1
    identify -format '%k %[fx:int(1000*mean)]\n' "$build/emulator.ppm" 2>/dev/null || echo '0 0'
}

wait_for_patch
grep -q 'this board has no MIDI, DMX, infrared' "$build/console.txt" || fail "it does not say what is missing"
colours=0
mean=0
for ((i = 0; i < 30; i++)); do
    read -r colours mean < <(look)
    ((colours < 16 || mean < 20)) || break
done
echo quit >&4
wait "$machine" || fail "the emulator has ended with $?"
convert "$build/emulator.ppm" "$build/emulator.png"
((colours >= 16 && mean >= 20)) || fail "the picture has $colours colours, a mean of $mean thousandths"
timeout 120 "$froth" board "$build/boot.bin" --frames 60 --duration 30 --quick \
    --command-line "patch=$patch" --overwrite -o "$build/twin.png" 2>/dev/null
grep '^patch [0-9]' "$build/console.txt" | tr -d '\r'
echo "$colours colours, a mean of $mean thousandths; the twin: $(identify -format '%k' "$build/twin.png") colours"
