# A show that light, MIDI and Open Sound Control reach: a network of its own and a display, a MIDI cable, maps of both, and the
# hands that move them (arrival.py); sourced after common.sh and display.sh.

# start_inputs: exits with 77 where networks cannot be made. Then close_inputs has to be called.
start_inputs() {
    network=froth$$
    ip netns add "$network" 2> /dev/null || { echo "no network of our own can be made: skipped"; exit 77; }
    ip -n "$network" link set lo up
    alone
    width=320 height=240
    start_display
    printf '%s\n' 'set: [{controller: 16, value: warp, from: 1, to: 1.5, mode: jump}]' > "$work/midi.yaml"
    cat > "$work/light.yaml" << 'END'
in: [{protocol: sacn, universe: 5}, {protocol: artnet, universe: 5}]
set:
  - {channel: 1, value: warp-speed, from: 1, to: 1.5}
  - {channel: 513, value: warp-scale, from: 1, to: 1.5}
END
    port=7777
    mkfifo "$work/cable"
}
close_inputs() { ip netns delete "$network" 2> /dev/null; }

# inside COMMAND...: in that network
inside() { ip netns exec "$network" "$@"; }

# move_inputs TURNS: so many times by each way; what came late to found
move_inputs() { inside python3 -B "$source/tests/cli/arrival.py" "$port" "$work/cable" 5 10 "$1" > "$work/found" 2>&1; }
