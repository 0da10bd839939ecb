#!/usr/bin/env bash
# Films by a graphics processor, which may be one of software: a frame is finished while the device draws the next one, and all
# is as without: pictures, files, messages, what a stop, a failure or a lost device leaves: device_film.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/device.sh
. "$(dirname "$0")/lib/device.sh"
need ffmpeg stdbuf
logs='cpu gpu cpu.said gpu.said'
work=$(mktemp -d) || exit 1
trap 'end_all' EXIT
alone
cd "$work" || exit 1

try_device || fail "no list of devices"
grep -q '"gpu":' list || { echo "there is no device: skipped"; exit 77; }
grep -q '"gpu":.*"passed":true' list || fail "the device does not pass its trial"
for name in 'Bench Beam' Corona 'Late Movie'; do
    cp "$source/presets/originals/froth - $name.milk" "${name// /}.milk"
done
ffmpeg -loglevel error -f lavfi -i 'sine=frequency=220:sample_rate=48000:duration=4' -metadata title=Sine -metadata artist=Nobody \
    -ac 2 song.flac || fail "no sound"
small=(--size 150x90 --threads 2)

# What is said, but for how fast it went and which device there is.
said() { sed -i -e '/ frames  .* per second/d' -e '/which the processor plays/d' "$1"; }
# with NAME FILE ARGUMENTS...: a rendering into NAME, what it says into NAME.said, what it writes into NAME.FILE
with() {
    local name=$1 file=$2
    shift 2
    "$froth" render "$@" ${file:+-o "$name.$file"} --overwrite > "$name" 2> "$name.said"
    echo "exit code $?" >> "$name.said"
    said "$name.said"
    sed -i "s/$name\\.//" "$name.said"
}
# same WHAT FILE ARGUMENTS...: by the processor and by the device
same() {
    local what=$1 file=$2
    shift 2
    with cpu "$file" "$@"
    with gpu "$file" "$@" --device gpu
    cmp -s cpu gpu || fail "$what: other hashes"
    cmp -s cpu.said gpu.said || fail "$what: other messages"
    [ -z "$file" ] || cmp -s "cpu.$file" "gpu.$file" || fail "$what: another file"
    [ -s cpu ] || fail "$what: nothing"
}

# Pictures that stay, one after the other, with a title over them, of presets that give way; a preset that does not load.
printf 'no preset\n' > bad.milk
same 'a preset' '' Corona.milk "${small[@]}" --frames 12 --hash
same 'presets' '' BenchBeam.milk bad.milk Corona.milk LateMovie.milk "${small[@]}" --frames 18 --fps 12 --blend 0.3 --hash
same 'titles' '' Corona.milk "${small[@]}" --audio song.flac --frames 24 --fps 8 --titles always --hash
for between in newest blend; do
    same "fewer steps than frames, $between" '' Corona.milk LateMovie.milk "${small[@]}" --frames 16 --fps 40 --step-rate 15 \
        --between "$between" --hash
done
same 'more steps than frames' '' Corona.milk "${small[@]}" --frames 6 --fps 10 --step-rate 30 --hash
same 'a stream' '' Corona.milk LateMovie.milk "${small[@]}" --frames 8 --blend 0.1 -o -
# What reads the first frame slowly still reads it while others are drawn, some of them by the processor alone.
slow=(BenchBeam.milk Corona.milk --size 320x240 --threads 2 --frames 10 --blend 0.1 --audio song.flac --titles always -o -)
"$froth" render "${slow[@]}" > cpu 2> cpu.said || fail "no stream"
for which in cpu gpu; do
    "$froth" render "${slow[@]}" --device "$which" 2> gpu.said | (sleep 1; cat) > gpu
    cmp -s cpu gpu || fail "another stream to a slow reader by the $which"
done
same 'the last picture' png Corona.milk "${small[@]}" --frames 5 --hash

# Pieces, with what was before them or without, and checkpoints.
whole=(Corona.milk LateMovie.milk BenchBeam.milk "${small[@]}" --frames 18 --fps 12 --blend 0.2 --hash)
same 'a piece' ts "${whole[@]}" --segment 2/3
same 'a piece with a clean start' ts "${whole[@]}" --segment 3/3 --clean-start
same 'clean starts' '' "${whole[@]}" --fps 40 --step-rate 15 --clean-start
with cpu '' "${whole[@]}"
with gpu mp4 "${whole[@]}" --checkpoint-every 0.4 --device gpu
cmp -s cpu gpu || fail "checkpoints: other hashes"

# Light that blacks out and back, between steps too.
printf '%s\n' 'OLA Show' '1 255,0,0' 500 '1 255,255,0' 500 '1 255,0,255' 500 '1 0,255,0' 300 '1 0,0,255' 200 > show
printf '%s\n' 'in: [{protocol: artnet, universe: 1}]' 'set:' \
    ' - {channel: 2, call: blackout on}' ' - {channel: 3, call: blackout off}' > map.yaml
