#!/usr/bin/env bash
# Every function of engine/engine.h that takes a show which it may change is a row of its table ENGINE_TOLD_CALLS, told of or said not
# to be, and every row is such a function: who keeps a show gets all that changes it.
set -euo pipefail
source=$1
rows=$(sed -n 's/^    \(TOLD([A-Z_]*, \|UNTOLD(\)\([a-z_]*\)).*/\2/p' "$source/engine/engine.h" | sort -u)
functions=$(tr '\n' ' ' <"$source/engine/engine.h" |
    grep -o '[a-z_ ]*\*\{0,1\}engine_[a-z_]*(struct engine \*[^)]*)' |
    sed 's/.*\(engine_[a-z_]*\)(struct engine .*/\1/' | sort -u)
difference=$(diff <(echo "$rows") <(echo "$functions") || true)
if [[ -z $functions || -n $difference ]]; then
    echo "engine/engine.h: its table (<) and its functions (>) differ:"
    echo "$difference"
    exit 1
fi
# Each of them tells.
for row in $(sed -n 's/^    TOLD(\([A-Z_]*\),.*/\1/p' "$source/engine/engine.h"); do
    if ! grep -q "\.kind = ENGINE_TOLD_$row\b" "$source"/engine/*.c; then
        echo "engine/engine.h: $row is told of nowhere"
        exit 1
    fi
done
