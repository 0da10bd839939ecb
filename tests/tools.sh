#!/usr/bin/env bash
# tools/deps without root, with and without sudo, and while another program installs packages; tools/test_summary on
# tests that fail and skip themselves: tools.sh SOURCE
set -u

source=$(realpath "$1")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
fail() {
    echo "FAILED: $1"
    tail -n 20 "$work/out"
    exit 1
}

# A system on which two packages are missing, whose package manager is busy the first times it is called.
mkdir "$work/bin" "$work/state"
cp "$source/tools/deps" "$work/deps"
cat > "$work/bin/dpkg-query" <<'E'
#!/bin/bash
[[ ${!#} == ninja-build || ${!#} == ffmpeg ]] && exit 1
echo installed
E
cat > "$work/bin/apt-get" <<'E'
#!/bin/bash
state=$(dirname "$0")/../state
echo "$*" >> "$state/calls"
read -r busy < "$state/busy"
if ((busy > 0)); then
    echo $((busy - 1)) > "$state/busy"
    echo 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 77 (unattended-upgr)' >&2
    exit 100
fi
[[ ! -e $state/broken ]] || { echo 'E: Unable to locate package ninja-build' >&2; exit 100; }
E
# What can be installed: of two names of the same the second, and not what only tests want.
cat > "$work/bin/apt-cache" <<'E'
#!/bin/bash
for name in "${@:2}"; do
    case $name in
    strace | qemu-user-static) printf '%s:\n  Installed: (none)\n  Candidate: (none)\n' "$name" ;;
    *) printf '%s:\n  Installed: (none)\n  Candidate: 1\n' "$name" ;;
    esac
done
E
printf '#!/bin/bash\nexit 0\n' > "$work/bin/sleep"
chmod 755 "$work"/bin/* "$work/deps"
path=$work/bin:/usr/bin:/bin

# as WHO: runs deps as that user, without a terminal
as_nobody() {
    if ((EUID == 0)); then
        setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$path" "$@"
    else
        env PATH="$path" "$@"
    fi < /dev/null > "$work/out" 2>&1
}
echo 0 > "$work/state/busy"
printf '#!/bin/bash\necho "sudo: a password is required" >&2\nexit 1\n' > "$work/bin/sudo"
chmod 755 "$work/bin/sudo"
if ((EUID != 0)) || command -v setpriv > /dev/null; then
    as_nobody "$work/deps"
    [ $? -eq 1 ] || fail "without root, missing packages are no failure"
    grep -qx 'tools/deps: these packages are missing: ninja-build ffmpeg' "$work/out" || fail "it does not say what is missing"
    grep -qx 'tools/deps: to install them, as root: apt-get install ninja-build ffmpeg' "$work/out" || fail "no way out"
    [ -e "$work/state/calls" ] && fail "it tries all the same"
    printf '#!/bin/bash\n[[ $1 == -n ]] && shift\nexec "$@"\n' > "$work/bin/sudo"
    chmod 777 "$work/state"
    chmod 666 "$work/state/busy"
    as_nobody "$work/deps" || fail "with sudo it does not install"
    grep -q '^install .*ninja-build ffmpeg$' "$work/state/calls" || fail "sudo is not used"
    rm "$work/state/calls"
fi
PATH=$path "$work/deps" --missing > "$work/out"
[ $? -eq 1 ] && [ "$(tr '\n' ' ' < "$work/out")" = 'ninja-build ffmpeg ' ] || fail "--missing"

# A package with another name here is installed by that; one that only tests want, and that is not there, is told.
cp "$work/bin/dpkg-query" "$work/few"
sed -i 's/== ffmpeg ]]/== ffmpeg || ${!#} == qemu-user* || ${!#} == strace ]]/' "$work/bin/dpkg-query"
PATH=$path "$work/deps" --test > "$work/out" 2>&1 || fail "a package for tests that is not there is a failure"
grep -q '^install .*ninja-build ffmpeg qemu-user$' "$work/state/calls" || fail "the other name is not installed"
grep -qx 'tools/deps: this system has no package strace; tests that need it are skipped' "$work/out" ||
    fail "what this system does not have is not told"
rm "$work/state/calls"
mv "$work/few" "$work/bin/dpkg-query"

echo 3 > "$work/state/busy"
PATH=$path "$work/deps" > "$work/out" 2>&1 || fail "it does not wait for the lock"
[ "$(wc -l < "$work/state/calls")" -eq 5 ] || fail "not tried again until the lock is free"
[ "$(grep -c 'waiting for it' "$work/out")" -eq 1 ] || fail "waiting is not told once"
touch "$work/state/broken"
rm "$work/state/calls"
PATH=$path "$work/deps" > "$work/out" 2>&1 && fail "a package that is not there is no failure"
[ "$(wc -l < "$work/state/calls")" -eq 1 ] || fail "it waits for what is no lock"
grep -q 'Unable to locate package' "$work/out" || fail "the package manager's message is lost"

# A run of four tests.
cd "$work" || exit 1
cat > CTestTestfile.cmake <<'E'
add_test(good "true")
add_test(bad "false")
add_test(left_out "sh" "-c" "echo 'Xvfb is missing: skipped'; exit 77")
set_tests_properties(left_out PROPERTIES SKIP_RETURN_CODE 77)
add_test(partly "sh" "-c" "echo '[ RUN      ] x'; echo 'skipped: no font is installed'; echo '[  PASSED  ] 1'")
E
ctest > printed 2>&1
"$source/tools/test_summary" printed Testing/Temporary/LastTest.log > out || fail "no summary"
sed -n '/^failed:/,$p' out | sed 's/ in [0-9]* seconds//' > words
diff - words <<'E' || fail "the summary says something else"
failed:
    Failed:
        bad
skipped:
    Xvfb is missing:
        left_out
skipped in part:
    no font is installed:
        partly
4 tests: 2 passed, 1 failed, 1 skipped
E
# What froth is built with is asked for by its Debian package too.
if [ -e "$source/debian/control" ]; then
    sed -n '/^packages=(/,/^)/p' "$source/tools/deps" | tr ' ' '\n' | grep -- '-dev$' | while read -r package; do
        sed -n '/^Build-Depends:/,/^[^ ]*$/p' "$source/debian/control" | grep -q "^ $package\b" || echo "$package"
    done > "$work/forgotten"
    [ -s "$work/forgotten" ] && fail "debian/control does not ask for $(cat "$work/forgotten")"
fi
echo "passed"
