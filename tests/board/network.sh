#!/usr/bin/env bash
# The firmware in the twin on a network. The other end is Linux itself, in a network namespace with a TAP device: ping,
# arping, DHCP by dnsmasq, oscsend and oscdump of liblo; without root, TAP devices or these programs that part is
# left out. The rest goes over datagrams of this machine, which need no rights: patches are sent over a good line and
# over one that loses every tenth frame, bad ones come back with their messages, and osc1 to osc4 give the pictures
# that render gives. Skips itself (77) where the board's compiler or lwIP is not there.
#   network.sh SOURCE FROTH BUILD
set -euo pipefail

source=$1
froth=$2
build=$3
. "$source/tests/board/firmware_lib.sh"
"$source/tools/lm32" --lwip --where >/dev/null || exit 77
board_image "$source" "$build"
image=$build/boot.bin
originals=$source/presets/originals
work=$(mktemp -d)
space=froth$$
tap=frothtap$((BASHPID % 10000))
board=
card=()
failed=0
trap 'stop; ip netns delete $space 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

stop() {
    if [[ $board ]]; then
        kill -INT "$board" 2>/dev/null || true
        wait "$board" 2>/dev/null || true
        board=
    fi
}

# start WRAPPER... -- NETWORK COMMAND-LINE: a board that runs until `stop`, and says so when it plays.
start() {
    local wrapper=()
    while [[ $1 != -- ]]; do
        wrapper+=("$1")
        shift
    done
    : >"$work/console"
    "${wrapper[@]}" "$froth" board "$image" --quick --audio test --duration 600 --uart "$work/console" \
        "${card[@]}" --network "$2" --command-line "$3" --account --json >"$work/account" 2>"$work/errors" &
    board=$!
    await '^network: [0-9]' 100 || fail "the board gets no address: $(tail -n 3 "$work/errors")"
}

# await REGEX SECONDS: until the console has such a line.
await() {
    local i
    for ((i = 0; i < $2 * 10; i++)); do
        ! tr -d '\r' <"$work/console" | grep -qE "$1" || return 0
        sleep 0.1
    done
    return 1
}

# port: one that is free now.
port() {
    python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0));
print(s.getsockname()[1])'
}

# The equations hear what is sent, frame by frame as render has it.
cat >"$work/osc.fnp" <<'END'
nWaveMode = 6  fWaveAlpha = 1  ob_size = 0.02  ob_a = 1
per_frame:
    rot = 0.1*osc1
    zoom = 1 + 0.1*osc2
    ob_r = osc3
    ob_g = osc4
per_vertex:
    dx = 0.01*osc1 if x > y
END
"$source/tools/card_image" "$work/card.img" "$work/osc.fnp"
hashes_on_board 24 24 test P1.FNP "$work/console" --card "$work/card.img" \
    --at 9:osc=1/0.5,2/-0.5,3/1,4/0.25 >"$work/board.txt" || true
hashes_on_host 24 24 test "$work/osc.fnp" >"$work/silent.txt"
same=
for late in 8 9 10 11 12; do
    hashes_on_host 24 24 test "$work/osc.fnp" --at $late:osc=1/0.5,2/-0.5,3/1,4/0.25 >"$work/host.txt"
    ! cmp -s "$work/host.txt" "$work/board.txt" || same=$((late - 9))
done
if [[ $same && -s $work/board.txt ]] && ! cmp -s "$work/board.txt" "$work/silent.txt"; then
    echo "osc1 to osc4: the same $(wc -l <"$work/board.txt") frames, as if heard $same frames after they were sent"
else
    fail "osc1 to osc4: other frames"
fi

# How many pictures later a value is seen: the first one that differs from those without it.
for fps in 24 30; do
    for at in '' 30:osc=1/0.5,2/-0.5,3/1,4/0.25; do
        timeout 300 "$froth" board "$image" --quick --frames 34 --duration 100 --hash --audio test \
            --card "$work/card.img" --command-line "fps=$fps patch=P1.FNP" ${at:+--at "$at"} |
            grep '^frame' >"$work/pictures${at:+_with}.txt"
    done
    seen=$(diff "$work/pictures.txt" "$work/pictures_with.txt" | sed -n 's/^< frame \([0-9]*\) .*/\1/p' | head -n 1) || true
    echo "at $fps frames per second a value is seen ${seen:+$((seen - 30)) }pictures after the one that was there when its packet came"
    [[ $seen ]] && ((seen <= 32)) || fail "a value takes too long"
done

