#!/usr/bin/env bash
# checked.sh: CHECKED.md tells of every row of the golden tables, and of every preset of the pages of facts, how it was
# checked, once each, and of nothing else.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
status=0

# entries SECTION: the words of the indented lines below ## SECTION
entries() {
    awk -v section="$1" '/^## / { on = $2 == section } on && /^    / { for (i = 1; i <= NF; i++) print $i }' \
        "$here/CHECKED.md"
}

# compare SECTION: entries beside the names on the input
compare() {
    local found
    found=$({ diff <(sort) <(entries "$1" | sort) || true; } |
        sed -n 's/^< \(.*\)/\1 has no entry/p; s/^> \(.*\)/\1 is no row, or told twice/p')
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sed "s|^|CHECKED.md: $1: |"
        status=1
    fi
}

sections=
for table in "$here"/*.txt; do
    name=$(basename "$table" .txt)
    sections+=" $name"
    compare "$name" < <(awk '/^#/ || NF == 0 { next } headed { print $1 } { headed = 1 }' "$table")
done
for page in "$here"/../data/facts/*.md; do
    sections+=" $(basename "$page")"
    compare "$(basename "$page")" < <(sed -n 's/^## //p' "$page")
done
for section in $(sed -n 's/^## \([^ ]*\).*/\1/p' "$here/CHECKED.md"); do
    if [[ " $sections " != *" $section "* ]]; then
        printf 'CHECKED.md: there is no table or page %s\n' "$section"
        status=1
    fi
done
exit "$status"
