#!/usr/bin/env bash
# froth render from outside: hashes, lengths, outputs, sound in step, failures, exit codes.
set -euo pipefail

froth=$(realpath "$1")
# shellcheck source=lib/patience.sh
. "$(dirname "$0")/lib/patience.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "render.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth render, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" render "$@" >out 2>err || code=$?
    ((code == expected)) || fail "render $*: exit code $code, not $expected: $(cat err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

same() { # A B WHAT
    [[ $1 == "$2" ]] || fail "$3: '$1', not '$2'"
}

last_frame() {
    grep -c '^frame ' out || true
}

# stream FILE v|a: start and end of a stream in whole milliseconds.
stream() {
    ffprobe -v error -select_streams "$2" -show_entries packet=pts_time,duration_time -of csv=p=0 \
        "$1" | awk -F, 'NR == 1 || $1 < low { low = $1 } $1 + $2 > high { high = $1 + $2 }
                        END { printf "%d %d\n", low * 1000, high * 1000 }'
}

cat >red.milk <<'MILK'
[preset00]
fDecay=0
nWaveMode=0
fWaveAlpha=0
per_frame_1=ob_size=0.5; ob_a=1; ob_r=frame*0.01; ob_g=0; ob_b=0;
MILK
cat >loud.milk <<'MILK'
[preset00]
fDecay=0.9
nWaveMode=0
fWaveAlpha=1
per_frame_1=zoom=1+0.1*bass; rot=0.1*sin(time); ob_size=0.02; ob_a=1; ob_g=min(1,treb*0.5);
MILK
printf 'no preset at all' >bad.milk
ffmpeg -loglevel error -f lavfi -i 'sine=frequency=440:sample_rate=48000:duration=2.5' -ac 2 song.flac
small=(--size 64x48 --mesh 8x6)

# Lengths.
expect 0 red.milk "${small[@]}" --hash --frames 7
same "$(last_frame)" 7 'frames of --frames'
has out '^frame 1 [0-9a-f]{16}$'
has out '^all [0-9a-f]{16}$'
expect 0 red.milk "${small[@]}" --hash --duration 0.5 --fps 24
same "$(last_frame)" 12 'frames of --duration'
expect 0 red.milk "${small[@]}" --hash --duration 0:00.5 --fps 30000/1001
same "$(last_frame)" 15 'frames of a time at a rate that is a fraction'
expect 0 red.milk "${small[@]}" --hash --audio song.flac --fps 10
same "$(last_frame)" 25 'frames of a sound'
expect 0 red.milk "${small[@]}" --hash --audio song.flac --fps 10 --start 1
same "$(last_frame)" 15 'frames of the rest of a sound'
expect 0 red.milk "${small[@]}" --hash --fps 5
same "$(last_frame)" 50 'frames of an endless sound'
expect 1 red.milk "${small[@]}" --hash --audio song.flac --start 3
has err 'behind the end of the sound'

# A sound that breaks off is followed by silence; one without a single sample is refused.
size=$(stat -c %s song.flac)
head -c $((size - 9000)) song.flac >short.flac
expect 0 red.milk "${small[@]}" --hash --audio short.flac --fps 10
same "$(last_frame)" 25 'frames of a sound that breaks off'
same "$(grep -c 'breaks off' err)" 1 'warnings of a sound that breaks off'
if ffmpeg -loglevel error -i song.flac song.mp3; then # it may not make these
    size=$(stat -c %s song.mp3)
    head -c $((size / 2)) song.mp3 >short.mp3
    expect 0 red.milk "${small[@]}" --hash --audio song.mp3 --fps 10
    same "$(grep -c 'breaks off' err)" 0 'warnings of a whole MP3'
    expect 0 red.milk "${small[@]}" --hash --audio short.mp3 --fps 10
    same "$(grep -c 'breaks off' err)" 1 'warnings of an MP3 that breaks off'
    seq 2000 >noise.mp3
    expect 1 red.milk "${small[@]}" --hash --audio noise.mp3
    has err 'cannot read this sound: Format not recognised'
