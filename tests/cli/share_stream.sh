#!/usr/bin/env bash
# Streams and recordings of a show, and devices to which it cannot be written: share_stream.sh FROTH SOURCE
# Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
keep=
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/display.sh"
need Xvfb ffmpeg ffprobe xdotool
logs='messages reader'

work=$(mktemp -d) || exit 1
player=
reader=
trap 'end_all "$player" "$reader" "$display"' EXIT

alone
draw_plainly
cd "$work" || exit 1
width=400 height=300
start_display
mkdir presets
printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 ob_r=1 ob_g=1 ob_b=0 \
    'per_frame_1=ob_size=1;' > presets/yellow.milk

start() {
    : > messages
    "$froth" play --audio test --size 160x90 --fps 20 --threads 1 --no-library --counters "$@" presets 2>> messages &
    player=$!
}
# ends CODE: the player ends by itself with this exit code
ends() {
    wait "$player"
    local code=$?
    player=
    [ "$code" -eq "$1" ] || fail "exit code $code instead of $1"
}
# refused CODE WORDS OPTION...: nothing begins
refused() {
    local code=$1 words=$2
    shift 2
    start "$@"
    ends "$code"
    grep -q "$words" messages || fail "$*: no word '$words': $(cat messages)"
}
told() { [ "$(grep -c "$2" messages)" -eq "$1" ]; }

# What can never be meant is an error before anything begins.
refused 2 'pipewires: error:.*pipewire, or' --share pipewires
refused 2 'error: the device is missing' --share v4l2:
refused 2 'error: the ending of the recording' --stream show.avi
refused 2 'error: the way to this address' --stream http://localhost/show.mp4
refused 2 'error: is named twice' --stream a.mp4 --stream a.mp4
refused 2 'given 4 times' --stream a.mp4 --stream b.mp4 --stream c.mp4 --stream d.mp4 --stream e.mp4
echo old > old.mp4
refused 1 'there is such a file already' --stream old.mp4 < /dev/null
[ "$(cat old.mp4)" = old ] || fail "the old file is not there"

# Devices that are none, or none for it: told once, and the show goes on.
touch plain
start --share v4l2:/dev/null --share v4l2:"$work/plain" --share v4l2:"$work/none"
wait_for "no word about a missing device" grep -q "^$work/none: warning" messages
sleep 5 # it is looked for again
kill -TERM "$player"
ends 0
for name in /dev/null "$work/plain"; do
    told 1 "^$name: error: is no video device" || told 1 'built without' || fail "$name: $(cat messages)"
done
told 1 "^$work/none: warning: there is no such device" || fail "no word about a missing device"

# A recording is there as a whole, or not at all, with picture and sound.
# facts FILE: codecs, size and rate
facts() {
    ffprobe -v error -show_entries stream=codec_name,width,height,avg_frame_rate -of csv=p=0 "$1" | tr '\n' ' '
}
start --stream show.mp4 --stream show.mkv --stream old.mp4 --overwrite
for file in show.mp4 show.mkv old.mp4; do
    wait_for "no word of recording $file" told 1 "$file: note: records 160x90 with "
done
sleep 3
[ -e show.mp4 ] && fail "a recording has its name before it is whole"
kill -TERM "$player"
ends 0
for file in show.mp4 show.mkv old.mp4; do
    [[ $(facts $file) == h264,160,90,20/1*aac* ]] || fail "$file: $(facts $file)"
    seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 $file)
    awk -v s="$seconds" 'BEGIN { exit !(s > 1) }' || fail "$file: $seconds seconds"
    ffmpeg -v error -xerror -i $file -vf select=eq\(n\\,10\) -frames:v 1 -f rawvideo -pix_fmt rgb24 - |
        od -An -v -tu1 -w3 | awk '{ r += $1; g += $2; b += $3 } END { exit !(r > 200 * NR && g > 200 * NR && b < 60 * NR) }' ||
        fail "$file: another picture"
    level=$(ffmpeg -i $file -af volumedetect -vn -f null - 2>&1 | sed -n 's/.*max_volume: \(-\{0,1\}[0-9]*\).*/\1/p')
    [ "$level" -gt -30 ] || fail "$file: no sound: $level dB"
done
ls -A | grep -q '\.part' && fail "something is left behind: $(ls -A)"

# An address where nobody is, is told once, and reached when somebody comes; no message has the key.
ffmpeg -v error -protocols 2> /dev/null | grep -qw rtmp || { echo "passed, without rtmp"; exit 0; }
port=$(free_port)
listen() {
    ffmpeg -v error -y -listen 1 -i "rtmp://127.0.0.1:$port/live/hidden-key" -c copy -f mpegts "$1" > reader 2>&1 < /dev/null &
    reader=$!
}
start --stream "rtmp://127.0.0.1:$port/live/hidden-key"
wait_for "no word that nobody is there" told 1 'warning: the other end cannot be reached'
listen first.ts
wait_for "the other end is not reached" told 1 'note: streams 160x90 with '
kill -9 "$reader"
wait "$reader" 2> /dev/null
wait_for "no word that it has gone" told 1 'warning: the other end has gone'
listen second.ts
wait_for "the other end is not reached again" told 2 'note: streams 160x90 with '
kill -TERM "$player"
ends 0
wait "$reader"
reader=
grep -q hidden-key messages && fail "a message has the key"
told 1 'cannot be reached' || fail "told more than once"
[[ $(facts second.ts) == *h264,160,90* ]] || fail "nothing came: $(facts second.ts)"
echo "passed"
