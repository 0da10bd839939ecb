# An X server with outputs that can be plugged in and out, and a window manager; sourced after common.sh and
# display.sh. DUMMY0 is the desktop's primary one.

# start_outputs: DUMMY0 with 1280x720, the others are unplugged
start_outputs() {
    cat > "$work/xorg.conf" << 'END'
Section "ServerFlags"
    Option "AutoAddDevices" "false"
    Option "AutoAddGPU" "false"
    Option "DontVTSwitch" "true"
EndSection
Section "Device"
    Identifier "outputs"
    Driver "dummy"
    VideoRam 256000
EndSection
Section "Monitor"
    Identifier "monitor"
    HorizSync 5 - 1000
    VertRefresh 5 - 200
EndSection
Section "Screen"
    Identifier "screen"
    Device "outputs"
    Monitor "monitor"
    DefaultDepth 24
    SubSection "Display"
        Depth 24
        Modes "1280x720" "1920x1080"
        Virtual 8192 4096
    EndSubSection
EndSection
END
    exec 3> "$work/display"
    Xorg -noreset -config "$work/xorg.conf" -logfile "$work/xorg.log" -displayfd 3 > "$work/xorg" 2>&1 &
    display=$!
    exec 3>&-
    is_decided() { [ -s "$work/display" ] || has_ended "$display"; }
    await is_decided
    [ -s "$work/display" ] || { echo "an X server with several outputs does not start here: skipped"; exit 77; }
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
    xrandr --newmode 4k 533.25 3840 3888 3920 4000 2160 2163 2168 2222 > /dev/null 2>&1
    start_manager
}

# plug OUTPUT MODE PLACE...: as in plug DUMMY1 1920x1080 --right-of DUMMY0
plug() {
    local output=$1 mode=$2
    shift 2
    xrandr --addmode "$output" "$mode" 2> /dev/null
    xrandr --output "$output" --mode "$mode" "$@" || fail "$output cannot be plugged in"
    probe_outputs
}

# unplug OUTPUT
unplug() {
    xrandr --output "$1" --off || fail "$1 cannot be unplugged"
    probe_outputs
}

# As a desktop does when it hears of a change; the server then tells whether something is plugged in.
probe_outputs() { xrandr > /dev/null; }

# place_of OUTPUT: "WIDTH HEIGHT X Y"
place_of() {
    xrandr | sed -n "s/^$1 connected \(primary \)\?\([0-9]*\)x\([0-9]*\)+\([0-9]*\)+\([0-9]*\).*/\2 \3 \4 \5/p"
}

# window_of TITLE: "WIDTH HEIGHT X Y" of the window with this title, without what is around it
window_of() {
    local id
    id=$(xdotool search --name "^$1\$" | head -n 1)
    [ -n "$id" ] && xwininfo -id "$id" |
        awk '/Absolute upper-left X/ { x = $4 } /Absolute upper-left Y/ { y = $4 }
             / Width:/ { w = $2 } / Height:/ { print w, $2, x, y }'
}

# fills TITLE OUTPUT: the window with this title covers all of it
fills() {
    local place
    place=$(place_of "$2")
    [ -n "$place" ] && [ "$(window_of "$1")" = "$place" ]
}

# lies TITLE OUTPUT: all of the window with this title is there, with its title bar, and it does not fill it
lies() {
    local w h x y width height left top
    read -r w h x y <<< "$(window_of "$1")"
    read -r width height left top <<< "$(place_of "$2")"
    [ -n "$h" ] && [ -n "$top" ] && ((x >= left && y > top && x + w <= left + width && y + h <= top + height)) && ((h < height))
}

# shot_of OUTPUT NAME: what it shows as RGB bytes in $work/shot, of $width x $height pixels
shot_of() {
    local x y
    read -r width height x y <<< "$(place_of "$1")"
    "$screen" shot "$x" "$y" "$width" "$height" "$work/shot" || return 1
    if [ -n "$keep" ]; then
        ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -video_size "${width}x$height" \
            -i "$work/shot" "$keep/$2.png"
    fi
}
