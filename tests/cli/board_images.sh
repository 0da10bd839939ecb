#!/usr/bin/env bash
# tools/flash_image: header, sizes that the boot loader refuses, wrong usage; tools/lm32: what it says
# without a compiler.
set -euo pipefail

tools=$2/tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "board_images.sh: $*" >&2
    exit 1
}

# Length and CRC-32 stand before the program, big endian.
printf '12345678901234567890123456789012345678' >boot.bin
"$tools/flash_image" boot.bin flash.bin
header=$(od -An -v -t x1 -N 8 flash.bin | tr -d ' \n')
[[ $header == 00000026b9d1c013 ]] || fail "header $header"
tail -c +9 flash.bin | cmp - boot.bin || fail "the program is another one"

# 32 bytes are enough, 4 MiB are not too much.
head -c 32 /dev/zero >least && "$tools/flash_image" least image || fail "32 bytes refused"
head -c $((4 << 20)) /dev/zero >most && "$tools/flash_image" most image || fail "4 MiB refused"
rm image
head -c 31 /dev/zero >short
head -c $(((4 << 20) + 1)) /dev/zero >long
for name in short long; do
    ! "$tools/flash_image" $name image 2>err || fail "$name taken"
    grep -q 'the boot loader takes' err || fail "$(cat err)"
    [[ ! -e image ]] || fail "$name left an image"
done
code=0
"$tools/flash_image" boot.bin 2>err || code=$?
((code == 2)) || fail "exit code $code"

# The page's commands for the flash memory are UrJTAG's, and its cable and bus are there.
if [[ -n $(command -v jtag) ]]; then
    sed -n '/^    cable milkymist$/,/^    pld reconfigure$/s/^    //p' "$2/docs/milkymist-one.md" >flash.jtag
    [[ $(wc -l <flash.jtag) == 13 ]] || fail "the page has other commands: $(cat flash.jtag)"
    while read -r command _; do
        echo "help $command"
    done <flash.jtag >help.jtag
    jtag -n help.jtag >known 2>&1
    ! grep -i 'unknown' known || fail "UrJTAG does not know a command of the page"
    for name in '^milkymist ' '^fjmem ' 'Usage: flashmem ADDR FILENAME' 'Usage: readmem ADDR LEN FILENAME' \
        'Usage: pld load' 'Usage: detectflash ADDRESS' 'Usage: endian'; do
        grep -q "$name" known || fail "UrJTAG has no $name"
    done
fi

# Nothing is built where only a question is asked.
code=0
XDG_CACHE_HOME=$work/cache "$tools/lm32" --where >out 2>err || code=$?
((code == 1)) && grep -q "'tools/lm32' builds it" err && [[ ! -s out ]] || fail "lm32: $code $(cat err)"
[[ ! -e $work/cache ]] || fail "lm32 --where made a folder"
code=0
"$tools/lm32" --other 2>err || code=$?
((code == 2)) || fail "lm32 --other: $code"
cmake -DSOURCE="$2" -DBUILD="$work/build" -DGENERATOR=Ninja -DVERSION=0 -P "$tools/board.cmake" \
    >out 2>&1 && code=0 || code=$?
if ! "$tools/lm32" --where >/dev/null 2>&1; then
    ((code != 0)) && grep -q "'tools/lm32' builds" out || fail "board.cmake: $(cat out)"
else
    ((code == 0)) || fail "board.cmake: $(cat out)"
    [[ -s build/boot.bin && -s build/flash.bin ]] || fail "no images"
fi
