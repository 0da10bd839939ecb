#!/usr/bin/env bash
# froth lab tmu from outside: recorded cases, differences, JSON, unreadable files, exit codes.
set -euo pipefail

froth=$1
data=$2/tests/data/tmu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "lab_tmu.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth lab tmu, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" lab tmu "$@" >out 2>err || code=$?
    ((code == expected)) || fail "lab tmu $*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

last() { # LINE
    [[ $(tail -n 1 out) == "$1" ]] || fail "the last line is '$(tail -n 1 out)', not '$1'"
}

# Recorded cases agree, wherever they lie.
expect 0 "$data"/tmu_*.case
last 'tmu: 18 cases, 0 mismatches'
[[ ! -s err ]] || fail "messages: $(cat err)"
has out 'tmu_rotozoom.case$'
has out '^    pixels 262144, crc32 f9293fc5, thesis_crc32 a4661fae$'
has out '^      2K   155903 .*  73\.06$'
if [[ -n ${FROTH_SHARED-} ]]; then
    expect 0 "$FROTH_SHARED"/golden/tmu_*.case
    last 'tmu: 18 cases, 0 mismatches'
fi

# Nothing is expected: it only prints.
cp "$data/tmu_oddtex_unaligned.case" odd.case
expect 0 odd.case
last 'tmu: 1 cases, 0 mismatches'
has out '^odd.case$'

# One changed digit does not agree.
sed 's/^crc32 7/crc32 8/' "$data/tmu_oddtex_unaligned.expect" >odd.expect
expect 1 odd.case
has out '^line 1: odd crc32: expected 887465a5, got 787465a5$'
last 'tmu: 1 cases, 1 mismatches'
expect 1 --json odd.case
has out '^\{"case":"odd.case","pixels":55965,"crc32":"787465a5",.*"hits":\[[0-9,]*\]\}\]\}$'
last '{"cases":1,"mismatches":1,"list":[{"line":1,"what":"odd crc32","expected":"887465a5","got":"787465a5","care":"ffffffff"}]}'

# A changed register changes the picture, row by row.
sed 's/^brightness .*/brightness 60/' odd.case >dark.case
cp "$data/tmu_oddtex_unaligned.expect" dark.expect
expect 1 dark.case
has out '^line 1: dark crc32: '
has out '^line [0-9]*: dark row 0 pixel [0-9]*: '
has out '^and [0-9]* more$'

# What cannot be read fails and says where; the others still run.
sed '5s/0x1006/0x1006x/' odd.case >broken.case
expect 1 broken.case "$data/tmu_copy.case"
has err "^broken.case:5:9: error: '0x1006x' is no such number; a number from 0 to 134217727$"
last 'tmu: 1 cases, 0 mismatches'
echo 'crc32 787465a5 0' >odd.expect
expect 1 odd.case
has err "^odd.expect:1:16: error: '0' is not expected here$"
expect 1 missing.case
has err '^missing.case: error: cannot be read: '
expect 1 .
expect 2
has err 'usage: froth lab tmu FILE.case \.\.\.$'
expect 2 odd.case --hex odd.case
"$froth" help lab >out
has out 'froth lab tmu FILE.case'
