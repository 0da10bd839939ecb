#!/usr/bin/env bash
# froth lab cache from outside: the thesis' table, machines side by side, presets, plots, wrong usage.
set -euo pipefail

froth=$1
presets=$2/presets/originals
machines=$2/tmu/models/arch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "lab_cache.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth lab cache, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" lab cache "$@" >out 2>err || code=$?
    ((code == expected)) || fail "cache $*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

sum_of() { # KEY: of the four channels, a line for each JSON line of out
    sed -E "s/.*\"$1\":\[([0-9]+),([0-9]+),([0-9]+),([0-9]+)\].*/\1 \2 \3 \4/" out |
        while read -r a b c d; do echo $((a + b + c + d)); done
}

# The 28 cells of the thesis' table, 2K to 128K.
while read -r set requests hits; do
    expect 0 --arch milkymist --set "$set" --size 2K,4K,8K,16K --size 32768,64k --size 128K --json
    [[ $(sum_of hits | tr '\n' ' ') == "$hits " ]] || fail "$set: hits $(sum_of hits)"
    [[ $(sum_of requests | uniq) == "$requests" ]] || fail "$set: requests $(sum_of requests)"
done <<'TABLE'
copy 262144 245760 245760 245760 245760 245760 245760 245760
zoomin 921600 903947 903947 908907 914859 914859 914859 914859
zoomout 589824 491520 491520 491520 512768 539328 555264 555264
rotozoom 1030142 752624 854363 965551 986285 989099 989099 990502
TABLE

