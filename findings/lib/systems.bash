# Begins a finding that makes Debians in a temporary folder, $work, which goes with it; sourced. In the end it exits with $bad.
# shellcheck shell=bash
set -euo pipefail
# shellcheck source=tools/minimal_system.bash
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/minimal_system.bash"

if why=$(minimal_lacks); then
    echo "$why"
    exit 77
fi
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
trap 'minimal_remove "$work"' EXIT
bad=0

# expect WHAT IS WANTED: says whether it is so
expect() {
    local verdict=ok
    # shellcheck disable=SC2034
    [[ $2 == "$3" ]] || { verdict="otherwise by now, it was: $3" bad=1; }
    echo "$1: $2 ($verdict)"
}
