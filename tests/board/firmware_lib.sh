# For scripts that compare the firmware's pictures with those of the same patches on this machine.
# shellcheck shell=bash

# board_image SOURCE BUILD: builds the firmware; BUILD/boot.bin. Ends the script with 77 where the
# board's compiler is not there. Several may ask at once.
board_image() {
    local source=$1 build=$2 tools
    tools=$("$source/tools/lm32" --where) || exit 77
    mkdir -p "$build"
    (
        flock 9
        cmake -G Ninja -S "$source/board/firmware" -B "$build" -DFROTH_LM32="$tools" \
            -DFROTH_VERSION=test -DCMAKE_TOOLCHAIN_FILE="$source/tools/lm32.cmake" \
            -DCMAKE_BUILD_TYPE=Release &&
            cmake --build "$build" --target images
    ) 9>"$build/lock" >"$build/log" 2>&1 || {
        cat "$build/log" >&2
        exit 1
    }
}

# linked_patches SOURCE: the names of the patches that are linked into the image, a line each, in order.
linked_patches() {
    sed -n 's/^\([^#].*\)\.[a-z]*$/\1/p' "$1/board/firmware/patches.list"
}

# hashes_on_board FRAMES FPS SOUND PATCH CONSOLE OPTIONS...: a hash a line, of the image $image. PATCH: as
# the command line takes it; OPTIONS: of froth board. The first picture is the black one.
hashes_on_board() {
    local frames=$1 fps=$2 sound=$3 patch=$4 console=$5
    shift 5
    timeout 600 "$froth" board "$image" --duration 300 --frames $((frames + 1)) --hash \
        --command-line "exact fps=$fps patch=$patch" --audio "$sound" --uart "$console" "$@" |
        sed -n 's/^frame [0-9]* //p' | tail -n +2
}

# hashes_on_host FRAMES FPS SOUND PRESET...: the same from this machine.
hashes_on_host() {
    local frames=$1 fps=$2 sound=$3
    shift 3
    timeout 300 "$froth" render --target milkymist-one "$@" --frames "$frames" --hash \
        --audio "$sound" --fps "$fps" 2>/dev/null | sed -n 's/^frame [0-9]* //p'
}

# For scripts that let the firmware play and look at what it says: they set failed=0, and end with it.

# complain WORDS...: what is wrong with the play $name.
complain() {
    echo "$name: $*" >&2
    # shellcheck disable=SC2034
    failed=1
}

# play NAME SECONDS ARGUMENTS...: plays the demo's sound for so long with the words $words; what froth says in
# output.txt and problems.txt, the console in console.txt.
play() {
    name=$1
    local seconds=$2
    shift 2
    timeout 300 "$froth" board --quick --audio demo --duration "$seconds" \
        --command-line "${words:-patch=Tidal}" --uart console.raw "$@" >output.txt 2>problems.txt ||
        complain "froth has failed: $(head -n 1 problems.txt)"
    tr -d '\r' <console.raw >console.txt
    ! grep -a 'froth: stopped' console.txt || complain "an exception"
}

# show NAME SECONDS ARGUMENTS...: plays boot.bin; hashes of the pictures in hashes.txt, how many in $pictures.
show() {
    play "$1" "$2" boot.bin --hash "${@:3}"
    sed -n 's/^frame [0-9]* //p' output.txt >hashes.txt
    pictures=$(wc -l <hashes.txt)
    echo "$name: $pictures pictures in $2 s"
}