# Patches over datagrams: nothing is lost, then every tenth frame, both ways.
for loss in 0 10; do
    to=127.0.0.1:$(port)
    start -- "udp:${to#*:},loss=$loss" 'fps=30 receive=on'
    "$froth" send --udp "$to" "$originals/froth - Paper Lanterns.fnp" 2>"$work/said" ||
        fail "sending with $loss % lost: $(cat "$work/said")"
    again=$(sed -n 's/.*sent again: //p' "$work/said")
    [[ $("$froth" send --udp "$to" --name) == "froth - Paper Lanterns.fnp" ]] || fail "--name with $loss % lost"
    # A larger one: 40 packets.
    cat "$originals/froth - Tidal Glass.milk" - >"$work/long.milk" < <(printf '// as long as patches get %.0s\n' {1..1500})
    "$froth" send --udp "$to" "$work/long.milk" 2>"$work/said" || fail "a long one with $loss % lost: $(cat "$work/said")"
    echo "$loss % of all frames lost: patches of $(wc -c <"$originals/froth - Paper Lanterns.fnp") and" \
        "$(wc -c <"$work/long.milk") bytes are shown; sent again: $again and $(sed -n 's/.*sent again: //p' "$work/said")"
    printf '[preset00]\nper_frame_1=zoom = 1 +;\n' >"$work/bad.milk"
    if "$froth" send --udp "$to" "$work/bad.milk" 2>"$work/said"; then
        fail "a bad patch is taken"
    fi
    grep -q '^bad.milk:2:[0-9]*: error: ' "$work/said" || fail "what the compiler says: $(cat "$work/said")"
    [[ $("$froth" send --udp "$to" --name) == long.milk ]] || fail "after a bad patch another one plays"
    stop
done

# With --store it is on the card; without a card it is shown, and that is said.
to=127.0.0.1:$(port)
cp "$work/card.img" "$work/room.img"
truncate -s 64M "$work/room.img"
card=(--card "$work/room.img")
start -- "udp:${to#*:}" 'fps=30 receive=on'
card=()
cp "$originals/froth - Paper Lanterns.fnp" "$work/Lanterns.fnp"
"$froth" send --udp "$to" --store "$work/Lanterns.fnp" 2>"$work/said" || fail "--store: $(cat "$work/said")"
await '^the patch is stored' 20 || fail "--store: nothing is stored"
# A long one whose equations take the processor away from storing for longer than a card may take for an answer.
printf '[preset00]\nper_frame_1=n = 0; loop(400, n = n + 1; gmegabuf(n) = sin(n*time));\n' >"$work/busy.milk"
printf '// as long as patches get %.0s\n' {1..1500} >>"$work/busy.milk"
"$froth" send --udp "$to" --store "$work/busy.milk" 2>"$work/said" || fail "--store, a busy one: $(cat "$work/said")"
stop
start -- "udp:${to#*:}" 'fps=30 receive=on'
if "$froth" send --udp "$to" --store "$work/Lanterns.fnp" 2>"$work/said"; then
    fail "--store without a card"
fi
grep -q 'error: ' "$work/said" || fail "--store without a card: $(cat "$work/said")"
[[ $("$froth" send --udp "$to" --name) == Lanterns.fnp ]] || fail "--store without a card: it is not shown"
stop
echo "a patch is stored on the card; without a card: $(grep error: "$work/said")"

# Without receive=on nothing is taken.
to=127.0.0.1:$(port)
start -- "udp:${to#*:}" 'fps=30'
if "$froth" send --udp "$to" "$work/osc.fnp" 2>"$work/said" || ! grep -q 'receive=on' "$work/said"; then
    fail "a patch that nobody wants: $(cat "$work/said")"
fi
stop

# A flood of small and of large datagrams, as fast as the twin takes them: the show goes on.
for size in 24 1400; do
    to=$(port)
    python3 - "$to" $size <<'END' &
import socket, sys, time
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
packet = (b"/variable\0\0\0,if\0\0\0\0\1\x3f\0\0\0" + b"\0" * 2000)[:int(sys.argv[2])]
while True:
    for i in range(50):
        try: line.sendto(packet, ("127.0.0.1", int(sys.argv[1])))
        except ConnectionRefusedError: pass
    time.sleep(0.001)
END
    flood=$!
    "$froth" board "$image" --quick --audio test --duration 5 --uart "$work/console" --network "udp:$to" \
        --command-line fps=30 --account --json --at 130:type=status$'\r' >"$work/account"
    kill $flood
    wait $flood 2>/dev/null || true
    rate=$(sed -n 's/.*"pictures_per_second":\([0-9.]*\).*/\1/p' "$work/account")
    taken=$(sed -n 's/^network: frames taken \([0-9]*\).*/\1/p' "$work/console")
    echo "a flood of datagrams of $size bytes: $rate frames per second are shown, of the packets $taken are taken"
    awk -v rate="$rate" -v taken="${taken:-0}" 'BEGIN { exit !(rate >= 29.9 && taken > 250) }' || fail "the flood"
done

# Another end that froth knows nothing of.
for program in ip ping arping dnsmasq oscsend oscdump; do
    command -v $program >/dev/null || missing=$program
done
if [[ ${missing-} ]] || ((EUID != 0)) || ! ip netns add $space 2>/dev/null ||
    ! ip -n $space tuntap add $tap mode tap 2>/dev/null; then
    echo "no Linux at the other end: ${missing:+$missing is missing}${missing:-that needs root, network namespaces and TAP devices}"
    exit $((failed ? failed : 77))
