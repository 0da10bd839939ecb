#!/usr/bin/env bash
# What a show listens at is what was asked for, and nothing else: ports.sh FROTH SOURCE
# In a network of its own where one may be made, so that nobody else's ports are in the way.
set -u

if [ -z "${FROTH_PORTS_ALONE-}" ] && command -v ip unshare > /dev/null; then
    for own in -n -rn; do
        unshare "$own" ip link set lo up 2> /dev/null && FROTH_PORTS_ALONE=yes exec unshare "$own" bash "$0" "$@"
    done
fi
# Groups of sACN are joined at an interface that leads there.
[ -z "${FROTH_PORTS_ALONE-}" ] || { ip link set lo up && ip route add 224.0.0.0/4 dev lo; } || exit 1

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb xdotool python3
logs='messages found'
work=$(mktemp -d) || exit 1
show=
trap 'end_all "$show" "$display"' EXIT
alone
draw_plainly
width=320 height=240
start_display
cd "$work" || exit 1
mkdir presets
printf '%s\n' '[preset00]' fDecay=0.9 > presets/one.milk
port=$(free_port)
cat > in.yaml << 'EOF'
in: [{protocol: sacn, universe: 7}, {protocol: artnet, universe: 7}]
EOF
# Nodes answer at Art-Net's port, unless it is said where the levels go.
cat > out.yaml << 'EOF'
interface: 127.0.0.1
zones: {all: {}}
out:
  - {protocol: sacn, universe: 7, to: 127.0.0.1, fixtures: [{zone: all}]}
  - {protocol: artnet, universe: 7, to: 127.0.0.1, fixtures: [{zone: all}]}
EOF
sed 's/artnet, universe: 7, to: 127.0.0.1/artnet, universe: 7/' out.yaml > nodes.yaml

# Sockets of the show that others can reach, "tcp PORT" or "udp PORT" each, those of lower ports first. A port that the
# system chose for something that only sends counts where it is below those.
sockets() {
    readlink /proc/"$show"/task/*/fd/* /proc/"$show"/fd/* 2> /dev/null | sed -nE 's/^socket:\[([0-9]+)\]$/\1/p' | sort -u > inodes
    awk -v ephemeral="$(cut -f 1 /proc/sys/net/ipv4/ip_local_port_range)" -v asked="$port" '
        function hex(text,  i, n) {
            for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789ABCDEF", substr(text, i, 1)) - 1
            return n
        }
        FILENAME == "inodes" { mine[$1]; next }
        ($10 in mine) {
            kind = FILENAME ~ /udp/ ? "udp" : "tcp"
            split($2, place, ":")
            number = hex(place[2])
            if (kind == "tcp" ? $4 == "0A" : (number < ephemeral || number == asked)) print kind, number
        }' inodes /proc/"$show"/net/{udp,udp6,tcp,tcp6} | sort -u -k 1,1 -k 2,2n | tr '\n' ' '
}

# listens PORTS OPTION...: a show with these options, at exactly these
listens() {
    local expected=$1
    shift
    "$froth" play presets --audio demo --size 64x48 --fps 10 --threads 1 --no-library --advance 86400 "$@" 2> messages &
    show=$!
    wait_for "no show with $*" xdotool search --name '^froth - one$'
    # What listens may begin after the window is there; what was not asked for may come after what was.
    for _ in $(seq 100); do
        sockets > found
        [ "$(cat found)" = "$expected" ] && break
        sleep 0.1
    done
    sleep 0.2
    sockets > found
    [ "$(cat found)" = "$expected" ] || fail "with '$*' it listens at '$(cat found)', not '$expected'"
    kill "$show"
    wait "$show" 2> /dev/null
    show=
}

listens ''
listens '' --operator window
listens 'udp 6454 ' --artnet 7
listens 'udp 5568 ' --sacn 7
listens 'udp 5568 udp 6454 ' --light in.yaml
listens '' --light out.yaml
listens 'udp 6454 ' --light nodes.yaml
if "$froth" play presets --osc "$port" --duration 0.1 2>&1 | grep -q 'has no Open Sound Control'; then
    echo "this froth was built without liblo: the rest has passed"
else
    listens "tcp $port udp $port " --osc "$port"
    listens "tcp $port udp 5568 udp 6454 udp $port " --osc "$port" --light in.yaml
fi
echo "passed"
