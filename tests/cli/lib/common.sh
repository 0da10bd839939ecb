# For tests that start things and wait for them; sourced. They keep their files in $work, and name in
# $logs those that are printed when they fail.

# fail WHY
fail() {
    echo "FAILED: $1"
    for file in $logs; do
        [ -f "$work/$file" ] && tail -n 30 "$work/$file" | sed "s/^/    $file: /"
    done
    type at_failure > /dev/null 2>&1 && at_failure
    exit 1
}

# wait_for WHAT COMMAND...: up to two minutes: a machine may be slow
wait_for() {
    local what=$1
    shift
    local until=$((SECONDS + 120))
    while ((SECONDS < until)); do
        "$@" > /dev/null 2>&1 && return 0
        sleep 0.1
    done
    fail "$what"
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
