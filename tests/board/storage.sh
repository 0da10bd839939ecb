#!/usr/bin/env bash
# What the firmware keeps on the memory card and in the flash memory, in the board's twin: settings, patches, its own
# program; cards that refuse; the power that goes at some of the writes. Skips itself (77) where the board's compiler,
# mkfs.fat or mtools are not there.
#   storage.sh SOURCE FROTH FAT_STORE BUILD    the project's folder, programs, a folder to build in
set -euo pipefail

source=$1
froth=$(realpath "$2")
store=$(realpath "$3")
build=$4
PATH=$PATH:/usr/sbin:/sbin
export MTOOLS_SKIP_CHECK=1
for program in mkfs.fat fsck.fat mcopy mtype; do
    command -v "$program" >/dev/null || {
        echo "$program is not there (packages dosfstools, mtools)"
        exit 77
    }
done
mkdir -p "$build"
source=$(realpath "$source")
# shellcheck source=tests/board/firmware_lib.sh
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
cd "$build"
failed=0
# show NAME SECONDS ARGUMENTS...: plays; the account in account.txt.
show() {
    play "$@" --account
    mv problems.txt account.txt
    echo "$name: $(sed -n 's/^the show, //p' account.txt)"
}
says() {
    grep -qaF -- "$1" console.txt || {
        complain "the console does not say '$1':"
        cat console.txt >&2
    }
}
# all_shown: no block of sound was left without a picture.
all_shown() {
    grep -q ', 0 left out, 0 never seen' account.txt || complain "$(sed -n 's/^the show, //p' account.txt)"
}
clean() {
    fsck.fat -n "$1" >fsck.txt 2>&1 && ! grep -qE 'Reclaimed|differ' fsck.txt || complain "$(cat fsck.txt)"
}

# card FILE BITS
card() {
    rm -f "$1"
    case $2 in
    12) truncate -s 1440K "$1" && mkfs.fat -F 12 "$1" ;;
    16) truncate -s 16M "$1" && mkfs.fat -F 16 "$1" ;;
    32) truncate -s 40M "$1" && mkfs.fat -F 32 -s 1 "$1" ;;
    esac >mkfs.txt 2>&1
    mcopy -i "$1" "$source/presets/originals/froth - Ember Tunnel.milk" "::Ember of mine.milk"
}

# ---- settings and patches ----
saving=(--at 10:type=$'set gain=9\rset patch=Ember of\rsave\r' --at 40:type=$'store\r')
for bits in 12 16 32; do
    card card.img "$bits"
    kind=in
    ((bits != 32)) || kind=sdhc
    show "FAT$bits" 6 boot.bin --card card.img --card-out out.img --at "0:card=$kind" "${saving[@]}"
    says 'settings are saved'
    says 'the patch is stored'
    all_shown
    clean out.img
    mtype -i out.img ::FROTH.CFG | grep -qx 'gain=9' || complain "the gain is not in FROTH.CFG"
    cmp -s <(mtype -i out.img "::froth - Tidal Glass.milk") "$source/presets/originals/froth - Tidal Glass.milk" ||
        complain "another patch was stored"
    cmp -s <(mtype -i out.img "::Ember of mine.milk") "$source/presets/originals/froth - Ember Tunnel.milk" ||
        complain "a file has changed"
    timeout 100 "$froth" board boot.bin --quick --card out.img --at "0:card=$kind" --duration 3 --uart console.raw \
        --at 10:type=$'settings\r' >/dev/null
    tr -d '\r' <console.raw >console.txt
    says 'memory card: 2 patches'
    says 'Ember of mine.milk: '
    says 'gain=9'
done
show "the command line counts, and is not saved" 4 boot.bin --card out.img --card-out again.img --at 0:card=sdhc \
    --at 10:type=$'set brightness=50\rsave\rsettings\r'
says 'patch=Tidal'
mtype -i again.img ::FROTH.CFG | grep -qx 'patch=Ember of' || complain "the command line was saved"
mtype -i again.img ::FROTH.CFG | grep -qx 'brightness=50' || complain "the brightness was not saved"

card card.img 16
show "no card" 4 boot.bin --at 10:type=$'save\r'
says 'FROTH.CFG: error: no memory card is there'
show "a card that is write-protected" 5 boot.bin --card card.img --card-out out.img --at 0:card=locked \
    --at 10:type=$'save\r'
says 'FROTH.CFG: error: the memory card does not take it'
cmp -s card.img out.img || complain "it was written"
printf 'froth settings 1\ngain=99\nnonsense\n' >FROTH.CFG
mcopy -i card.img FROTH.CFG ::
show "settings that mean nothing" 3 boot.bin --card card.img
says "FROTH.CFG:2:1: warning: gain cannot be '99'"
says "FROTH.CFG:3:1: warning: 'nonsense' is no setting"
mattrib +r -i card.img ::FROTH.CFG
show "a file that is read-only" 4 boot.bin --card card.img --at 10:type=$'save\r'
says 'FROTH.CFG: error: what has this name is read-only'
head -c 20000000 /dev/zero | tr '\0' x | mcopy -i card.img - ::full 2>/dev/null || true
show "a card that is full" 4 boot.bin --card card.img --at 10:type=$'store\r'
says 'error: no piece of the memory card that is large enough is free'
card card.img 16
show "a card that is pulled out meanwhile" 6 boot.bin --card card.img --at 10:type=$'store\r' --at 11:card=out
says ': error: the memory card does not take it'
says 'memory card: none is there'

