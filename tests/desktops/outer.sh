# A virtual X display, in which a compositor's outputs are two windows beside each other; sourced by drivers.

# open_outer: $outer is its name
open_outer() {
    exec 3> "$work/display"
    Xvfb -noreset -displayfd 3 -screen 0 2600x1500x24 > /dev/null 2>&1 &
    others+=($!)
    exec 3>&-
    await test -s "$work/display" || return 1
    outer=:$(cat "$work/display")
}
press() { DISPLAY=$outer xdotool "$@"; }
# outputs_open TITLE: how the names of both windows begin
outputs_open() {
    local id
    mapfile -t outer_windows < <(press search --name '' 2> /dev/null | while read -r id; do
        echo "$(press getwindowname "$id") $id"
    done | grep "^$1" | sort | sed 's/.* //')
    [ "${#outer_windows[@]}" -eq 2 ] && press windowmove "${outer_windows[0]}" 0 0 windowmove "${outer_windows[1]}" 1300 0
}
# outer_shot 1|2 FILE: a PPM; a window is as large as its output in pixels, or stands for one that is
outer_shot() {
    local x=0 size
    [ "$1" -eq 1 ] || x=1300
    size=$(press getwindowgeometry "${outer_windows[$1 - 1]}" | sed -n 's/.*Geometry: //p')
    DISPLAY=$outer "$screen" shot "$x" 0 "${size%x*}" "${size#*x}" "$work/raw" &&
        { printf 'P6 %d %d 255\n' "${size%x*}" "${size#*x}" && cat "$work/raw"; } > "$2"
}
