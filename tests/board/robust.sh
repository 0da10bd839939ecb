#!/usr/bin/env bash
# What goes wrong on a stage, on the firmware in the board's twin: a message on the console, and the show
# goes on. Skips itself (77) where the board's compiler is not there.
#   robust.sh SOURCE FROTH MAKE_CARD INPUT_STORM BUILD    the project's folder, programs, a folder to build in
set -euo pipefail

source=$1
froth=$(realpath "$2")
make_card=$(realpath "$3")
storm=$(realpath "$4")
build=$5
mkdir -p "$build"
originals=$(realpath "$source/presets/originals")

# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
tidal=$(($(linked_patches "$source" | grep -n 'Tidal Glass' | cut -d : -f 1) - 1))
cd "$build"
failed=0
# says TEXT [COUNT]: so often on the console, once if not given.
says() {
    local count
    count=$(grep -acF -- "$1" console.txt) || true
    ((count == ${2:-1})) || {
        complain "the console says '$1' $count times:"
        cat console.txt >&2
    }
}
# goes_on FROM TO LEAST: of these pictures so many differ.
goes_on() {
    local different
    different=$(sed -n "$1,$2p" hashes.txt | sort -u | wc -l)
    ((different >= $3)) || complain "$different pictures of $1 to $2 differ"
}
# rate LEAST: so many pictures have come.
rate() {
    ((pictures >= $1)) || complain "only $pictures pictures"
}

# ---- patches ----
cp "$originals/froth - Ember Tunnel.milk" "A good one.milk"
printf '[preset00]\nzoom=1.01\nper_frame_1=zoom = 1 + ;\n' >"Bad equation.milk"
{
    printf '[preset00]\nper_frame_1=zoom = '
    head -c 15000 /dev/zero | tr '\0' '('
    printf '1\n'
} >"Deep.milk"
head -c 5242880 /dev/zero | tr '\0' 'a' >"Five megabytes.milk"
head -c 20000 "$froth" >"Binary.milk"
"$make_card" card.img whole "A good one.milk" "Bad equation.milk" "Deep.milk" "Five megabytes.milk" Binary.milk

show "patches that do not compile" 9 --card card.img --at 10:type=$'load bad eq\r' \
    --at 60:type=$'load deep\r' --at 90:type=$'load five\r' --at 110:type=$'load binary\r'
says 'memory card: 5 patches'
says 'Bad equation.milk:3:24: error: '
says 'Five megabytes.milk: error: 5242880 bytes are too many'
says 'Binary.milk: error: '
grep -qaE '^Deep.milk:2:[0-9]+: error: ' console.txt || complain "Deep.milk compiles"
says 'refused: ' 4
rate 195
goes_on 10 195 170

# The message stands on the screen for eight seconds; before and behind it the show is the same.
show "nothing on the screen" 12 --card card.img --at 20:type=$'load no patch\r'
cp hashes.txt without.txt
show "a message on the screen" 12 --card card.img --at 20:type=$'load bad equa\r'
differing=$(paste without.txt hashes.txt | awk '$1 != $2' | wc -l)
((differing == 192)) || complain "$differing pictures have the message"

# ---- the command line ----
words="fps=25 speed=3 patch=no_such_patch schedule=best exact=1 $(printf 'x%.0s' {1..200})" \
    show "words that mean nothing" 3
says "command line: 'fps=25' means nothing; exact, schedule=NAME and settings "
says ' means nothing; ' 5
says "no patch's name has 'no such patch'; 'list' prints all"
rate 54
words='fps=24 schedule=quick patch=tidal' show "words that mean something" 1
says 'command line: ' 0

# ---- cards ----
show "no card" 3
says 'memory card: none is there'
rate 54
head -c 1048576 /dev/zero >zeros.img
show "a card without a file system" 3 --card zeros.img
says 'memory card: no FAT file system is on it'
rate 54
"$make_card" empty.img whole
show "a card without files" 3 --card empty.img
says 'memory card: 0 patches'
rate 54

show "pulled out amid a patch, put in again" 14 --card card.img --at 20:card=out/2 \
    --at 21:type=$'load good\r' --at 70:type=$'list\r' --at 120:card=in --at 220:type=$'load good\r'
says 'A good one.milk: error: cannot be read from the memory card'
says 'memory card: none is there'
says 'memory card: 5 patches' 2
says 'refused: ' 1
grep -qa '^patch [0-9]* A good one.milk: ' console.txt || complain "it is not read again"
rate 315
goes_on 10 210 195

