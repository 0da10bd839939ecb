#!/usr/bin/env bash
# froth board from outside: programs, pictures, hashes, outputs, failures.
set -euo pipefail

froth=$(realpath "$1")
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "board.sh: $*" >&2
    exit 1
}
# expect CODE ARGUMENTS...: runs froth board, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    timeout 60 "$froth" board "$@" >out 2>err || code=$?
    ((code == expected)) || fail "board $*: exit code $code, not $expected: $(cat err)"
}
has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}
# image NAME WORD...: a boot image of words in hex.
image() {
    local name=$1 word
    shift
    for word in "$@"; do
        printf "\\x${word:0:2}\\x${word:2:2}\\x${word:4:2}\\x${word:6:2}"
    done >"$name"
}

# Screen on, at 0x100000; then for ever: r2 += 1 to the first pixels, flush that line, show it again,
# wait until it is shown.
image show.bin 7804c010 7801e000 38213000 3405ffff 78060010 58260024 58200000 \
    34420003 58820000 7807c810 58e00000 58260024 7803000d 3463ffff 5c60ffff e3fffff8
# 'A' and 'B' on the console with waits, then off.
image hello.bin 7801e000 34020041 58220000 78030001 3463ffff 5c60ffff 34020042 58220000 \
    38211040 3402000e 58220000 e0000000
image illegal.bin 34000000 9c000000
image loop.bin e0000000

expect 0 show.bin --frames 4 --hash
has out '^frame 1 [0-9a-f]{16}$'
has out '^frame 3 [0-9a-f]{16}$'
has out '^all [0-9a-f]{16}$'
[ "$(wc -l <out)" = 5 ] || fail "four pictures: $(cat out)"
[ "$(grep -c . <<<"$(cut -d' ' -f3 out | sort -u)")" -ge 3 ] || fail "pictures do not change: $(cat out)"
cp out first
expect 0 show.bin --frames 4 --hash
cmp out first || fail "the same image gives other pictures"
expect 0 show.bin --frames 2 -o picture%d.png --account
[ -s picture2.png ] || fail "no pictures"
has err '^instructions +[0-9]+'

expect 0 show.bin --frames 2 --account --json
has out '^\{"cycles":[0-9]+,.*"pictures":0,.*"pictures_per_second":0.000,.*\}$'

expect 0 hello.bin --uart -
[ "$(cat out)" = AB ] || fail "console: $(cat out)"
expect 0 hello.bin --uart console.txt
[ "$(cat console.txt)" = AB ] || fail "console in a file"

# From the flash memory, where a program has 32 bytes at least: flash.bin alone, and the same inside all of the flash.
{ cat hello.bin && head -c 32 /dev/zero; } >padded.bin
"$source/tools/flash_image" padded.bin flash.bin
expect 0 --flash flash.bin --uart -
[ "$(cat out)" = AB ] || fail "from flash memory: $(cat out)"
head -c $((32 << 20)) /dev/zero | tr '\0' '\377' >whole.bin
dd if=flash.bin of=whole.bin bs=64K seek=146 conv=notrunc status=none
expect 0 --flash whole.bin --uart -
[ "$(cat out)" = AB ] || fail "from a whole flash memory: $(cat out)"
printf 'x' | dd of=whole.bin bs=1 seek=$((0x920020)) conv=notrunc status=none
expect 1 --flash whole.bin --uart -
has err '^whole.bin: error: the checksum of the program in the flash memory is wrong; '
head -c $((32 << 20)) /dev/zero | tr '\0' '\377' >whole.bin
expect 1 --flash whole.bin
has err '^whole.bin: error: there is no program in the flash memory; '
expect 0 hello.bin --flash whole.bin --uart -
[ "$(cat out)" = AB ] || fail "beside a flash memory: $(cat out)"
expect 1 --flash missing.bin
has err '^missing.bin: error: '
rm whole.bin

# Calls a function for ever, which turns round in a loop; the stack is in SDRAM. The symbols are an ELF
# file's: outer and inner.
image calls.bin 781c4010 f8000002 e3ffffff 379cfff8 5b9d0004 f8000004 2b9d0004 379c0008 c3a00000 \
    34020100 3442ffff 5c40ffff c3a00000
image calls.elf 7f454c46 01020100 00000000 00000000 00020008 00000001 40000000 00000000 00000034 00000000 \
    00340000 00000028 00040000 \
    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 \
    00000000 00000001 00000006 40000000 00000000 00000034 00000000 00000000 00000000 00000000 \
    00000000 00000002 00000000 00000000 000000d4 00000040 00000003 00000000 00000000 00000010 \
    00000000 00000003 00000000 00000000 00000114 00000018 00000000 00000000 00000000 00000000 \
    00000000 00000000 00000000 00000000 00000001 40000000 0000000c 12000001 \
    00000007 4000000c 00000018 12000001 0000000d 40000024 00000010 12000001 \
    00626567 696e006f 75746572 00696e6e 65720000 00000000
