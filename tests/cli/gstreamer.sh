#!/usr/bin/env bash
# The GStreamer element in pipelines: gstreamer.sh FROTH SOURCE [--all|--hour]
# Its pictures are those of froth render, as many and with the same hashes, whatever rate, format and size of buffers; it
# seeks, takes other sizes while it runs, makes a film with a coder, and says what is wrong. --all: twenty presets, and
# the library's pictures as well. --hour: an hour of sound at 44.1 kHz, 24 and 30 pictures a second; some minutes.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
build=$(dirname "$froth")
# shellcheck source=lib/common.sh
. "$source/tests/cli/lib/common.sh"
logs='log messages'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ -e "$build/plugins/gstreamer/libgstfroth.so" ] || { echo "the element is not built: skipped"; exit 77; }
need gst-launch-1.0 gst-inspect-1.0
for element in wavparse audioconvert filesink videoconvert; do
    gst-inspect-1.0 "$element" > log 2>&1 || { echo "GStreamer has no $element: skipped"; exit 77; }
done
alone
export GST_PLUGIN_PATH=$build/plugins/gstreamer GST_REGISTRY=$work/registry LD_LIBRARY_PATH=$build
preset() { echo "$source/presets/originals/froth - $1.milk"; }

gst-inspect-1.0 froth > log 2>&1 || fail "GStreamer does not find the element"
grep -q 'Klass *Visualization' log || fail "it is no visualization"
for value in advance blackout cut-on-beat zoom; do
    grep -qE "^  $value " log || fail "there is no property $value"
done

# From its pads, by GStreamer's own harness.
if [ -x "$build/tests/test_gstreamer" ]; then
    "$build/tests/test_gstreamer" > log 2>&1 || fail "the harness finds faults"
fi

