# KWin on two outputs that are equal; sourced by table.sh. KWin 5's are virtual; KWin 6 takes pictures of none without a
# graphics card, and its outputs are windows of a virtual X display.
# shellcheck source=outer.sh
. "$here/outer.sh"
# shellcheck source=session.sh
. "$here/session.sh"
desk_needs='kwin_wayland dbus-run-session /usr/bin/python3'
outer=
desk_version() { dpkg-query -W -f 'kwin ${Version}' kwin-wayland 2> /dev/null; }
# Where there is much else to do, KWin 5 does not always say its version.
case "$(kwin_wayland --version 2> /dev/null), $(desk_version)" in
*'kwin 5.'* | *'kwin 4:5.'*) names=(Virtual-0 Virtual-1) ;;
*) names=(X11-0 X11-1) && desk_needs+=' Xvfb xdotool' ;;
esac
size2=1280x720

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
    KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 KWIN_SCREENSHOT_NO_PERMISSION_CHECKS=1 QT_LOGGING_RULES='js.debug=true' \
        start_session : "$work/kwin_wayland" "${outputs[@]}" --output-count 2 --width 1280 --height 720 \
        --socket stage --no-lockscreen "${x[@]}" || return 1
    if [ "$row" = x ]; then
        await test -s "$XDG_RUNTIME_DIR/display" && desk_display=$(cat "$XDG_RUNTIME_DIR/display")
    fi
    [ -z "$outer" ] || await outputs_open 'KDE Wayland Compositor' || return 1
    await desk_shot 1 "$work/shot.ppm"
}
desk_shot() { if [ -n "$outer" ]; then outer_shot "$@"; else asked_shot "$@"; fi; }
desk_front() { ask click 500 700; }
desk_hide() {
    ask script 'var all = workspace.windowList ? workspace.windowList() : workspace.clientList();
        for (var i = 0; i < all.length; i++) all[i].minimized = true;' && sleep 1 && ! is_seen 2 blue
}
