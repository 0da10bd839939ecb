# For tests that run froth again and again and go on after a mistake; sourced. They work in a folder of
# their own, end with 'exit $failed' and read nothing of the user's.
# shellcheck source=patience.sh
. "$(dirname "${BASH_SOURCE[0]}")/patience.sh"
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work
cd "$work" || exit 1

fail() {
    echo "FAILED: $*"
    failed=1
}

# run CODE ARGUMENTS...: runs $froth, keeps what it prints in out and err.
run() {
    local wanted=$1 got=0
    shift
    "$froth" "$@" >out 2>err || got=$?
    [[ $got == "$wanted" ]] || fail "$*: exit code $got, expected $wanted: $(head -3 err)"
}
