#!/usr/bin/env bash
# What a recording costs the painter: tests/set_cost.sh FROTH SOURCE [ROUNDS [SECONDS [SIZE]]]      5 rounds of 12 s at 640x360
# A show with and without a recording, by turns, one thread. Prints the medians over the rounds of how long a frame takes to
# draw, in the middle and for 99 of 100. Exit code 77: tools are missing.
set -euo pipefail
froth=$(realpath "$1")
source=$(realpath "$2")
rounds=${3:-5}
seconds=${4:-12}
size=${5:-640x360}
for tool in Xvfb xvfb-run; do
    command -v "$tool" > /dev/null || { echo "needs $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work SDL_AUDIODRIVER=dummy
play() { # NAME OPTION...
    local name=$1
    shift
    xvfb-run -a "$froth" play "$source/presets/originals" --no-library --audio demo --size "$size" --fps 30 --threads 1 \
        --advance 3 --seed 3 --duration "$seconds" --frame-times "$@" 2> "$work/messages"
    sed -n 's/^drawing: .* 50 %: \([0-9.]*\) ms, 99 %: \([0-9.]*\) ms.*/\1 \2/p' "$work/messages" >> "$work/$name"
}
for round in $(seq "$rounds"); do
    play without
    play with --record "$work/set$round"
    rm -rf "$work/set$round"
done
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
for name in without with; do
    echo "$name a recording: median $(awk '{ print $1 }' "$work/$name" | median) ms, 99 % $(awk '{ print $2 }' "$work/$name" | median) ms"
done