# ---- the power goes ----
card card.img 16
show "cuts: before" 3 boot.bin --card card.img --card-out whole.img --at 10:type=$'set gain=3\rsave\r'
for how in before half garbage after; do
    for cut in 1 6 11 14 18 21; do
        show "cut $cut $how" 4 boot.bin --card whole.img --card-out out.img --at "10:power=card/$cut/$how" \
            --at 11:type=$'set gain=9\rsave\rstore\r'
        timeout 100 "$froth" board boot.bin --quick --card out.img --card-out mended.img --duration 2 --uart console.raw \
            --at 10:type=$'settings\r' >/dev/null
        tr -d '\r' <console.raw >console.txt
        grep -qxE 'gain=(3|9)' console.txt || complain "the settings are neither old nor new"
        clean mended.img
        "$store" mended.img >store.txt && [[ $(cat store.txt) == 0 ]] || complain "something was left to be mended"
        cmp -s <(mtype -i mended.img "::Ember of mine.milk") "$source/presets/originals/froth - Ember Tunnel.milk" ||
            complain "a file has changed"
    done
done

# ---- the program in the flash memory ----
card card.img 16
mcopy -i card.img boot.bin ::BOOT.BIN
# All 32 MiB: something everywhere, and an older program, which does nothing for ever.
head -c 33554432 /dev/zero | tr '\0' '\245' >old.bin
{
    printf '\xe0\0\0\0'
    head -c 399996 "$froth"
} >older
"$source/tools/flash_image" older older.bin
dd if=older.bin of=old.bin bs=1048576 seek=9568256 oflag=seek_bytes conv=notrunc status=none
show "update" 15 --card card.img --flash old.bin --flash-out new.bin --at 10:type=$'update\r'
says 'update: 0 % is done'
says 'the flash memory has the program of the card'
all_shown
size=$(stat -c %s flash.bin)
end=$((9568256 + (size + 131071) / 131072 * 131072))
cmp -s <(head -c 9568256 old.bin) <(head -c 9568256 new.bin) || complain "what is before the program has changed"
cmp -s <(tail -c +9568257 new.bin | head -c "$size") flash.bin || complain "it is not flash.bin"
cmp -s <(tail -c +$((end + 1)) old.bin) <(tail -c +$((end + 1)) new.bin) || complain "what is behind it has changed"
show "from the flash memory" 3 --flash new.bin
says 'froth - Tidal Glass: '
show "an update to the same" 3 --card card.img --flash new.bin --flash-out same.bin --at 10:type=$'update\r'
says 'the flash memory has the program of the card'
cmp -s new.bin same.bin || complain "something has changed"

# The flash memory has a program then, or none that the boot loader starts; the card starts the board.
last=$((($(stat -c %s flash.bin) + 31) / 32 + (size + 131071) / 131072))
for cut in 1/before 1/half 1/garbage 2/after 900/half 4097/after 9000/garbage $((last - 1))/half "$last/before" \
    "$last/half" "$last/garbage" "$last/after"; do
    show "update, cut $cut" 15 --card card.img --flash old.bin --flash-out cut.bin --at "5:power=flash/$cut" \
        --at 10:type=$'update\r'
    code=0
    "$froth" board --flash cut.bin --quick --duration 1 --uart console.raw >boot.txt 2>&1 || code=$?
    if ((code == 0)); then
        tail -c +9568257 cut.bin >program.bin
        grep -qa 'on the Milkymist One' console.raw || cmp -s -n "$(stat -c %s older.bin)" program.bin older.bin ||
            complain "neither the old program was started nor the new one"
    else
        grep -qE 'checksum of the program|there is no program|program of this length|is compressed' boot.txt ||
            complain "$(cat boot.txt)"
    fi
    echo "  $cut: flash memory $( ((code == 0)) && echo starts || sed 's/.*error: //;s/;.*//' boot.txt)"
    show "after cut $cut, again" 15 --card card.img --flash cut.bin --flash-out again.bin --at 10:type=$'update\r'
    says 'the flash memory has the program of the card'
    cmp -s new.bin again.bin || complain "it is not what it was to become"
done

head -c 300000 boot.bin >short.bin
mcopy -o -i card.img short.bin ::BOOT.BIN
show "an update that is cut short" 3 boot.bin --card card.img --flash old.bin --flash-out same.bin \
    --at 10:type=$'update\r'
says 'BOOT.BIN: error: it is not whole'
cmp -s old.bin same.bin || complain "something was written"
mcopy -o -i card.img "$source/README.md" ::BOOT.BIN
show "an update that is none" 3 boot.bin --card card.img --at 10:type=$'update\r'
says 'BOOT.BIN: error: it is no program of froth for this board'
mdel -i card.img ::BOOT.BIN
show "no update" 3 boot.bin --card card.img --at 10:type=$'update\r'
says 'BOOT.BIN: error: it is not on the memory card'
exit $failed