same 'blackouts' '' Corona.milk "${small[@]}" --light-recording show --light map.yaml --frames 80 --fps 40 --step-rate 15 --hash
[ "$(sort -k 3 cpu | cut -d ' ' -f 3 | uniq | wc -l)" -gt 8 ] || fail "all is black"

# A recorded show from one time to another, and as it was shown.
cp -r "$source/tests/data/set/first" set
for which in '--as-shown' '--from 0.3 --to 0.9' '--fps 25 --size 64x48'; do
    # shellcheck disable=SC2086
    same "a set, $which" '' set $which --hash
done

# Stages have their own time, and the frame has that of all of them: what is done meanwhile is in none.
with gpu '' Corona.milk "${small[@]}" --frames 8 --hash --stage-times --device gpu
awk '/^stage/ { on = 1 } on && /^[a-z]/ && !/^(stage|frame|device)/ { cpu += $2; wall += $3 } /^frame/ { all = $3; all_cpu = $2 }
    END { exit !(on && wall > 0 && wall <= all * 1.01 && cpu <= all_cpu * 1.01) }' gpu.said || fail "times of stages"

# Who reads goes away, and what codes fails: it ends at once.
"$froth" render Corona.milk "${small[@]}" --duration 200 -o - --device gpu 2> gpu.said | head -c 200000 > gpu
[ "${PIPESTATUS[0]}" -eq 1 ] && grep -q reader gpu.said || fail "a reader that goes away"
mkdir broken
printf '#!/bin/sh\nhead -c 100000 > /dev/null\nexit 1\n' > broken/ffmpeg
chmod +x broken/ffmpeg
PATH=$work/broken:$PATH "$froth" render Corona.milk "${small[@]}" --duration 200 -o left/x.mp4 --device gpu > gpu 2> gpu.said
[ $? -eq 1 ] && [ -z "$(ls left 2> /dev/null)" ] || fail "a coder that fails"
grep -q error gpu.said || fail "no word of a coder that fails"

# Who stops has a whole film of the frames that were finished.
"$froth" render Corona.milk "${small[@]}" --duration 200 --hash -o stopped.mp4 --device gpu > gpu 2> gpu.said &
wait_for "no film" test -s gpu
kill -INT $!
wait $! && fail "a stopped film is complete"
frames=$(sed -n 's/.*(\([0-9]*\) of 12000 frames).*/\1/p' gpu.said)
[ "$(grep -c '^frame ' gpu)" = "$frames" ] || fail "hashes of a stopped film: $(grep -c '^frame ' gpu), not $frames"
[ "$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 stopped.mp4 |
    tr -d ',')" = "$frames" ] || fail "frames of a stopped film"
with cpu '' Corona.milk "${small[@]}" --frames "$frames" --hash
cmp -s <(grep '^frame ' cpu) gpu || fail "other pictures of a stopped film"

# Devices that are lost, hang or have memory of their own, by a layer.
find_layers || exit 0
one=(Corona.milk "${small[@]}" --frames 6 --hash)
with cpu '' "${one[@]}"
# 9 submits before the first frame, and then 4 of each: the last of them is the composite, which is waited for behind the
# frame before.
for after in 12 18 20 32; do
    layer '' "$after" with gpu '' "${one[@]}" --device gpu
    cmp -s cpu gpu || fail "a device lost after $after stages leaves other pictures"
    [ "$(grep -c 'was lost; the processor goes on' gpu.said)" -eq 1 ] || fail "no word of a device lost after $after stages"
done
# A picture of a device with memory of its own is on its way before it is asked for: 11 submits before the first frame, 4 of
# each, and none to bring it.
layer apart 35 with gpu '' "${one[@]}" --device gpu
cmp -s cpu gpu || fail "other pictures of a device with memory of its own"
grep -q 'was lost' gpu.said && fail "pictures come back by submits of their own"
layer apart 34 with gpu '' "${one[@]}" --device gpu
grep -q 'was lost' gpu.said || fail "a device lost at its last picture is not told"
cmp -s cpu gpu || fail "other pictures of a device with memory of its own that is lost"

# From the composite of frame 2 on the device is slow: frame 1 is finished before that is waited for.
two=(Corona.milk "${small[@]}" --frames 2 --hash)
with cpu '' "${two[@]}"
layer slow 16 stdbuf -oL "$froth" render "${two[@]}" --device gpu 2> gpu.said |
    while read -r line; do printf '%s %s\n' "${EPOCHREALTIME/[.,]/}" "$line"; done > gpu
cmp -s cpu <(cut -d ' ' -f 2- gpu) || fail "other pictures of a slow device"
awk '$3 == 1 { one = $1 } $3 == 2 { two = $1 } END { exit !(two - one > 150000) }' gpu ||
    fail "the frame before is not finished while the device draws"
echo "films of a device: all the same"
