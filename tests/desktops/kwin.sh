# KWin on two outputs that are equal; sourced by table.sh. KWin 5's are virtual; KWin 6 takes pictures of none without a
# graphics card, and its outputs are windows of a virtual X display.
# shellcheck source=outer.sh
. "$here/outer.sh"
desk_needs='kwin_wayland dbus-run-session /usr/bin/python3'
outer=
case $(kwin_wayland --version 2> /dev/null) in
'kwin 5.'*) names=(Virtual-0 Virtual-1) ;;
*) names=(X11-0 X11-1) && desk_needs+=' Xvfb xdotool' ;;
esac
size2=1280x720
desk_version() { dpkg-query -W -f 'kwin ${Version}' kwin-wayland; }

desk_start() {
    local -a x=() outputs=(--virtual)
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/sh' 'echo "$DISPLAY" > "$XDG_RUNTIME_DIR/display"' > "$work/tell" && chmod 755 "$work/tell"
    [ "$row" != x ] || x=(--xwayland "$work/tell")
    if [ "${names[0]}" = X11-0 ]; then
        open_outer || return 1
        outputs=(--x11-display "$outer")
    fi
    # A copy has no capabilities, which not every machine may give.
    cp "$(command -v kwin_wayland)" "$work/kwin_wayland" || return 1
    # shellcheck disable=SC2016
    KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 KWIN_SCREENSHOT_NO_PERMISSION_CHECKS=1 QT_LOGGING_RULES='js.debug=true' \
        setsid "${drop[@]}" dbus-run-session -- bash -c '
        echo "$DBUS_SESSION_BUS_ADDRESS" > "$XDG_RUNTIME_DIR/bus"
        "$@" &
        echo $! > "$XDG_RUNTIME_DIR/pid"
        wait $!
        sleep 3600' kwin "$work/kwin_wayland" "${outputs[@]}" --output-count 2 --width 1280 --height 720 \
        --socket stage --no-lockscreen "${x[@]}" > "$work/compositor" 2>&1 &
    others+=("-$!") # with all that it has started
    await test -S "$XDG_RUNTIME_DIR/stage" || { verdict="does not start"; return 1; }
    compositor=$(cat "$XDG_RUNTIME_DIR/pid")
    export WAYLAND_DISPLAY=stage DBUS_SESSION_BUS_ADDRESS
    DBUS_SESSION_BUS_ADDRESS=$(cat "$XDG_RUNTIME_DIR/bus")
    if [ "$row" = x ]; then
        await test -s "$XDG_RUNTIME_DIR/display" && desk_display=$(cat "$XDG_RUNTIME_DIR/display")
    fi
    [ -z "$outer" ] || await outputs_open 'KDE Wayland Compositor' || return 1
    await desk_shot 1 "$work/shot.ppm"
}
ask_kwin() { as timeout 60 /usr/bin/python3 -B "$here/kwin.py" "$@"; }
desk_arrange() {
    local i=0 scale
    local -a on=()
    for scale in "$@"; do
        [ -z "$scale" ] || on+=("${names[i]}=$scale")
        i=$((i + 1))
    done
    ask_kwin arrange "${on[@]}" > "$work/refused" 2>&1 && return
    verdict="cannot: $(tail -n 1 "$work/refused")"
    return 1
}
desk_shot() {
    if [ -n "$outer" ]; then
        outer_shot "$@"
    else
        ask_kwin shot "${names[$1 - 1]}" "$work/run/shot.ppm" && cp "$work/run/shot.ppm" "$2"
    fi
}
desk_keys() { ask_kwin keys "$@"; }
desk_type() { ask_kwin type "$1"; }
desk_front() { ask_kwin click 500 700; }
desk_hide() {
    ask_kwin script 'var all = workspace.windowList ? workspace.windowList() : workspace.clientList();
        for (var i = 0; i < all.length; i++) all[i].minimized = true;' && sleep 1 && ! is_seen 2 blue
}
desk_idle() { verdict='cannot: nothing tells it'; }
