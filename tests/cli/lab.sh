#!/usr/bin/env bash
# froth lab from outside: recorded data, microcode, JSON, wrong usage, exit codes.
set -euo pipefail

froth=$1
data=$2/tests/data/pfpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "lab.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth lab, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" lab "$@" >out 2>err || code=$?
    ((code == expected)) || fail "lab $*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

last() { # LINE
    [[ $(tail -n 1 out) == "$1" ]] || fail "the last line is '$(tail -n 1 out)', not '$1'"
}

# Recorded data agrees; one changed word does not.
expect 0 alu "$data/pfpu_alu.csv"
last 'alu: 6068 rows, 0 mismatches'
expect 0 alu "$data/pfpu_sincos.csv"
last 'sincos: 8192 rows, 0 mismatches'
expect 0 pfpu "$data/pfpu_programs.txt"
last 'pfpu: 36 programs, 0 mismatches'
sed '3s/,[0-9a-f]*$/,12345678/' "$data/pfpu_sincos.csv" >wrong.csv
expect 1 alu wrong.csv
has out '^line 3: cosine of 1: expected 12345678, got 3f7ffffb$'
last 'sincos: 8192 rows, 1 mismatches'
sed '0,/^dma 40100000:./s//dma 40100000:0/' "$data/pfpu_programs.txt" >wrong.txt
expect 1 pfpu wrong.txt
has out '^line 4: program 0 dma 40100000: expected 0'
last 'pfpu: 36 programs, 1 mismatches'
expect 1 --json alu wrong.csv
has out '^\{"rows":8192,"mismatches":1,"list":\[\{"line":3,.*\}\]\}$'
expect 0 pfpu "$data/pfpu_programs.txt" --json
has out '^\{"programs":36,"mismatches":0,"list":\[\]\}$'

# Malformed and missing files.
printf 'FADD,1,2,0,z,ffffffff\n' >broken.csv
expect 1 alu broken.csv
has err "^broken.csv:1:12: error: 'z' is no word; "
expect 1 alu missing.csv
has err '^missing.csv: error: cannot be read: '
expect 1 pfpu .
has err '^\.: error: '

# Microcode: x and y themselves.
printf '; x and y\n%s\n' 0x0000b80 >xy.hex
expect 0 pfpu --hex xy.hex --mesh 2x2
diff out - <<'WORDS' || fail "x and y"
00000000 00000000
00000001 00000000
00000000 00000001
00000001 00000001
WORDS

# Each vertex doubles r4.
printf '%s\n' '0102080 0 0 0 0   # fadd r4 r4' '0000004 0102380' >double.hex
echo 'r4 = 3f800000' >double.regs
expect 0 pfpu --hex double.hex --regs double.regs --mesh 3x1
diff out - <<'WORDS' || fail "doubling"
40000000 40000000
40800000 40800000
41000000 41000000
WORDS
expect 0 pfpu --hex double.hex --regs double.regs --json
has out '^\{"vertices":\[\["40000000","40000000"\]\],"collisions":0,"stray":0,"cycles":13\}$'
expect 0 pfpu --hex xy.hex --json --mesh 2x1
has out '^\{"vertices":\[\["00000000","00000000"\],\["00000001","00000000"\]\],"coll.*"cycles":14\}$'
expect 0 pfpu --hex xy.hex --mesh 128x128
(($(wc -l <out) == 16384)) || fail "128x128 vertices"

echo '0 0 0' >endless.hex
expect 1 pfpu --hex endless.hex
has err '^endless.hex: error: the program never comes to VECTOUT'
[[ ! -s out ]] || fail "words of an endless program: $(cat out)"
echo 'r1 5' >bad.regs
expect 1 pfpu --hex xy.hex --regs bad.regs
has err "^bad.regs:1:1: error: 'r1' cannot be set; "

# Wrong usage names what there is.
expect 2
has err 'there are alu, pfpu'
expect 2 nothing
has err "'nothing'; there are alu, pfpu"
expect 2 tiem
has err "'tiem'; did you mean time\?"
expect 1 cache --set copy --arch millkymist
has err 'did you mean milkymist\?'
expect 2 alu
has err 'usage: froth lab alu FILE.csv'
expect 2 alu a b
expect 2 alu "$data/pfpu_alu.csv" --hex xy.hex
expect 2 pfpu
has err 'usage: froth lab pfpu FILE.txt'
expect 2 pfpu --mesh 2x2 "$data/pfpu_programs.txt"
expect 2 pfpu --hex xy.hex "$data/pfpu_programs.txt"
expect 2 pfpu --hex xy.hex --mesh 129x1
has err '1x1 to 128x128'
"$froth" help lab >out
has out "froth lab pfpu --hex FILE"