# All machines side by side, each with the size of its file.
expect 0 --set rotozoom
names=$(for file in "$machines"/*.yaml; do basename "$file" .yaml; done | tr '\n' ' ')
[[ $(sed -n 2p out | xargs) == "${names% }" ]] || fail "machines: $(sed -n 2p out)"
has out '^hit rate, % +[0-9]'
has out '^bound on it, Mbit/s +[0-9]'
expect 0 --set rotozoom --json
(($(wc -l <out) == $(wc -w <<<"$names"))) || fail "a line for each machine: $(cat out)"
has out '^\{"input":"rotozoom","frames":0,"arch":"milkymist","cache_bytes":'

# Others read these: a key may be added, none may go.
keys=$(grep -m 1 milkymist out | grep -oE '"[a-z_]+":' | tr -d '":' | xargs)
[[ $keys == "input frames arch cache_bytes line_bytes requests hits pixels refills conflicts stalls\
 cycles bus_words bus_busy bus_accesses hit_percent megapixels bandwidth occupancy_percent access_time\
 bandwidth_bound"* ]] || fail "keys: $keys"

# Several sizes: a table for each, and the hit rates once more.
expect 0 --set zoomin --arch milkymist --size 2K,16K
has out '^zoomin, cache of 2K$'
has out '^zoomin, cache of 16K$'
has out '^16K +99.27$'

# A machine of one's own, in a file.
cp "$machines/milkymist.yaml" mine.yaml
expect 0 --set copy --arch ./mine.yaml --arch milkymist --json
[[ $(sed -n 1p out | sed 's/"mine"/"milkymist"/') == "$(sed -n 2p out)" ]] || fail "copied machine"
printf 'cache:\n  byts: 4\n' >wrong.yaml
expect 1 --set copy --arch wrong.yaml
has err '^wrong.yaml:2:3: error: '
expect 1 --set copy --arch missing.yaml
has err '^missing.yaml: error: cannot be read: '
expect 1 --set copy --arch nobody
has err "'nobody'; .*milkymist"

# A conflict, and a size that cannot be, spoil their column and nothing else.
expect 1 --set copy --arch milkymist --size 1K,2K
has err '^--size 1K: error: .*milkymist'
has out '^1K +-$'
has out '^2K +93.75$'
expect 1 --set copy --arch milkymist --size 3000 --json
has err '^--size 3000: error: .*milkymist'
has out '"cache_bytes":3000,"line_bytes":32,"error":"size"\}$'

# The plot.
expect 0 --set rotozoom --arch milkymist --arch mine.yaml -o plot.png
[[ $(head -c 8 plot.png | od -An -tx1 | tr -d ' ') == 89504e470d0a1a0a ]] || fail "no PNG"
cp plot.png first.png
expect 0 --set rotozoom --arch milkymist --arch mine.yaml -o plot.png
cmp plot.png first.png || fail "the plot differs"
expect 0 --set rotozoom --arch milkymist --size 2K,4K,16K -o plot.png
cp plot.png first.png
expect 0 --set rotozoom --arch milkymist --size 16K,2K,4K -o plot.png
cmp plot.png first.png || fail "the sizes of the plot are not in order"
expect 1 --set rotozoom --arch milkymist -o /proc/none/plot.png
expect 2 --set rotozoom -o plot.jpg
has err '^plot.jpg: error: it will be a PNG picture; '
expect 2 --set rotozoom -o -

# Presets: the same figures each time, and the memory's load.
all=("$presets"/*.milk)
preset=${all[0]}
expect 0 "$preset" --frames 3 --arch milkymist --json
cp out first
expect 0 "$preset" --frames 3 --arch milkymist --audio demo --json
cmp out first || fail "the same preset gives other figures"
has out '"frames":3,"arch":"milkymist"'

# Rates are those of a tenth of a second, with the scan of the screen. Sets go alone: a refill and a
# burst of 4 words for each 16 pixels.
awk -F'"(bus_words|bandwidth)":' '{ s = 8 * $2 / $3; exit !(s > 0.0999 && s < 0.1001) }' out ||
    fail "the time of three frames: $(cat out)"
{
    cat "$machines/milkymist.yaml"
    echo 'background: {bytes_per_second: 36571428.5714285714}'
} >milkymist.yaml
expect 0 "$preset" --frames 3 --arch ./milkymist.yaml --json
cmp out first || fail "the scan of the screen: $(cat out first)"
expect 0 --set copy --arch milkymist --json
has out '"bus_words":131072,'
has out '"hit_percent":93.750,'
expect 0 "$preset" --frames 2 --arch milkymist
has out '^memory, 640x480 '
has out '^Bright Fiber Matrix 1 +990 '
expect 1 missing.milk
has err '^missing.milk: error: '
expect 1 "$preset" --audio missing.wav
has err 'missing.wav'

# What a machine shows: levels of detail make another picture of what is shrunk, and of nothing else.
for set in zoomout copy; do
    expect 0 --set "$set" --arch furygpu --picture "fury-$set.png"
    expect 0 --set "$set" --arch attila --picture "attila-$set.png"
    identify "fury-$set.png" | grep -q 512x512 || fail "the picture of $set has no 512x512 pixels"
done
cmp -s fury-copy.png attila-copy.png || fail "a copy has levels of detail"
cmp -s fury-zoomout.png attila-zoomout.png && fail "nothing has levels of detail"
expect 2 --set copy --picture shown.jpg
expect 2 --picture shown.png "$preset"
has err 'belongs to --set'

# Wrong usage.
expect 2
has err 'which set or preset\?; usage: froth lab cache '
expect 2 --set spin
has err "'spin' is not known; it takes copy\|zoomin\|zoomout\|rotozoom"
expect 2 --set copy "$preset"
expect 2 "$preset" "$preset"
expect 2 --set copy --frames 3
expect 2 --set copy --audio demo
for size in 0 15 16M 8193K 99999999999999999999 -4K K 4KK 0x10 1.5K '4K,' ',4K' '4K,,8K' ' 4K' $'4K\n'; do
    expect 2 --set copy --size "$size"
    has err "^froth: error: --size: '.*' is not a size of a cache in bytes; "
done
expect 2 --set copy --size=
many=$(seq -s, 16 64)
expect 2 --set copy --size "$many"
has err 'there can be 32 sizes at most'
mapfile -t archs < <(for _ in $(seq 17); do echo --arch=milkymist; done)
expect 2 --set copy "${archs[@]}"
has err 'it can be given 16 times at most'
code=0
"$froth" lab alu --set copy x.csv 2>err || code=$?
((code == 2)) || fail "lab alu --set: $code"
has err 'it does not know --set'
