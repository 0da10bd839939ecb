# weston, whose outputs are windows of a virtual X display; sourced by table.sh.
# shellcheck source=outer.sh
. "$here/outer.sh"
desk_needs='weston Xvfb xdotool'
names=(screen0 screen1)
size2=1280x720
desk_version() { weston --version; }

# weston.ini: with these scales
begin_weston() {
    local x=false
    [ "$row" != x ] || x=true
    printf '%s\n' '[core]' 'idle-time=0' "xwayland=$x" '[shell]' 'panel-position=none' \
        'background-color=0xff336633' 'locking=false' 'startup-animation=none' 'num-workspaces=2' \
        '[output]' 'name=screen0' "mode=$((1280 / $1))x$((720 / $1))" "scale=$1" '[output]' 'name=screen1' \
        "mode=$((1280 / $2))x$((720 / $2))" "scale=$2" > "$work/weston.ini"
    DISPLAY=$outer weston --backend=x11-backend.so --use-pixman --output-count=2 --socket=stage -c "$work/weston.ini" \
        > "$work/compositor" 2>&1 &
    compositor=$!
    others+=("$compositor")
    await test -S "$XDG_RUNTIME_DIR/stage" && await outputs_open 'Weston Compositor'
}
desk_start() {
    export WAYLAND_DISPLAY=stage
    open_outer || return 1
    chown -R "$(id -u)" "$XDG_RUNTIME_DIR"
    begin_weston 1 1 || { verdict="does not start"; return 1; }
    [ "$row" != x ] || desk_display=$(sed -n 's/.*xserver listening on display \(:[0-9]*\).*/\1/p' "$work/compositor")
}
desk_arrange() {
    if [ "$#" -ne 2 ] || [ -z "$1" ] || [ -z "$2" ]; then
        verdict='cannot: no output can be taken away and given back'
    elif [ "$1$2" != "${arranged:-11}" ] && [ -n "$player" ]; then
        verdict='cannot: a scale does not change while it runs'
    elif [[ $1$2 == *.* ]]; then
        verdict='cannot: scales are whole numbers'
    else
        [ "$1$2" = 11 ] && return
        kill "$compositor"
        wait "$compositor" 2> /dev/null
        rm -f "$XDG_RUNTIME_DIR"/stage*
        begin_weston "$1" "$2" && arranged=$1$2 && return
        verdict='does not start'
    fi
    return 1
}
desk_shot() { outer_shot "$@"; }
desk_keys() {
    desk_front
    sleep 1
    press key --delay 100 "$@"
}
desk_type() {
    desk_front
    sleep 1
    press type --delay 100 "$1"
}
desk_front() { press windowfocus "${outer_windows[0]}" mousemove 500 700 sleep 0.3 click 1; }
desk_hide() {
    press windowfocus "${outer_windows[1]}" mousemove 1500 300 sleep 0.5 key super+F2 && sleep 1
    is_seen 2 blue || return 0
    verdict='cannot: it has no workspaces'
    return 1
}
desk_idle() { verdict='cannot: weston has no idle-inhibit'; }
