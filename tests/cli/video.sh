#!/usr/bin/env bash
# froth render into files: what stands there already, what is left when it is stopped, codecs, colours.
set -euo pipefail

froth=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "video.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth render, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" render red.milk --size 64x48 --mesh 8x6 "$@" >out 2>err </dev/null || code=$?
    ((code == expected)) || fail "render $*: exit code $code, not $expected: $(cat err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

same() { # A B WHAT
    [[ $1 == "$2" ]] || fail "$3: '$1', not '$2'"
}

# length FILE v|a: where a stream ends, in whole milliseconds
length() {
    ffprobe -v error -select_streams "$2" -show_entries packet=pts_time,duration_time -of csv=p=0 \
        "$1" | awk -F, '$1 + $2 > high { high = $1 + $2 } END { printf "%d\n", high * 1000 }'
}

printf '[preset00]\nfDecay=0\nfWaveAlpha=0\nper_frame_1=ob_size=0.5; ob_a=1; ob_r=0.8; ob_g=0.2; ob_b=0.1;\n' \
    >red.milk
ffmpeg -v error -f lavfi -i 'sine=frequency=440:sample_rate=48000:duration=2.5' -ac 2 song.wav
printf '[preset00]\nfDecay=0.9\nfWaveAlpha=1\nwavecode_0_enabled=1\nwavecode_0_samples=512\n%s\n' \
    'wave_0_per_point1=x=rand(1000)/1000; y=rand(1000)/1000; r=rand(10)/10; g=rand(10)/10;' >noise.milk

# What is there stays, unless froth is told.
for old in old.mp4 old.png old.webm; do
    echo old >"$old"
    expect 1 --frames 2 -o "$old"
    has err "^$old: error: there is such a file already; --overwrite writes over it\$"
    same "$(cat "$old")" old "what stands at $old"
    expect 0 --frames 2 --overwrite -o "$old"
    (($(stat -c %s "$old") > 4)) || fail "--overwrite has not written $old"
done
mkdir pictures
touch pictures/07.png pictures/x01.png pictures/123.jpg pictures/1.png
expect 1 --frames 2 -o 'pictures/%02d.png'
has err '^pictures/07.png: error: there is such a file'
rm pictures/07.png
expect 0 --frames 2 -o 'pictures/%02d.png'
same "$(ls pictures | tr '\n' ' ')" '01.png 02.png 1.png 123.jpg x01.png ' 'pictures beside others'
mkfifo pipe.mp4
expect 1 --frames 2 --overwrite -o pipe.mp4
[[ -p pipe.mp4 ]] || fail 'a pipe was written over'
if command -v script >/dev/null; then
    ask() { # ANSWER: renders over old.mp4 in a terminal
        script -qec "'$froth' render red.milk --size 64x48 --frames 3 -o old.mp4" /dev/null <<<"$1" >err
    }
    cp old.mp4 before
    ask n && fail 'no is yes'
    has err 'old.mp4 is there already. Write over it\? \[y/N\]'
    cmp -s old.mp4 before || fail 'no has written over the file'
    ask '' && fail 'nothing is yes'
    cmp -s old.mp4 before || fail 'nothing has written over the file'
    ask y || fail "yes is no: $(cat err)"
    cmp -s old.mp4 before && fail 'yes has not written over the file'
fi

# written FILE: waits until froth, the last to be started, has written something there
written() {
    until [[ -s $1 ]] || ! kill -0 $!; do sleep 0.1; done
}

# Whoever stops keeps what was painted as a whole file, which has as much sound as pictures.
stop() { # SIGNAL FILE
    local code=0
    rm -f out
    "$froth" render red.milk --size 64x48 --audio song.wav --duration 36000 --hash -o "stopped/$2" 2>err >out &
    written out
    kill "-$1" $!
    wait $! || code=$?
    same "$code" 1 "exit code after $1"
    has err "^stopped/$2: warning: stopped after .* of 36000.00 seconds .*; up to there it is whole"
}
mkdir stopped
for kind in mp4 webm; do
    stop INT "film.$kind"
    same "$(ls stopped)" "film.$kind" "what is left of $kind"
    frames=$(sed -n 's/.*(\([0-9]*\) of 2160000 frames).*/\1/p' err)
    ffmpeg -v error -xerror -i "stopped/film.$kind" -f null - || fail "$kind: cannot be played"
    same "$(ffprobe -v error -count_packets -select_streams v -show_entries \
        stream=nb_read_packets -of csv=p=0 "stopped/film.$kind" | tr -d ',')" "$frames" "frames of $kind"
    difference=$(($(length "stopped/film.$kind" a) - $(length "stopped/film.$kind" v)))
    ((difference >= -100 && difference <= 100)) || fail "$kind: the sound ends $difference ms after the picture"
    rm "stopped/film.$kind"
done
stop TERM 'picture.png'
same "$(ls stopped)" picture.png 'the last picture'
"$froth" render red.milk --size 64x48 --duration 36000 -o - 2>err >stopped/movie.y4m &
written stopped/movie.y4m
sleep 0.2
kill -INT $!
wait $! && fail 'a stopped stream is complete'
same "$((($(stat -c %s stopped/movie.y4m) - $(head -n 1 stopped/movie.y4m | wc -c)) % (6 + 3 * 64 * 48)))" 0 \
    'bytes of a frame that is not whole'
rm -r stopped

