#!/usr/bin/env bash
# Open Sound Control, with liblo's own tools at the other end and with hostile ones: osc.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb python3 oscsend oscdump
logs='messages heard found'
work=$(mktemp -d) || exit 1
show='' dump=''
clean() { end_all "$show" "$dump" "$display"; }
trap clean EXIT
alone
draw_plainly
width=320 height=240
start_display
cd "$work" || exit 1
mkdir presets
printf '%s\n' '[preset00]' fDecay=0.9 zoom=1.0 > presets/one.milk
printf '%s\n' '[preset00]' fDecay=0.8 zoom=1.0 > presets/two.milk

# The reference is what the program says.
"$froth" help osc > found || fail "help osc"
sed '1,/^<!-- froth help osc -->$/d' "$source/docs/osc.md" | cmp -s - found ||
    fail "docs/osc.md is not what 'froth help osc' prints; put that behind its marked line"

# What the layout sends and shows is known to froth.
"$source/tools/touchosc" layout && cmp -s layout "$source/docs/examples/froth.touchosc" ||
    fail "docs/examples/froth.touchosc is not what tools/touchosc writes"
python3 - layout found << 'END' || fail "an address of the layout is not known"
import base64, re, sys, zipfile
from xml.etree import ElementTree
known = set(re.findall(r"^\| `([^`]*)`", open(sys.argv[2]).read(), re.M))
text = zipfile.ZipFile(sys.argv[1]).read("index.xml")
found = [base64.b64decode(one.get("osc_cs")).decode() for one in ElementTree.fromstring(text).iter("control") if one.get("osc_cs")]
wrong = [one for one in found if one.replace("/is/", "/get/") not in known and not one.startswith("/var/")]
print(wrong)
sys.exit(bool(wrong) or len(found) < 20)
END

port=$(free_port)
play() {
    "$froth" play presets --order listed --audio demo --size 64x48 --fps 20 --threads 1 --advance 86400 \
        --counters "$@" 2> messages &
    show=$!
}
play --osc "$port"
await_osc "$port"
other() { python3 "$source/tests/cli/osc.py" "$port" "$@" > found 2>&1 || fail "$*: $(tail -n 1 found)"; }
other preset=one preset/index=0

# liblo's tools: answers go to where oscdump listens.
answers=$(free_port)
oscdump -L "$answers" > heard 2>&1 &
dump=$!
say() { oscsend localhost "$port" "$@" || fail "oscsend $*"; }
is_heard() {
    oscsend localhost "$port" /reply i "$answers"
    oscsend localhost "$port" "$1"
    sleep 0.2
    grep -qE "$2" heard
}
wait_for "oscdump hears no answer" is_heard /get/preset '/is/preset s "one"$'
wait_for "no reading" is_heard /sound/bpm '/sound/bpm f [0-9.]+$'
wait_for "no error" is_heard /nothing '/error s "/nothing: there is no such address'
wait_for "no list" is_heard /list '/is/list sffs|/is/list ssffs "/cmd/next"'
say /sub/frames f 60
wait_for "nothing comes of a subscription" grep -qE '/is/frames i [0-9]+$' heard
say /sub/frames i 0
say /reply i 0
kill "$dump"
dump=

# Commands and values, by UDP and TCP.
say /value/decay f 0.25
other decay=0.25
say /value/fWaveScale f 3
other fWaveScale=3.0
say /cmd/blackout i 1
other blackout=1.0
say /cmd/blackout T
say /value/blackout f 0
other blackout=0.0
say /cmd/wave s '=5'
other wave=5.0
oscsend "osc.tcp://localhost:$port" /value/blend f 3 || fail "oscsend over TCP"
other blend=3.0
say /cmd/next
other preset=two preset/index=1
say /preset s on
other preset=one
say /patch i 1
other preset=two
say /value/transition s cut
other transition=cut
say /cmd/search s two
other search=two panel=library
say /value/rate f 4
say /value/favourite T
other rate=4.0 favourite=1.0
say /preset s one
other preset=one rate=0.0 favourite=0.0
say /preset s two
other preset=two rate=4.0
say /var/q7 f 0.625
other_var() {
    oscsend localhost "$port" /reply i "$answers"
    oscsend localhost "$port" /var/q7
    sleep 0.2
    grep -q '/var/q7 f 0.625' held
}
oscdump -L "$answers" > held 2>&1 &
dump=$!
wait_for "no variable is held" other_var
say /reply i 0
kill "$dump"
dump=
say /free/q7
say /cmd/save s "$work/presets/three.milk"
other bundles subscribed streamed patterns
say /osd s 'the singer is late'
wait_for "no text for the operator" grep -q 'note: osc: the singer is late' messages
[ ! -e presets/three.milk ] || fail "a path came over the network"

# A port is taken once; the show begins without it.
timeout "$patience" "$froth" play presets --osc "$port" --audio demo --size 64x48 --no-library --duration 0.1 2> taken
[ $? -eq 0 ] && grep -q "warning: cannot listen at port $port: .*; another program may listen there" taken ||
    fail "a port that is taken: $(cat taken)"
# Also where it stands in the configuration.
printf 'osc: %s\n' "$port" > taken.yaml
timeout "$patience" "$froth" play presets --config taken.yaml --audio demo --size 64x48 --no-library --duration 0.1 2> taken
[ $? -eq 0 ] && grep -q "warning: cannot listen at port $port: .*; another program may listen there" taken ||
    fail "a port of the configuration that is taken: $(cat taken)"

other hostile
other flood
other preset
kill -0 "$show" 2> /dev/null || fail "froth has ended"
say /cmd/quit
wait "$show" || fail "froth ends with $?"
show=
grep -qE '^counter control osc: [0-9]+ commands, [0-9]+ values, [1-9][0-9]* dropped, [1-9][0-9]* replaced, [1-9][0-9]* not understood$' messages ||
    fail "nothing was dropped, replaced or refused"

# Nothing listens unless it is asked for.
play --duration 60
listens() {
    local socket
    for socket in /proc/"$show"/fd/*; do
        socket=$(readlink "$socket" | sed -nE 's/^socket:\[([0-9]+)\]$/\1/p')
        [ -n "$socket" ] && awk -v inode="$socket" '$10 == inode { found = 1 } END { exit !found }' \
            /proc/net/udp /proc/net/udp6 /proc/net/tcp /proc/net/tcp6 && return 0
    done
    return 1
}
is_shown() { xdotool search --name '^froth - one$'; }
if command -v xdotool > /dev/null; then
    wait_for "no show" is_shown
    listens && fail "something listens"
fi
kill "$show"
wait "$show" 2> /dev/null
show=
echo "passed"
