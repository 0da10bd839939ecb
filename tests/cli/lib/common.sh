# For tests that start things and wait for them; sourced. They keep their files in $work, and name in
# $logs those that are printed when they fail.
# shellcheck source=patience.sh
. "$(dirname "${BASH_SOURCE[0]}")/patience.sh"

# fail WHY
fail() {
    echo "FAILED: $1"
    for file in $logs; do
        [ -f "$work/$file" ] && tail -n 30 "$work/$file" | sed "s/^/    $file: /"
    done
    type at_failure > /dev/null 2>&1 && at_failure
    exit 1
}

# wait_for WHAT COMMAND...: until it succeeds, as long as that takes
wait_for() {
    local what=$1
    shift
    await "$@" || fail "$what"
}

# stays WHAT COMMAND...: it succeeds now, and all the time for a while
stays() {
    local what=$1 turn
    shift
    for turn in 1 2 3 4 5; do
        "$@" > /dev/null 2>&1 || fail "$what (look $turn)"
        sleep 0.2
    done
}

# preset NAME RED GREEN BLUE: in $work/presets; its margins have this colour
preset() {
    printf '%s\n' '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 zoom=1 warp=0 ob_a=1 "ob_r=$2" "ob_g=$3" "ob_b=$4" \
        'per_frame_1=ob_size=0.5;' > "$work/presets/$1.milk"
}

# free_port: one that nobody has, below those that the system gives away by itself
free_port() {
    python3 -c '
import random, socket
while True:
    port = random.randrange(10000, 32000)
    try:
        for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
            for family, host in (socket.AF_INET, ""), (socket.AF_INET, "127.0.0.1"):
                with socket.socket(family, kind) as tried:
                    tried.bind((host, port))
        break
    except OSError:
        pass
print(port)'
}

# await_osc PORT: until the show whose messages are there hears Open Sound Control; exit code 77 if it cannot
await_osc() {
    wait_for "the show does not hear at port $1" hears_osc "$1"
    ! grep -q 'has no Open Sound Control' messages || { echo "this froth was built without liblo: skipped"; exit 77; }
}
# frames_pass PORT COUNT: so many more at least are shown by the show that hears there
frames_pass() {
    grep -q 'has no Open Sound Control' messages && { sleep "$(($2 / 10))"; return; }
    python3 -B "$source/tests/cli/osc.py" "$1" "pass=$2" > /dev/null 2>&1 || fail "no $2 frames are shown"
}
hears_osc() {
    grep -q 'has no Open Sound Control' messages || cat /proc/net/udp /proc/net/udp6 | grep -q "$(printf ': [0-9A-F]*:%04X ' "$1")"
}

# same_frames SHOWN AGAIN LEAST [FIRST]: of two lists of "frame N HASH" all that both have are equal, and these are LEAST at
# least; the other's first one is frame FIRST of the first. A list may break off in a line.
same_frames() {
    awk -v least="$3" -v first="${4:-1}" '$1 == "frame" && FNR == NR { if (length($3) == 16) one[$2] = $3 }
        $1 == "frame" && FNR != NR && ($2 + first - 1) in one { both++; bad += one[$2 + first - 1] != $3 }
        END { exit !(both >= least && bad == 0) }' "$1" "$2"
}

# end_all PROCESS...: ends those that there are, and removes $work; a second interrupt does not keep it from that
end_all() {
    local process
    trap '' INT TERM HUP
    for process in "$@"; do
        [ -n "$process" ] && kill -9 "$process" 2> /dev/null
    done
    wait 2> /dev/null
    rm -rf "$work"
}

# need TOOL...: exit code 77 if one is missing
need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" > /dev/null || { echo "$tool is missing: skipped"; exit 77; }
    done
}

# draw_plainly: windows do without OpenGL, which on a virtual display is Mesa's, and costs half of what a small show does.
# For tests that look at other things than at windows.
draw_plainly() { export SDL_RENDER_DRIVER=software SDL_FRAMEBUFFER_ACCELERATION=0; }

# alone: nothing of the user's own is read, changed or heard
alone() {
    export HOME=$work/home XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/home/.config
    export XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_PICTURES_DIR=$work/shots
    unset PULSE_SERVER PULSE_RUNTIME_PATH PULSE_SINK PULSE_SOURCE PULSE_COOKIE
    unset DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER
    mkdir -p "$XDG_CONFIG_HOME/pulse" "$XDG_PICTURES_DIR"
    mkdir -m 700 "$XDG_RUNTIME_DIR"
    echo 'autospawn = no' > "$XDG_CONFIG_HOME/pulse/client.conf"
    # The libraries behind windows and sound keep some memory to the end.
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
}
