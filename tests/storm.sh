#!/usr/bin/env bash
# An audience with bad luck: keys, clicks, drags, text, outputs and sound servers that come and go at random
# while a show plays on the second output. tests/storm.sh FROTH SOURCE [SECONDS [SEED [KEEP]]]
# A third of the time without a storm for comparison, a third of keys and devices alone, after which presets
# that were kept may have other values, which keys set, and no other text; and a third of everything. Prints what
# the frames took.
# KEEP: a folder for screenshots. Exit code 77: the tools for it are missing.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
seconds=${3:-300}
seed=${4:-$((SECONDS + $$))}
keep=${5:-}
lib=$(dirname "$0")/cli/lib
# shellcheck source=cli/lib/common.sh
. "$lib/common.sh"
. "$lib/display.sh"
. "$lib/outputs.sh"
. "$lib/sound.sh"
need Xorg xrandr xdotool ffmpeg openbox xprop xwininfo pulseaudio pactl
logs="messages server"

work=$(mktemp -d) || exit 1
player=
clean() {
    [ -n "$keep" ] && cp "$work/messages" "$work/done" "$keep"/
    end_all "$player" "$manager" "$display" "$server"
}
trap clean EXIT
at_failure() {
    echo "seed $seed, after $((SECONDS - begun)) s; the last things done:"
    tail -n 20 "$work/done" | sed 's/^/    /'
    [ -n "$keep" ] && for output in DUMMY0 DUMMY1; do shot_of "$output" "storm-failed-$output"; done
}

alone
mkdir "$work/presets"
for preset in "Aurora Engine" "Tidal Glass" "Night Drive" "Ember Tunnel" "Clockwork Rain" "Paper Garden"; do
    file="$source/presets/originals/froth - $preset.milk"
    [ -f "$file" ] && cp "$file" "$work/presets/"
done
presets=$(find "$work/presets" -name '*.milk' | wc -l)
((presets >= 4)) || fail "the presets for it are gone"
(cd "$work/presets" && sha256sum -- *) > "$work/before"

start() {
    (cd "$work" && exec "$froth" play --fullscreen --operator window --threads 1 --advance 20 --blend 2 \
        --order random --seed "$seed" --frame-times "$@" "$work/presets" 2>> "$work/messages") &
    player=$!
    wait_for "no window" has_window
}
has_window() { [ -n "$(show_window)" ]; }
show_window() { xdotool search --name '^froth - ' 2> /dev/null | while read -r window; do
    [ "$(xdotool getwindowname "$window")" = 'froth - operator' ] || echo "$window"; done | head -n 1; }

RANDOM=$((seed % 32768))
pick() { # ARRAY: a random element in $picked
    local -n from=$1
    picked=${from[RANDOM % ${#from[@]}]}
}
# Not those that enter the editor: M, Ctrl+E, Ctrl+F, and S, which saves.
keys=(a b c d e f g h i j k l n o p q r t u v w x y z A B C D E F G H I J K L N O P Q R T U V W X Y Z
    0 1 2 3 4 5 6 7 8 9 space Return Tab Escape Left Right Up Down Prior Next Home End BackSpace Delete Insert
    plus minus comma period slash semicolon F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
    ctrl+plus ctrl+minus ctrl+0 ctrl+a ctrl+c ctrl+v ctrl+x ctrl+y ctrl+z ctrl+Return alt+Return
    shift+Tab shift+Return ctrl+Left ctrl+Right shift+Left shift+Right)
everything=("${keys[@]}" m M s S ctrl+s ctrl+Delete ctrl+e ctrl+f)
modes=(1280x720 1024x768)
words=('fDecay=0.9x5' 'per_frame_1=zoom = 1.01;' '[preset00]' 'aurora' 'stars>=3' 'tag:"' $'\xd0\xbf\xd1\x80\xd0\xb8')

somewhere() { # a random place on a random output
    local output=DUMMY0 width height left top
    ((RANDOM % 4 == 0)) && output=DUMMY1
    read -r width height left top <<< "$(place_of "$output")"
    [ -n "${width:-}" ] || read -r width height left top <<< "$(place_of DUMMY0)"
    echo "$((left + RANDOM % width)) $((top + RANDOM % height))"
}
note() { echo "$*" >> "$work/done"; }

device() {
    case $((RANDOM % 6)) in
    0) note unplug; unplug DUMMY1 ;;
    1 | 2) pick modes; note "plug $picked"; plug DUMMY1 "$picked" --right-of DUMMY0 ;;
    3) note "server ends"; [ -n "$server" ] && kill_server ;;
    *) [ -n "$server" ] || { note "server starts"; start_server; } ;;
    esac
}
mouse() {
    local x y
    read -r x y <<< "$(somewhere)"
    case $((RANDOM % 5)) in
    0) note "drag $x $y"; xdotool mousemove "$x" "$y" mousedown 1; read -r x y <<< "$(somewhere)"
        xdotool mousemove "$x" "$y" mouseup 1 ;;
    1) note "wheel $x $y"; xdotool mousemove "$x" "$y" click $((4 + RANDOM % 2)) ;;
    2) note "double $x $y"; xdotool mousemove "$x" "$y" click --repeat 2 --delay 30 1 ;;
    *) note "click $x $y"; xdotool mousemove "$x" "$y" click 1 ;;
    esac
}
# A program that was told to end ends well, and is started again.
look_after() {
    kill -0 "$player" 2> /dev/null && return
    wait "$player"
    local code=$?
    ((code == 0)) || fail "it ended with $code"
    ended=$((ended + 1))
    start
}
storm() { # SECONDS MOUSE-AND-TEXT
    local end=$((SECONDS + $1))
    while ((SECONDS < end)); do
        case $((RANDOM % 40)) in
        0) device ;;
        [1-9] | 1[0-9]) if $2; then mouse; else pick keys; note "key $picked"; xdotool key "$picked"; fi ;;
        20) if $2; then pick words; note "type $picked"; xdotool type --delay 5 "$picked"; fi ;;
        *) if $2; then pick everything; else pick keys; fi; note "key $picked"; xdotool key "$picked" ;;
        esac
        events=$((events + 1))
        sleep 0.0$((RANDOM % 8 + 1))
        ((RANDOM % 20 > 0)) || look_after
    done
}

