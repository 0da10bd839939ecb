#!/usr/bin/env bash
# libobs.pc of OBS 32 (Debian unstable, November 2026: libobs-dev 32.2.2) names the folder above its headers: with the flags
# that pkg-config gives, what every plugin begins with, #include <obs-module.h>, is not found; it lies in obs/ below that
# folder, where it compiles. That of OBS 30 (Debian 13: libobs-dev 30.2.3) names the folder itself.
#   findings/libobs_pkgconfig.sh
# Makes Debians in a temporary folder; needs root, mmdebstrap and packages. Exit code 1: it is otherwise by now; 77: it
# cannot be tried here.
# shellcheck source=findings/lib/systems.bash
. "$(dirname "${BASH_SOURCE[0]}")/lib/systems.bash"

# compiles SUITE FLAG...: whether a file with that line does, and what the compiler says of it
compiles() {
    local system=$work/$1
    shift
    minimal_enter "$system" sh -c 'flags="$(pkg-config --cflags libobs) $*"
        echo "#include <obs-module.h>" | LC_ALL=C gcc -fsyntax-only $flags -x c - 2>/tmp/said && echo yes ||
            sed -n "s/.*fatal error: //p" /tmp/said' sh "$@"
}

while IFS='|' read -r suite version folder plain below; do
    {
        # Without what it depends on, which is most of a desktop.
        minimal_make "$suite" "$work/$suite" pkgconf gcc libc6-dev libsimde-dev &&
            minimal_enter "$work/$suite" sh -euc 'apt-get -qq update; cd /tmp; apt-get -qq download libobs-dev; dpkg -x libobs-dev*.deb /'
    } >"$work/log" 2>&1 </dev/null || { tail -n 1 "$work/log"; exit 77; }
    have=$(minimal_enter "$work/$suite" sh -c 'dpkg-deb -f /tmp/libobs-dev*.deb Version' </dev/null)
    expect "$suite: libobs-dev" "${have%%+*}" "$version"
    expect "$suite: includedir" "$(minimal_enter "$work/$suite" pkg-config --variable=includedir libobs </dev/null)" "$folder"
    expect "$suite: compiles" "$(compiles "$suite" </dev/null)" "$plain"
    expect "$suite: compiles with -I/usr/include/obs" "$(compiles "$suite" -I/usr/include/obs </dev/null)" "$below"
done <<'TABLE'
sid|32.2.2|/usr/include|obs-module.h: No such file or directory|yes
trixie|30.2.3|/usr/include/obs|yes|yes
TABLE
exit "$bad"
