# mutter, without GNOME Shell, on two virtual monitors; sourced by table.sh.
desk_needs='mutter pipewire wireplumber gst-launch-1.0 dbus-run-session gsettings /usr/bin/python3'
names=(Meta-0 Meta-1)
size2=1920x1080
desk_version() { mutter --version | head -n 1; }

desk_start() {
    # shellcheck disable=SC2016
    setsid "${drop[@]}" dbus-run-session -- bash -c '
        echo "$DBUS_SESSION_BUS_ADDRESS" > "$XDG_RUNTIME_DIR/bus"
        pipewire & wireplumber &
        gsettings set org.gnome.mutter experimental-features "[\"scale-monitor-framebuffer\"]"
        mutter --headless $0 --wayland-display stage --virtual-monitor 1920x1080 --virtual-monitor 1920x1080 &
        echo $! > "$XDG_RUNTIME_DIR/pid"
        wait $!
        sleep 3600' "$([ "$row" = x ] || echo --no-x11)" > "$work/compositor" 2>&1 &
    others+=("-$!") # with all that it has started
    await test -S "$XDG_RUNTIME_DIR/stage" || { verdict="does not start"; return 1; }
    compositor=$(cat "$XDG_RUNTIME_DIR/pid")
    export WAYLAND_DISPLAY=stage DBUS_SESSION_BUS_ADDRESS
    DBUS_SESSION_BUS_ADDRESS=$(cat "$XDG_RUNTIME_DIR/bus")
    desk_display=$(sed -n 's/.*Using public X11 display \(:[0-9]*\),.*/\1/p' "$work/compositor")
    await ask_mutter state && desk_arrange 1 1
}
ask_mutter() { as timeout 60 /usr/bin/python3 -B "$here/mutter.py" "$@"; }
desk_arrange() {
    local i=0 scale
    local -a on=()
    for scale in "$@"; do
        [ -z "$scale" ] || on+=("${names[i]}=$scale")
        i=$((i + 1))
    done
    ask_mutter arrange "${on[@]}" > "$work/refused" 2>&1 && return
    verdict="cannot: $(tail -n 1 "$work/refused")"
    return 1
}
desk_shot() { ask_mutter shot "${names[$1 - 1]}" "$work/run/shot.ppm" && cp "$work/run/shot.ppm" "$2"; }
desk_keys() { ask_mutter keys "$@"; }
desk_type() { ask_mutter type "$1"; }
desk_front() { ask_mutter click Meta-0 500 700; }
desk_hide() { ask_mutter keys super+h && sleep 1 && ! is_seen 2 blue; }
desk_idle() { verdict='cannot: nothing tells it'; }
