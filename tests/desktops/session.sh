# A compositor with a D-Bus session of its own, which a program in Python asks, $desk.py; sourced by drivers.

# start_session BEFORE COMMAND...: the compositor, once the shell has done what BEFORE says in the session
start_session() {
    # shellcheck disable=SC2016
    setsid "${drop[@]}" dbus-run-session -- bash -c '
        echo "$DBUS_SESSION_BUS_ADDRESS" > "$XDG_RUNTIME_DIR/bus"
        eval "$0"
        "$@" &
        echo $! > "$XDG_RUNTIME_DIR/pid"
        wait $!
        sleep 3600' "$@" > "$work/compositor" 2>&1 &
    others+=("-$!") # with all that it has started
    await test -S "$XDG_RUNTIME_DIR/stage" || { verdict="does not start"; return 1; }
    compositor=$(cat "$XDG_RUNTIME_DIR/pid")
    export WAYLAND_DISPLAY=stage DBUS_SESSION_BUS_ADDRESS
    DBUS_SESSION_BUS_ADDRESS=$(cat "$XDG_RUNTIME_DIR/bus")
}
ask() { as timeout 60 /usr/bin/python3 -B "$here/$desk.py" "$@"; }
desk_arrange() {
    local i=0 scale
    local -a on=()
    for scale in "$@"; do
        [ -z "$scale" ] || on+=("${names[i]}=$scale")
        i=$((i + 1))
    done
    ask arrange "${on[@]}" > "$work/refused" 2>&1 && return
    verdict="cannot: $(tail -n 1 "$work/refused")"
    return 1
}
asked_shot() { ask shot "${names[$1 - 1]}" "$work/run/shot.ppm" && cp "$work/run/shot.ppm" "$2"; }
desk_keys() { ask keys "$@"; }
desk_type() { ask type "$1"; }
desk_idle() { verdict='cannot: nothing tells it'; }
