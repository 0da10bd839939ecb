#!/usr/bin/env bash
# The patches of the firmware's image (board/firmware/patches.list): each is there, once, fits the board,
# draws something and moves.
set -uo pipefail

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/runs.sh
. "$(dirname "$0")/lib/runs.sh"

mapfile -t names < <(grep -v '^#' "$source/board/firmware/patches.list")
((${#names[@]} >= 10)) || fail "only ${#names[@]} patches"
twice=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
[[ -z $twice ]] || fail "twice: $twice"

# What must not be said of any.
says() { # NAME LINE
    local what
    for what in '"status": "refused"' '"status": "error"' '"black": true' '"frozen": true'; do
        [[ $2 != *"$what"* ]] || fail "$1: $what"
    done
    [[ $2 == *'"black": false, "frozen": false'* ]] || fail "$1: it was not looked at"
}
for name in "${names[@]}"; do
    preset=$source/presets/originals/$name
    if [[ -f $preset ]]; then
        says "$name" "$("$froth" check --target milkymist-one --frames 48 --json "$preset" 2>&1 | head -n 1)"
    else
        fail "$name is not there"
    fi
done

# A black one is noticed.
printf '[preset00]\nfWaveAlpha=0\n' >"$work/black.milk"
"$froth" check --target milkymist-one --frames 48 --json "$work/black.milk" >"$work/said"
grep -q '"black": true' "$work/said" ||
    fail "a black preset is not noticed"
exit $failed