fi
ffmpeg -loglevel error -i song.flac song.ogg
head -c 4200 song.ogg >short.ogg
expect 1 red.milk "${small[@]}" --hash --audio short.ogg
has err 'there is no sound in the file'
expect 0 red.milk "${small[@]}" --hash --audio song.flac --fps 10 --duration 4
same "$(last_frame)" 40 'frames beyond a sound'

# The same picture whatever paints it; another one from other sound.
expect 0 loud.milk "${small[@]}" --hash --frames 30
all=$(tail -n 1 out)
expect 0 loud.milk "${small[@]}" --hash --frames 30 --threads 3 --cpu plain
same "$(tail -n 1 out)" "$all" 'hash with other threads and processor'
expect 0 loud.milk "${small[@]}" --hash --frames 30 --start 1
[[ $(tail -n 1 out) != "$all" ]] || fail '--start changes nothing'

# Several presets share the length; a bad one is left out, which the exit code says.
mkdir folder
cp red.milk loud.milk folder
expect 0 red.milk "${small[@]}" --hash --frames 9
red=$(sed -n 1,9p out)
expect 1 red.milk bad.milk loud.milk "${small[@]}" --hash --frames 9
has err 'bad.milk.*error'
has err 'error: a preset is missing in what was rendered'
has err 'note: 3 presets share 0.15 seconds'
same "$(sed -n 1,3p out)" "$(sed -n 1,3p <<<"$red")" 'the first third'
[[ $(sed -n 4p out) != "$(sed -n 4p <<<"$red")" ]] || fail 'a bad preset keeps its share'
expect 1 bad.milk red.milk bad.milk "${small[@]}" --hash --frames 9
same "$(sed -n 1,9p out)" "$red" 'one of three that loads'
expect 0 folder "${small[@]}" --hash --frames 10
same "$(last_frame)" 10 'frames of a folder'
expect 0 loud.milk "${small[@]}" --hash --frames 10
expect 1 bad.milk "${small[@]}" --hash --frames 10
has err 'no preset to render'
expect 1 missing.milk "${small[@]}" --hash
expect 1 red.milk missing.milk "${small[@]}" --frames 4 -o lacking.png
has err 'missing.milk: error: '
[[ -s lacking.png ]] || fail 'a missing preset among others leaves no picture'
printf '%s\n' '- preset: red.milk' '- preset: missing.milk' >lacking.yaml
expect 1 lacking.yaml "${small[@]}" --hash --frames 4
same "$(last_frame)" 4 'frames of a playlist that names a missing preset'
has err 'error: a preset is missing'
expect 1 red.milk missing.yaml "${small[@]}" --hash --frames 4
same "$(last_frame)" 4 'frames beside a missing playlist'

expect 0 red.milk "${small[@]}" --hash --frames 1 --textures nowhere
has err 'nowhere: warning: --textures: there is no such folder'

# --advance: so long each, then the first again; --order by the seed; --names over the picture, as long as play shows them.
expect 0 loud.milk red.milk "${small[@]}" --hash --fps 60 --frames 18 --advance 0.1 --transition cut
shown=$(cut -d' ' -f3 out)
expect 0 loud.milk "${small[@]}" --hash --fps 60 --frames 18
same "$(sed -n 1,6p <<<"$shown")" "$(cut -d' ' -f3 out | sed -n 1,6p)" 'the first for so long'
[[ $(sed -n 7p <<<"$shown") != "$(cut -d' ' -f3 out | sed -n 7p)" ]] || fail 'no second behind --advance'
expect 0 loud.milk red.milk "${small[@]}" --hash --fps 60 --frames 12 --advance 1:00
has err 'note: the film ends before all of its 2 presets were shown'
orders=()
for seed in 0 1 2 3 4 5 6 7; do
    expect 0 folder red.milk loud.milk "${small[@]}" --hash --fps 60 --frames 12 --order random --seed $seed --transition cut
    orders+=("$(tail -n 1 out)")
    expect 0 folder red.milk loud.milk "${small[@]}" --hash --fps 60 --frames 12 --order random --seed $seed --transition cut
    same "$(tail -n 1 out)" "${orders[-1]}" 'the order of a seed'
