#!/usr/bin/env bash
# Commands of --do: wrong ones are errors before anything begins, and those that have to do with a preset wait for
# the first one, in their order: first_commands.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
need Xvfb
logs='messages saved.milk'
work=$(mktemp -d) || exit 1
clean() {
    [ -n "$display" ] && kill "$display" 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT
alone
draw_plainly
width=320 height=240
start_display
mkdir "$work/presets"
cd "$work" || exit 1
printf '%s\n' '[preset00]' fDecay=0.9 nWaveMode=0 zoom=1.0 > presets/one.milk
play() { timeout "$((2 * patience))" "$froth" play presets --audio demo --size 64x48 --threads 1 --names never "$@" 2> messages; }

play --do 'blakout on' --do quit
[ $? -eq 2 ] || fail "an unknown command is no error"
grep -qxF -- "--do: error: unknown command 'blakout'; did you mean blackout?" messages || fail "no suggestion"
play --do 'lock maybe' --do quit
[ $? -eq 2 ] && grep -q -- '^--do: error: lock cannot take' messages || fail "a wrong argument is no error"
mkdir -p "$XDG_CONFIG_HOME/froth"
printf 'do:\n  - quit\n  - blakout on\nnames: never\n' > "$XDG_CONFIG_HOME/froth/config.yaml"
play --do quit || fail "a wrong configuration ends the show"
grep -q "config.yaml:3:5: error: unknown command 'blakout'; did you mean blackout?" messages ||
    fail "a wrong command of the configuration is not told"
rm "$XDG_CONFIG_HOME/froth/config.yaml"

# What is asked for last is done before the end, too.
play --do 'set fDecay 0.5' --do 'wave =3' --do 'rate =4' --do 'tag night' --do "save $work/saved.milk" --do quit ||
    fail "commands at the start end the show"
grep -qE 'no preset|nothing' messages && fail "a command did not wait"
[ -s saved.milk ] || fail "nothing was saved"
grep -q '^fDecay=0\.5' saved.milk || fail "save did not wait for set"
grep -qsF night "$XDG_DATA_HOME"/froth/* || fail "the tag is lost"
echo "passed"