show "put in later" 10 --card card.img --at 0:card=out --at 40:card=in --at 130:type=$'load good\r'
says 'memory card: none is there'
says 'memory card: 5 patches'
grep -qa '^patch [0-9]* A good one.milk: ' console.txt || complain "it is not read"

show "a card of high capacity" 7 --card card.img --at 0:card=sdhc --at 30:type=$'load good\r'
says 'memory card: 5 patches'
grep -qa '^patch [0-9]* A good one.milk: ' console.txt || complain "it is not read"

for damage in loop beyond short; do
    "$make_card" $damage.img $damage "A good one.milk" "Bad equation.milk" Deep.milk
    show "a card with damage: $damage" 8 --card $damage.img --at 30:type=$'load bad eq\r' \
        --at 60:type=$'load good\r'
    says 'memory card: '
    grep -qa 'error: ' console.txt || complain "no message"
    rate 165
    goes_on 10 165 130
done

many=()
for number in {100..399}; do
    ln -sf "A good one.milk" "M$number.milk"
    many+=("M$number.milk")
done
"$make_card" many.img whole "${many[@]}"
rm -f "${many[@]}"
show "300 patches" 5 --card many.img --at 40:type=$'load M355\r' --at 60:type=$'load M356\r'
says 'memory card: 256 patches, the others are left out'
grep -qa '^patch [0-9]* M355.milk: ' console.txt || complain "the 256th is not there"
says 'no such patch'

# ---- sound ----
show "sound that stops and comes again" 10 --at 40:sound=off --at 140:sound=on
says 'sound: none comes from the codec'
says 'sound: it is there again'
rate 215
goes_on 50 139 80
goes_on 150 215 60
show "silence" 5 --at 40:sound=silent
says 'sound: ' 0
rate 100
show "a codec that does not answer" 6 --at 0:sound=off --at 90:sound=on
says 'sound: none comes from the codec'
says 'sound: it is there again'
rate 120
goes_on 5 125 100
words="exact patch=Tidal" show "exact, without sound" 6 --at 40:sound=off
says 'sound: ' 0
((pictures < 46)) || complain "$pictures pictures"
words="exact patch=Tidal" show "exact, without codec" 2 --at 0:sound=off
says 'sound: the codec does not answer'

# ---- bytes ----
# In turn: no message at all, cut messages, real time within one, running status, an exclusive message
# without end, and then a programme change that counts.
noise=$(head -c 1000 "$froth" | od -An -v -t x1 | tr -d ' \n' | sed 's/../&\n/g' | grep -v '^c' | tr -d '\n')
show "MIDI" 9 --at 20:midi="7f0011${noise}" --at 60:midi=90f840fe9040c0 --at 61:midi=f8fe --at 62:midi=03 \
    --at 110:midi=f0112233445566 --at 111:midi=778899a0f8c1f805
chosen=$(sed -n 's/^patch \([0-9]*\) froth.*: .*/\1/p' console.txt | tr '\n' ' ')
[[ $chosen == "$tidal 3 5 " ]] || complain "chosen: $chosen"
rate 185
bytes=$(od -An -v -t x1 -N 2000 "$froth" | tr -d ' \n')
show "bytes on the console" 7 --at 20:uart="$bytes$bytes" --at 80:uart=0d --at 81:type=$'status\r' \
    --at 90:type=$'load 4294967299\rload -1\rload 99999999999999999999\r'
grep -qa "^patch $tidal froth - Tidal Glass" console.txt || complain "no status"
says "no such patch; 'list' prints all" 3
rate 145
show "infrared and lights" 6 --at 20:infrared=0x1fff --at 21:infrared=0 --at 60:infrared=0x103f \
    --at 61:infrared=0x102a --at 62:dmx=0/255 --at 63:dmx=511/1
rate 120

# The same keys of a remote of 36 kHz: programme up, held, again with the other toggle bit, and digit 3.
show "infrared of 36 kHz" 9 --at 20:infrared=0x1020/36 --at 26:infrared=0x1020/36 --at 80:infrared=0x1820/36 \
    --at 140:infrared=0x1003/36
chosen=$(sed -n 's/^patch \([0-9]*\) froth.*: .*/\1/p' console.txt | tr '\n' ' ')
[[ $chosen == "$tidal $((tidal + 1)) $((tidal + 2)) 3 " ]] || complain "chosen: $chosen"

# ---- all at once ----
cp "$originals"/*[aeiou].milk .
"$make_card" storm.img whole "A good one.milk" "Bad equation.milk" Deep.milk Binary.milk froth*.milk
rm -f froth*.milk
"$storm" boot.bin storm.img "${STORM:-20}" 1 || failed=1
exit $failed
