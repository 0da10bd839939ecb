# Waiting as long as it takes: a machine may be slow, and do other things besides; sourced. The limit is for what never
# comes.
patience=${FROTH_TEST_PATIENCE:-300} # seconds

# await COMMAND...: until it succeeds; 1: never
await() {
    local until=$((SECONDS + patience))
    while ! "$@" > /dev/null 2>&1; do
        ((SECONDS < until)) || return 1
        sleep 0.1
    done
}

# ask_to SIGNAL PROCESS: sends it, and waits until it was taken: two of a kind at once are one
ask_to() {
    kill "-$1" "$2"
    await is_taken "$2"
}
is_taken() { ! grep -q '^S[hi][dg]Pnd:.*[1-9a-f]' "/proc/$1/status"; }

# has_ended PROCESS: also one that nobody has waited for
has_ended() { ! [ -e "/proc/$1/status" ] || grep -q '^State:\sZ' "/proc/$1/status"; }