# Colours: as bright and as red in every kind of file, and told there, by the number of lines.
cat >colours.milk <<'MILK'
[preset00]
fDecay=0
fWaveAlpha=0
fGammaAdj=2
per_frame_1=k=int((frame-1)/4); ob_size=0.5; ob_a=1;
per_frame_2=ob_r=equal(k,0)+0.5*equal(k,3); ob_g=equal(k,1)+0.3*equal(k,3); ob_b=equal(k,2)+0.1*equal(k,3);
MILK
# corner FILE FORMAT: the corner's three values in the second of every four frames, ffmpeg's FORMAT with planes
corner() {
    ffmpeg -v error -i "$1" -vf "select=eq(mod(n\\,4)\\,1),scale=flags=accurate_rnd+full_chroma_int,format=$2,crop=2:2:0:0" \
        -vsync 0 -f rawvideo - | od -An -v -tu1 -w12 | awk '{ printf "%d %d %d ", $1, $5, $9 }'
}
near() { # A B MOST WHAT: as many numbers, none further away than MOST
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { n = split(a, x); m = split(b, y); bad = n != m || n != 12
        for (i = 1; i <= n; i++) bad = bad || x[i] - y[i] > most || y[i] - x[i] > most; exit bad }' ||
        fail "$4: $1, not $2"
}
paint() { # SIZE OUT OPTION...
    "$froth" render colours.milk --size "$1" --frames 16 -o "$2" "${@:3}" 2>err || fail "$2: $(cat err)"
}
for lines in 718 720; do
    matrix=bt709
    # Y, Cb and Cr of red, green, blue and an orange, from the formulas of BT.709 and BT.601.
    wanted='63 102 240 173 42 26 32 240 118 159 73 177'
    ((lines >= 720)) || { matrix=smpte170m; wanted='81 90 240 145 54 34 41 240 110 163 68 180'; }
    paint "64x$lines" - >"$lines.y4m"
    near "$(corner "$lines.y4m" yuv444p)" "$wanted" 1 "Y4M of $lines lines"
    for kind in mp4:h264:avc1 mov:prores:apch webm:vp9:; do
        IFS=: read -r ending codec tag <<<"$kind"
        file=$lines-$codec.$ending
        paint "64x$lines" "$file" --codec "$codec"
        same "$(ffprobe -v error -select_streams v -of csv=p=0 -show_entries \
            stream=color_range,color_space,color_transfer,color_primaries "$file")" "tv,$matrix,bt709,bt709" "tags of $file"
        [[ -z $tag ]] || same "$(ffprobe -v error -select_streams v -of csv=p=0 -show_entries \
            stream=codec_tag_string "$file" | tr -d ',')" "$tag" "$file"
        near "$(corner "$file" yuv444p)" "$wanted" 2 "$file"
        near "$(corner "$file" gbrp)" '0 0 255 255 0 0 0 255 0 152 50 254' 4 "$file as RGB"
    done
done

# Codecs and how much of them.
codec() { # FILE: of its pictures and its sound, and the profile
    ffprobe -v error -show_entries stream=codec_name,profile -of csv=p=0 "$1" | tr '\n' ' '
}
expect 0 --frames 5 -o film.mov
has <(codec film.mov) '^prores,HQ pcm_s24le,'
expect 0 --frames 5 --quality draft -o proxy.mov
has <(codec proxy.mov) '^prores,Proxy '
expect 0 --frames 5 --quality fine -o full.mov
has <(codec full.mov) '^prores,4444 '
expect 0 --frames 2 --codec h265 -o h265.mp4
has <(codec h265.mp4) '^hevc,Main aac,'
noise=(--frames 20 --size 160x96)
for quality in draft good fine; do
    "$froth" render noise.milk "${noise[@]}" --quality $quality -o $quality.mp4 2>err || fail "$quality: $(cat err)"
done
(($(stat -c %s draft.mp4) < $(stat -c %s good.mp4) && $(stat -c %s good.mp4) < $(stat -c %s fine.mp4))) ||
    fail "sizes of qualities: $(ls -l ./*.mp4)"
for rate in 0.5 2; do
    "$froth" render noise.milk "${noise[@]}" --frames 120 --bitrate $rate -o rate.mkv --overwrite 2>err ||
        fail "$rate: $(cat err)"
    ffprobe -v error -select_streams v -show_entries packet=size -of csv=p=0 rate.mkv | awk -v rate=$rate \
        '{ bits += 8 * $1 } END { exit bits < rate * 2e6 * 0.6 || bits > rate * 2e6 * 1.4 }' ||
        fail "--bitrate $rate: $(stat -c %s rate.mkv) bytes"
done
expect 1 --frames 2 --codec vp9 -o wrong.mp4
has err '^wrong.mp4: error: .mp4 does not hold vp9; it takes h264,h265,av1$'
expect 1 --frames 2 --quality fine --bitrate 5 -o wrong.mp4
has err '^wrong.mp4: error: --quality and --bitrate exclude each other; give one of them$'
expect 1 --frames 2 --bitrate 5 -o wrong.mov
has err '^wrong.mov: error: prores keeps to no --bitrate; give --quality$'
expect 1 --frames 2 --codec h264 -o wrong.png
has err '^wrong.png: error: --codec, --quality and --bitrate are for video files'
expect 2 --frames 2 --codec divx -o wrong.mp4
[[ -z $(find . -name 'wrong*') ]] || fail "left by what is refused: $(ls)"
echo "video.sh: done"
