#!/usr/bin/env bash
# The page for the phone in a browser: remote_page.sh FROTH SOURCE [FOLDER], which keeps screenshots there
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
keep=${3:+$(realpath "$3")}
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb chromium chromedriver
logs='found messages'
work=$(mktemp -d) || exit 1
show=
clean() {
    [ -n "$show" ] && kill -CONT "$show" 2> /dev/null
    end_all "$show" "$display"
}
trap clean EXIT
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import selenium' > /dev/null 2>&1 && python=$candidate && break
done
[ -n "$python" ] || { echo "python3-selenium is missing: skipped"; exit 77; }
alone
draw_plainly
export PYTHONDONTWRITEBYTECODE=1
width=320 height=240
start_display
cd "$work" || exit 1

# A library as those have it who collect.
"$python" - << 'END'
import os
os.mkdir("presets")
for i in range(10000):
    with open(f"presets/band {i // 100:02} - song {i:04}.milk", "w") as file:
        file.write(f"[preset00]\nfDecay=0.9\nfGammaAdj=1.5\nzoom={1 + i / 1e6:.6f}\nwave_r={i % 10 / 10}\n")
END

remote=$(free_port) osc=$(free_port)
play() {
    : > messages # what the last one said is not this one's
    "$froth" play presets --order listed --audio demo --size 64x48 --threads 1 --advance 86400 \
        --osc "$osc" --remote-port "$remote" "$@" 2> messages &
    show=$!
    wait_for "froth does not play" grep -qE 'page for the phone' messages
}
play --remote
if grep -q "has no page for the phone" messages; then
    echo "this froth was built without the page for the phone: skipped"
    exit 77
fi
link=$(grep -oE 'http://[^ ;]*token=[0-9a-f]+' messages)

# What the browser asks for in the middle: the show stands still, goes on, or begins anew.
while read -r order; do
    case $order in
    stop) kill -STOP "$show" ;;
    go) kill -CONT "$show" ;;
    anew)
        kill "$show"
        wait "$show"
        play --remote lan
        ;;
    *) code=$order ;;
    esac
done < <("$python" "$source/tests/cli/remote_page.py" "$link" "$osc" "$work" "$keep" 2> found; echo $?)
[ "$code" -eq 0 ] || fail "$(tail -n 1 found)"
kill -0 "$show" 2> /dev/null || fail "froth has ended"
kill "$show"
wait "$show" 2> /dev/null
show=
echo "passed"
