#!/usr/bin/env bash
# The source for OBS in OBS itself, on a virtual display: obs.sh FROTH SOURCE [FOLDER]
# A scene collection with music and a source; its picture lives, on the screen too; files that are not there, values, sizes,
# sound, hotkeys, several sources, hidden and removed ones (tests/obs/talk.py). OBS ends without a crash and without leaks.
# FOLDER: a place for screenshots.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
keep=${3-}
build=$(dirname "$froth")
# shellcheck source=lib/common.sh
. "$source/tests/cli/lib/common.sh"
# shellcheck source=lib/display.sh
. "$source/tests/cli/lib/display.sh"
logs='talk log'
work=$(mktemp -d) || exit 1
obs=
trap 'end_all $obs $display' EXIT
width=1280 height=800
[ -e "$build/plugins/obs/froth.so" ] || { echo "the source is not built: skipped"; exit 77; }
need obs Xvfb ffmpeg
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import websocket' > /dev/null 2>&1 && python=$candidate && break
done
[ -n "$python" ] || { echo "python3-websocket is missing: skipped"; exit 77; }
alone
start_display +extension GLX
export LD_LIBRARY_PATH=$build QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 FROTH_PRESETS=$source/presets/originals

port=$(free_port)
config=$XDG_CONFIG_HOME/obs-studio
mkdir -p "$config/basic/profiles/froth" "$config/basic/scenes" "$config/plugins/froth/bin/64bit"
ln -s "$build/plugins/obs/froth.so" "$config/plugins/froth/bin/64bit/froth.so"
ln -s "$source/plugins/obs/data" "$config/plugins/froth/data"
"$build/tests/library_frames" --wav "$work/music.wav" 48000 10 || fail "no sound"
cat > "$config/global.ini" <<I
[General]
FirstRun=true
EnableAutoUpdates=false
[Basic]
Profile=froth
ProfileDir=froth
SceneCollection=froth
SceneCollectionFile=froth
[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=$port
AlertsEnabled=false
AuthRequired=false
I
cat > "$config/basic/profiles/froth/basic.ini" <<I
[General]
Name=froth
[Video]
BaseCX=640
BaseCY=360
OutputCX=640
OutputCY=360
FPSType=0
FPSCommon=30
I
cat > "$config/basic/scenes/froth.json" <<I
{"name": "froth", "current_scene": "Stage", "current_program_scene": "Stage", "scene_order": [{"name": "Stage"}],
 "sources": [
  {"id": "froth", "name": "Painter", "settings": {"show": "file", "audio": "source:Music",
   "file": "$source/presets/originals/froth - Tidal Glass.milk"}},
  {"id": "ffmpeg_source", "name": "Music", "settings": {"local_file": "$work/music.wav", "looping": true}},
  {"id": "scene", "name": "Stage", "settings": {"id_counter": 2, "items": [
   {"name": "Music", "id": 1, "visible": true}, {"name": "Painter", "id": 2, "visible": true}]}}]}
I
obs --multi --disable-updater --disable-missing-files-check > "$work/log" 2>&1 &
obs=$!

# What a human would see: the picture in the window's preview, and that it moves.
sees() { shot "$1" && [ "$(levels 300 100 500 250 | cut -d ' ' -f 4)" -gt 100 ]; }
wait_for "no picture in the window" sees first
cp "$work/shot" "$work/former"
moves() { shot second && ! cmp -s "$work/shot" "$work/former"; }
wait_for "the window stands still" moves

timeout "$((3 * patience))" "$python" "$source/tests/obs/talk.py" "$port" "$source" "$work/log" > "$work/talk" 2>&1 || fail "talking to OBS"
shot last
kill -0 "$obs" 2> /dev/null || fail "OBS has ended"
kill -INT "$obs"
ended() { ! kill -0 "$obs" 2> /dev/null; }
wait_for "OBS does not end" ended
wait "$obs"
code=$?
obs=
# OBS 29 crashes now and then in the toolkit of its windows when it is ended by a signal; the sources are gone by then
# (cli/obs_source.sh looks at the end without windows). It leaves one piece of memory of its own.
sed -n '/Shutting down/,$p' "$work/log" | grep -q 'All scene data cleared' || fail "OBS ends with $code, before its sources"
if [ $code -eq 0 ]; then
    grep -qE 'Number of memory leaks: [01]$' "$work/log" || fail "memory is left behind"
fi
cat "$work/talk"
