#!/usr/bin/env bash
# A rendering that is stopped goes on from its last checkpoint: checkpoints.sh FROTH SOURCE [KILLS]      3 if not given
# By kill -9 and by Ctrl-C; with parts that a power cut has torn, other options, and two renderings of one film at once. All
# frames, the sound and the chapters are those of a film that was made in one go. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
kills=${3:-3}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need ffmpeg ffprobe python3
logs='messages'
work=$(mktemp -d) || exit 1
trap 'end_all' EXIT
alone
cd "$work" || exit 1
mkdir presets
for name in "Aurora Engine" "Carina Mill" "Codec Weather" "Copper Throat"; do
    cp "$source/presets/originals/froth - $name.milk" presets
done
printf '%s\n' '[preset00]' 'per_frame_1=ob_size=0.2; ob_a=1; ob_r=idmx1; ob_g=0; ob_b=0;' > presets/light.milk
# Levels at 4.1 s, in the second of a checkpoint, and later.
{
    echo "OLA Show"
    for level in 40 250 90 200 20 140 70; do
        printf '1 %s,0,0\n900\n' "$level"
    done
    echo '1 0'
} > light.show

film=(presets --audio demo --duration 6 --size 96x64 --fps 30 --light-recording light.show --seed 3 --hash --threads 1)
# render OPTION...: hashes to found
render() { "$froth" render "${film[@]}" "$@" > found 2> messages; }
frames() { grep '^frame' "$1"; }
same() {
    [ "$(frames found | wc -l)" = 180 ] || fail "$1: there are not all frames"
    cmp -s <(frames whole) <(frames found) || fail "$1: the frames differ"
    [ "$(packets "$2")" = 180 ] || fail "$1: the film has not all frames"
    [ ! -e "$2.checkpoints" ] || fail "$1: its checkpoints stay"
}
packets() { ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }
sound() { ffmpeg -v error -i "$1" -map 0:a -f md5 -; }
chapters() { ffprobe -v error -show_chapters "$1" | grep -E '^(start|end|TAG)'; }

"$froth" render "${film[@]}" --segment 1/1 -o whole.ts > whole 2> messages || fail "one piece"
"$froth" join whole.ts -o whole.mp4 2> messages || fail "one film"

# ---- not stopped ----

render --checkpoint-every 1 -o once.mp4 || fail "a rendering with checkpoints"
same "not stopped" once.mp4
grep -q '^all ' found || fail "there is no hash of all"
[ "$(sound once.mp4)" = "$(sound whole.mp4)" ] || fail "the sound differs"
[ "$(chapters once.mp4)" = "$(chapters whole.mp4)" ] || fail "the chapters differ"

# ---- killed, at any moment ----

at_least() { [ "$(find "$2" -name '*.piece' 2> /dev/null | wc -l)" -ge "$1" ]; }
for kill in $(seq "$kills"); do
    for parts in 1 3; do # two deaths of a film
        "$froth" render "${film[@]}" --checkpoint-every 0.7 -o "killed$kill.mp4" > found 2> messages &
        player=$!
        wait_for "no checkpoint comes" at_least "$parts" "killed$kill.mp4.checkpoints"
        sleep "0.$((RANDOM % 2))$((RANDOM % 10))"
        kill -9 "$player" 2> /dev/null
        wait "$player" 2> /dev/null
        [ -e "killed$kill.mp4" ] && break # it was faster
    done
    [ -e "killed$kill.mp4" ] && continue
    render --checkpoint-every 0.7 -o "killed$kill.mp4" || fail "kill $kill: it does not go on"
    grep -q 'note: it goes on after' messages || fail "kill $kill: it begins anew"
    same "kill $kill" "killed$kill.mp4"
    [ "$(sound "killed$kill.mp4")" = "$(sound whole.mp4)" ] || fail "kill $kill: the sound differs"
    [ "$(chapters "killed$kill.mp4")" = "$(chapters whole.mp4)" ] || fail "kill $kill: the chapters differ"
done

# ---- stopped by hand, then torn by a power cut ----

"$froth" render "${film[@]}" --checkpoint-every 0.5 -o torn.mp4 > found 2> messages &
player=$!
wait_for "no checkpoint comes" at_least 3 torn.mp4.checkpoints
kill -INT "$player"
if wait "$player"; then
    echo "this machine is too fast to stop it: left out"
else
    grep -q 'the same command goes on from there' messages || fail "it is not told how to go on"
    echo mine > torn.mp4.checkpoints/mine
    cp -r torn.mp4.checkpoints torn
    # Another length, another quality: another film, and what there is stays.
    render --checkpoint-every 0.5 --duration 7 -o torn.mp4 && fail "another film goes on"
    grep -q 'remove that folder' messages || fail "it is not told why"
    render --checkpoint-every 0.5 --quality draft -o torn.mp4 && fail "another quality goes on"
    diff -r torn torn.mp4.checkpoints > messages || fail "a refused rendering changes checkpoints"
    # The newest part is not whole, and the newest state of those left is not either.
    newest=$(find torn.mp4.checkpoints -name '*.ts' | sort | tail -n 1)
    state=$(find torn.mp4.checkpoints -name '*.state' | sort | tail -n 1)
    truncate -s 100 "$newest"
    truncate -s 0 "$state"
    render --checkpoint-every 0.5 -o torn.mp4 || fail "it does not go on from torn checkpoints"
    cmp -s <(frames whole) <(frames found) || fail "torn: the frames differ"
    [ "$(cat torn.mp4.checkpoints/mine)" = mine ] || fail "a foreign file is removed"
    [ "$(find torn.mp4.checkpoints -type f | wc -l)" = 1 ] || fail "torn: its checkpoints stay"
fi

# ---- two at once; nothing of it is whole; what cannot be ----

mkfifo door
"$froth" render "${film[@]}" --checkpoint-every 0.5 -o two.mp4 > door 2> messages & # waits for a reader
player=$!
exec 3< door
wait_for "no folder of checkpoints" test -e two.mp4.checkpoints/.froth.lock
kill -STOP "$player"
render --checkpoint-every 0.5 -o two.mp4 && fail "two render one film"
grep -q 'another froth renders this film' messages || fail "it is not told that another one renders"
kill -CONT "$player"
cat <&3 > found
wait "$player" || fail "the first of two"
for file in 000000000000.ts 000000000000.ts.piece 000000000015.state; do
    mkdir -p bad.mp4.checkpoints
    head -c 3000 /dev/urandom > "bad.mp4.checkpoints/$file"
done
render --checkpoint-every 0.5 -o bad.mp4 || fail "checkpoints of nonsense"
same "nonsense" bad.mp4
for wrong in "-o x.png" "-o -" "-o x.webm" "--segment 1/2 -o x.ts" "--target milkymist-one -o x.mp4"; do
    # shellcheck disable=SC2086
    "$froth" render presets --frames 2 --checkpoint-every 1 $wrong > /dev/null 2> messages
    [ $? = 2 ] || fail "--checkpoint-every with $wrong"
done
exit 0
