#!/usr/bin/env bash
# Sound files from outside: those that libsndfile reads and those that ffmpeg does, cut ones, ones that
# are shorter than the film, names and contents that are to lead ffmpeg astray.
set -euo pipefail

froth=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "sound_files.sh: $*" >&2
    exit 1
}

# expect CODE ARGUMENTS...: runs froth render, keeps what it prints in out and err.
expect() {
    local expected=$1 code=0
    shift
    "$froth" render w.milk --size 32x32 --mesh 8x6 --fps 10 "$@" >out 2>err || code=$?
    ((code == expected)) || fail "render $*: exit code $code, not $expected: $(cat err)"
}

has() { # FILE REGEX
    grep -qE -- "$2" "$1" || fail "'$2' is not in: $(cat "$1")"
}

frames() { grep -c '^frame ' out || true; }

printf '[preset00]\nfDecay=0.9\nfWaveAlpha=1\n' >w.milk
ffmpeg -v error -f lavfi -i 'aevalsrc=0.5*sin(440*6.283*t)*sin(3*t)|0.3*random(0):s=48000:d=2.5' song.wav
convert() { ffmpeg -v error -y -i song.wav "$@"; }
convert song.m4a
convert -movflags +faststart fast.m4a
convert song.aac
convert song.wma
convert song.opus
convert song.ogg
convert -c:a aac song.mkv
convert song.aiff
convert song.au
ffmpeg -v error -f lavfi -i color=size=32x32:rate=10:duration=2.5 -i song.wav -shortest clip.mp4
ffmpeg -v error -i clip.mp4 -an mute.mp4

# Each is heard to its end and muxed: a picture that moves with it, and sound in the video.
for song in song.wav song.m4a fast.m4a song.aac song.wma song.opus song.ogg song.mkv song.aiff song.au clip.mp4; do
    expect 0 --audio "$song" --hash -o "$song.mov"
    count=$(frames)
    ((count >= 24 && count <= 26)) || fail "$song: $count frames"
    ! grep -E 'warning|error' err || fail "$song is not well"
    (($(cut -d' ' -f3 out | sort -u | wc -l) > 20)) || fail "$song is not heard: $(cat out)"
    loudness=$(ffmpeg -nostdin -i "$song.mov" -af volumedetect -f null - 2>&1 | sed -n 's/.*mean_volume: -\([0-9]*\).*/\1/p')
    ((${loudness:-99} < 20)) || fail "$song: -$loudness dB in the video"
done
expect 0 --audio song.m4a --hash --start 1
[[ $(frames) == 15 ]] || fail "--start in a song.m4a: $(frames) frames"

# An hour of sound, which is more than the process that decodes may have in memory, is read as it is needed.
wav_head() { # BYTES of samples
    printf 'RIFF\377\377\377\177WAVEfmt \20\0\0\0\1\0\2\0\104\254\0\0\20\261\2\0\4\0\20\0data'
    for shift in 0 8 16 24; do printf "\\x$(printf %02x $((($1 >> shift) & 255)))"; done
}
wav_head 635040000 >hour.wav
truncate -s 635040044 hour.wav
expect 0 --audio hour.wav --hash --start 3599
(($(frames) == 10)) || fail "the last second of an hour has $(frames) frames: $(cat err)"

# What is cut is told, and so is a sound that the film outlives.
for song in song.wav song.aiff song.ogg song.opus song.mkv fast.m4a; do
    head -c $(($(stat -c %s "$song") * 6 / 10)) "$song" >"cut.${song##*.}"
    expect 0 --audio "cut.${song##*.}" --hash
    has err "^cut.${song##*.}: warning: the sound breaks off"
done
head -c 9000 song.m4a >cut.m4a
expect 1 --audio cut.m4a --hash
has err '^cut.m4a: error: cannot read this sound; it may be incomplete'
has err '^ffprobe: note: .*moov atom not found'
expect 0 --audio song.m4a --hash --duration 4
has err "^song.m4a: warning: the sound ends after 2.5 of the film's 4.0 seconds; silence follows"
expect 1 --audio mute.mp4 --hash
has err '^mute.mp4: error: there is no sound in the file$'
ffmpeg -v error -i song.wav -f wav - | cat >piped.wav
expect 0 --audio piped.wav --hash
! grep warning err || fail 'a WAV file that was written into a pipe is not cut'
expect 1 song.wma --hash
has err '^song.wma: error: this is a sound, not a preset; give it with --audio'

# Neither a name nor a content makes ffmpeg open anything else: it is told format and protocols.
mkdir -p 'concat:song.m4a|file:' spy
cp song.m4a 'concat:song.m4a|file:/http:x.m4a'
cp song.m4a ./-i.m4a
cp song.m4a 'a%d.m4a'
for name in 'concat:song.m4a|file:/http:x.m4a' -i.m4a 'a%d.m4a'; do
    expect 0 --audio "$name" --frames 5 --hash
done
# It writes its words on standard error, which is all that it can write to, and froth tells when it fails.
for tool in ffmpeg ffprobe; do
    printf '#!/bin/sh\nfor word; do printf "%%s " "$word"; done | fold -s -w 180 >&2\necho >&2\nexit 9\n' >spy/$tool
done
chmod +x spy/*
printf '#EXTM3U\n#EXTINF:1,\nsong.m4a\n' >list.m4a
printf 'ffconcat version 1.0\nfile song.m4a\n' >list.aac
cp list.aac list.vox
cp list.aac list.wav
for list in list.m4a list.aac list.vox list.wav; do
    PATH=$work/spy:$PATH expect 1 --audio $list --hash
    has err "^$list: error: cannot read this sound: Format not recognised; WAV, .*M4A"
    expect 1 --audio $list -o list.mp4
    [[ ! -e list.mp4 ]] || fail "a list of sounds became a video"
done
PATH=$work/spy:$PATH expect 1 --audio song.m4a --hash
has err '^ffprobe: note: .*-protocol_whitelist file -format_whitelist mov -f mov -i file:/proc/self/fd/3 '
! grep -q 'fd/.*song' err || fail "ffmpeg is given a name: $(cat err)"
PATH=$work/spy:$PATH expect 1 --audio song.wav --frames 3 -o spied.mp4
has err '^ffmpeg: note: .*-format_whitelist wav -f wav -i file:/proc/self/fd/3'
has err '^ffmpeg: note: .*-f mp4 file:/proc/self/fd/4'
mkdir none
PATH=$work/none expect 1 --audio song.m4a --hash
has err '^song.m4a: error: ffmpeg, which reads this kind of sound, was not found; install it'
echo "sound_files.sh: done"
