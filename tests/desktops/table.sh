#!/usr/bin/env bash
# What the show and the operator's view do in the compositors that are installed, each a real one without a display, as a
# table: table.sh FROTH SOURCE [--keep FOLDER] [--only REGEX] [COMPOSITOR...]
#   COMPOSITOR      weston, sway, mutter, kwin; nothing: all
#   --keep FOLDER   screenshots are left there
#   --only REGEX    only the rows whose name matches
# Exit code: 0: all that can be tried is as it should be; 1: something is not; 77: no compositor is there.
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
shift 2
here=$source/tests/desktops
# shellcheck source=../cli/lib/common.sh
. "$source/tests/cli/lib/common.sh"
patience=${FROTH_TEST_PATIENCE:-20}
keep=
only=.
wanted=()
while (($# > 0)); do
    case $1 in
    --keep) keep=$(realpath "$2") && shift ;;
    --only) only=$2 && shift ;;
    weston | sway | mutter | kwin) wanted+=("$1") ;;
    *) sed -n '2,8s/^# //p' "$0" && exit 2 ;;
    esac
    shift
done
((${#wanted[@]} > 0)) || wanted=(weston sway mutter kwin)
screen=$(dirname "$froth")/tests/screen
"$froth" version > /dev/null || exit 1
logs='messages compositor'
all=$(mktemp -d) || exit 1
chmod 755 "$all"
trap 'rm -rf "$all"' EXIT

# name|what it is
rows=(
    'start|outputs are listed'
    'show|full screen on output 2'
    'operator|his view on output 1'
    'f10|F10, twice'
    'typing|typing'
    'clipboard|cut and pasted'
    'idle|keeps the screen awake'
    'show_lost|output 2 unplugged, back'
    'alone_lost|the same, no operator'
    'operator_lost|output 1 unplugged, back'
    'hidden|hidden: ms apart, 50 %, 99 %'
    'scale_1|device pixels, scale 1'
    'scale_15|device pixels, scale 1.5'
    'scale_2|device pixels, scale 2'
    'rescaled|scale changed meanwhile'
    'laptop|scale 2 beside scale 1'
    'killed|compositor killed'
    'x|by XWayland'
)

# ---- what a row asks; each says in $verdict what came of it, which begins with "ok" if it is as it should be ----

# as COMMAND...: not as root, as which compositors do not run
drop=()
[ "$(id -u)" -ne 0 ] || drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
as() { "${drop[@]}" "$@"; }

as_exec() { exec "${drop[@]}" "$@"; }

# play OPTION...
play() {
    : > "$work/messages"
    : > "$work/frames"
    (cd "$work" && "${player_as[@]}" "$froth" play --audio demo --fps 20 --threads 1 --names never --device cpu \
        --advance 3600 --no-library "$@" 2>> "$work/messages" > "$work/frames") &
    player=$!
}
presets=('presets/blue lantern.milk' 'presets/red lamp.milk')
both() { play --size 320x180 --fullscreen --monitor 2 --operator window "$@" "${presets[@]}"; }
stop() {
    [ -n "$player" ] || return 0
    kill -INT "$player" 2> /dev/null
    await has_ended "$player" || kill -9 "$player"
    wait "$player" 2> /dev/null
    player=
}
says() { [ "$(grep -c "$1" "$work/messages")" -eq "${2:-1}" ]; }
told() { grep -v 'no sound output' "$work/messages" | sed 's/^froth: //' | tail -n "${1:-1}" | tr '\n' ' '; }

# look OUTPUT: what is on output 1 or 2: blue or red (the show), operator, else its mean colour
look() {
    desk_shot "$1" "$work/shot.ppm" 2> /dev/null || { echo nothing; return; }
    local width height levels
    read -r _ width height _ <<< "$(head -c 32 "$work/shot.ppm" | tr '\n' ' ')"
    tail -c $((3 * width * height)) "$work/shot.ppm" > "$work/shot"
    [ -z "$keep" ] || ffmpeg -v error -y -i "$work/shot.ppm" "$keep/$desk-$row-$1.png"
    levels=$("$screen" levels "$work/shot" "$width" 0 0 $((width / 5)) "$height")
    echo "$levels" | awk '{
        if ($3 > 20000 && $1 + $2 < 2000) print "blue"
        else if ($1 > 20000 && $2 + $3 < 2000) print "red"
        else if ($4 > 150 && $1 > 800 && $1 < 12000 && $2 > 800) print "operator"
        else printf "%d,%d,%d\n", $1 / 100, $2 / 100, $3 / 100 }'
}
is_seen() { [ "$(look "$1")" = "$2" ]; }
# sees OUTPUT WHAT: waits for it, and says else what is there
sees() {
    await is_seen "$1" "$2" && return
    verdict="output $1 shows $(look "$1"), not $2"
    return 1
}
shows_both() { sees 2 "${1:-blue}" && sees 1 operator; }

row_start() {
    "$froth" devices > "$work/list" 2> /dev/null
    if grep -q "^  1  ${names[0]} " "$work/list" && grep -q "^  2  ${names[1]} " "$work/list"; then
        verdict=ok
    else
        verdict="no: $(grep '(monitor' "$work/list" | tr -s ' ' | tr '\n' ' ')"
    fi
}
row_show() { both && sees 2 blue && verdict=ok; }
row_operator() { both && sees 1 operator && verdict=ok; }
row_f10() {
    both && shows_both && desk_keys F10 && sees 1 blue && sees 2 operator && desk_keys F10 && shows_both && verdict=ok
}
row_typing() { both && shows_both && desk_front && desk_type /red && desk_keys Return && shows_both red && verdict=ok; }
# What stands in the field is cut out, and pasted again.
row_clipboard() {
    both && shows_both && desk_front && desk_type /red && desk_keys ctrl+a ctrl+x ctrl+v Return && shows_both red &&
        verdict=ok
}
row_idle() { both && shows_both && desk_idle; }
row_show_lost() {
    both && shows_both || return
    desk_arrange 1 || return
    await says 'monitor .* is gone' || { verdict="not told: $(told)"; return; }
    sees 1 operator || { verdict="unplugged: $verdict"; return; }
    desk_arrange 1 1 || return
    shows_both || { verdict="back: $verdict"; return; }
    sleep 3
    shows_both || { verdict="back, later: $verdict"; return; }
    if says 'is gone' && says 'the show is on'; then verdict=ok; else verdict="told: $(told 4)"; fi
}
row_alone_lost() {
    play --size 320x180 --fullscreen --monitor 2 "${presets[@]}"
    sees 2 blue || return
    desk_arrange 1 || return
    desk_find
    sees 1 blue || { verdict="unplugged: $verdict"; return; }
    desk_arrange 1 1 || return
    sees 2 blue || { verdict="back: $verdict"; return; }
    if says 'is gone' && await says 'the show is on'; then verdict=ok; else verdict="told: $(told 4)"; fi
}
row_operator_lost() {
    both && shows_both || return
    desk_arrange '' 1 || return
    await says 'operator.s window is gone' || { verdict="not told: $(told)"; return; }
    sees 2 blue || { verdict="unplugged: $verdict"; return; }
    desk_arrange 1 1 || return
    shows_both || verdict="back: $verdict"
    [ "$verdict" = - ] && verdict=ok
}
# Beside what it is when it is seen: where the processor draws large windows, that is slow by itself.
row_hidden() {
    local seen half most
    play --size 320x180 --fullscreen --monitor 2 --fps 60 --duration 8 --frame-times "${presets[@]}"
    sees 2 blue || return
    wait "$player"
    seen=$(apart 50)
    play --size 320x180 --fullscreen --monitor 2 --fps 60 --duration 14 --frame-times "${presets[@]}"
    sees 2 blue || return
    desk_hide || return
    wait "$player"
    player=
    half=$(apart 50)
    most=$(apart 99)
    verdict="$half, $most (seen: $seen)"
    awk "BEGIN { exit !($half > 15 && ($half < 18 || $half < 1.2 * $seen)) }" && verdict="ok: $verdict"
}
apart() { sed -n "s/^apart:.*$1 %: \\([0-9.]*\\) ms.*/\\1/p" "$work/messages"; }
# is_exact OUTPUT: it shows still.milk, pixel by pixel
is_exact() {
    desk_shot "$1" "$work/shot.ppm" 2> /dev/null || return 1
    [ -z "$keep" ] || ffmpeg -v error -y -i "$work/shot.ppm" "$keep/$desk-$row-$1.png"
    local largest
    largest=$(ffmpeg -v info -i "$work/shot.ppm" -i "$work/still.png" -lavfi 'psnr' -f null - 2>&1 |
        sed -n 's/.*average:\([0-9.inf]*\).*/\1/p')
    likeness=$largest
    [ "$largest" = inf ] || awk "BEGIN { exit !($largest > 45) }"
}
likeness=
exactly() {
    await is_exact 2 && return
    read -r _ at_width at_height _ <<< "$(head -c 32 "$work/shot.ppm" | tr '\n' ' ')"
    verdict="not ${at_width}x$at_height pixel by pixel ($likeness dB)"
    return 1
}
still() { play --size "$size2" --shaders full --fps 5 --fullscreen --monitor 2 "$@" still.milk; }
scaled() { desk_arrange 1 "$1" && still && exactly && verdict=ok; }
row_scale_1() { scaled 1; }
row_scale_15() {
    scaled 1.5
    # Without fractional scales SDL draws for the next whole one.
    [[ $likeness == [234]* && $verdict == not* ]] && verdict="cannot: drawn for 2, scaled down by it"
}
row_scale_2() { scaled 2; }
row_rescaled() {
    local scale
    still && exactly || { verdict="1: $verdict"; return; }
    for scale in 2 1; do
        desk_arrange 1 "$scale" && exactly || { verdict="to $scale: $verdict"; return; }
    done
    verdict=ok
}
row_laptop() {
    desk_arrange 2 1 && still --operator window && exactly && sees 1 operator && verdict=ok
}
row_killed() {
    local code recorder kept
    play --size 320x180 --fullscreen --monitor 2 --record kept "${presets[@]}"
    sees 2 blue || return
    recorder=$player
    play --size 320x180 "${presets[@]}"
    sleep 3
    kill -9 "$compositor"
    await has_ended "$player" || { verdict="the show does not end"; kill -9 "$recorder"; return; }
    wait "$player"
    code=$?
    player=$recorder
    kept=$(du -bs "$work/kept" | cut -f 1)
    sleep 3
    if [ "$code" -ne 1 ]; then
        verdict="exit code $code"
    elif ! kill -0 "$recorder" || [ "$(du -bs "$work/kept" | cut -f 1)" -le "$kept" ]; then
        verdict="the recording does not go on"
    else
        verdict=ok
    fi
}
row_x() {
    [ -n "${desk_display-}" ] || { verdict="cannot: ${no_x:-no XWayland}"; return; }
    export DISPLAY=$desk_display SDL_VIDEODRIVER=x11
    # Its server takes those alone whose it is.
    [ "$(stat -c %u "/tmp/.X11-unix/X${desk_display#:}")" -eq "$(id -u)" ] || player_as=(as_exec)
    both
    if shows_both; then
        desk_keys F10 && sees 1 blue && sees 2 operator && verdict=ok
    elif says 'the system put it on'; then
        verdict='cannot: it puts such windows itself, which froth tells'
    fi
}

# ---- one compositor ----

# What a driver knows of itself, and does; false: it cannot, and says why in $verdict.
#   desk_needs, names=(OUTPUT OUTPUT), size2=WIDTHxHEIGHT of the second, desk_display: that of XWayland
#   desk_start; desk_arrange SCALE [SCALE]: of the outputs, nothing or '': unplugged; desk_shot 1|2 FILE: a PPM
#   desk_keys KEY..., desk_type TEXT, desk_front: they go to the operator's view; desk_hide: the show is not seen; desk_idle
#   desk_find: the show is looked for, as its user would, where its output is gone; where it needs no looking: nothing
one() {
    desk=$1
    desk_find() { :; }
    # shellcheck source=/dev/null
    . "$here/$desk.sh"
    local tool entry missing=
    for tool in $desk_needs ffmpeg setpriv; do
        command -v "$tool" > /dev/null || missing+=" $tool"
    done
    if [ -n "$missing" ]; then
        echo "version|missing:$missing" > "$all/$desk"
        return
    fi
    echo "version|$(desk_version)" > "$all/$desk"
    for entry in "${rows[@]}"; do
        row=${entry%%|*}
        [[ $row =~ $only ]] || continue
        (
            work=$(mktemp -d) || exit 1
            player=
            compositor=
            others=()
            verdict=-
            player_as=(exec)
            chmod 755 "$work"
            alone
            trap 'end_all "$player" "$compositor" "${others[@]}"' EXIT
            [ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$work"
            mkdir -p "$work/presets"
            preset 'blue lantern' 0 0 1
            preset 'red lamp' 1 0 0
            cp "$all/still-$size2."* "$work" 2> /dev/null
            for tool in milk png; do mv "$work/still-$size2.$tool" "$work/still.$tool" 2> /dev/null; done
            if desk_start; then
                export SDL_VIDEODRIVER=wayland
                "row_$row"
                [[ $verdict == ok* || $verdict == cannot* || -z $keep ]] || cp "$work/messages" "$keep/$desk-$row.messages"
                stop
            elif [ -n "$keep" ]; then
                cp "$work/compositor" "$keep/$desk-$row.compositor"
            fi
            echo "$row|$verdict" >> "$all/$desk"
        ) 9>&2 2> /dev/null
        tail -n 1 "$all/$desk" | sed "s/^/$desk: /" >&2
    done
}

# make_still SIZE: a picture that stands still and is nowhere the same
make_still() {
    local red="${1%x*} * 0.5 * uv.x" green="${1#*x} * 0.5 * uv.y" blue='7 * uv.x * uv.y'
    printf '%s\n' MILKDROP_PRESET_VERSION=201 PSVERSION=2 '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 \
        'comp_1=`shader_body' 'comp_2=`{' "comp_3=\`ret = float3(frac($red), frac($green), frac($blue));" 'comp_4=`}' \
        > "$all/still-$1.milk"
    "$froth" render "$all/still-$1.milk" --frames 3 --size "$1" --threads 1 -o "$all/still-$1.png" 2> /dev/null
}
for size in 1280x720 1920x1080 640x360; do make_still "$size"; done

for desk in "${wanted[@]}"; do one "$desk"; done

# ---- the table ----

sdl=$("$froth" version --build | sed -nE 's/.* sdl2  *([0-9.]+).*/SDL \1/p' | head -n 1)
# cell COMPOSITOR ROW
cell() { sed -n "s/^$2|//p" "$all/$1" 2> /dev/null; }
echo
echo "with ${sdl:-SDL}:"
for entry in 'version|version' "${rows[@]}"; do
    for desk in "${wanted[@]}"; do
        text=$(cell "$desk" "${entry%%|*}")
        [ -z "$text" ] || printf '%-30s %-7s %s\n' "${entry#*|}" "$desk" "$text"
    done
done
cat "$all"/* 2> /dev/null | grep -qE '^[a-z0-9_]+\|' || exit 77
bad=$(for desk in "${wanted[@]}"; do grep -vE '^version\||\|(ok|cannot)' "$all/$desk" 2> /dev/null; done | wc -l)
good=$(for desk in "${wanted[@]}"; do grep -E '\|ok' "$all/$desk" 2> /dev/null; done | wc -l)
((good + bad > 0)) || exit 77
echo "$good are ok, $bad are not"
((bad == 0))
