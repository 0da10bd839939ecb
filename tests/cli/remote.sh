#!/usr/bin/env bash
# The page for the phone, with phones and with hostile machines at the other end: remote.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb python3 ss oscsend
logs='messages found'
work=$(mktemp -d) || exit 1
show='' other=''
clean() { end_all "$show" "$other" "$display"; }
trap clean EXIT
alone
draw_plainly
width=320 height=240
start_display
cd "$work" || exit 1
mkdir presets
printf '%s\n' '[preset00]' fDecay=0.9 zoom=1.0 > presets/one.milk
printf '%s\n' '[preset00]' fDecay=0.8 zoom=1.0 > presets/two.milk

port=$(free_port)
play() {
    : > messages # what the last one said is not this one's
    "$froth" play presets --order listed --audio demo --size 64x48 --threads 1 --advance 86400 \
        --remote-port "$port" --counters --frame-times "$@" 2> messages &
    show=$!
}
is_told() { grep -q "$1" messages || ! kill -0 "$show" 2> /dev/null; }
end_show() {
    kill -INT "$show"
    wait "$show" || fail "froth ends with $?"
    show=
}
phone() { timeout "$((2 * patience))" python3 "$source/tests/cli/remote.py" "$port" "$@" > found 2>&1 || fail "$*: $(tail -n 1 found)"; }
listeners() { ss -Hltnp | grep -F "pid=$show," | awk '{ print $4 }' | sort | tr '\n' ' '; }

# Nothing is served unless it is asked for.
play --duration 1
wait "$show" || fail "froth ends with $?"
show=
grep -q 'page for the phone' messages && fail "it is served unasked"

# On this machine alone, to who has the link.
osc=$(free_port)
play --remote --osc "$osc"
wait_for "no link" is_told '?token='
if grep -q 'has no page for the phone' messages; then
    echo "this froth was built without libwebsockets: skipped"
    exit 77
fi
case $(listeners) in
"127.0.0.1:$port "*:"$osc [::1]:$port " | *:"$osc 127.0.0.1:$port [::1]:$port " | \
    "127.0.0.1:$port "*:"$osc " | *:"$osc 127.0.0.1:$port ") ;;
*) fail "it listens at $(listeners)" ;;
esac
phone "$(sed -nE 's,.*http://127\.0\.0\.1:'"$port"'/(\?token=[0-9a-f]{32});.*,\1,p' messages)" enter
cookie=$(cat found)
phone "$cookie" outside inside live oversized dawdle attack
sed 's/^/    /' found

# Who is unpaired is out at once, and what he had is worth nothing.
python3 "$source/tests/cli/remote.py" "$port" "$cookie" until_unpaired > unpaired 2>&1 &
other=$!
wait_for "no socket" grep -q open unpaired
oscsend localhost "$osc" /cmd/unpair || fail "oscsend"
wait "$other" || fail "unpaired: $(tail -n 1 unpaired)"
other=
kill -0 "$show" 2> /dev/null || fail "froth has ended"
end_show
grep -qE '^counter control remote: [1-9][0-9]* commands, [1-9][0-9]* values, [0-9]+ dropped, [0-9]+ replaced, [1-9][0-9]{2,} not understood$' messages ||
    fail "not all that was refused is counted"

# A port is taken once; the show begins without it.
play --remote
wait_for "no link" is_told '?token='
timeout "$patience" "$froth" play presets --remote --remote-port "$port" --audio demo --size 64x48 --no-library --duration 0.1 2> taken
[ $? -eq 0 ] && grep -q "warning: cannot listen at port $port: .*; another program may listen there" taken ||
    fail "a port that is taken: $(cat taken)"
printf 'remote: on\nremote-port: %s\n' "$port" > taken.yaml
timeout "$patience" "$froth" play presets --config taken.yaml --audio demo --size 64x48 --no-library --duration 0.1 2> taken
[ $? -eq 0 ] && grep -q "warning: cannot listen at port $port: .*; another program may listen there" taken ||
    fail "a port of the configuration that is taken: $(cat taken)"
end_show

# To all, by a code.
play --remote lan --log log
wait_for "no address" is_told 'page for the phone: http://'
case $(listeners) in
"0.0.0.0:$port [::]:$port " | "0.0.0.0:$port ") ;;
*) fail "it listens at $(listeners)" ;;
esac
grep -q 'code for it' messages && fail "there is a code unasked"
phone '' unpaired
wait_for "no code" is_told 'code for it: [0-9]'
phone "$(sed -nE 's/.*code for it: ([0-9]{6}).*/\1/p' messages)" pair
end_show
grep -q 'asks to be paired' log || fail "the log does not tell of it"
grep -qE 'code for it|token=' log && fail "a code or a link is kept in the log"
echo "passed"