fi
there=(ip netns exec $space)
ip -n $space link set lo up
ip -n $space addr add 192.168.0.14/24 dev $tap
ip -n $space link set $tap up
start "${there[@]}" -- tap:$tap 'fps=30 receive=on'
"${there[@]}" ping -c 5 -i 0.2 -W 5 192.168.0.42 >"$work/ping" || fail "ping: $(tail -n 2 "$work/ping")"
"${there[@]}" ping -c 3 -i 0.2 -W 5 -s 1472 192.168.0.42 >"$work/ping" || fail "large ping: $(tail -n 2 "$work/ping")"
"${there[@]}" arping -c 2 -W 5 -I $tap 192.168.0.42 >"$work/ping" || fail "arping: $(tail -n 2 "$work/ping")"
"${there[@]}" oscsend 192.168.0.42 4444 /cmd/next
await '^patch 1 ' 20 || fail "/cmd/next"
"${there[@]}" oscsend 192.168.0.42 4444 /preset s "Twelve Mirrors"
await '^patch [0-9]* froth - Twelve Mirrors' 20 || fail "/preset"
"${there[@]}" oscsend 192.168.0.42 4444 /patch i 0
await '^patch 0 .*' 20 || fail "/patch"
[[ $("${there[@]}" "$froth" send --udp 192.168.0.42 --name) == "froth - "* ]] || fail "--name over Linux"
"${there[@]}" "$froth" send --udp 192.168.0.42 "$work/long.milk" 2>"$work/said" || fail "over Linux: $(cat "$work/said")"
# Answers go where a question came from: oscsend asks, and its port is listened to.
"${there[@]}" python3 - >"$work/heard" <<'END' || fail "answers: $(cat "$work/heard")"
import socket, time
def pad(text): return text + b"\0" * (4 - len(text) % 4)
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.settimeout(20)
line.connect(("192.168.0.42", 4444))
def ask(address, types=b",", rest=b""):
    line.send(pad(address) + pad(types) + rest)
    return line.recv(2000)
answer = ask(b"/get/patch")
assert answer.startswith(pad(b"/is/patch") + pad(b",s") + b"long.milk"), answer
assert ask(b"/get/nothing").startswith(b"/error"), "an address that is none"
line.send(pad(b"/variable") + pad(b",if") + b"\0\0\0\3\x3f\0\0\0")
answer = ask(b"/get/osc3")
assert answer == pad(b"/is/osc3") + pad(b",f") + b"\x3f\0\0\0", answer
for bad in (b"\xff" * 1400, b"#bundle\0" + b"\xff" * 100,
            pad(b"/variable") + pad(b",if") + b"\0\0\0\3\x7f\x80\0\0"): # infinity
    line.send(bad)
    time.sleep(0.2) # two slots take two frames at once
answer = ask(b"/get/osc3")
while answer.startswith(b"/error"): answer = line.recv(2000)
assert answer == pad(b"/is/osc3") + pad(b",f") + b"\x3f\0\0\0", answer
line.send(pad(b"/sub/sound/bass") + pad(b",i") + b"\0\0\0\x0f")
for i in range(5):
    assert line.recv(2000).startswith(pad(b"/is/sound/bass") + pad(b",f")), "subscribed"
END
# liblo's own ears: it prints what it understands of what the board sends to it.
"${there[@]}" timeout 60 oscdump -L 5555 >"$work/dump" 2>/dev/null &
dump=$!
sleep 1
"${there[@]}" python3 - <<'END'
import socket
def pad(text): return text + b"\0" * (4 - len(text) % 4)
line = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
import struct
body = pad(b"/get/patch") + pad(b",")
line.sendto(struct.pack(">HHHH", 5555, 4444, 8 + len(body), 0) + body, ("192.168.0.42", 0))
END
for ((i = 0; i < 100; i++)); do
    grep -q '/is/patch s "long.milk"' "$work/dump" && break
    sleep 0.1
done
grep -q '/is/patch s "long.milk"' "$work/dump" || fail "oscdump: $(cat "$work/dump")"
kill $dump
wait $dump 2>/dev/null || true
stop
echo "Linux: ping, arping, oscsend, oscdump, answers, subscriptions, patches"

"${there[@]}" dnsmasq --no-daemon --conf-file=/dev/null --interface=$tap --bind-interfaces --port=0 \
    --dhcp-range=192.168.0.100,192.168.0.100,255.255.255.0,1h --dhcp-leasefile="$work/leases" \
    --pid-file="$work/pid" >"$work/dhcp" 2>&1 &
server=$!
start "${there[@]}" -- tap:$tap 'fps=30 network=dhcp'
await '^network: 192.168.0.100$' 100 || fail "DHCP: $(cat "$work/console" "$work/dhcp")"
"${there[@]}" ping -c 2 -i 0.2 -W 5 192.168.0.100 >"$work/ping" || fail "ping after DHCP"
grep -q ' froth ' "$work/leases" || fail "the lease: $(cat "$work/leases")"
kill $server
wait $server 2>/dev/null || true
stop
start "${there[@]}" -- tap:$tap 'fps=30 network=dhcp'
await '^network: 192.168.0.42$' 100 || fail "without a DHCP server: $(cat "$work/console")"
stop
echo "DHCP: an address from dnsmasq, 192.168.0.42 without"
exit $failed
