#!/usr/bin/env bash
# What ./run has built can be installed, and needs neither the source nor the build afterwards: install.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
need cmake ffmpeg ffprobe
logs='log messages'
work=$(mktemp -d) || exit 1
clean() {
    [ -n "${display:-}" ] && kill "$display" 2> /dev/null
    rm -rf "$work"
}
trap clean EXIT
unset FROTH_PRESETS
alone

DESTDIR=$work/root cmake --install "$(dirname "$froth")" --prefix /opt/froth > "$work/log" 2>&1 ||
    fail "it cannot be installed"
installed=$work/root/opt/froth
for file in bin/froth share/man/man1/froth.1 share/froth/config.yaml share/froth/bindings/milkdrop.yaml \
    share/froth/bindings/projectm.yaml; do
    [ -s "$installed/$file" ] || fail "$file was not installed"
done
diff -r "$source/presets/originals" "$installed/share/froth/presets" > "$work/log" || fail "not all presets"

# The source is gone: the program knows of it by its path alone, and that path now names nothing.
away=$(printf '%s' "$source" | tr '[:alnum:]' _)
LC_ALL=C sed -i "s|$source|$away|g" "$installed/bin/froth"
grep -qF "$source/presets" "$installed/bin/froth" && fail "the source is still known"

# Somewhere else, as one piece.
mv "$work/root/opt/froth" "$work/elsewhere"
installed=$work/elsewhere
path=$PATH
PATH=$installed/bin:$PATH
cd "$work" || exit 1
froth help --man 2>> messages | cmp - "$installed/share/man/man1/froth.1" || fail "the manual page is another one's"
froth help --config 2>> messages | cmp - "$installed/share/froth/config.yaml" ||
    fail "the configuration is another one's"
mkdir -p "$XDG_CONFIG_HOME/froth"
cp "$installed/share/froth/config.yaml" "$XDG_CONFIG_HOME/froth/"
small='--size 64x48 --threads 1'
# shellcheck disable=SC2086
froth render "$installed/share/froth/presets/froth - Tidal Glass.milk" --audio demo --frames 10 $small -o film.mp4 \
    2>> messages || fail "the installed program does not render"
[ "$(ffprobe -v error -count_packets -select_streams v -show_entries stream=nb_read_packets -of csv=p=0 film.mp4)" = 10 ] ||
    fail "not ten pictures"
# Without a display it makes a video of what comes with it.
# shellcheck disable=SC2086
froth play --audio demo --duration 1 --fps 10 $small --no-library 2>> messages || fail "the installed program does not play"
[ -s froth-demo.mp4 ] || fail "nothing was played"

if command -v Xvfb > /dev/null; then
    # shellcheck source=lib/display.sh
    . "$source/tests/cli/lib/display.sh"
    width=320 height=240
    start_display
    # shellcheck disable=SC2086
    froth --audio demo --duration 2 $small --log-level debug --counters 2>> messages || fail "no window from the installed program"
    grep -qF "$installed/bin/../share/froth/presets/" messages || fail "it plays other presets"
fi

# What it plays is what was installed with it: without that there is nothing.
mv "$installed/share" share
PATH=$path "$installed/bin/froth" play --audio demo --duration 1 > log 2>&1
[ $? -eq 1 ] && grep -q 'no presets were found' log || fail "it finds presets that were not installed"
echo "passed"