expect 0 calls.bin --duration 0.02 --profile calls.elf
has err '^profile of 1[56][0-9]{5} cycles, 0 of them in no function'
has err ' +9[0-9]\.[0-9] .*  inner  < outer 100 %'
has err ' 100\.0  begin$'
expect 0 calls.bin --duration 0.02 --profile calls.elf --profile-in inner
has err ' +100\.0 .*  inner  < outer 100 %'
expect 0 show.bin --frames 4 --hash --profile calls.elf --profile-pictures 1-2
cmp out first || fail "a profile changes the pictures"
# A label without a size, and a program that runs 64 MiB behind it: a look reads the beginning only.
image far.bin 78014400 c0200000
image label.elf 7f454c46 01020100 00000000 00000000 00020008 00000001 40000000 00000000 00000034 00000000 \
    00340000 00000028 00040000 \
    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 \
    00000000 00000001 00000006 40000000 00000000 00000034 00000000 00000000 00000000 00000000 \
    00000000 00000002 00000000 00000000 000000d4 00000020 00000003 00000000 00000000 00000010 \
    00000000 00000003 00000000 00000000 000000f4 00000008 00000000 00000000 00000000 00000000 \
    00000000 00000000 00000000 00000000 00000001 40000000 00000000 12000001 \
    00626567 696e0000
expect 0 far.bin --duration 0.01 --profile label.elf
has err ' 100\.0  begin$'
expect 1 calls.bin --profile calls.bin
has err 'no ELF file with functions'
head -c 250 calls.elf >cut.elf
expect 1 calls.bin --profile cut.elf
expect 1 calls.bin --profile calls.elf --profile-in nobody
expect 1 calls.bin --profile calls.elf --profile-pictures 2-1
expect 1 calls.bin --profile-in inner

expect 1 illegal.bin
has err 'illegal.bin: error: an illegal instruction at 0x40000004'
expect 0 loop.bin --duration 0.1
expect 1 loop.bin --frames 1
has err 'no new picture for 10 seconds'
expect 1 loop.bin --duration 0.01 -o none.mp4 --line-out none.wav
has err '^none\.mp4: error: the program has shown no picture; '
[ -z "$(find . -name 'none*')" ] || fail "files are left: $(ls)"
expect 2
has err 'which boot image'
expect 2 loop.bin loop.bin
expect 1 missing.bin
expect 1 loop.bin --card missing.img
expect 2 loop.bin --at 3:buttons=9
expect 2 loop.bin --at buttons=1
expect 2 loop.bin --window --hash
expect 0 loop.bin --duration 0.01 --at 0:midi=904060 --at 0:dmx=3/7 --at 0:infrared=0x100c --at 0:type=x

# A tone of 1 kHz for ever, left and right in turn: 40 half periods to 0x40100000, played again and again.
image tone.bin 78014010 78034000 3863c000 78048000 38848000 34050014 34060018 58230000 34210004 \
    34c6ffff 5cc0fffd 98641800 34a5ffff 5ca0fff9 7802e000 38425000 78014010 34050780 34060001 58410014 \
    58450018 58460010 28430018 5c60ffff e3fffffb
expect 0 tone.bin --duration 0.5 --line-out tone.wav
[ "$(head -c 4 tone.wav)" = RIFF ] || fail "no sound file"
[ "$(wc -c <tone.wav)" = $((44 + 4 * 24000)) ] || fail "half a second of sound has $(wc -c <tone.wav) bytes"
[ "$(od -An -t u4 -j 40 -N 4 tone.wav | tr -d ' ')" = 96000 ] || fail "a header for another length"
od -An -v -t d2 -w4 -j 44 tone.wav | tail -n 23900 | uniq -c | awk '{print $1, $2, $3}' >periods
has periods '^24 16384 -16384$'
has periods '^24 -16384 16384$'
[ "$(sed '1d;$d' periods | sort -u | wc -l)" = 2 ] || fail "the tone has gaps: $(sort periods | uniq -c)"
expect 0 tone.bin --duration 0.1 --at 0:sound=off --line-out tone.wav
[ "$(wc -c <tone.wav)" = 44 ] || fail "a codec that is off plays"
expect 1 tone.bin --duration 0.1 --line-out /proc/none/tone.wav
has err '/proc/none/tone.wav: error: cannot write'
# A device is not replaced by a file, and a folder is told before the board runs for long.
mkdir folder
expect 1 tone.bin --duration 100000 --line-out folder
has err 'folder: error: cannot write: not an ordinary file'
mkfifo pipe
expect 1 tone.bin --duration 0.1 --line-out pipe
[ -p pipe ] || fail "--line-out has replaced a pipe"
# A disk that is full: no file, and the reason.
mkdir full
code=0
(trap '' XFSZ && ulimit -f 40 && timeout 60 "$froth" board tone.bin --duration 1 --line-out full/tone.wav) \
    2>err || code=$?
((code == 1)) || fail "a full disk: exit code $code"
has err 'full/tone.wav: error: cannot write: File too large'
[ -z "$(ls full)" ] || fail "a full disk: $(ls full)"
# A board that has not run has no account.
expect 1 loop.bin --account --json --profile missing.elf
[ ! -s out ] || fail "an account of nothing: $(cat out)"
expect 1 loop.bin --account --profile missing.elf
if grep -q nan err; then fail "an account of nothing: $(cat err)"; fi
echo "board.sh: done"
