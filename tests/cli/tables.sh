#!/usr/bin/env bash
# Every option, command and key of the tables stands in the help, in the manual page and in the YAML
# that comes with froth, and nothing else does: tables.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config
cd "$work" || exit 1

fail() {
    echo "FAILED: $1"
    exit 1
}
# same WHAT A B: the same lines, in any order
same() {
    diff <(sort -u "$2") <(sort -u "$3") > difference || { cat difference; fail "$1"; }
    [ -s "$2" ] || fail "$1: there is nothing"
}

"$froth" help all > help || fail "help all"
"$froth" help play > help_play || fail "help play"
"$froth" help commands > help_commands || fail "help commands"
"$froth" help --config > config.yaml || fail "help --config"
"$froth" help --man > manual || fail "help --man"
sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g' manual > plain_manual

# The tables themselves, read as text.
tr '\n' ' ' < "$source/app/options/options.def" | grep -oE 'APP_OPTION(_ALSO)?\([a-z_]+, [A-Z]+, "[^"]*", ("[^"]*"|[A-Z_]+), [A-Z_ |]+' |
    sed -E 's/APP_OPTION(_ALSO)?\(//' > rows
[ "$(wc -l < rows)" -ge 60 ] || fail "the rows of options.def are not understood"
cut -d'"' -f2 rows > options
grep 'APP_PLAY' rows | cut -d'"' -f2 > play_options
grep 'APP_PLAY' rows | grep -v APP_LINE | cut -d'"' -f2 | sed 's/^--//' > keys
{ cat "$source/engine/commands.def" "$source/ui/commands.def" | tr '\n' ' ' |
    grep -oE '(ENGINE|UI)_COMMAND\([A-Z_]+, "[^"]*", [A-Z]+' | cut -d'"' -f2
    grep -oE '^ENGINE_ADJUST\([A-Z_]+, "[^"]*"' "$source/engine/adjust.def" | cut -d'"' -f2; } > commands
[ "$(wc -l < commands)" -ge 50 ] || fail "the rows of commands.def are not understood"

# Options.
grep -oE '^  --?[a-z][a-z-]*' help | tr -d ' ' > found
same "options of the table and of help" options found
sed -nE 's/^\\fB(--?[a-z][a-z-]*)\\fR.*/\1/p' plain_manual > found
same "options of the table and of the manual page" options found
grep -oE '^  --?[a-z][a-z-]*' help_play | tr -d ' ' > found
same "options of play and of help play" play_options found
sed -nE 's/^#([a-z-]+): .*/\1/p' config.yaml > found
same "options of play and keys of config.yaml" keys found
sed -n '/^\.SH CONFIGURATION/,/^\.SH FILES/p' plain_manual | sed -n '/with every key:/,$p' | sed 1d |
    grep -v '^\.SH' | tr -d '.' | tr -s ', ' '\n' > found
same "keys of config.yaml in the manual page" keys found

# Commands.
for text in help help_commands; do
    sed -n '/^Commands and keys in the window/,$p' "$text" |
        sed -nE '/^Environment/q; s/^  ([a-z][a-z-]*)( .*)?$/\1/p' > found
    same "commands of the table and of $text" commands found
done
sed -n '/^\.SH COMMANDS AND KEYS IN THE WINDOW/,/^\.SH CONFIGURATION/p' plain_manual > window
sed -nE 's/^\\fB([a-z-]+)\\fR.*/\1/p' window > found
same "commands of the table and of the manual page" commands found

# Keys: a line 'command key' for each of a YAML file.
pairs() {
    sed -nE 's/^("([^"]+)"|([^#" ][^:]*)): ([a-z-]+).*/\4 \2\3/p' "$1"
}
for profile in milkdrop projectm; do
    yaml=printed.yaml
    "$froth" help --bindings $profile > $yaml || fail "help --bindings $profile"
    diff "$source/ui/bindings/$profile.yaml" $yaml | grep '^<' &&
        fail "help --bindings $profile leaves something of the file out"
    pairs "$yaml" > pairs
    awk -v profile="Keys of $profile: " '
        /^\\fB/ { name = $1; gsub(/\\fB|\\fR/, "", name) }
        index($0, profile) == 1 {
            count = split(substr($0, length(profile) + 1), keys, "  ")
            for (i = 1; i <= count; i++) print name, keys[i]
        }' window > found
    same "keys of $profile.yaml and of the manual page" pairs found
    { cut -d' ' -f1 pairs; sed -nE 's/^# ([a-z-]+): .*/\1/p' "$yaml"; } > found
    same "commands of the table and of $profile.yaml" commands found
    mkdir -p config/froth
    echo "bindings: $profile" > config/froth/config.yaml
    "$froth" help commands > "help_$profile" || fail "help commands with $profile"
    awk '/^  [a-z]/ {
            at = index($0, "    ")
            name = $1
            if (at > 0) {
                count = split(substr($0, at + 4), keys, "  ")
                for (i = 1; i <= count; i++) print name, keys[i]
            }
        }
        /^            [^ ]/ {
            count = split(substr($0, 13), keys, "  ")
            for (i = 1; i <= count; i++) print name, keys[i]
        }' "help_$profile" > found
    same "keys of $profile.yaml and of help commands" pairs found
done
cmp -s help_milkdrop help_projectm && fail "help commands does not know the configuration"

# A misspelt command is wrong usage, and plays nothing; what is named 'play' is none.
"$froth" chekc config 2> messages > found
[ $? -eq 2 ] && [ ! -s found ] || fail "a misspelt command is something to play"
grep -qx "froth: error: 'chekc' is no command; did you mean check?" messages || fail "no suggestion for a command"
"$froth" play chekc 2> messages
[ $? -eq 1 ] && grep -q 'is no command' messages && fail "what is to be played is taken for a command"
"$froth" help lab time > found || fail "help lab time"
[ "$(grep -c '^  froth lab ' found)" -eq 1 ] || fail "help lab time explains other instruments"
"$froth" help play render 2> messages
[ $? -eq 2 ] || fail "help takes two commands"

# The configuration that is printed is one; a wrong one is explained, and does not end anything.
cp config.yaml config/froth/config.yaml
"$froth" help commands 2> messages > /dev/null || fail "the configuration that is printed is refused"
[ -s messages ] && { cat messages; fail "the configuration that is printed is refused"; }
printf 'fsp: 20\nbindings: projectm\n' > config/froth/config.yaml
"$froth" help commands 2> messages > found || fail "a wrong configuration ends froth"
grep -q 'froth/config.yaml:1:1: error: unknown key .fsp.; did you mean fps?' messages ||
    fail "a wrong key is not explained"
cmp -s found help_projectm || fail "the rest of a wrong configuration is not used"
"$froth" play --config missing.yaml 2> messages
[ $? -eq 1 ] || fail "a missing --config is no failure"
grep -q 'missing.yaml: error: cannot be read' messages || fail "no message for a missing --config"
echo "passed"
