#!/usr/bin/env bash
# A recorded show and its pictures again: set.sh FROTH SOURCE. Exit code 77: the tools for it are missing.
set -u
froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need Xvfb xvfb-run ffmpeg ffprobe oscsend python3 ss
logs="messages shown again"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work SDL_AUDIODRIVER=dummy
export XDG_DATA_HOME=$work/data
draw_plainly

# play OPTION...: a show of some seconds; its hashes go to shown
play() {
    xvfb-run -a "$froth" play --no-library --audio test --size 64x48 --mesh 16x12 --fps 30 --threads 1 --hash \
        "$@" > "$work/shown" 2> "$work/messages"
}
# render OPTION...: likewise to again
render() { "$froth" render "$@" --hash --threads 1 > "$work/again" 2> "$work/messages"; }
# same [FIRST]: all frames that both have are equal, and there are some; the first one rendered is FIRST
same() { same_frames "$work/shown" "$work/again" 1 "${1:-1}"; }

port=$(free_port)
mkdir "$work/presets"
cp "$source/presets/originals/froth - Aurora Engine.milk" "$source/presets/originals/froth - Block Party.milk" "$work/presets"

play --duration 4 --advance 1.5 --blend 0.5 --do 'fullscreen off' --record "$work/set" "$work/presets" || fail "the show"
grep -q '^frame' "$work/shown" || fail "play --hash prints no hashes"
[ "$(grep -c ' preset: ' "$work/set/events.yaml")" -ge 2 ] || fail "presets are not in the recording"
grep -q 'end: anew' "$work/set/events.yaml" || fail "the recording was not ended"
[ -f "$work/set/sound/000001.flac" ] || fail "there is no sound"
render "$work/set" --as-shown || fail "render"
same || fail "the pictures differ"
cp "$work/again" "$work/shown" # every frame of it
render "$work/set" --as-shown --from 3 || fail "render from the middle"
same 91 || fail "the pictures from the middle differ"
[ "$(grep -c '^frame' "$work/again")" -le 31 ] || fail "--from is not heard"
"$froth" render "$work/set" --from 1 --to 2 --size 96x64 --fps 60 -o "$work/part.mp4" 2> "$work/messages" || fail "a film"
[ "$(ffprobe -v error -count_packets -select_streams v -show_entries stream=width,height,nb_read_packets \
    -of csv=p=0 "$work/part.mp4")" = 96,64,60 ] || fail "the film has another size or length"

ffprobe -v error -show_chapters "$work/part.mp4" | grep -q '^TAG:title=froth - ' || fail "the film has no chapters"
grep -q 'TITLE "froth - ' "$work/part.cue" || fail "there is no cue sheet"
grep -q '^001  AX       V     C        00:00:00:00 ' "$work/part.edl" || fail "there is no EDL"

# Looked at, tried, cut.
"$froth" set show "$work/set" > "$work/list" || fail "set show"
grep -q '^0:00:00.000  froth - ' "$work/list" || fail "set show lists no preset"
"$froth" set check "$work/set" > "$work/list" 2> "$work/messages" || fail "set check"
"$froth" set trim "$work/set" --from 1.6 --to 3 -o "$work/trimmed" 2> "$work/messages" || fail "set trim"
"$froth" set check "$work/trimmed" > "$work/list" 2> "$work/messages" || fail "set check of a part"
render "$work/trimmed" --as-shown || fail "render of a part"
same $(($(sed -n 's/^first: //p' "$work/trimmed/events.yaml") + 1)) || fail "the pictures of a part differ" # 1.6 s lies in a transition
[ "$(grep -c '^frame' "$work/again")" -le 42 ] || fail "a part is too long"

# How coarse shaders are is a part of the show.
sed 's/shaders: 1x1/shaders: 4x4/' "$work/set/events.yaml" > "$work/coarse.yaml"
cp -r "$work/set" "$work/coarse"
cp "$work/coarse.yaml" "$work/coarse/events.yaml"
render "$work/coarse" --as-shown || fail "render with coarse shaders"
same && fail "shaders are as fine as ever"
render "$work/coarse" --as-shown --shaders full || fail "render with fine shaders"
same || fail "--shaders full is not heard"

# Any picture of it, in any order, as the commands rewind and loop find them.
seek=$(dirname "$froth")/tests/set_seek
if [ -x "$seek" ]; then
    "$seek" "$work/set" 30 > "$work/again" 2> "$work/messages" || fail "pictures in another order differ"
fi

# As it would be left by a power cut: no end, half a line, sound that grows.
cp -r "$work/set" "$work/cut"
sed -i '/end: anew/d' "$work/cut/events.yaml"
printf '  - {at: 0:00:03.9' >> "$work/cut/events.yaml"
printf '11' >> "$work/cut/frames.txt"
ffmpeg -v error -i "$work/set/sound/000001.flac" -c:a pcm_s24le "$work/cut/sound/000001.wav"
truncate -s -7777 "$work/cut/sound/000001.wav"
rm "$work/cut/sound/000001.flac"
render "$work/cut" --as-shown || fail "render of what was cut off"
same || fail "the pictures of what was cut off differ"

