#!/usr/bin/env bash
# timeout of GNU coreutils 9.10 (Debian unstable, November 2026) as the first process of a PID namespace, as in a container
# whose command begins with it: it does not run its command, says nothing, and ends with 125, which its manual page gives to
# failures of timeout itself. As any other process there it runs it. That of coreutils 9.1 (Debian 12) runs it in both
# places. Its child takes a parent with the number 1 for one that has ended.
#   findings/timeout_as_first_process.sh
# Makes Debians in a temporary folder; needs root, mmdebstrap, unshare and packages. Exit code 1: it is otherwise by now;
# 77: it cannot be tried here.
# shellcheck source=findings/lib/systems.bash
. "$(dirname "${BASH_SOURCE[0]}")/lib/systems.bash"

# inside SUITE COMMAND...: as the first process of a PID namespace; what it says, and its exit code
inside() {
    local code=0 said
    said=$(unshare --mount --pid --fork chroot "$work/$1" "${@:2}" 2>&1 </dev/null) || code=$?
    echo "$said|$code"
}

while read -r suite version first; do
    minimal_make "$suite" "$work/$suite" >"$work/log" 2>&1 || { tail -n 1 "$work/log"; exit 77; }
    have=$(chroot "$work/$suite" dpkg-query -W -f '${Version}' coreutils)
    expect "$suite: coreutils" "${have%-*}" "$version"
    expect "$suite: the first process" "$(inside "$suite" timeout 10 echo it runs)" "$first"
    expect "$suite: another process" "$(inside "$suite" sh -c 'timeout 10 echo it runs; exit $?')" 'it runs|0'
done <<'TABLE'
sid 9.10 |125
bookworm 9.1 it runs|0
TABLE
exit "$bad"
