#!/usr/bin/env bash
# Which families of kernels there are, by their tables (BASE_CPU_LEVELS of base/cpu.h), and what each level of the
# processor takes. It fails where one has a row for AVX2 and none for vectors of four words, which SSE4.1 and NEON run,
# and where a file is compiled for AVX2 and its text for nothing else. Single functions that are missing in a row:
# tests/unit/board/test_board_levels.c.
#   tests/families.sh SOURCE
set -euo pipefail

cd "$1"
failed=0
families=0
printf '%-30s %-28s %-28s %-28s %s\n' file plain 'SSE4.1, NEON' AVX2 AVX-512
while IFS=$'\t' read -r file row; do
    IFS=, read -r plain four avx2 avx512 <<<"$(tr -d ' &' <<<"$row")"
    families=$((families + 1))
    printf '%-30s %-28s %-28s %-28s %s\n' "$file" "$plain" "$four" "$avx2" "$avx512"
    [[ $four == *four* ]] || { echo "$file: no kernels for vectors of four words"; failed=1; }
done < <(for file in $(grep -rlE --include='*.c' 'BASE_CPU_LEVELS\(' base board pfpu presets renderer tmu); do
    tr '\n' ' ' <"$file" | grep -oE 'BASE_CPU_LEVELS\([^)]*\)' | sed -E "s|BASE_CPU_LEVELS\((.*)\)|$file\t\1|"
done)
for file in $(find base board pfpu presets renderer tmu -name '*_avx2.c'); do
    [[ -e ${file%_avx2.c}_four.c ]] || { echo "$file: there is no ${file%_avx2.c}_four.c"; failed=1; }
done
((families >= 10)) || { echo "$families families only"; failed=1; }
exit "$failed"
