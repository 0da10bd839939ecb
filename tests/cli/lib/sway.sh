# A Wayland compositor (sway) without a display, with outputs of its own, whose tree tells where windows are; sourced after
# common.sh.
compositor=


# start_sway LINE...: with two outputs, HEADLESS-1 and HEADLESS-2; lines of its configuration
start_sway() {
    local line
    local -a as=()
    sway_files=$(mktemp -d) || exit 1
    # It does not run as root.
    [ "$(id -u)" -eq 0 ] && as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    printf '%s\n' 'xwayland disable' 'focus_follows_mouse no' > "$sway_files/config"
    for line in "$@"; do
        printf '%s\n' "$line" >> "$sway_files/config"
    done
    chmod 755 "$sway_files" && mkdir -m 700 "$sway_files/run" || fail "no folder for the compositor"
    [ "$(id -u)" -eq 0 ] && chown -R 65534:65534 "$sway_files"
    export XDG_RUNTIME_DIR=$sway_files/run
    WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_HEADLESS_OUTPUTS=2 WLR_RENDERER=pixman HOME=$sway_files \
        "${as[@]}" sway -c "$sway_files/config" > "$work/compositor" 2>&1 &
    compositor=$!
    wait_for "the compositor does not start" sway_is_there
    export WAYLAND_DISPLAY=wayland-1 SDL_VIDEODRIVER=wayland
}

# key OPTION...: as wtype takes them. Its keyboard is there a while before it types: windows have to learn of it.
key() { wtype -s 1500 "$@" || fail "no key can be pressed"; }

sway_is_there() {
    export SWAYSOCK
    SWAYSOCK=$(echo "$sway_files"/run/sway-ipc.*)
    [ -S "$SWAYSOCK" ] && [ -S "$sway_files/run/wayland-1" ] && swaymsg -t get_outputs
}

# end_sway PROCESS...: likewise, in place of end_all
end_sway() {
    [ -z "${sway_files-}" ] || rm -rf "$sway_files"
    end_all "$@" "$compositor"
}

# sway MESSAGE...: has to be understood
tell_sway() { swaymsg -q -- "$@" || fail "sway does not understand $*"; }

# window_of TITLE: "OUTPUT FULLSCREEN WIDTH HEIGHT APP_ID IDLE VISIBLE FOCUSED" of the window with this title
window_of() {
    swaymsg -t get_tree | python3 -c '
import json, sys

def walk(node, output):
    output = node["name"] if node["type"] == "output" else output
    if node.get("pid") and node["name"] == sys.argv[1]:
        rect = node["rect"]
        idle = node.get("idle_inhibitors", {}).get("application", "none")
        print(output, node["fullscreen_mode"], rect["width"], rect["height"], node.get("app_id"), idle,
              node["visible"], node["focused"])
    for child in node.get("nodes", []) + node.get("floating_nodes", []):
        walk(child, output)

walk(json.load(sys.stdin), "none")' "$1"
}

# is_on TITLE OUTPUT: the window with this title fills the output
is_on() { [[ "$(window_of "$1")" == "$2 1 "* ]]; }
# is_open TITLE
is_open() { [ -n "$(window_of "$1")" ]; }

# shot_of OUTPUT NAME: what it shows as RGB bytes in $work/shot
shot_of() {
    grim -o "$1" -t ppm "$work/shot.ppm" && ffmpeg -v error -y -i "$work/shot.ppm" -f rawvideo -pix_fmt rgb24 "$work/shot" &&
        if [ -n "$keep" ]; then ffmpeg -v error -y -i "$work/shot.ppm" "$keep/$2.png"; fi
}
