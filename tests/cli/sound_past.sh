#!/usr/bin/env bash
# Sound that froth plays is heard as it was while the show goes back: sound_past.sh FROTH SOURCE
# The sound server is one of its own, whose output a recorder hears. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
. "$(dirname "$0")/lib/sound.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb pulseaudio pactl parec oscsend python3
logs='messages server'

work=$(mktemp -d) || exit 1
recorder=
show=
clean() {
    for process in "$recorder" "$show" "$server" "$display"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    wait 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT
export HOME=$work XDG_RUNTIME_DIR=$work XDG_DATA_HOME=$work/data
alone
draw_plainly
width=640 height=480
start_server
# The outputs of ALSA are the server's, as on a desktop.
printf 'pcm.!default { type pulse }\nctl.!default { type pulse }\n' > "$work/.asoundrc"

# Fifteen seconds of 440 Hz, then 880 Hz: a busy machine takes seconds to hear that, one with more patience more of them.
slow=$(((patience + 299) / 300))
python3 - "$work/tones.wav" $slow << 'END'
import array, math, sys, wave
rate, seconds, first = 44100, 90 * int(sys.argv[2]), 15 * int(sys.argv[2])
samples = array.array("h")
for i in range(rate * seconds):
    level = int(12000 * math.sin(2 * math.pi * (440 if i < first * rate else 880) * i / rate))
    samples.extend((level, level))
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(2)
    file.setsampwidth(2)
    file.setframerate(rate)
    file.writeframes(samples.tobytes())
END

# hears HERTZ: the last quarter of a second
hears() {
    python3 - "$work/heard" "$1" << 'END'
import array, os, sys
rate, wanted = 44100, float(sys.argv[2])
size = os.path.getsize(sys.argv[1]) // 4 * 4
with open(sys.argv[1], "rb") as file:
    file.seek(max(size - rate, 0) // 4 * 4)
    left = array.array("h", file.read()[: rate // 4 * 4])[::2]
ups = sum(a < 0 <= b for a, b in zip(left, left[1:]))
loud = len(left) > rate // 5 and max(left) > 3000
sys.exit(not loud or abs(ups * rate / len(left) - wanted) > 0.1 * wanted)
END
}

parec --raw --format=s16le --rate=44100 --channels=2 --latency-msec=50 -d stage.monitor > "$work/heard" 2> /dev/null &
recorder=$!
port=$(free_port)
start_display
"$froth" play "$source/presets/originals/froth - Block Party.milk" --no-library --audio "$work/tones.wav" \
    --size 64x48 --mesh 16x12 --fps 30 --threads 1 --keep 64 --duration $((120 * slow)) --osc "$port" 2> "$work/messages" &
show=$!
wait_for "the first tone is not heard" hears 440
first=$(date +%s.%N)
wait_for "the second tone is not heard" hears 880
sleep 1
oscsend localhost "$port" /cmd/loop f 1
# To two seconds after the first tone was heard, however long the second one took.
oscsend localhost "$port" /cmd/rewind s "=$(echo "$first $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 - 2 }')"
wait_for "what was is not heard again" hears 440
oscsend localhost "$port" /cmd/live
wait_for "the sound of now is not heard again" hears 880
exit 0
