#!/usr/bin/env bash
# What becomes of froth when the disk is full, breaks or stops: each system call that writes into a folder fails once,
# with ENOSPC, EIO, EINTR and EFBIG, by strace; and files that may not grow (ulimit -f). Afterwards each file is whole,
# old or new, nothing else is left, and who did not do all said so.
#   full_disk.sh FROTH ROOT [--all]    without --all some of the calls
set -uo pipefail

froth=$1
root=$2
all=${3-}
keeper=${froth%/*}/tests/keep_library
work=$(mktemp -d "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)/froth-full-XXXXXX")
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
preset=$root/presets/originals/"froth - Tidal Glass.milk"
render=("$froth" render "$preset" --frames 3 --size 160x120 --threads 1 --audio demo)
failed=0
cases=0

fail() {
    echo "FAILED: $1"
    tail -n 5 "$work/err" 2>/dev/null | sed 's/^/    /'
    failed=1
}

# What a case starts from, what it does below $work/out, and which files it leaves there.
old_one() { echo old >"$work/out/one.png"; }
do_one() { "${tracer[@]}" "${render[@]}" -o "$work/out/one.png" --overwrite; }
do_many() { "${tracer[@]}" "${render[@]}" -o "$work/out/deep/%d.png"; }
old_film() { echo old >"$work/out/film.mkv"; }
do_film() { "${tracer[@]}" "${render[@]}" -o "$work/out/film.mkv" --overwrite; }
old_check() { mkdir "$work/out/froth" && echo '0000000000000001 ok' >"$work/out/froth/verdicts.txt"; }
do_check() { XDG_CACHE_HOME=$work/out "${tracer[@]}" "$froth" check --frames 2 --jobs 1 "$preset"; }
old_library() { cp -pr "$work/template" "$work/out/library"; }
do_library() { "${tracer[@]}" "$keeper" "$work/out/library"; }

# What the library begins with.
mkdir -p "$work/template/presets" "$work/template/data/playlists" "$work/template/data/presets"
for name in a b c; do
    echo "per_frame_1=$name=1;" >"$work/template/presets/$name.milk"
done
echo '"0000000000000001": {name: "gone", stars: 3}' >"$work/template/data/library.yaml"
echo "../../presets/c.milk" >"$work/template/data/playlists/mine.txt"
echo old >"$work/template/data/presets/mine.milk"

begin() { # CASE
    rm -rf "$work/out"
    mkdir "$work/out"
    if declare -F "old_$1" >/dev/null; then "old_$1"; fi
}

listing() { # prints names and hashes of what is there
    (cd "$work/out" && find . -type f ! -name .froth.lock -exec sha256sum {} + | sort -k 2)
}

# Each file is as before or as a run without faults leaves it.
whole() { # CASE WHAT
    local line
    while read -r line; do
        grep -qxF -- "$line" "$work/before" "$work/after" || fail "$2: this file is neither old nor new: $line"
    done < <(listing)
    while read -r _ line; do
        [[ -f $work/out/${line#./} ]] || fail "$2: $line is gone"
    done <"$work/before"
}

readonly calls=write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,openat,mkdir,ftruncate,fchmod

# Prints "CALL ORDINAL" for each call of the run that writes below $work/out; ordinals are by thread and call.
list_calls() {
    awk -v out="$work/out" '
        { thread = $1; sub(/^[0-9]+ +/, "", $0) }
        match($0, /^[a-z0-9]+\(/) {
            call = substr($0, 1, RLENGTH - 1)
            id = thread "/" call
            number[id]++
            writes = index($0, out) && (call != "openat" || $0 ~ /O_CREAT/)
            if (writes) print call, number[id]
        }' "$1"
}

run_case() { # CASE EVERY
    local name=$1 every=$2 call ordinal error at=0 code
    begin "$name"
    listing >"$work/before"
    tracer=(strace -f -y -o "$work/trace" -e "trace=$calls" -e signal=none)
    "do_$name" >/dev/null 2>"$work/err" || { fail "$name: without any fault"; return; }
    listing >"$work/after"
    list_calls "$work/trace" >"$work/calls"
    while read -r call ordinal; do
        for error in ENOSPC EIO EINTR EFBIG; do
            at=$((at + 1))
            ((at % every == 0)) || continue
            begin "$name"
            tracer=(strace -f -y -o "$work/trace" -e "trace=$calls" -e signal=none
                -e "inject=$call:error=$error:when=$ordinal")
            code=0
            "do_$name" >"$work/said" 2>"$work/err" || code=$?
            cases=$((cases + 1))
            [[ $name == library ]] || grep -q INJECTED "$work/trace" || fail "$name: $call $ordinal did not fail"
            whole "$name" "$name, $call $ordinal, $error"
            ((code <= 1)) || fail "$name, $call $ordinal, $error: exit code $code"
            if ((code == 1)) && [[ $name != check ]]; then
                # Calls are counted by thread: the write that would say it may be one that fails.
                [[ -s $work/err ]] || grep -q ' write(2<.*INJECTED' "$work/trace" ||
                    fail "$name, $call $ordinal, $error: nothing is said"
            elif ((code == 0)) && [[ $name != check ]]; then
                listing | cmp -s - "$work/after" || fail "$name, $call $ordinal, $error: done, but not all is there"
            fi
        done
    done <"$work/calls"
    echo "$name: $(wc -l <"$work/calls") calls"
}

# A file may not grow beyond some KiB.
limited() { # CASE KIB
    begin "$1"
    listing >"$work/before"
    tracer=()
    local code=0
    (
        ulimit -f "$2"
        "do_$1"
    ) >/dev/null 2>"$work/err" || code=$?
    ((code == 1)) || fail "$1 with ulimit -f $2: exit code $code"
    grep -qi 'error.*too large' "$work/err" || fail "$1 with ulimit -f $2: it is not said"
    whole "$1" "$1 with ulimit -f $2"
}

# Without a fault, for what is whole.
for name in one film many; do
    [[ $name != film ]] || command -v ffmpeg >/dev/null || continue
    begin $name
    tracer=()
    listing >"$work/before"
    "do_$name" >/dev/null 2>"$work/err" || fail "$name"
    listing >"$work/after"
    limited $name 1
done
(
    ulimit -f 1
    "${render[@]}" --frames 100 --hash >"$work/hashes" 2>"$work/err"
) && fail "hashes that do not fit are said to be done"
grep -q 'standard output: File too large' "$work/err" || fail "hashes that do not fit: nothing is said"

if strace -o /dev/null true 2>/dev/null; then
    for name in one many check library; do
        run_case $name $([[ $all == --all ]] && echo 1 || echo 7)
    done
    command -v ffmpeg >/dev/null && run_case film $([[ $all == --all ]] && echo 1 || echo 9)
    echo "$cases times a call failed"
else
    echo "strace is missing: system calls do not fail here"
fi
((failed == 0)) && echo "full_disk.sh: done"
exit "$failed"
