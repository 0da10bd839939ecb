#!/usr/bin/env bash
# The source's archive: the same bytes twice, in another folder, time zone and language, and from itself; all files are in it.
# With --build it is configured without git, and the program that is built of it paints. source.sh SOURCE [--build]
set -eu

source=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $1"
    exit 1
}

first=$("$source/tools/source" "$work/first")
mkdir "$work/unpacked"
tar -C "$work/unpacked" -xf "$first"
folder=$work/unpacked/$(basename "$first" .tar.gz)
[ -x "$folder/run" ] || fail "no ./run in the archive"
if [ "${2-}" = --build ]; then
    cd /
    # Without git: not even one that is found in a folder above.
    printf '#!/bin/sh\necho "git was called" >&2\nexit 1\n' > "$work/git"
    chmod 755 "$work/git"
    export PATH="$work:$PATH"
    cmake -S "$folder" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release --log-level=WARNING > "$work/log" 2>&1 &&
        cmake --build "$work/build" --target froth >> "$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "it does not build"; }
    grep -q 'git was called' "$work/log" && fail "the build asks git"
    version=$(basename "$folder" | sed 's/^froth-//')
    "$work/build/froth" version | grep -q "$version" || fail "it is of another version"
    "$work/build/froth" render "$folder/presets/originals/froth - Corona.milk" --frames 3 --size 64x48 --hash \
        -o "$work/picture.png" > "$work/hashes" 2> "$work/log" || { cat "$work/log"; fail "it does not paint"; }
    [ "$(wc -l < "$work/hashes")" -ge 3 ] || fail "no pictures"
    echo "passed"
    exit
fi

second=$(cd / && umask 077 && TZ=Asia/Kathmandu LC_ALL=C LANG=C "$source/tools/source" "$work/second")
cmp "$first" "$second" || fail "twice, and the bytes differ"
touch "$folder/README.md"
mkdir "$folder/build" "$folder/build-other"
touch "$folder/build/x" "$folder/build-other/x"
itself=$("$folder/tools/source" "$work/itself")
cmp "$first" "$itself" || fail "an unpacked archive does not make itself"
echo >> "$folder/README.md"
"$folder/tools/source" "$work/itself" > /dev/null
cmp -s "$first" "$work/itself/$(basename "$first")" && fail "another file, and the same archive"
upstream=$("$source/tools/source" --upstream "$work/upstream")
diff <(tar -tf "$first" | grep -v "^[^/]*/debian/") <(tar -tf "$upstream") || fail "--upstream lacks something"
if [ -e "$source/.git" ]; then
    git -C "$source" ls-tree -r --name-only -z HEAD | tr '\0' '\n' | sort > "$work/committed"
    tar -tf "$first" | grep -v '/$' | cut -d/ -f2- | sort > "$work/archived"
    diff "$work/committed" "$work/archived" || fail "files are missing"
fi
echo "passed"
