#!/usr/bin/env bash
# froth board from outside: programs, pictures, hashes, outputs, failures.
set -euo pipefail

froth=$(realpath "$1")
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

expect 0 hello.bin --uart -
[ "$(cat out)" = AB ] || fail "console: $(cat out)"
expect 0 hello.bin --uart console.txt
[ "$(cat console.txt)" = AB ] || fail "console in a file"

expect 1 illegal.bin
has err 'illegal.bin: error: an illegal instruction at 0x40000004'
expect 0 loop.bin --duration 0.1
expect 1 loop.bin --frames 1
has err 'no new picture for 10 seconds'
expect 2
has err 'which boot image'
expect 2 loop.bin loop.bin
expect 1 missing.bin
expect 1 loop.bin --card missing.img
expect 2 loop.bin --at 3:buttons=9
expect 2 loop.bin --at buttons=1
expect 2 loop.bin --window --hash
expect 0 loop.bin --duration 0.01 --at 0:midi=904060 --at 0:dmx=3/7 --at 0:infrared=0x100c --at 0:type=x
echo "board.sh: done"
