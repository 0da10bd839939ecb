# sway on two outputs without a display; sourced by table.sh.
# shellcheck source=../cli/lib/sway.sh
. "$source/tests/cli/lib/sway.sh"
desk_needs='sway swaymsg grim wtype python3'
names=(HEADLESS-1 HEADLESS-2)
size2=1280x720
desk_version() { sway --version; }

desk_start() {
    local x=disable
    [ "$row" = x ] && x=force
    start_sway "xwayland $x" 'output HEADLESS-1 mode 1280x720 position 0 0' \
        'output HEADLESS-2 mode 1280x720 position 1280 0' \
        "exec sh -c 'echo \"\$DISPLAY\" > \"\$XDG_RUNTIME_DIR/display\"'"
    others+=("$compositor")
    if [ "$row" = x ]; then
        await test -s "$XDG_RUNTIME_DIR/display" && desk_display=$(cat "$XDG_RUNTIME_DIR/display")
    fi
    # In which order it has them differs from one version to the next.
    mapfile -t names < <(VK_ICD_FILENAMES=none "$froth" devices 2> /dev/null | sed -n 's/^  [12]  \(HEADLESS-[12]\) .*/\1/p')
    [ "${#names[@]}" -eq 2 ] || { verdict="outputs are not listed"; return 1; }
    swaymsg -q "output ${names[0]} position 0 0" && swaymsg -q "output ${names[1]} position 1280 0"
    trap 'end_sway "$player" "${others[@]}"' EXIT
}
desk_arrange() {
    local i=0 x=0 scale
    for scale in "$@"; do
        if [ -z "$scale" ]; then
            off "${names[i]}" || return
        else
            [ -z "${gone[i]-}" ] || swaymsg -q "output ${names[i]} enable"
            gone[i]=
            swaymsg -q "output ${names[i]} scale $scale position $x 0"
            x=$((x + 1280))
        fi
        i=$((i + 1))
    done
    [ "$#" -ge 2 ] || off "${names[1]}"
}
gone=()
off() {
    swaymsg -q "output $1 disable"
    [ "$1" = "${names[0]}" ] && gone[0]=1 || gone[1]=1
    await is_off "$1" && return
    verdict='cannot: outputs without a display are not switched off'
    return 1
}
is_off() {
    swaymsg -t get_outputs | python3 -c '
import json, sys
sys.exit(any(output["name"] == sys.argv[1] and output["active"] for output in json.load(sys.stdin)))' "$1"
}
desk_shot() { grim -o "${names[$1 - 1]}" -t ppm "$2"; }
desk_keys() {
    local name
    for name in "$@"; do
        case $name in
        ctrl+*) wtype -s 1500 -M ctrl -k "${name#*+}" -m ctrl ;;
        *) wtype -s 1500 -k "$name" ;;
        esac
    done
}
desk_type() { wtype -s 1500 -d 100 "$1"; }
desk_front() { swaymsg -q '[title="operator"] focus'; }
# What was on an output that is gone is on a workspace that is not seen.
desk_find() { sleep 3 && swaymsg -q '[title="blue lantern"] focus'; }
desk_hide() { swaymsg -q "focus output ${names[1]}" && swaymsg -q 'workspace away' && sleep 1 && ! is_seen 2 blue; }
desk_idle() {
    verdict=$(window_of 'froth - blue lantern' | cut -d ' ' -f 6)
    [ "$verdict" = enabled ] && verdict=ok
}
