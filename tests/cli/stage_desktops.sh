#!/usr/bin/env bash
# The show and the operator's window in compositors that carry out what SDL asks of them, such as to minimise a window: in
# weston, mutter and KWin, of those that are there; tests/desktops/table.sh has more: stage_desktops.sh FROTH SOURCE [KEEP]
# KEEP: a folder in which screenshots are left. Exit code 77: none is there.
set -u

FROTH_TEST_PATIENCE=${FROTH_TEST_PATIENCE:-300} exec "$2/tests/desktops/table.sh" "$1" "$2" ${3:+--keep "$3"} \
    --only '^(f10|typing|show_lost|alone_lost|operator_lost)$' weston mutter kwin
