#!/usr/bin/env bash
# Ableton Link, with another member of the session: link.sh FROTH SOURCE
# Presets see the session's tempo and beat, a tempo by hand is the session's, start and stop are followed, and a helper
# that is killed comes back. In a network of its own where that may be made. Exit code 77: it was built without Link.
set -u

froth=$(realpath "$1")
build=$(dirname "$froth")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
logs='phase player'
work=$(mktemp -d) || exit 1
player=
# shellcheck disable=SC2317
end() { [ -n "$player" ] && kill -9 "$player" 2> /dev/null; wait 2> /dev/null; rm -rf "$work"; }
trap end EXIT
[ -x "$build/link_phase" ] && [ -x "$build/link_peer" ] || { echo "built without Ableton Link: skipped"; exit 77; }
need ip unshare pgrep
# Nobody else's session is disturbed, and its processes are not seen.
if [ -z "${FROTH_LINK_ALONE-}" ]; then
    unshare -rnpf --mount-proc true 2> /dev/null || { echo "no network of its own may be made: skipped"; exit 77; }
    trap - EXIT
    rm -rf "$work"
    FROTH_LINK_ALONE=1 exec unshare -rnpf --mount-proc "$0" "$@"
fi
ip link set lo up && ip link set lo multicast on && ip route add 224.0.0.0/4 dev lo || exit 77
alone

timeout "$((2 * patience))" "$build/link_phase" "$build/link_peer" > "$work/phase" 2>&1 || fail "the show and the session"
cat "$work/phase"
grep -q 'Ableton Link: 1 other program in the session' "$work/phase" || fail "nobody was told of the other one"

# The helper is killed, and comes back; the show is killed, and the helper ends.
helper() { pgrep -x froth-link; }
no_helper() { ! helper; }
wait_for "the helper is left" no_helper
"$build/link_phase" "$build/link_peer" > "$work/player" 2>&1 &
player=$!
wait_for "no helper" helper
kill -9 "$(helper)"
wait_for "a helper that was killed does not come back" grep -q 'note: Ableton Link is back' "$work/player"
[ "$(grep -c 'the helper froth-link has ended' "$work/player")" = 1 ] || fail "it is not told once"
kill -9 "$player"
wait_for "the helper lives on without the show" no_helper

# Asked for without the helper, froth says so, and the show begins.
mkdir "$work/elsewhere"
cp "$build/link_phase" "$work/elsewhere/"
"$work/elsewhere/link_phase" /bin/true > "$work/phase" 2>&1 &
player=$!
wait_for "a helper that is missing is not told" grep -q 'warning: --link needs the program froth-link' "$work/phase"
kill "$player" 2> /dev/null || fail "nothing began without the helper"
wait "$player" 2> /dev/null

# One that talks nonsense is ended and started again, and told of once.
printf '#!/bin/sh\nwhile echo "link 1 1 nonsense 0 0"; do sleep 0.01; done\n' > "$work/elsewhere/froth-link"
chmod +x "$work/elsewhere/froth-link"
"$work/elsewhere/link_phase" /bin/true > "$work/phase" 2>&1 &
player=$!
wait_for "nonsense of a helper is not told" grep -q 'the helper froth-link has ended' "$work/phase"
sleep 5
kill -9 "$player"
wait "$player" 2> /dev/null
[ "$(grep -c 'the helper froth-link has ended' "$work/phase")" = 1 ] || fail "nonsense of a helper"
