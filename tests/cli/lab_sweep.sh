#!/usr/bin/env bash
# froth lab sweep from outside: values in their order, machines, settings that hold for all, presets, plots, wrong usage.
set -euo pipefail

froth=$1
presets=$2/presets/originals
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "lab_sweep.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth lab sweep, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" lab sweep "$@" >out 2>err || code=$?
    ((code == expected)) || fail "sweep $*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

# KEY of each line of JSON.
values() {
    sed -nE "s/.*\"$1\":\"?([a-z0-9.]+).*/\1/p" out | xargs
}

# The thesis' hits at three sizes, as froth lab cache has them.
expect 0 cache.bytes=2048,16384,131072 --set rotozoom --arch milkymist --json
[[ $(values value) == "2048 16384 131072" ]] || fail "values: $(cat out)"
[[ $(values hit_percent | tr ' ' '\n' | xargs printf '%.2f ') == "73.06 95.74 96.15 " ]] || fail "hits: $(cat out)"

# Machines one after the other; a setting before the last one holds for all values.
expect 0 requests.filter=nearest cache.bytes=16384,32768 --set copy --arch milkymist --arch rpu
[[ $(grep -c '^cache.bytes ' out) == 2 ]] || fail "machines: $(cat out)"
has out '^milkymist, copy'
has out '^16384 +93.75 +2.00'
expect 0 machine.units=1 cache.replacement=pairs,clocked-pairs --set copy --arch furygpu
has out '^clocked-pairs +96\.78'

# Enlarged copies are the sets where these are copies.
expect 0 zoom=0.4,1,1.6 --arch milkymist --json
enlarged=$(values cycles_each)
sets=
for set in zoomout copy zoomin; do
    expect 0 machine.units=1 --set "$set" --arch milkymist --json
    sets+=" $(values cycles_each)"
done
[[ $enlarged == "${sets# }" ]] || fail "zoom: $enlarged, not$sets"

# Presets and plots.
expect 0 cache.line_bytes=16,32 "$presets/froth - Ember Tunnel.milk" --frames 2 --arch rpu -o plot.png
has out '^32 +9[0-9]\.'
[[ $(head -c 8 plot.png | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || fail "plot.png is no picture"
expect 0 zoom=0.4,1.6 -o zoom.png
[[ -s zoom.png ]] || fail "no zoom.png"

# What cannot be.
expect 2
has err 'what is varied\?'
expect 2 cache.ways=1,2
has err 'one set or one preset'
expect 2 zoom=1 --set copy
expect 2 zoom=0 --arch rpu
has err 'zoom is 0.1 to 100'
expect 2 cache.ways=1,2 cache.bytes=4096 --set copy
has err 'only the last setting is varied'
expect 2 cache.ways= --set copy
has err 'a setting is KEY=VALUE'
expect 1 ways=1,2 --set copy
has err "'ways' cannot be varied"
expect 1 cache.wais=1,2 --set copy
has err "unknown key 'wais' in cache; did you mean ways"
expect 1 cache.line_bytes=48 --set copy
has err 'a line must be a power of two'
expect 1 requests.filter=bilinear,nearest --set copy -o plot.png
has err "a plot cannot have 'bilinear' here"
expect 1 cache.ways=1 "$work/none.milk"