# All outputs and the sound are back; the show is on an output, and its picture comes on.
calm() {
    [ -n "$server" ] || start_server
    plug DUMMY1 1280x720 --right-of DUMMY0
    look_after
    wait_for "the show is on no output" is_shown
}
is_shown() {
    local x y w h
    read -r w h x y <<< "$(xwininfo -id "$(show_window)" | awk '/Absolute upper-left X/ { x = $4 }
        /Absolute upper-left Y/ { y = $4 } / Width:/ { w = $2 } / Height:/ { print w, $2, x, y }')"
    ((w >= 160 && h >= 90 && x >= 0 && y >= 0 && x + w <= 1280 + 1280))
}
ends() {
    kill "$player"
    for _ in $(seq 200); do
        kill -0 "$player" 2> /dev/null || break
        sleep 0.1
    done
    kill -0 "$player" 2> /dev/null && fail "SIGTERM does not end it"
    wait "$player" || fail "exit code $?"
    player=
}
frames() { echo "$1:"; grep -E '^(drawing|apart|frames|  )' "$work/messages" | tail -n 14; }

begun=$SECONDS
events=0
ended=0
start_outputs
xdotool set_num_desktops 1
plug DUMMY1 1280x720 --right-of DUMMY0
start_server
: > "$work/messages"
start
sleep $((seconds / 3))
calm
ends
frames "without a storm"

: > "$work/messages"
start
storm $((seconds / 3)) false
calm
[ -n "$keep" ] && for output in DUMMY0 DUMMY1; do shot_of "$output" "storm-keys-$output"; done
ends
frames "keys and devices ($events events)"
(cd "$work/presets" && sha256sum --quiet -c "$work/before") || fail "a preset's file has changed"
# What the keys set are values: all other lines are those of the file that a copy was made from.
text_of() { grep -E '^(\[|per_|warp_|comp_|wave_|shape_)' "$1" | sort; }
for saved in "$XDG_DATA_HOME"/froth/presets/*.milk; do
    [ -f "$saved" ] || continue
    name=$(basename "$saved" .milk)
    origin="$work/presets/${name%% - [0-9]*}.milk"
    [ -f "$origin" ] || fail "a preset of a strange name was kept: $name"
    diff <(text_of "$origin") <(text_of "$saved") > "$work/typed" || {
        cat "$work/typed"
        fail "something was typed into $name"
    }
done

: > "$work/messages"
start
storm $((seconds / 3)) true
calm
[ -n "$keep" ] && for output in DUMMY0 DUMMY1; do shot_of "$output" "storm-all-$output"; done
ends
frames "everything ($events events)"
(cd "$work/presets" && sha256sum --quiet -c "$work/before") || fail "a preset's file has changed"
echo "seed $seed: $events events, ended by command $ended times; all well"