# Edited: another preset, and what is wrong is told with its place.
cp -r "$work/set" "$work/edited"
sed -i 's/transition: [a-z]*, blend: 0.5/transition: cut/; s/do: "vary 0"/do: "vary 1"/' "$work/edited/events.yaml"
render "$work/edited" || fail "render of an edited set"
same && fail "an edit changes nothing"
line=$(grep -n 'do: "vary' "$work/edited/events.yaml" | cut -d: -f1)
sed -i 's/do: "vary 1"/do: "varry 1"/' "$work/edited/events.yaml"
render "$work/edited" && fail "a wrong command is taken"
grep -q "events.yaml:$line:[0-9]*: error: unknown command 'varry'; did you mean vary?" "$work/messages" ||
    fail "a wrong command is not told with its place"

"$froth" set check "$work/edited" 2> "$work/messages" && fail "set check lets a wrong command pass"
sed -i 's/do: "varry 1"/do: "vary 1"/' "$work/edited/events.yaml"
first=$(ls "$work/edited/presets" | head -n 1)
rm "$work/edited/presets/$first"
"$froth" set check "$work/edited" 2> "$work/messages" && fail "set check does not miss a preset"
grep -q "events.yaml:[0-9]*:[0-9]*: error: this preset cannot be shown" "$work/messages" ||
    fail "a preset that is missing is not told with its place"

# What cannot be.
play --duration 1 --record "$work/set" "$work/presets" && fail "a recording is written over"
render "$work/set" --audio demo && fail "a set takes another sound"
render "$work/set" --blend 1 && fail "a set takes other transitions"
render "$work/presets" --from 1 && fail "--from without a set"

# A set of the first version that recorded any shows what it did then.
"$froth" render "$source/tests/data/set/first" --as-shown --hash --stage-times > "$work/again" 2> "$work/messages" ||
    fail "an old set"
grep -Eq '^frame +[0-9.]+ +[0-9.]+ +100' "$work/messages" || fail "the stages of a set are not timed"
cmp -s "$source/tests/data/set/first.hashes" "$work/again" || fail "the pictures of an old set differ"

# Back in a show that goes on, and live again; without a recording there is no way back.
play --duration 3 --do rewind --do 'loop 1' --do rewind-frame --do live --record "$work/back" "$work/presets" ||
    fail "a show that goes back"
grep -q 'error' "$work/messages" && fail "going back"

# The same in a show that is not recorded, whose last minutes are in memory, few of them if there is little.
for keep in 64 4; do
    xvfb-run -a "$source/tests/set_past.py" "$froth" "$source" 6 64x48 "$keep" 5 "$patience" > "$work/messages" 2>&1 ||
        fail "going back without a recording"
done
play --duration 1 --do rewind --keep 0 "$work/presets" || fail "a show without a way back"
grep -q 'there is no way back' "$work/messages" || fail "it is not told that there is no way back"
play --duration 2 --do live --do 'loop 4' --do 'rewind =100000' --do 'loop 0' --do live --do rewind-frame "$work/presets" ||
    fail "a show without order"

# The last moment as a video, by a process that may go on behind the show.
play --duration 1 --do clip --record "$work/moment" "$work/presets" || fail "the show with a clip"
has_clip() { [ -n "$(find "$work/moment/clips" -name '*.mp4')" ]; }
wait_for "there is no clip" has_clip
has_preset() { [ "$(find "$work/moment/clips" -name '*.milk' | wc -l)" = 1 ]; }
wait_for "there is no preset beside the clip" has_preset # it is written after the video

# The same of a show that is not recorded: what becomes a set is what was shown, and the preset has its values.
play --duration 3600 --advance 3600 --osc "$port" --blend 0.5 "$work/presets" &
show=$!
other() { python3 -B "$source/tests/cli/osc.py" "$port" "$@" > "$work/found" 2>&1 || fail "$*: $(tail -n 1 "$work/found")"; }
cd "$work" && await_osc "$port" # where its messages are
frames_pass "$port" 30
other preset/index
index=$(cat "$work/found")
oscsend localhost "$port" /cmd/next
other "preset/index=$((1 - index))"
frames_pass "$port" 30
oscsend localhost "$port" /value/zoom f 1.25
other zoom=1.25
frames_pass "$port" 15
oscsend localhost "$port" /cmd/clip
has_clip() { [ -n "$(find "$work/data/froth/clips" -name '*.mp4')" ]; }
wait_for "there is no clip of a show that is not recorded" has_clip
oscsend localhost "$port" /cmd/quit
wait $show || fail "a show with a clip that is not recorded"
kept=$(echo "$work"/data/froth/clips/*)
"$froth" set check "$kept" > "$work/messages" 2>&1 || fail "the set of a clip"
render "$kept" --as-shown || fail "render of a clip's set"
awk '$1 == "frame" && FNR == NR { shown[$3] = 1 } $1 == "frame" && FNR != NR { all++; found += $3 in shown }
    END { exit !(all > 30 && found == all) }' "$work/shown" "$work/again" || fail "the clip's pictures were not shown"
wait_for "there is no preset beside that clip" test -f "$kept/clip.milk"
grep -q '^zoom=1.25' "$kept/clip.milk" || fail "the clip's preset has not the values of then"
"$froth" check "$kept/clip.milk" > "$work/messages" 2>&1 || fail "the clip's preset"

# Without a name.
play --duration 1 --record always "$work/presets" || fail "record always"
[ "$(find "$work/data/froth/recordings" -name events.yaml | wc -l)" = 1 ] || fail "record always records nothing"
exit 0
