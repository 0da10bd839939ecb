#!/usr/bin/env bash
# A film in pieces, and the whole of it again: join.sh FROTH SOURCE. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need ffmpeg ffprobe
logs=messages
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir presets
cp "$source/presets/originals/froth - "{"Aurora Engine","Block Party","Carina Mill"}.milk presets
# A sound with a length of its own, in which the pieces are cut.
ffmpeg -v error -f lavfi -i 'aevalsrc=0.4*sin(200*PI*t)*lt(mod(t\,0.5)\,0.1)|0.3*sin(900*PI*t):d=3.21' -c:a flac song.flac ||
    fail "no sound"

render() { # NAME OPTION...
    "$froth" render presets --audio song.flac --size 64x48 --mesh 16x12 --fps 24 --threads 1 "${@:2}" -o "$1" \
        > frames 2> messages
}
join() { "$froth" join "$@" > joined 2> messages; }
refused() { # WORDS PIECE...: it says so, and leaves nothing behind
    join "${@:2}" -o refused.mp4 && fail "joined: $1"
    grep -q "$1" messages || fail "not told: $1"
    [ ! -e refused.mp4 ] || fail "left behind: $1"
}
packets() { ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }

for way in '' --clean-start; do
    render whole.mp4 ${way:+"$way"} --hash --overwrite || fail "the whole film $way"
    grep '^frame' frames > whole
    [ "$(wc -l < whole)" = 77 ] || fail "the film has $(wc -l < whole) frames"
    # Each by another kernel, as on different machines.
    part=0
    for cpu in plain sse41 ""; do
        part=$((part + 1))
        render "$part.ts" ${way:+"$way"} ${cpu:+--cpu "$cpu"} --segment $part/3 --overwrite || fail "piece $part $way"
    done
    join 3.ts 1.ts 2.ts --hash --overwrite -o film.mp4 || fail "join $way"
    cmp -s whole joined || fail "the frames of the pieces are not those of the film $way"
    [ "$(packets film.mp4)" = 77 ] || fail "the joined film has $(packets film.mp4) frames"
    ffmpeg -v error -i film.mp4 -f framemd5 - | awk -F', *' '!/^#/ && $1 == 0 { if ($3 != n++) exit 1 } END { exit n != 77 }' ||
        fail "there is a gap between pieces $way"
    ffmpeg -v error -i film.mp4 -vn -f md5 - > sound_joined
    ffmpeg -v error -i whole.mp4 -vn -f md5 - > sound_whole
    cmp -s sound_joined sound_whole || fail "the sound is another one $way"
    [ "$(ffprobe -v error -show_chapters film.mp4 | grep -c 'title=froth - ')" = 3 ] || fail "not a chapter for each preset"
done
ffmpeg -v error -i whole.mp4 -an -f framemd5 - | tail -n 77 | awk -F', *' '{ print $3 }' > times
ffmpeg -v error -i film.mp4 -an -f framemd5 - | tail -n 77 | awk -F', *' '{ print $3 }' | cmp -s - times || fail "other times"

# What does not belong together.
refused 'frames 26 to 51 are in no piece' 1.ts 3.ts
refused 'are in no piece' 1.ts 2.ts
refused 'two pieces have the same frames' 1.ts 2.ts 2.ts 3.ts
render other.ts --segment 2/3 --seed 2 || fail "a piece of another film"
refused 'a piece of another film' 1.ts other.ts 3.ts
cp 2.ts old.ts
sed 's/^version .*/version 0.0.1/' 2.ts.piece > old.ts.piece
refused 'another version of froth' 1.ts old.ts 3.ts
head -c 5000 2.ts > old.ts
cp 2.ts.piece old.ts.piece
refused 'is not the one that was rendered' 1.ts old.ts 3.ts
refused 'is no piece' 1.ts song.flac 3.ts
render x.ts --segment 4/3 && fail "a fourth third"
render x.mp4 --segment 1/3 && fail "a piece with sound"
join 1.ts 2.ts 3.ts -o film.mp4 < /dev/null && fail "a film is written over"
exit 0
