#!/usr/bin/env bash
# The source in OBS's library without OBS's windows, on a virtual display: obs_source.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
keep=
build=$(dirname "$froth")
# shellcheck source=lib/common.sh
. "$source/tests/cli/lib/common.sh"
# shellcheck source=lib/display.sh
. "$source/tests/cli/lib/display.sh"
logs=log
work=$(mktemp -d) || exit 1
trap 'end_all $display' EXIT
width=320 height=200
[ -x "$build/tests/obs_source" ] || { echo "it is not built: skipped"; exit 77; }
need Xvfb
alone
start_display +extension GLX
export LD_LIBRARY_PATH=$build LIBGL_ALWAYS_SOFTWARE=1
timeout "$((3 * patience))" "$build/tests/obs_source" "$build/plugins/obs/froth.so" "$source/plugins/obs/data" "$source/tests/obs/presets" \
    > "$work/log" 2>&1 || fail "the source fails"
echo "all well"
