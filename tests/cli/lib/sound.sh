# A sound server of the test's own; sourced after common.sh. Its usual output is "stage".
server=

answers() { timeout 2 pactl info; }

# start_server MODULE...: further modules
start_server() {
    local modules=() module
    for module in "$@"; do
        modules+=(-L "$module")
    done
    pulseaudio --daemonize=no --use-pid-file=no --exit-idle-time=-1 --log-target=stderr -n \
        -L 'module-native-protocol-unix auth-anonymous=1' \
        -L 'module-null-sink sink_name=stage sink_properties=device.description=Stage' \
        "${modules[@]}" 2>> "$work/server" &
    server=$!
    wait_for "the sound server does not start" answers
    pactl set-default-sink stage || fail "no usual output"
}

kill_server() {
    kill -9 "$server"
    wait "$server" 2> /dev/null
    server=
}
