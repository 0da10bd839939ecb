#!/usr/bin/env bash
# Files that froth stores on cards of mkfs.fat, of all three kinds, while the power goes: fsck.fat finds at most
# clusters that belong to no file, and mtools reads the old or the new content, whole. Where a block was torn, once froth
# has looked at the card.
#   card_cuts.sh FAT_STORE [EVERY]    a cut at every EVERY-th write, 13 if not given; 1: at each
# Skips itself (77) where these programs are not there.
set -euo pipefail

for program in mkfs.fat fsck.fat mcopy mtype; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || {
        echo "$program is not there (packages dosfstools, mtools)"
        exit 77
    }
done
PATH=$PATH:/usr/sbin:/sbin
export MTOOLS_SKIP_CHECK=1
store=$(realpath "$1")
every=${2:-13}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failed=0
complain() {
    echo "FAT$bits, cut $cut $how: $*" >&2
    failed=1
}

seq 1 700 >other.txt
seq 1 300 >old.txt
seq 5000 5900 >new.txt
seq 1 40 >small.txt

# card BITS: with a long name, a folder, and the file that is going to be replaced.
card() {
    rm -f whole.img
    case $1 in
    12) truncate -s 1440K whole.img && mkfs.fat -F 12 -n "A CARD" whole.img ;;
    16) truncate -s 8M whole.img && mkfs.fat -F 16 -s 2 -n "A CARD" whole.img ;;
    32) truncate -s 34M whole.img && mkfs.fat -F 32 -s 1 -n "A CARD" whole.img ;;
    esac >mkfs.txt 2>&1 || {
        cat mkfs.txt >&2
        exit 1
    }
    mcopy -i whole.img other.txt "::Somebody's file with a long name.txt"
    mmd -i whole.img ::Folder
    mcopy -i whole.img other.txt ::Folder/inside.txt
    mcopy -i whole.img old.txt "::A patch of mine.milk"
}
# look CLEAN: what others find. CLEAN: not even clusters without a file.
look() {
    local lost='^Reclaimed|^FATs differ but appear to be intact|^ *Using first FAT' known
    known='^fsck.fat |^Free cluster summary uninitialized|^ *Leaving filesystem unchanged|^card.img: '
    $1 || known+="|$lost"
    fsck.fat -n card.img >fsck.txt 2>&1 || ! $1 || complain "fsck.fat ends with $?"
    ! grep -vE "$known" fsck.txt | grep -q '[^ ]' || complain "fsck.fat: $(tr '\n' ' ' <fsck.txt)"
    mtype -i card.img "::Somebody's file with a long name.txt" 2>&1 | cmp -s - other.txt ||
        complain "another file has changed"
    mtype -i card.img ::Folder/inside.txt 2>&1 | cmp -s - other.txt || complain "a file in a folder has changed"
    mcopy -n -o -i card.img "::A patch of mine.milk" got.txt && { cmp -s got.txt old.txt || cmp -s got.txt new.txt; } ||
        complain "the file is neither old nor new"
    rm -f got.txt
    # A new one is there as a whole, or not at all.
    ! mcopy -n -o -i card.img ::FROTH.CFG got.txt 2>/dev/null || cmp -s got.txt small.txt ||
        complain "the new file is not whole"
}
# run N HOW: stores both files, the power goes at the N-th write of them; the exit code of the last.
run() {
    local left=$1 count code=0
    count=$("$store" card.img "A patch of mine.milk" new.txt "$left" "$2") || code=$?
    ((code == 0)) || return "$code"
    writes=$count
    left=$((left - count))
    count=$("$store" card.img FROTH.CFG small.txt "$((left > 0 ? left : 1000000))" "$2") || code=$?
    writes=$((writes + count))
    return "$code"
}

for bits in 12 16 32; do
    card "$bits"
    cp --sparse=always whole.img card.img
    cut=none how=none
    run 1000000 before || complain "it is not stored"
    look true
    cmp -s <(mtype -i card.img "::A patch of mine.milk") new.txt || complain "the file is not the new one"
    all=$writes cuts=0
    for how in before half garbage after; do
        for ((cut = 1; cut <= all; cut += every)); do
            cp --sparse=always whole.img card.img
            code=0
            run "$cut" "$how" >/dev/null || code=$?
            ((code == 3)) || complain "exit code $code"
            [[ $how == half || $how == garbage ]] || look false
            "$store" card.img >/dev/null || complain "it cannot be mended"
            look true
            cuts=$((cuts + 1))
        done
    done
    echo "FAT$bits: $all writes, $cuts cuts"
done
exit $failed
