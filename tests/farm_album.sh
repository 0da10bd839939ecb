#!/usr/bin/env bash
# An album as a job of GNU parallel, by one worker and by two, and by workers that are killed at random:
# farm_album.sh FROTH SOURCE [SECONDS [SIZE [KILLS]]]: five songs of so many seconds (12), twenty presets, pictures of SIZE (1280x720).
# A worker is one processor with all that it runs. Prints times and their ratio; exit code 1 if a joined film has other frames than one rendering.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-12}
size=${4:-1280x720}
kills=${5:-20}
# shellcheck source=cli/lib/common.sh
. "$(dirname "$0")/cli/lib/common.sh"
need ffmpeg parallel taskset
logs=messages
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
alone
mkdir -p "$HOME/.parallel" && touch "$HOME/.parallel/will-cite"
cd "$work" || exit 1
mkdir presets songs
find "$source/presets/originals" -name '*.milk' | sort | head -n 20 | while read -r preset; do cp "$preset" presets; done
for i in 1 2 3 4 5; do
    ffmpeg -v error -f lavfi -i "aevalsrc=0.4*sin(${i}00*PI*t)*lt(mod(t\,0.5)\,0.1)|0.3*sin(${i}50*PI*t):d=$seconds" songs/$i.flac
    echo "songs/$i.flac"
done > album.m3u
printf '%s\n' 'presets: presets' 'audio: album.m3u' "size: $size" 'fps: 30' 'clean-start: on' > album.yaml

now() { date +%s.%N; }
"$froth" render presets --audio album.m3u --size "$size" --fps 30 --clean-start --hash -o whole.mp4 > list 2> messages || fail "one rendering"
grep '^frame' list > whole
equal() {
    "$froth" join "$1"/pieces/*.ts --hash > list 2> messages || fail "the pieces of $1"
    grep '^frame' list | cmp -s - whole || fail "$1: other frames than those of one rendering"
}

# work FOLDER WORKERS: seconds for a job of sixteen tasks
work() {
    local began
    "$froth" farm album.yaml -o "$1" --tasks 16 > list 2> messages || fail "the job"
    began=$(now)
    taskset -c "0-$(($2 - 1))" "./$1/run.sh" --jobs "$2" > list 2> messages || fail "$1"
    echo "$began $(now)" | awk '{ print $2 - $1 }'
}
one=$(work one 1)
two=$(work two 2)
equal one
equal two
echo "$(wc -l < whole) frames of $size: one worker $one s, two $two s, $(echo "$one $two" | awk '{ printf "%.3f", $2 / $1 }') of it; the same frames"

# Workers end at any moment, and are started again.
((kills > 0)) || exit 0
"$froth" farm album.yaml -o killed --tasks 40 > list 2> messages || fail "the job"
done_before=0
for ((kill = 1; kill <= kills; kill++)); do
    setsid ./killed/run.sh --jobs 2 > list 2> messages &
    worker=$!
    sleep "0.$((RANDOM % 10))" "$((RANDOM % 2))"
    kill -9 -- "-$worker" 2> /dev/null
    wait "$worker" 2> /dev/null
    # Nothing that was done is lost.
    done_now=$(find killed/pieces -name '*.piece' | wc -l)
    ((done_now >= done_before)) || fail "kill $kill: pieces are lost"
    done_before=$done_now
done
./killed/run.sh --jobs 2 > list 2> messages || fail "after all kills"
equal killed
echo "$kills kills: $done_before of 40 pieces were done by then, none was made twice; the same frames"
