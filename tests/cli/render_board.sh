#!/usr/bin/env bash
# render --target milkymist-one: hashes of tests/data/board, and what the board does not have.
#   tests/cli/render_board.sh FROTH PROJECT            compares
#   tests/cli/render_board.sh FROTH PROJECT --accept   takes the hashes of now as right
set -uo pipefail

froth=$(realpath "$1") project=$(realpath "$2") accept=${3-}
data=$project/tests/data/board
table=$data/hashes.txt
# shellcheck source=lib/runs.sh
. "$(dirname "$0")/lib/runs.sh"

board() {
    run "$1" render "${@:2}" --target milkymist-one
}

path_of() {
    local own=$data/$1.milk
    [[ -f $own ]] && echo "$own" || echo "$project/presets/originals/$1.milk"
}

while IFS= read -r line; do
    if [[ $line == '#'* ]]; then
        echo "$line" >>new
        continue
    fi
    IFS='|' read -r name sound fps frames hash <<<"$line"
    name=${name% } sound=${sound// /} fps=${fps// /} frames=${frames// /} hash=${hash// /}
    board 0 "$(path_of "$name")" --audio "$sound" --fps "$fps" --frames "$frames" --hash
    all=$(sed -n 's/^all //p' out)
    echo "$name | $sound | $fps | $frames | $all" >>new
    [[ -n $accept || $all == "$hash" ]] || fail "$name at $fps: $all, expected $hash"
    cp out first
    board 0 "$(path_of "$name")" --audio "$sound" --fps "$fps" --frames "$frames" --hash --cpu plain
    cmp -s out first || fail "$name: plain C draws something else"
done <"$table"
[[ -n $accept ]] && cp new "$table"

preset=$data/motion.milk
board 0 "$preset" --frames 3 --hash --size 640x480 --mesh 32x32 --fps 24
cp out first
board 0 "$preset" --frames 3 --hash --levels board
cmp -s out first || fail 'what the board has anyway makes a difference'
for wrong in '--size 320x240' '--fps 60' '--fps 29.97' '--mesh 48x36' '--step-rate 60' \
    '--between blend' '--levels fft' '--stage-times'; do
    read -ra words <<<"$wrong"
    board 2 "$preset" --frames 3 --hash "${words[@]}"
    grep -q "; .*${words[0]}" err || fail "$wrong: no hint"
done

# All frames get their picture; two presets share them.
board 0 "$preset" "$data/drawn.milk" --frames 4 -o 'f%d.png'
[[ -f f1.png && -f f4.png && ! -f f5.png ]] || fail 'pictures'
board 0 "$preset" "$data/drawn.milk" --frames 4 --hash
[[ $(sed -n 1,2p out) == "$(sed -n 1,2p first)" ]] || fail 'the first of two presets'
[[ $(sed -n 3p out) != "$(sed -n 3p first)" ]] || fail 'the second of two presets'

# What does not fit says where.
printf '[preset00]\nzoom=1\nper_frame_1=a=1;\nper_pixel_1=zoom=1+(3*x;\n' >unfit.milk
board 1 unfit.milk --frames 2 --hash
grep -q "unfit.milk:4:.*error: missing ')'" err || fail "unfit: $(cat err)"
board 1 unfit.milk "$preset" --frames 2 --hash
[[ $(sed -n 1,2p out) == "$(sed -n 1,2p first)" ]] || fail 'a preset that does not fit is left out'
printf '[preset00]\nper_pixel_1=zoom=1+megabuf(x);\n' >still.milk
board 0 still.milk --frames 2 --hash
grep -q 'still.milk:2:.*warning: .*lacks megabuf' err || fail "no word of megabuf: $(cat err)"
grep -q 'still.milk: warning: the board draws no motion by its per-vertex equations' err || fail 'no word of motion'
board 1 missing.milk --frames 2 --hash
printf '[preset00]\nnWaveMode=7\nfWaveAlpha=1\nbInvert=1\nbDarkenCenter=1\n' >lacking.milk
board 0 lacking.milk --frames 2 --hash
for what in 'inverted' 'darkened centre'; do
    grep -q "lacking.milk: warning: the board draws no .*$what" err || fail "no word of $what"
done
# What does not fit into a frame's time is said.
printf '[preset00]\nfWaveAlpha=0\nshapecode_0_enabled=1\nshapecode_0_num_inst=1000\nshapecode_0_rad=3\n' >heavy.milk
printf '[preset00]\nfWaveAlpha=0\nshapecode_0_enabled=1\n' >light.milk
"$froth" check --target milkymist-one --frames 4 heavy.milk light.milk >out 2>&1 || fail 'check of heavy shapes'
grep -q '^degraded .*heavy.milk' out || fail "heavy: $(cat out)"
grep -q 'heavy.milk: warning: the board leaves out up to .* custom shapes' out || fail "no word of shapes: $(cat out)"
grep -q 'heavy.milk: warning: the board draws, in turns, one of 32 rows' out || fail "no word of rows: $(cat out)"
grep -q '^ok .*light.milk' out || fail "light: $(cat out)"
exit $failed