done
(($(printf '%s\n' "${orders[@]}" | sort -u | wc -l) > 1)) || fail 'all seeds have one order'
expect 0 red.milk "${small[@]}" --hash --fps 10 --frames 60
plain=$(cut -d' ' -f3 out)
expect 0 red.milk "${small[@]}" --hash --fps 10 --frames 60 --names first
named=$(cut -d' ' -f3 out)
[[ $(sed -n 1p <<<"$named") != "$(sed -n 1p <<<"$plain")" ]] || fail 'no name at first'
[[ $(sed -n 30p <<<"$named") != "$(sed -n 30p <<<"$plain")" ]] || fail 'the name goes too early'
same "$(sed -n 45,60p <<<"$named")" "$(sed -n 45,60p <<<"$plain")" 'the picture behind the name'

# A playlist says how long each is shown, and begins again; a sound that is named as a preset is told at once.
printf '%s\n' '- preset: loud.milk' '  seconds: 0.1' '- preset: red.milk' '  seconds: 0.1' >set.yaml
expect 0 set.yaml "${small[@]}" --hash --fps 60 --frames 18 --transition cut
set=$(cut -d' ' -f3 out)
expect 0 loud.milk "${small[@]}" --hash --fps 60 --frames 18
same "$(sed -n 1,6p <<<"$set")" "$(cut -d' ' -f3 out | sed -n 1,6p)" 'the first of a playlist'
[[ $(sed -n 7p <<<"$set") != "$(cut -d' ' -f3 out | sed -n 7p)" ]] || fail 'no second of a playlist'
expect 0 loud.milk red.milk "${small[@]}" --hash --fps 60 --frames 12 --transition cut
same "$(sed -n 1,12p <<<"$set")" "$(cut -d' ' -f3 out | sed -n 1,12p)" 'a playlist and its presets'
expect 0 loud.milk red.milk "${small[@]}" --hash --fps 60 --duration 0.3 --transition cut
[[ $(sed -n 15p <<<"$set") != "$(cut -d' ' -f3 out | sed -n 15p)" ]] || fail 'a playlist ends'
expect 1 red.milk song.flac "${small[@]}" --hash --frames 9
has err 'song.flac: error: this is a sound, not a preset; give it with --audio'

# Wrong usage.
expect 2
expect 2 red.milk
has err '-o OUT'
expect 2 red.milk --hash -o -
expect 2 red.milk --hash --jobs 3
expect 2 red.milk --hash --target board
"$froth" version extra 2>err && fail 'version takes words'
has err 'extra'
expect 1 red.milk "${small[@]}" -o x.avi
expect 1 red.milk "${small[@]}" -o folder

# Video files: the sound is as long as the picture, neither late nor early, and bytes repeat.
for kind in mp4 mkv webm; do
    expect 0 red.milk "${small[@]}" --audio song.flac --start 0.5 --fps 25 -o "song.$kind"
    cp "song.$kind" first
    expect 0 red.milk "${small[@]}" --audio song.flac --start 0.5 --fps 25 --overwrite -o "song.$kind"
    cmp -s first "song.$kind" || fail "$kind: two renderings differ"
    same "$(ffprobe -v error -count_packets -select_streams v -show_entries \
        stream=nb_read_packets -of csv=p=0 "song.$kind")" 50 "frames in $kind"
    read -r video_from video_to < <(stream "song.$kind" v)
    read -r audio_from audio_to < <(stream "song.$kind" a)
    for difference in $((video_from - audio_from)) $((video_to - audio_to)); do
        ((difference >= -40 && difference <= 40)) ||
            fail "$kind: picture $video_from..$video_to, sound $audio_from..$audio_to"
    done
