#!/usr/bin/env bash
# The programs of shader stages keep to the rules of SPIR-V for Vulkan 1.2: spirv.sh SPIRV PRESET|FOLDER...
# SPIRV: the program of tests/spirv. Exit code 77: spirv-val is missing.
set -euo pipefail

spirv=$(realpath "$1")
shift
command -v spirv-val > /dev/null || { echo "needs spirv-val"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$@" -name '*.milk' -print0 | sort -z | xargs -0 "$spirv" "$work" > "$work/said"
found=$(find "$work" -name '*.spv' | wc -l)
find "$work" -name '*.spv' -print0 | sort -z |
    xargs -0 -n 1 -P 2 spirv-val --target-env vulkan1.2 > "$work/errors" 2>&1 || {
    head -n 20 "$work/errors"
    echo "FAILED: a program breaks the rules"
    exit 1
}
((found > 0)) || { echo "FAILED: there is no program"; exit 1; }
echo "$(cat "$work/said"); spirv-val takes all $found"
