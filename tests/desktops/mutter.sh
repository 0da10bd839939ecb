# mutter, without GNOME Shell, on two virtual monitors; sourced by table.sh.
# shellcheck source=session.sh
. "$here/session.sh"
desk_needs='mutter pipewire wireplumber gst-launch-1.0 dbus-run-session gsettings /usr/bin/python3'
names=(Meta-0 Meta-1)
size2=1920x1080
desk_version() { mutter --version | head -n 1; }

desk_start() {
    local -a x=(--no-x11)
    [ "$row" != x ] || x=()
    # wireplumber ends where it does not find pipewire.
    # shellcheck disable=SC2016
    start_session 'pipewire & until test -S "$XDG_RUNTIME_DIR/pipewire-0"; do sleep 0.1; done
        wireplumber &
        gsettings set org.gnome.mutter experimental-features "[\"scale-monitor-framebuffer\"]"' \
        mutter --headless "${x[@]}" --wayland-display stage --virtual-monitor 1920x1080 --virtual-monitor 1920x1080 || return 1
    desk_display=$(sed -n 's/.*Using public X11 display \(:[0-9]*\),.*/\1/p' "$work/compositor")
    if [ "$row" = x ]; then
        XAUTHORITY=$(find "$XDG_RUNTIME_DIR" -name '.mutter-Xwaylandauth.*')
        export XAUTHORITY
    fi
    await ask state && desk_arrange 1 1
}
desk_shot() { asked_shot "$@"; }
desk_front() { ask click Meta-0 500 700; }
desk_hide() { ask keys super+h && sleep 1 && ! is_seen 2 blue; }