done
expect 0 red.milk "${small[@]}" --fps 25 --duration 1 -o demo.mp4
same "$(ffprobe -v error -show_entries stream=codec_type -of csv=p=0 demo.mp4 | tr '\n' ' ')" \
    'video audio ' 'streams with the demo tune'
expect 0 red.milk "${small[@]}" --frames 2 -o new/film.mp4
same "$(ls new)" film.mp4 'a video in a new folder'
expect 0 red.milk "${small[@]}" --frames 2 -o new2/new/film.mp4
same "$(ls new2/new)" film.mp4 'a video in two new folders'
expect 0 red.milk "${small[@]}" --frames 2 -o deep/er/still/%04d.png
same "$(ls deep/er/still | tr '\n' ' ')" '0001.png 0002.png ' 'pictures in new folders'
expect 1 red.milk "${small[@]}" --frames 2 -o new/film.mp4/no/film.mp4
has err 'cannot make the folder'
expect 0 red.milk "${small[@]}" --frames 2 --codec hevc --fps 30000/1001 -o rate.mp4
same "$(ffprobe -v error -select_streams v -show_entries stream=codec_name,r_frame_rate -of csv=p=0 rate.mp4)" \
    hevc,30000/1001 'codec and rate'
expect 2 red.milk "${small[@]}" --frames 2 -y -o rate.mp4
has err 'unknown option -y; did you mean --overwrite\?'
name=$(printf 'x%.0s' {1..250})
expect 0 red.milk "${small[@]}" --frames 2 -o "$name.mp4"
expect 1 red.milk "${small[@]}" --frames 2 -o "$name$name.mp4"
has err 'cannot write'
expect 0 red.milk --size 33x17 --frames 3 -o odd.webm
expect 1 red.milk --size 33x17 --frames 3 -o odd.mp4
has err 'even width and height'

# Pictures and Y4M hold the same pixels (Y4M to within the rounding of its colours).
expect 0 red.milk "${small[@]}" --frames 3 -o 'pictures/%02d.png'
same "$(echo pictures/*)" 'pictures/01.png pictures/02.png pictures/03.png' 'pictures'
expect 0 red.milk "${small[@]}" --frames 3 -o last.png
cmp -s last.png pictures/03.png || fail 'the last picture differs from the third'
"$froth" render red.milk "${small[@]}" --frames 3 -o - 2>err >movie.y4m
same "$(head -n 1 movie.y4m)" 'YUV4MPEG2 W64 H48 F60:1 Ip A1:1 C444 XCOLORRANGE=LIMITED' 'Y4M header'
same "$(stat -c %s movie.y4m)" $((57 + 3 * (6 + 3 * 64 * 48))) 'size of the Y4M'
# Frames that wait for a slow reader are not drawn over.
for rate in 30000/1001:F30000:1001 29.97:F30000:1001 2997/100:F2997:100 25/2:F25:2; do
    "$froth" render red.milk "${small[@]}" --frames 1 --fps "${rate%%:*}" -o - 2>err >rate.y4m
    same "$(head -n 1 rate.y4m | cut -d' ' -f4)" "${rate#*:}" "rate of the Y4M for --fps ${rate%%:*}"
done

# What the README says of the pipe to ffmpeg: the film is tagged, and a reader that heeds that has the picture's colours.
cat >green.milk <<'MILK'
[preset00]
fDecay=0
nWaveMode=0
fWaveAlpha=0
per_frame_1=ob_size=0.5; ob_a=1; ob_r=0.2; ob_g=0.8; ob_b=0.1;
MILK
centre() { ffmpeg -loglevel error -i "$1" -frames:v 1 -vf format=rgb24,crop=8:8,scale=1:1:flags=area -f rawvideo - | od -An -tu1; }
for shape in 128x720:bt709 128x480:smpte170m; do
    "$froth" render green.milk --size "${shape%%:*}" --frames 2 -o - 2>err |
        ffmpeg -loglevel error -y -colorspace "${shape#*:}" -i - -c:v libx264 -pix_fmt yuv420p tagged.mp4
    same "$(ffprobe -v error -show_entries stream=color_space,color_range -of csv=p=0 tagged.mp4)" "tv,${shape#*:}" 'the tags'
    expect 0 green.milk --size "${shape%%:*}" --frames 2 --overwrite -o green.png
    read -r -a film < <(centre tagged.mp4)
    read -r -a picture < <(centre green.png)
    for i in 0 1 2; do
        ((film[i] - picture[i] <= 4 && picture[i] - film[i] <= 4)) || fail "${shape%%:*}: ${film[*]}, not ${picture[*]}"
    done
