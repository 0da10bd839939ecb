#!/usr/bin/env bash
# froth lab with the whole of the recorded data, in the folder that FROTH_SHARED names.
set -euo pipefail

froth=$1
if [[ -z ${FROTH_SHARED-} ]]; then
    echo "lab_shared.sh: FROTH_SHARED is not set"
    exit 77
fi

golden=$FROTH_SHARED/golden
"$froth" lab alu "$golden/pfpu_alu.csv"
"$froth" lab alu "$golden/pfpu_sincos.csv"
"$froth" lab pfpu "$golden/pfpu_programs.txt"