# pictures SOUND FPS SIZE OUT WORDS...: raw pictures of a pipeline; the words follow the element's name
pictures() {
    local sound=$1 fps=$2 width=${3%x*} height=${3#*x} out=$4
    shift 4
    gst-launch-1.0 -q filesrc location="$sound" ! wavparse ! audioconvert ! "${form[@]}" froth "$@" ! \
        "video/x-raw,format=RGBx,width=$width,height=$height,framerate=$fps" ! filesink location="$out" \
        > log 2>&1 || fail "the pipeline fails"
}
# same SOUND FPS PRESET: all pictures of the sound
same() {
    pictures "$1" "$2" 80x60 raw "preset=$3"
    "$build/tests/raw_hashes" 80x60 < raw > ours
    "$froth" render "$3" --size 80x60 --fps "$(awk -F/ '{ print $1 / $2 }' <<< "$2")" --audio "$1" --hash 2> messages | grep ^frame > theirs
    [ -s theirs ] || fail "froth render makes no pictures"
    cmp -s ours theirs || fail "$3 at $2 with $1: other pictures than froth render's ($(wc -l < ours), $(wc -l < theirs))"
}

# hour FPS: as many pictures as an hour has, the last of them at its very time
hour() {
    local count=$(($1 * 3600)) last
    gst-launch-1.0 audiotestsrc num-buffers=36000 samplesperbuffer=4410 ! audio/x-raw,rate=44100,channels=2 ! \
        froth "preset=$work/plain.milk" threads=1 ! "video/x-raw,width=16,height=16,framerate=$1/1" ! \
        fakesink silent=false -v 2> log | grep -o 'pts: [0-9:.]*, duration: [0-9:.]*' > times || fail "the hour fails"
    last=$(tail -n 1 times)
    echo "$1 a second: $(wc -l < times) pictures in an hour, the last with $last"
    [ "$(wc -l < times)" = "$count" ] || fail "not $count pictures in an hour"
    [ "${last#*duration: }" != "$last" ] &&
        [ "$last" = "$(awk -v n="$count" -v f="$1" 'function t(ns) {
            return sprintf("%d:%02d:%02d.%09d", ns / 3600e9, ns / 60e9 % 60, ns / 1e9 % 60, ns % 1e9) }
            BEGIN { a = int((n - 1) * 1e9 / f); print "pts: " t(a) ", duration: " t(3600e9 - a) }')" ] ||
        fail "the last picture is at another time"
}
if [ "${3-}" = --hour ]; then
    printf '%s\n' '[preset00]' nWaveMode=0 wave_r=1 > plain.milk
    hour 24
    hour 30
    exit 0
fi

for rate in 44100 48000; do
    "$build/tests/library_frames" --wav "$rate.wav" "$rate" 1 || fail "no sound"
done
form=()
if [ "${3-}" = --all ]; then
    count=0
    pictures=0
    for file in "$source"/presets/originals/*.milk; do
        for rate in 44100 48000; do
            for fps in 24 25 30 60; do
                same "$rate.wav" "$fps/1" "$file"
                "$build/tests/library_frames" "$rate.wav" "$file" 80x60 "$(wc -l < theirs)" "$fps/1" > ours 2> messages ||
                    fail "$file at $fps with $rate.wav: no frames of the library"
                cmp -s ours theirs || fail "$file at $fps with $rate.wav: other pictures of the library than froth render's"
                pictures=$((pictures + $(wc -l < theirs)))
            done
        done
        count=$((count + 1))
        ((count < 20)) || break
    done
    echo "$count presets, two rates of sound, four rates of pictures, $pictures pictures: those of froth render"
    exit 0
fi
for fps in 24 25 30 60; do
    same 44100.wav "$fps/1" "$(preset "Tidal Glass")"
    same 48000.wav "$fps/1" "$(preset "Petri Waltz")"
done
form=("audio/x-raw,format=F32LE" !)
same 44100.wav 30000/1001 "$(preset "Ink Opera")"

# An hour of samples at 24 pictures a second drifts by none: here ten seconds, as many pictures as there should be.
"$build/tests/library_frames" --wav long.wav 44100 10 || fail "no sound"
form=()
pictures long.wav 24/1 16x16 raw "preset=$(preset "Tidal Glass")"
[ "$(wc -c < raw)" = $((240 * 16 * 16 * 4)) ] || fail "not 240 pictures of ten seconds"

# A film by somebody else's coder.
if gst-inspect-1.0 x264enc > log 2>&1 && gst-inspect-1.0 matroskamux > log 2>&1 && command -v ffprobe > log; then
    gst-launch-1.0 -q filesrc location=48000.wav ! decodebin ! audioconvert ! froth "preset=$(preset "Tidal Glass")" ! \
        video/x-raw,width=160,height=120,framerate=25/1 ! videoconvert ! x264enc ! matroskamux ! \
        filesink location=film.mkv > log 2>&1 || fail "no film"
    [ "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 film.mkv)" = 25 ] ||
        fail "the film has not 25 pictures"
fi

# The film that the documentation begins with, of any sound: longer than its coder keeps back.
film() { # SOUND
    rm -f song.mkv
    sed -n '/^    gst-launch-1.0 filesrc location=song.flac/,/location=song.mkv$/p' "$source/docs/gstreamer.md" |
        sed "s/song.flac/$1/; s/gst-launch-1.0/& -q/; s/preset=preset.milk/\"preset=\$(preset Corona)\"/
            s/width=1280,height=720,framerate=60/width=64,height=48,framerate=30/" > pipeline
    grep -q 'width=64,height=48' pipeline || fail "there is no pipeline in docs/gstreamer.md"
    # shellcheck source=/dev/null
    . ./pipeline > log 2>&1 || fail "no film of $1"
    [ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 song.mkv | sort | tr '\n' ' ')" = 'h264 opus ' ] ||
        fail "the film of $1 lacks something"
    ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 song.mkv > counted
    [ "$(cat counted)" -ge 88 ] && [ "$(cat counted)" -le 94 ] || fail "the film of $1 has $(cat counted) pictures, not 90"
}
missing=
for element in decodebin x264enc matroskamux opusenc audioresample flacparse flacdec mpegaudioparse vorbisdec; do
    gst-inspect-1.0 $element > log 2>&1 || missing+=" $element"
done
if [ -z "$missing" ] && command -v ffmpeg > log && command -v ffprobe > log; then
    for sound in 48000:2:wav 44100:1:wav 44100:1:flac 48000:2:flac 44100:2:mp3 48000:1:ogg; do
        IFS=: read -r rate channels ending <<< "$sound"
        ffmpeg -v error -y -f lavfi -i "sine=440:sample_rate=$rate:duration=3" -ac "$channels" song.$ending || continue
        film song.$ending
    done
else
    echo "GStreamer has no$missing: that film is skipped"
fi

# What cannot be shown ends the pipeline with words.
gst-launch-1.0 -q filesrc location=48000.wav ! wavparse ! audioconvert ! froth preset=/nowhere.milk ! fakesink \
    > log 2>&1 && fail "a preset that is not there is shown"
grep -q nowhere.milk log || fail "nothing is said of a preset that is not there"
echo "all well"