done
"$froth" render loud.milk --size 320x240 --frames 6 -o - 2>err >quick.y4m
"$froth" render loud.milk --size 320x240 --frames 6 -o - 2>err | (sleep 1 && cat) >slow.y4m
cmp quick.y4m slow.y4m || fail 'a slow reader gets another movie'
ffmpeg -loglevel error -i last.png -f rawvideo -pix_fmt gray last.gray
[[ -s last.gray ]] || fail 'the picture cannot be read back'

mkdir '50%'
expect 0 red.milk "${small[@]}" --frames 3 -o '50%/100%%-%d.png'
same "$(echo 50%/*)" '50%/100%-1.png 50%/100%-2.png 50%/100%-3.png' 'percent signs in a name'
expect 1 red.milk "${small[@]}" --frames 3 -o 'a%.png'
has err '%% for a percent sign'

# Full disks, readers that go away, signals: an error, exit code 1, and nothing half there.
if [[ -w /dev/full ]]; then
    for kind in '-o -' --hash; do
        code=0
        # shellcheck disable=SC2086
        "$froth" render red.milk "${small[@]}" $kind >/dev/full 2>err || code=$?
        same "$code" 1 "exit code on a full disk with $kind"
        has err 'No space left'
    done
fi
codes=$(set +eo pipefail; "$froth" render red.milk --size 320x240 -o - 2>err | head -c 100 >out
        echo "${PIPESTATUS[0]}")
same "$codes" 1 'exit code without a reader'
has err 'reader'
for arguments in '-o -' --hash help; do
    code=0
    # shellcheck disable=SC2086
    if [[ $arguments == help ]]; then
        "$froth" help >&- 2>err || code=$?
    else
        "$froth" render red.milk "${small[@]}" --frames 2 $arguments >&- 2>err || code=$?
    fi
    same "$code" 1 "exit code without a standard output for $arguments"
    has err '^froth: error: standard output: '
done

# An ffmpeg that takes nothing, that does not end, or that writes nothing.
mkdir stopped idle endless empty
printf '#!/bin/sh\nwhile :; do sleep 1; done\n' >idle/ffmpeg
printf '#!/bin/sh\ncat >/dev/null\nwhile :; do sleep 1; done\n' >endless/ffmpeg
printf '#!/bin/sh\ncat >/dev/null\n' >empty/ffmpeg
chmod +x idle/ffmpeg endless/ffmpeg empty/ffmpeg
PATH=$PWD/empty:$PATH expect 1 red.milk "${small[@]}" --frames 3 -o stopped/x.mp4
has err 'did not complete'
same "$(ls stopped)" '' 'what an empty video leaves'

# stop SIGNALS PATH ARGUMENTS...: asks one time after the other to stop, once ffmpeg has begun
stop() {
    local code=0 signals=$1 path=$2 signal
    shift 2
    PATH=$path "$froth" render red.milk --size 320x240 -o stopped/x.mp4 "$@" 2>err &
    await pgrep -f "${path%%:*}/ffmpeg" || fail 'ffmpeg does not begin'
    for signal in $signals; do
        ask_to "$signal" $!
    done
    await has_ended $! || fail "not stopped by $signals"
    wait $! || code=$?
    same "$code" 1 "exit code when stopped by $signals"
    has err 'stopped'
    same "$(ls stopped)" '' "what is left after $signals"
}
stop 'INT INT' "$PWD/idle:$PATH" --frames 60
stop 'INT TERM' "$PWD/endless:$PATH" --frames 10
