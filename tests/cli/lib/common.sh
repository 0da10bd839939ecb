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
