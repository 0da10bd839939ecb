#!/usr/bin/env bash
# froth bench from outside: tables, JSON, comparing, presets that fail, wrong usage; render --stage-times.
set -euo pipefail

froth=$1
presets=$2/presets/originals
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "bench.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth bench, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" bench "$@" >out 2>err || code=$?
    ((code == expected)) || fail "bench $*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

lines() { # FILE REGEX COUNT
    (($(grep -cE -- "$2" "$1") == $3)) || fail "'$2' is not in $3 lines of: $(cat "$1")"
}

all=("$presets"/*.milk)
mkdir two
cp "${all[0]}" two/one.milk
cp "${all[1]}" two/other.milk
small=(--sizes 64x48,80x60 --frames 3 --threads 2)

# A block for loading, and one for each size with one thread and with two.
expect 0 two "${small[@]}"
has out '^2 presets, 0 left out, 3 frames of each, '
has out '^load( +[0-9.]+){6}  (one|other).milk$'
for title in '64x48, 1 thread ' '64x48, 2 threads ' '80x60, 1 thread ' '80x60, 2 threads '; do
    lines out "^$title +median +90 % +worst +by clock +90 % +worst " 1
done
for stage in frame analysis equations vectors mesh warp overlay '  shapes' '  waves' composite; do
    lines out "^$stage( +[0-9.]+){6}  (one|other).milk$" 4
done

# One thread only; sizes add up.
expect 0 two --sizes 64x48 --sizes 80x60 --frames 2 --threads 1
lines out '^frame ' 2
lines out ', 1 thread ' 2

# Presets that come with froth, where none is named.
FROTH_PRESETS=$work/two expect 0 --sizes 64x48 --frames 2 --threads 1 --cpu plain
has out '^2 presets, 0 left out, 2 frames of each, plain$'

# The library beside froth render: the same pictures, and what each takes.
expect 0 two "${small[@]}" --library
lines out '^(64x48|80x60), (1 thread|2 threads): step [0-9.]+, program [0-9.]+, library [0-9.]+; library/program [0-9.]+, worst [0-9.]+ (one|other).milk$' 4
expect 0 two --sizes 64x48 --frames 3 --threads 1 --library --json --cpu plain
lines out '^\{"size":"64x48","threads":1,"presets":2,"step_ms":[0-9.]+,"program_ms":[0-9.]+,"library_ms":[0-9.]+,"ratio":[0-9.]+,"worst_ratio":[0-9.]+,"worst":".*"\}$' 1

# JSON: a line for each series; the frame is at least as long as its stages.
expect 0 two "${small[@]}" --json
lines out '^\{"froth":"[0-9.]+","presets":2,"left_out":0,"frames":3,"cpu":"[a-z0-9]+","set":"[0-9a-f]{16}"\}$' 1
lines out '^\{"stage":"load","median_us":[0-9.]+,"most_us":[0-9.]+,"worst_us":[0-9.]+,"clock_median_us":[0-9.]+,"clock_most_us":[0-9.]+,"clock_worst_us":[0-9.]+,"worst":"two/(one|other).milk"\}$' 1
lines out '^\{"stage":"[a-z]+","size":"(64x48|80x60)","threads":[12],"median_us":' 44
cp out old.json

# Comparing.
expect 0 two "${small[@]}" --compare old.json
has out 'median x +worst x'
expect 0 two "${small[@]}" --compare old.json --json
lines out '"median_ratio":([0-9.]+|null),"worst_ratio":([0-9.]+|null),"slower":(true|false)\}$' 45
! grep -q warning err || fail "a warning without reason: $(cat err)"
sed -E 's/"(median|worst)_us":[0-9.]+/"\1_us":0.001/g' old.json >quick.json
expect 0 two "${small[@]}" --compare quick.json
has out '^frame .*  slower  '
sed -E 's/"(median|worst)_us":[0-9.]+/"\1_us":99000000/g' old.json >slow.json
expect 0 two "${small[@]}" --compare slow.json
! grep -q slower out || fail "slower than 99 seconds: $(cat out)"
expect 0 two/one.milk --sizes 64x48,96x72 --frames 2 --threads 1 --compare old.json
has err '^old.json: warning: it is about other presets; '
has err '^old.json: warning: it is about another number of frames; '
sed -n '/^96x72/,$p' out >unknown # the size that is not in the old file
lines unknown ' - +- ' 11
expect 1 two "${small[@]}" --compare missing.json
has err '^missing.json: error: '
for text in '' 'hello' '[1,2]' '{"froth":"1"}' '{"stage":"frame"}' '{"froth":"1"}'$'\n''{"a":[[[['; do
    printf '%s\n' "$text" >wrong.json
    expect 1 two "${small[@]}" --compare wrong.json
    has err '^wrong.json.*: error: this is not of '
done

# What does not load is left out, and remembered in the exit code.
printf 'not a preset\n' >two/third.milk
expect 1 two "${small[@]}"
has err '^two/third.milk: error: '
has out '^2 presets, 1 left out, '
expect 1 two/third.milk
has err 'there is no preset to measure'
expect 1 nowhere
has err '^nowhere: error: '

# Wrong usage.
for sizes in x 64 64x 64x48x 15x48 64x9000 64x48, ,64x48 '64x48 ' -64x48 99999x48; do
    expect 2 two --sizes "$sizes"
    has err "^froth: error: --sizes: '.*' are no sizes of pictures; "
done
expect 2 two --sizes 16x16,17x17,18x18,19x19,20x20,21x21,22x22,23x23,24x24
has err 'there can be 8 at most'
expect 2 two --frames 0
expect 2 two --size 64x48

# The stages of a rendering, beside the same picture.
render=(render "${all[0]}" --frames 3 --size 64x48 --hash)
"$froth" "${render[@]}" >plain 2>/dev/null
"$froth" "${render[@]}" --stage-times >timed 2>err
cmp plain timed || fail "the picture depends on --stage-times"
has err '^stage +processor +clock  of 3 frames, ms each$'
has err '^frame +[0-9.]+ +[0-9.]+  100.0 %$'
