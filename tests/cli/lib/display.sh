# A virtual display of $width x $height pixels, and looks at it; sourced after common.sh. $keep: a
# folder in which screenshots are left, or empty.
display=
manager=
screen=$(dirname "$froth")/tests/screen # tests/screen.c

# start_display OPTION...: options for Xvfb
start_display() {
    exec 3> "$work/display"
    Xvfb -noreset -displayfd 3 -screen 0 "${width}x${height}x24" "$@" > /dev/null 2>&1 &
    display=$!
    exec 3>&-
    wait_for "Xvfb did not start" test -s "$work/display"
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}

# start_manager: a window manager
start_manager() {
    openbox > /dev/null 2>&1 &
    manager=$!
    wait_for "the window manager does not start" is_managed
}

is_managed() { xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'; }

# shot NAME: the screen as RGB bytes in $work/shot
shot() {
    "$screen" shot 0 0 "$width" "$height" "$work/shot" || { echo "no screenshot"; return 1; }
    if [ -n "$keep" ]; then
        ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -video_size "${width}x$height" \
            -i "$work/shot" "$keep/$1.png"
    fi
}

# levels X Y W H: mean of red, green, blue in hundredths, and the largest value in a part of the shot
levels() {
    "$screen" levels "$work/shot" "$width" "$@"
}

# focus WINDOW: it gets the keys from now on
focus() {
    xdotool windowactivate "$1" 2> /dev/null
    wait_for "a window does not get the keys" has_focus "$1"
}
has_focus() { [ "$(xdotool getwindowfocus)" = "$1" ]; }

# settles NAME: nothing moves on the screen, which is left in the shot
settles() {
    shot "$1" && cp "$work/shot" "$work/settles" && sleep 0.3 && shot "$1" && cmp -s "$work/shot" "$work/settles"
}

# seen NAME "X Y WIDTH HEIGHT" CONDITION MESSAGE: waits until what levels says of that part of the screen is so
seen() {
    local red green blue top
    await is_seen "$@" || fail "$4 ($red $green $blue $top)"
}
is_seen() {
    shot "$1"
    # shellcheck disable=SC2086
    read -r red green blue top < <(levels $2)
    (($3))
}

is_titled() { xdotool search --name "^froth - $1\$"; }

# again KEY QUESTION COMMAND...: the key is pressed until the command succeeds. What is asked once more within two seconds is
# asked anew where the machine took longer, so that each press waits for what it did.
again() {
    local key=$1 question=$2 turn asked
    shift 2
    for turn in {1..20}; do
        "$@" > /dev/null 2>&1 && return
        asked=$(grep -c "$question" "$work/messages")
        xdotool key "$key"
        wait_for "$key does nothing" was_heard "$question" "$asked" "$@"
    done
    "$@" > /dev/null 2>&1 || fail "$key does not do it, however often it is pressed"
}
was_heard() {
    local question=$1 asked=$2
    shift 2
    "$@" || [ "$(grep -c "$question" "$work/messages")" -gt "$asked" ]
}
