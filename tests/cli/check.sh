#!/usr/bin/env bash
# froth check from outside: rows, flags, JSON, broken and endless presets, exit codes: check.sh FROTH SOURCE [SHARDS]
set -euo pipefail

froth=$1
root=$2
shards=${3:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

fail() {
    echo "check.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth check, keeps what it prints in $work/out and $work/err. The clock ends nothing that
# is not tried for that: the machine may be busy.
expect() {
    local expected=$1 code=0
    shift
    "$froth" check --size 64x48 --frames 8 --time-limit 600 "$@" >"$work/out" 2>"$work/err" || code=$?
    ((code == expected)) ||
        fail "check $*: exit code $code, not $expected: $(cat "$work/out" "$work/err")"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$work/$1" || fail "'$2' is not in: $(cat "$work/$1")"
}

mkdir "$work/good" "$work/bad"
facts=$root/tests/data/facts
cp "$facts/filter_invert.milk" "$work/good/a.milk"
cp "$facts/decay_half.milk" "$work/good/b.milk"
printf '[preset00]\nfWaveAlpha=0\n' >"$work/good/nothing.milk"
cat >"$work/good/moving.milk" <<'MILK'
[preset00]
fWaveAlpha=0
per_frame_1=ob_size=1; ob_a=1; ob_r=red; red=red+0.1;
MILK
printf '[preset00]\nfDecay=0.9\nper_frame_1=zoom=(1;\n' >"$work/bad/equation.milk"
printf 'MZ\0\0binary' >"$work/bad/binary.milk"
: >"$work/bad/empty.milk"

expect 0 "$work/good"
has out '^ok .* -  *[^ ]*/moving\.milk$'
has out '^ok .* frozen  *[^ ]*/a\.milk$'
has out '^ok .* black,frozen  *[^ ]*/nothing\.milk$'
has out '^4 presets: 4 ok, 0 degraded, 0 error, 0 timeout, 0 crash; [12] black, [123] frozen$'

# What shows nothing yet, or stands still, is looked at for longer than --frames says.
printf '[preset00]\nfWaveAlpha=0\nper_frame_1=ob_size=1; ob_a=1; ob_r=above(frame,300);\n' >"$work/late.milk"
printf '[preset00]\nfWaveAlpha=0\nper_frame_1=ob_size=1; ob_a=1; ob_r=above(frame,500);\n' >"$work/never.milk"
XDG_CACHE_HOME=/dev/null expect 0 "$work/late.milk" "$work/never.milk"
has out '^ok .* -  *[^ ]*/late\.milk$'
has out '^ok .* black,frozen  *[^ ]*/never\.milk$'

# One that costs too much is not drawn to the end, which would take hours, and told with the line of its shader.
{
    printf 'MILKDROP_PRESET_VERSION=201\nPSVERSION_WARP=3\nPSVERSION_COMP=3\n[preset00]\nzoom=1\n'
    printf 'comp_1=`shader_body { float3 s = uv.xyx; float i = 0; while (i < 9000) { i += 1;\n'
    for number in {2..20}; do
        printf 'comp_%d=`s = tex3Dbias(sampler_noisevol_hq, float4(s*7.3, 1)).zxy;\n' "$number"
    done
    printf 'comp_21=`} ret = s; }\n'
} >"$work/costly.milk"
XDG_CACHE_HOME=/dev/null expect 0 "$work/costly.milk" --size 160x120 --frames 400
has out '^degraded .*/costly\.milk$'
has out '^    .*costly\.milk:6:1: warning: too expensive: the composite shader '
"$froth" render "$work/costly.milk" --size 160x120 --frames 1 --hash >"$work/out" 2>"$work/err"
has err 'costly\.milk:6:1: warning: too expensive: '

# A picture that is not there is said, and something stands in for it.
printf 'MILKDROP_PRESET_VERSION=201\nPSVERSION=2\n[preset00]\ncomp_1=`sampler sampler_moss;\ncomp_2=`%s\n' \
    'shader_body { ret = tex2D(sampler_moss, uv).xyz; }' >"$work/picture.milk"
XDG_CACHE_HOME=/dev/null XDG_DATA_HOME=$work/data expect 0 "$work/picture.milk"
has out '^degraded .*/picture\.milk$'
has out "picture\.milk: warning: there is no picture 'moss'; "
mkdir "$work/textures"
printf '\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\30\0abc' >"$work/textures/moss.tga"
XDG_CACHE_HOME=/dev/null expect 0 --textures "$work/textures" "$work/picture.milk"
has out '^ok .*/picture\.milk$'

# A picture of 8192x8192, whose file has 18 bytes and runs, is made smaller, or is not read for lack of memory.
runs() { # BITS BYTES: rows of one colour
    printf '\0\0\12\0\0\0\0\0\0\0\0\0\0\40\0\40'
    printf "\\x$(printf %x "$1")\\0"
    head -c $((524288 * ($2 + 1))) /dev/zero | LC_ALL=C tr '\0' '\377'
}
runs 24 3 >"$work/textures/moss.tga"
XDG_CACHE_HOME=/dev/null expect 0 --textures "$work/textures" --memory 320 "$work/picture.milk"
has out '^ok .*/picture\.milk$'
has out "note: the picture 'moss' is made smaller, from 8192x8192 to "
XDG_CACHE_HOME=/dev/null expect 0 --textures "$work/textures" --memory 128 "$work/picture.milk"
has out '^degraded .*/picture\.milk$'
has out "not enough memory for the picture 'moss'; .*--memory"

# One broken preset is a row, and the others go on.
expect 1 "$work/bad" "$work/good"
has out '^error .*/binary\.milk$'
has out '^error .*/empty\.milk$'
has out '^degraded .*/equation\.milk$'
has out '^    .*equation\.milk:3:[0-9]+: error: '
has out '^7 presets: 4 ok, 1 degraded, 2 error, 0 timeout, 0 crash; '

# What was found is kept for the library, by content.
verdicts=$work/cache/froth/verdicts.txt
[[ $(grep -cE '^[0-9a-f]{16} (ok|degraded|failed)$' "$verdicts") == 7 ]] || fail "$(cat "$verdicts")"
[[ $(grep -c ' failed$' "$verdicts") == 2 ]] || fail "$(cat "$verdicts")"
XDG_CACHE_HOME=/dev/null expect 0 "$work/good"

# A sound is told where it belongs.
: >"$work/song.flac"
expect 1 "$work/song.flac" "$work/good"
has err 'song\.flac: error: this is a sound, not a preset; give it with --audio'

# Too slow is a row too, and the next preset gets its turn.
expect 1 --frames 1000000000 --time-limit 0.5 --jobs 1 "$work/good/moving.milk" \
    "$work/good/nothing.milk"
has out '^2 presets: 0 ok, 0 degraded, 0 error, 2 timeout, 0 crash; '

has out 'stopped after 0\.5 s'

# Lines behind a gap are lost in MilkDrop too: a warning, and the preset is as it should be.
{ sed -n 1,2p "$work/good/moving.milk" && printf 'per_frame_1=\nper_frame_3=zoom=1;\n'; } \
    >"$work/gap.milk"
expect 0 "$work/gap.milk"
has out '^ok .*/gap\.milk$'
has out 'per_frame_2 is missing'

# Started where the ends of children are ignored; stopped, without leaving a job behind.
(trap '' CHLD && expect 0 "$work/good/moving.milk")
"$froth" check --frames 1000000000 --time-limit 600 --jobs 2 "$work/good" >"$work/out" 2>"$work/err" &
checking=$!
# The process that starts others is there before it can be stopped, jobs are there after that.
for _ in {1..600}; do
    jobs=$(ps -o pid= --ppid "$checking" || true)
    (($(wc -w <<<"$jobs") >= 2)) && break
    sleep 0.1
done
kill -TERM "$checking"
code=0
wait "$checking" || code=$?
((code == 1)) || fail "exit code $code when stopped"
has err 'stopped'
for job in $jobs; do
    for _ in {1..600}; do
        kill -0 "$job" 2>/dev/null || continue 2
        sleep 0.1
    done
    fail "job $job is still there"
done

# JSON: one object per line, the same order and text for any number of jobs, valid UTF-8 always.
cp "$work/good/a.milk" "$work/good/$(printf 'caf\351 "q".milk')"
for jobs in 1 4; do
    expect 1 --json --jobs "$jobs" "$work/bad" "$work/good"
    sed -E 's/_ms": [0-9.]+/_ms": 0/g' "$work/out" >"$work/jobs$jobs"
done
cmp "$work/jobs1" "$work/jobs4" || fail "the rows depend on the number of jobs"
iconv -f UTF-8 -t UTF-8 "$work/out" >"$work/utf8" || fail "the JSON is not valid UTF-8"
(($(wc -l <"$work/out") == 9)) || fail "not nine lines of JSON: $(cat "$work/out")"
string='"([^"\\]|\\.)*"'
row="^\{\"preset\": $string, \"status\": \"[a-z]+\", \"messages\": \[($string(, $string)*)?\], "
row+='"load_ms": [0-9.]+, "frame_ms": [0-9.]+, "black": (true|false), "frozen": (true|false)\}$'
(($(grep -cE "$row" "$work/out") == 8)) || fail "a row is not as promised: $(cat "$work/out")"
[[ $(tail -n 1 "$work/out") == '{"summary": {"presets": 8, "ok": 5, '* ]] || fail "no summary"

# Names with a word of a list are told; what the check comes to does not depend on it.
printf '# rude\nmov*\n' >"$work/words.txt"
expect 0 --words "$work/words.txt" "$work/good/moving.milk" "$work/good/nothing.milk"
has out 'words\.txt:2:1: note: the name of this preset has this word'
has out '; 1 with a word of the list in the name$'
expect 0 --json --words "$work/words.txt" "$work/good/nothing.milk"
has out '"unnamed": 0}}$'
printf '*\n' >"$work/words.txt"
expect 1 --words "$work/words.txt" "$work/good/moving.milk"
has err 'words\.txt:1:1: error: there is no letter in this word; '
expect 1 --words "$work/no-such-list" "$work/good/moving.milk"

# Wrong usage, and paths that are not there.
expect 2
expect 2 --frames many "$work/good"
expect 1 "$work/missing.milk"
has err 'missing\.milk'
expect 1 "$work/missing.milk" "$work/good/a.milk"
has out '^1 preset: 1 ok'
expect 1 --audio "$work/no-such-sound.wav" "$work/good"
if [[ -w /dev/full ]]; then
    if "$froth" check --frames 1 "$work/good" >/dev/full 2>"$work/err"; then
        fail "a table that could not be written was a success"
    fi
    has err 'could not be written'
fi

# For the board: what fits, what is not drawn, what is refused; the library's verdicts are not touched.
board() {
    local expected=$1 code=0
    shift
    "$froth" check --target milkymist-one --frames 4 --time-limit 600 "$@" >"$work/out" 2>"$work/err" || code=$?
    ((code == expected)) ||
        fail "check for the board, $*: exit code $code, not $expected: $(cat "$work/out" "$work/err")"
}

mkdir "$work/board"
cp "$work/good/moving.milk" "$work/board/fits.milk"
{
    cat "$work/good/moving.milk"
    printf 'shapecode_0_enabled=1\nbSolarize=1\n'
} >"$work/board/part.milk"
{
    echo '[preset00]'
    for ((i = 1; i <= 200; i++)); do
        echo "per_pixel_$i=q$((i % 32 + 1))=sin(x*$i+q$(((i + 7) % 32 + 1)))*cos(y*$i);zoom=zoom+q$((i % 32 + 1));"
    done
} >"$work/board/large.milk"
cp "$work/bad/equation.milk" "$work/board/wrong.milk"
cp "$work/bad/binary.milk" "$work/board/x.milk"
sum=$(sha256sum <"$verdicts")
board 1 "$work/board"
has out '^status  *fps  *load_ms  *flags  *preset$'
has out '^ok  *[1-9][0-9]*\.[0-9]* .*/fits\.milk$'
has out '^degraded  *[1-9][0-9]*\.[0-9]* .*/part\.milk$'
has out '^    .*part\.milk: warning: the board draws no solarized'
has out '^degraded .*/large\.milk$'
has out '^    .*large\.milk: warning: the board draws no motion by its per-vertex equations'
has out '^refused .*/wrong\.milk$'
has out '^    .*wrong\.milk:3:[0-9]+: error: '
has out '^error .*/x\.milk$'
has out '^5 presets: 1 ok, 2 degraded, 1 refused, 1 error, 0 timeout, 0 crash; '
board 0 --json "$work/board/fits.milk" "$work/board/part.milk"
has out '"status": "ok", "messages": \[\], "load_ms": [0-9.]+, "cpu_equations": false, "board_fps": [1-9][0-9.]+, "pfpu_cycles": [1-9]'
has out '"ok": 1, "degraded": 1, "refused": 0, "error": 0, '
[[ $sum == "$(sha256sum <"$verdicts")" ]] || fail "a check for the board changed the library's verdicts"
board 2 --fps 25 "$work/board/fits.milk"
board 2 --size 320x240 "$work/board/fits.milk"

# In shards, wherever they are checked, and one report again.
expect 1 --json --no-times "$work/good" "$work/bad"
cp "$work/out" "$work/whole"
has whole '"status": "error"'
grep -q '_ms' "$work/whole" && fail 'there are times'
reports=()
for ((shard = shards; shard > 0; shard--)); do
    cpu=()
    ((shard % 2)) || cpu=(--cpu plain)
    "$froth" check --size 64x48 --frames 8 --time-limit 600 --json --no-times --shard "$shard/$shards" "${cpu[@]}" \
        "$work/good" "$work/bad" >"$work/shard$shard" 2>"$work/err" || true
    reports+=("$work/shard$shard")
done
expect 1 --json --join "${reports[@]}"
cmp -s "$work/out" "$work/whole" || fail 'the shards are not the whole'
expect 1 --json --join "${reports[@]:1}"
has err "this is one of $shards shards, not of $((shards - 1))"
expect 1 --json --join "${reports[@]:1}" "$work/shard1"
has err 'two reports are of the same shard'
sed 's/"list": "./"list": "x/' "$work/shard1" >"$work/other"
expect 1 --json --join "$work/other" "${reports[@]::shards-1}"
has err 'this is no report of a shard'
expect 2 --shard 1/2 "$work/good"
expect 1 --json --shard 3/2 "$work/good"

