#!/usr/bin/env bash
# The scripts of 'froth help --completion' in the shells that there are: keys are typed, and a stand-in for froth says
# what it was called with: completion.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need script
logs='screen said fish_says'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
alone
cd "$work" || exit 1

mkdir bin sets zsh
cat > bin/froth <<'END'
#!/bin/sh
line=
for word; do line="$line<$word>"; done
echo "$line" >> "$SAID"
END
chmod +x bin/froth
export SAID=$work/said
touch "sets/Bosun's Knot (2).milk" 'sets/Tidal Glass.milk' sets/tide.fnp sets/show.yaml sets/show.csv sets/song.flac settee
for shell in bash zsh fish; do
    "$froth" help --completion $shell > froth.$shell 2> messages || fail "help --completion $shell"
done
"$froth" help --completion tcsh > none 2> messages
[ $? -eq 2 ] && [ ! -s none ] || fail "a shell that is not known"

# What is typed, @ is the tabulator, and what froth is called with then. Where two files begin alike, only one is of a
# kind that is taken there.
cat > cases <<'END'
froth rend@--quality d@sets/Tid@|<render><--quality><draft><sets/Tidal Glass.milk>
froth sets/Bos@--order r@|<sets/Bosun's Knot (2).milk><--order><random>
froth play --order=lis@sets/sho@|<play><--order=listed><sets/show.yaml>
froth check sets/tid@--js@|<check><sets/tide.fnp><--json>
froth render sets/sho@--audio sets/so@|<render><sets/show.yaml><--audio><sets/song.flac>
froth render --audio tes@--hash|<render><--audio><test><--hash>
froth render --transition=pla@|<render><--transition=plasma>
froth compile --emit sche@sets/Tid@|<compile><--emit><schedule><sets/Tidal Glass.milk>
froth play --do freez@--textures set@|<play><--do><freeze><--textures><sets>
froth lab sched@sets/tid@|<lab><schedule><sets/tide.fnp>
froth help comm@|<help><commands>
froth devices --js@|<devices><--json>
END
cut -d'|' -f2 cases > expected

# Each line is typed when the one before was carried out.
type_cases() {
    local count=0 keys
    while IFS='|' read -r keys _; do
        printf '%s\r' "$keys" | tr @ '\t'
        count=$((count + 1))
        for _ in $(seq 100); do
            [ "$(wc -l < said)" -ge $count ] && break
            sleep 0.05
        done
    done < cases
    printf 'exit\r'
}

# try_shell NAME COMMAND
try_shell() {
    : > said
    type_cases | script -qec "$2" /dev/null > screen 2>&1
    sed -i 's,/>,>,g' said
    diff expected said || fail "completion in $1"
    tried=$((tried + 1))
}

tried=0
scripts=/usr/share/bash-completion/bash_completion
if [ -f "$scripts" ]; then
    cat > bashrc <<END
PATH=$work/bin:\$PATH
. $scripts
. $work/froth.bash
PS1=
END
    try_shell bash "bash --rcfile bashrc -i"
    # The options that are offered are those of the help.
    for command in play render lab help; do
        bash -c ". $scripts; . ./froth.bash
            COMP_WORDS=(froth $command -) COMP_CWORD=2 COMP_LINE='froth $command -' COMP_POINT=\${#COMP_LINE}
            _froth; printf '%s\n' \"\${COMPREPLY[@]}\"" | grep -v -- '^--\(help\|version\)$' | sort > found
        "$froth" help $command | grep -oE '^  --?[a-z][a-z-]*' | tr -d ' ' | sort > options
        diff options found || fail "the options of $command in bash"
    done
fi
if command -v zsh > /dev/null; then
    cp froth.zsh zsh/_froth
    cat > zsh/.zshrc <<END
PATH=$work/bin:\$PATH
fpath=($work/zsh \$fpath)
autoload -Uz compinit
compinit -u -d $work/zdump
PS1=
END
    ZDOTDIR=$work/zsh try_shell zsh "zsh -i"
fi
if command -v fish > /dev/null; then
    # fish is asked, rather than typed to: it wants a terminal that answers.
    while IFS='|' read -r keys _; do
        keys=${keys%%@*}
        printf '%s|' "$keys"
        fish --no-config -c "source froth.fish; complete -C \"$keys\"" 2>> messages | head -1 | cut -f1
    done < cases > fish_says
    cat > fish_expected <<'END'
froth rend|render
froth sets/Bos|sets/Bosun's Knot (2).milk
froth play --order=lis|--order=listed
froth check sets/tid|sets/tide.fnp
froth render sets/sho|sets/show.yaml
froth render --audio tes|test
froth render --transition=pla|--transition=plasma
froth compile --emit sche|schedule
froth play --do freez|freeze
froth lab sched|schedule
froth help comm|commands
froth devices --js|--json
END
    diff fish_expected fish_says || fail "completion in fish"
    for command in play render lab help; do
        fish --no-config -c "source froth.fish; complete -C 'froth $command -'" 2>> messages | cut -f1 |
            grep -v -- '^--\(help\|version\)$' | sort -u > found
        "$froth" help $command | grep -oE '^  --?[a-z][a-z-]*' | tr -d ' ' | sort > options
        diff options found || fail "the options of $command in fish"
    done
    tried=$((tried + 1))
fi
[ $tried -gt 0 ] || { echo "bash-completion, zsh and fish are missing: skipped"; exit 77; }
echo "passed"
