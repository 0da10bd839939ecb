#!/usr/bin/env bash
# What desktops read is well-formed, and means what it says; the manual page too: desktop.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
logs=log
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
id=io.froth.froth
skipped=
# with TOOL: whether it is there
with() {
    command -v "$1" > /dev/null || { skipped="$skipped $1"; return 1; }
}

cd "$work" || exit 1
cmake --install "$(dirname "$froth")" --prefix "$work/usr" > log 2>&1 || fail "it cannot be installed"
share=$work/usr/share
[ -z "$(find "$share" -type f ! -perm -004)" ] || fail "something is not for everybody to read"
for size in 16 24 32 48 64 128 256 512; do
    icon=$share/icons/hicolor/${size}x${size}/apps/$id.png
    read -r width height < <(od -An -tu4 --endian=big -j16 -N8 "$icon")
    [ "$width $height" = "$size $size" ] || fail "the icon of $size pixels"
done
if with desktop-file-validate; then
    desktop-file-validate "$share/applications/$id.desktop" > log 2>&1 || fail "the entry among the programs"
    [ -s log ] && fail "the entry among the programs"
fi
if with appstreamcli; then
    appstreamcli validate --no-net --pedantic "$share/metainfo/$id.metainfo.xml" > log 2>&1 || fail "metainfo"
    grep -q 'Validation was successful\.$' log || fail "metainfo"
fi
version=$("$froth" version)
version=${version#froth }
grep -q "<release version=\"$version\"" "$share/metainfo/$id.metainfo.xml" || fail "metainfo of another version"
grep -q "^## $version\$" "$source/CHANGELOG.md" || fail "CHANGELOG.md does not tell of this version"
if [ -e "$source/debian" ]; then
    head -1 "$source/debian/changelog" | grep -qF "froth ($version-" || fail "debian/changelog is of another version"
fi

# Its pictures are those of docs/pictures, of the size that it says.
sed -n 's/.*<image type="source" width="\([0-9]*\)" height="\([0-9]*\)">.*\/pictures\/\(.*\)<\/image>.*/\3 \1 \2/p' \
    "$share/metainfo/$id.metainfo.xml" > pictures
[ "$(wc -l < pictures)" -eq "$(grep -c '<screenshot' "$share/metainfo/$id.metainfo.xml" | awk '{ print $1 - 1 }')" ] ||
    fail "a screenshot without a picture"
while read -r name said; do
    [ -e "$source/docs/pictures/$name" ] || fail "the metainfo's $name is not in docs/pictures"
    read -r width height < <(od -An -tu4 --endian=big -j16 -N8 "$source/docs/pictures/$name")
    [ "$width $height" = "$said" ] || fail "the metainfo says $said of $name, which has $width $height"
done < pictures

# The kinds of files, as a desktop finds them; it is offered what froth says that it opens.
if with update-mime-database && with gio; then
    mkdir data
    cp -r "$share/mime" data/
    update-mime-database data/mime > log 2>&1 || fail "the kinds of files"
    printf '[preset00]\nfDecay=0.9\n' > bare
    cp "$source/presets/originals/froth - Tidal Glass.milk" "$source/presets/originals/froth - Tide Mill.fnp" .
    for case in "bare|application/x-milkdrop-preset" "froth - Tidal Glass.milk|application/x-milkdrop-preset" \
        "froth - Tide Mill.fnp|application/x-milkymist-patch"; do
        kind=$(XDG_DATA_HOME=$work/data gio info -a standard::content-type "${case%|*}" |
            sed -n 's/.*standard::content-type: //p')
        [ "$kind" = "${case#*|}" ] || fail "${case%|*} is taken for $kind"
        grep -q "^MimeType=.*$kind;" "$share/applications/$id.desktop" ||
            fail "$kind is not opened"
    done
fi

# The manual, a page for each command but help and version, without a warning, and what an index makes of it.
for name in froth $(sed -nE 's/^APP_COMMAND\("([a-z]+)".*/froth-\1/p' "$source/app/options/commands.def" |
    grep -v -- '-\(help\|version\)$'); do
    page=$share/man/man1/$name.1
    [ -s "$page" ] || fail "there is no page $name"
    if with man; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2> log > /dev/null ||
            fail "the page $name"
        [ -s log ] && fail "the page $name has warnings"
    fi
    if with lexgrog; then
        lexgrog "$page" | grep -qF "\"$name - " || fail "the page $name has no line for whatis"
    fi
done
[ -z "$skipped" ] || { echo "missing, without which part of this is skipped:$skipped"; exit 77; }
echo "passed"
