#!/usr/bin/env bash
# froth compile, and the instruments of froth lab that work on presets, from outside: compile.sh FROTH SOURCE [EACH]
# EACH: of so many presets one goes through the assembler, 12 if not given; 1: JSON of everything, too.
set -euo pipefail

froth=$(realpath "$1")
originals=$(realpath "$2")/presets/originals
each=${3:-12}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "compile.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" "$@" >out 2>err || code=$?
    ((code == expected)) || fail "$*: exit code $code, not $expected: $(cat out err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

lacks() { # FILE REGEX
    ! grep -qE -- "$2" "$1" || fail "'$2' is in: $(cat "$1")"
}

json() { # each line of out is one value; check_json looks
    [[ -s out ]] || fail "no JSON"
    cat out >>all.json
}

# All at once: starting a program for each takes longer than what is tested.
check_json() {
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys
for line in sys.stdin:
    try:
        json.loads(line)
    except ValueError:
        sys.exit("not JSON: " + line)' <all.json || fail "what --json prints"
    fi
}

number() { # KEY: the number behind it in out, which is JSON
    sed -E "s/.*\"$1\":([0-9.]+).*/\1/" out
}

schedulers=(greedy critical pipelined)
emits=(stats ir asm hex regs schedule)

# Assembler text makes the same words again, and words and registers run.
make() { # FILE ARGUMENTS...: what froth prints
    "$froth" "${@:2}" >"$1" 2>err || fail "${*:2}: $(cat "$1" err)"
}
way_through_assembler() { # PRESET SCHEDULER
    local scheduler=$2
    make p.asm compile "$1" --scheduler "$scheduler" --emit asm
    make p.hex compile "$1" --scheduler "$scheduler" --emit hex
    make out lab asm p.asm
    cmp out p.hex || fail "$1, $scheduler: words change on the way through assembler"
    scheduler=pipelined
    make p.hex compile "$1" --scheduler "$scheduler" --emit hex
    has p.hex '^# mesh: stages [23]$'
    make p.regs compile "$1" --scheduler "$scheduler" --emit regs
    has p.regs '^r[0-9]+ 00000000 # [a-z]'
    make out lab pfpu --hex p.hex --regs p.regs --mesh 2x2
    (($(wc -l <out) == 4)) || fail "not four vertices: $(cat out)"
    make out lab pfpu --hex p.hex --regs p.regs --json
    json
    has out '"collisions":0,"stray":0,'
}
# Beside all that follows, each half of the presets in a folder of its own, each preset with one of the schedulers: to start
# the program takes most of the time.
half() { # 0|1
    local all=("$originals"/*.milk) i
    mkdir "half$1"
    cd "half$1"
    for ((i = $1 * each; i < ${#all[@]}; i += 2 * each)); do
        way_through_assembler "${all[i]}" "${schedulers[i / each % 3]}"
    done
    check_json
}
half 0 &
halves=($!)
half 1 &
halves+=($!)

# Everything that can be printed, of every program of one preset.
preset="$originals/froth - Julia Voltage.milk"
for target in milkymist-one thesis; do
    for scheduler in "${schedulers[@]}"; do
        for program in per_frame per_pixel; do
            for emit in "${emits[@]}"; do
                arguments=("$preset" --target "$target" --scheduler "$scheduler"
                    --program "$program" --emit "$emit")
                expect 0 compile "${arguments[@]}"
                [[ -s out ]] || fail "${arguments[*]}: nothing is printed"
                [[ $each == 1 || $scheduler$program == pipelinedper_pixel ]] || continue
                expect 0 compile "${arguments[@]}" --json
                json
            done
        done
    done
done
for emit in stats ir asm; do
    expect 0 compile "$preset" --target host --emit "$emit"
    [[ -s out ]] || fail "host: no $emit"
    expect 0 compile "$preset" --target host --emit "$emit" --json
    json
done
for emit in hex regs schedule; do
    expect 2 compile "$preset" --target host --emit "$emit"
    has err 'the host has no '
done

# The program after each pass; every pass has its letter in the help.
passes_of() { # ARGUMENTS...: the names of the passes shown, in their order
    expect 0 compile "$@"
    sed -nE 's/^; per_[a-z]+ after ([a-z]+)$/\1/p' out | tr '\n' ' '
}
all=lfcduiegsrm
shown=$(passes_of "$preset" --target host --dump $all)
[[ $shown == "lower fold cse dce fuse schedule emit " ]] || fail "passes on the host: $shown"
shown=$(passes_of "$preset" --scheduler critical --program per_frame --dump $all)
[[ $shown == "lower fold cse dce select clean legalise schedule encode " ]] || fail "passes of the frame: $shown"
shown=$(passes_of "$preset" --dump $all)
[[ $shown == "lower fold select legalise schedule encode " ]] || fail "passes of the thesis: $shown"
has out '^; per_pixel after schedule$'
has out '^ +[0-9]+   %[0-9]+ = '
has out '^ *[0-9]+: vectout '
expect 0 compile "$preset" --emit asm
cp out asm
expect 0 compile "$preset" --dump m --emit asm
lacks out ' after (lower|schedule)$'
cmp <(tail -n "$(wc -l <asm)" out) asm || fail "--dump changes what --emit prints"
expect 0 compile "$preset" --dump $all --json
json
expect 2 compile "$preset" --dump lz
has err "no pass has the letter 'z'"
expect 2 compile "$preset" --program comp --dump l
expect 0 help compile
tr -s '\n ' ' ' <out >joined
for ((i = 0; i < ${#all}; i++)); do
    has joined "[ ,:]${all:i:1} (lower|fold|cse|dce|fuse|select|clean|legalise|schedule|emit|encode)\\b"
done

# One count of operations, words and cycles everywhere; the model takes as many cycles.
preset="$originals/froth - Tidal Glass.milk"
expect 0 compile "$preset" --json
operations=$(number instructions) words=$(number words) cycles=$(number cycles_per_vertex)
lacks out '"(instructions|words|cycles_per_vertex|registers|stages|lower_bound)":[0-9]*\.'
costs="; $words words, $operations operations, $cycles cycles per vertex"
expect 0 compile "$preset" --emit asm
has out "^$costs"
cp out p.asm
lines=$(grep -E '^ *[0-9]+: ' out | grep -vcE ': nop( |$)')
((lines == operations)) || fail "$lines operations in the text, not $operations"
expect 0 compile "$preset" --emit schedule
has out "^$costs"
expect 0 compile "$preset" --emit hex
cp out p.hex
expect 0 lab pfpu --hex p.hex --json
(($(number cycles) == cycles)) || fail "the model takes $(number cycles) cycles, not $cycles"
expect 0 lab schedule "$preset" --json
has out "\"latencies\":\"chip\".*\"greedy\":\{\"operations\":$operations,.*\"words\":$words,"
expect 0 compile "$preset"
has out 'at 100 MHz, as the papers count; [0-9]+ at the board.s 80 MHz$'
expect 0 compile "$preset" --target thesis
lacks out '80 MHz'
expect 0 compile "$preset" --program per_frame
has out '^cycles  *[0-9]+, once per frame$'
lacks out 'per second'
expect 0 compile "$preset" --scheduler pipelined --json
(($(number lower_bound) == $(number instructions))) || fail "a lower bound that is none: $(cat out)"

# The CPU computes the per-frame equations.
printf '[preset00]\nper_frame_1=zoom=1+megabuf(5)*0.01;\nper_pixel_1=rot=x*0.1;\n' >cpu.milk
expect 0 compile cpu.milk --program per_frame
has out '^equations  *run on the board.s CPU'
expect 0 compile cpu.milk --program per_frame --json
has out '"equations_on_cpu":true'
expect 0 compile cpu.milk
lacks out 'CPU'

# What has errors, does not fit, or is not there.
printf '[preset00]\nper_frame_1=zoom=(1;\nper_pixel_1=rot=x*0.1;\n' >wrong.milk
printf '[preset00]\nper_pixel_1=rot=megabuf(x);\n' >unfit.milk
expect 1 compile wrong.milk
has err '^wrong\.milk:2:[0-9]+: error: '
expect 1 compile wrong.milk --target host
has err '^wrong\.milk:2:[0-9]+: error: '
expect 1 compile unfit.milk
has err 'does not fit'
expect 0 compile unfit.milk --target host
expect 1 compile missing.milk
expect 2 compile
expect 2 compile "$preset" "$preset"
for pair in '--target milkymist' '--program per_vertex' '--scheduler best' '--emit words'; do
    # shellcheck disable=SC2086
    expect 2 compile "$preset" $pair
    has err "is not known; it takes [a-z_-]+\|"
done
if [[ -w /dev/full ]]; then
    for emit in stats asm hex; do
        code=0
        "$froth" compile "$preset" --emit "$emit" >/dev/full 2>err || code=$?
        ((code == 1)) || fail "output that could not be written: exit code $code"
        has err '^froth: error: standard output: '
    done
fi

# Proofs: messages once, exit codes.
expect 0 lab prove --trials 20 "$originals"
has out '^prove: [0-9]+ presets, [0-9]+ fit, [0-9]+ programs, 0 wrong$'
expect 0 lab prove --trials 5 --json "$originals" unfit.milk
json
has out '^\{"list":\[\],"presets":[0-9]+,"fit":[0-9]+,"programs":[0-9]+,"wrong":0\}$'
(($(grep -c '^unfit' err) == 1)) || fail "not one message about a preset: $(cat err)"
expect 1 lab prove --trials 5 wrong.milk cpu.milk
has err '^wrong\.milk:2:'
has out '^prove: 2 presets, 1 fit, 8 programs, 0 wrong$'
expect 1 lab prove unfit.milk
expect 1 lab prove missing.milk
expect 2 lab prove

# The table: whole names, messages once, no heads without rows.
name=$(printf 'caf\303\251 \001 and a name that is longer than its column')
cp cpu.milk "$name.milk"
expect 1 lab schedule "$name.milk" unfit.milk
has out 'thesis: '
has out '^unfit .*\| does not compile'
grep -qF 'café ? and a name that is lo|' out || fail "a wrong cut: $(cat out)"
(($(grep -c '^unfit' err) == 1)) || fail "not one message about a preset: $(cat err)"
expect 1 lab schedule "$name.milk" unfit.milk --json
json
has out 'longer than its column","latencies":"chip","measured":null,'
has out '"unfit","latencies":"thesis","measured":null,"greedy":null,"critical":null'
cp cpu.milk Default.milk
expect 0 lab schedule Default.milk --json
has out '"measured":\{"thesis_operations":192,'
expect 0 compile "$name.milk"
has out '^preset  *caf.* \? and a name that is longer than its column$'
: >empty.milk
expect 1 lab schedule empty.milk
[[ ! -s out ]] || fail "heads without rows: $(cat out)"
(($(grep -c . err) == 1)) || fail "not one message: $(cat err)"
expect 2 lab schedule

# Times are of what compiles.
expect 0 lab time "$preset" unfit.milk
has out '^host  *2 of 2 presets, median [0-9.]+ ms'
for scheduler in greedy critical pipelined quick; do
    has out "^milkymist-one $scheduler  *1 of 2 presets, median "
done
(($(wc -l <out) == 5)) || fail "lab time: $(cat out)"
expect 1 lab time missing.milk
[[ ! -s out ]] || fail "times of nothing: $(cat out)"
expect 1 lab time "$preset" empty.milk --json
json
has out '"compiler":"host","presets":1,"left_out":1,'
(($(grep -c . err) == 1)) || fail "not one message: $(cat err)"

# Instruments take their own options only.
expect 2 lab time "$preset" --trials 3
has err 'lab time: it does not know --trials; usage: froth lab time '
expect 2 lab prove "$preset" --hex p.hex
expect 2 lab schedule "$preset" --mesh 2x2
expect 2 lab asm p.asm --regs p.regs
expect 2 lab pfpu --hex p.hex --trials 3
expect 2 lab asm p.asm p.asm
has err 'it takes one file'
expect 0 lab asm p.asm --json
json
expect 1 lab asm p.hex
expect 0 help lab
lacks out 'froth help lab'

# Roots and division: ours are more exact than the thesis' figures.
expect 0 lab accuracy
has out '^invsqrt +10 operations, error up to 2\.[0-9]+e-06'
has out '^division +10 operations, error up to 9\.[0-9]+e-07'
expect 0 lab accuracy --json
json
expect 2 lab accuracy file

# Pixel shaders.
for preset in "$originals/froth - Corona.milk" "$originals/froth - Gyroid Cathedral.milk"; do
    expect 0 compile "$preset" --program comp
    has out '^operations +[0-9]+ per pixel$'
    has out '^estimate +[0-9.]+ ms for a megapixel$'
    expect 0 compile "$preset" --program comp --json
    json
    (($(number operations) > 20)) || fail "hardly any operations: $(cat out)"
    expect 0 compile "$preset" --program comp --emit ir
    has out '^ret %'
    has out ' = input uv\.[xy]'
    expect 0 compile "$preset" --program comp --emit ir --json
    json
    expect 2 compile "$preset" --program comp --emit hex
    has err 'a shader has no hex; give --emit stats or ir'
done
expect 1 compile "$originals/froth - Gyroid Cathedral.milk" --program warp
has err 'the preset has no warp shader'
cat >broken.milk <<'END'
MILKDROP_PRESET_VERSION=201
PSVERSION_COMP=2
[preset00]
comp_1=`shader_body {
comp_2=`  ret = GetPixel(uv) * brightness;
comp_3=`}
END
expect 1 compile broken.milk --program comp
has err "^broken.milk:5:32: error: 'brightness' is not declared; "
expect 0 check --frames 3 broken.milk
has out '^degraded .*broken.milk$'

check_json
for half in "${halves[@]}"; do
    wait "$half" || fail "the way through assembler"
done
