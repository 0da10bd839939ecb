#!/usr/bin/env bash
# What tools/systems says and how it ends, on systems that are none: one that cannot be made, packages that cannot be
# fetched, time that is over and a row that fails are no pass, each in its words: systems.sh SOURCE
set -u

source=$(realpath "$1")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $1"
    tail -n 40 "$work/out"
    exit 1
}
export TMPDIR=$work/tmp XDG_CACHE_HOME=$work/cache CCACHE_DIR=$work/ccache state=$work/state
mkdir "$work/bin" "$TMPDIR" "$state" || exit 1

# unshare that mounts nothing: mmdebstrap makes some folders; what is done in the system ends as $state says of it,
# and, where nothing is said, well.
cat >"$work/bin/unshare" <<'E'
#!/bin/bash
if [[ $* == *mmdebstrap* ]]; then
    [[ ! -e $state/unmade ]] || { echo 'E: the mirror is not there' >&2; exit 1; }
    while [[ $1 != */froth-systems.* ]]; do shift; done
    mkdir -p "$1/etc" "$1/root" "$1/home/newcomer"
    exit
fi
does=${*: -1}
does=${does##* }
echo "$does" >>"$state/done"
[[ -e $state/$does ]] || exit 0
cat "$state/$does"
exit 1
E
# git that clones nothing
# shellcheck disable=SC2016
printf '#!/bin/bash\n[[ $1 != clone ]] || mkdir -p "${!#}"\n' >"$work/bin/git"
printf '#!/bin/bash\n' >"$work/bin/mmdebstrap"
chmod 755 "$work/bin/unshare" "$work/bin/git" "$work/bin/mmdebstrap"

# systems CODE ARGUMENT...: that it ends with this code, and leaves nothing
systems() {
    local wanted=$1 code=0
    shift
    rm -f "$state/done"
    env ${SECONDS_GIVEN:+SECONDS="$SECONDS_GIVEN"} PATH="$work/bin:$PATH" timeout 300 "$source/tools/systems" "$@" >"$work/out" 2>&1 || code=$?
    ((code == wanted)) || fail "tools/systems $*: exit code $code, not $wanted"
    [[ -z $(ls -A "$TMPDIR") ]] || fail "something is left"
}
says() {
    grep -qE "$1" "$work/out" || fail "it does not say: $1"
}

systems 2
systems 2 debian-99
systems 2 --busy many debian-13
if ((EUID != 0)); then
    systems 77 debian-13
    says '^debian-13 +made +0  skipped: it could not be made: only root can make one$'
    echo "the rest needs root: skipped"
    exit 77
fi

systems 0 debian-13
says '^debian-13 +hashes of 40 presets +[0-9]+  ok$'
rows=$(grep -c '^debian-13 .*  ok$' "$work/out")
((rows >= 11)) || fail "few rows"
says "^$rows of $rows rows are ok\$"
grep -qx whole_test "$state/done" && fail "./test without being asked for"

# What cannot be made is no pass, and nothing is tried in it.
touch "$state/unmade"
rm -rf "$work/cache"
systems 77 debian-13 debian-12
says '^debian-13 +made +[0-9]+  skipped: it could not be made: E: the mirror is not there$'
says '^0 of 2 rows are ok$'
[[ ! -e $state/done ]] || fail "it goes on in a system that is not there"
rm "$state/unmade"

echo 'E: Failed to fetch http://nowhere/x.deb' >"$state/film"
systems 77 debian-13
says '^debian-13 +a film +[0-9]+  skipped: packages could not be fetched$'
echo 'it is broken' >"$state/window"
systems 1 debian-13
says '^debian-13 +./run, a window +[0-9]+  failed: exit code 1$'
says '^it is broken$'
rm "$state/film" "$state/window"

# A shell's clock begins where it is told to.
SECONDS_GIVEN=100 systems 77 --minutes 1 debian-13
says '^debian-13 +./run, no display +0  skipped: time is over$'
grep -qx run "$state/done" && fail "it goes on after its time"

systems 0 --only hashes debian-13
if [[ $(grep -cxE 'run|hashes' "$state/done") != 2 ]] || grep -qx film "$state/done"; then
    fail "--only"
fi
systems 0 --test --busy 1 debian-12
grep -qx whole_test "$state/done" || fail "--test"
systems 0 debian-13-arm64
grep -qx cross_hashes "$state/done" || fail "arm64"
echo "passed"
