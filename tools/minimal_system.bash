# A Debian with nothing but its base in a folder: how it is made, entered and removed. Sourced by tools/systems and by what
# else wants one; needs root, mmdebstrap and unshare.
#   minimal_lacks                        says why none can be made here, and is true then
#   minimal_make SUITE FOLDER [PACKAGE...]
#                                        makes one, with these packages too; false where that does not succeed
#   minimal_enter FOLDER [COMMAND...]    a command in it, as root; minimal_binds names what else is seen there
#   minimal_remove FOLDER
# What is mounted for a system is seen by its commands alone and goes with them, and so do all processes that a command
# has left: nothing of this machine is ever below a folder that is removed.
# shellcheck shell=bash

# FOLDER:PLACE...: folders of this machine, and where each is seen in a system, whose PLACE is made
minimal_binds=()
# A folder in which a system is kept packed, as it was made, and taken from for a week; nothing: none is
minimal_kept=

minimal_lacks() {
    local program
    if ((EUID != 0)); then
        echo "only root can make one"
        return 0
    fi
    for program in mmdebstrap unshare chroot; do
        command -v "$program" >/dev/null || { echo "$program is missing"; return 0; }
    done
    return 1
}

# minimal_sources SUITE: from where: as this machine where it is a Debian, with this suite's name; nothing: as usual
minimal_sources() {
    local list=/etc/apt/sources.list.d/debian.sources here
    # shellcheck source=/dev/null
    here=$(. /etc/os-release; [[ ${ID-} != debian ]] || echo "${VERSION_CODENAME-sid}")
    if [[ $here == "$1" && -e $list ]]; then
        cat "$list"
    elif [[ $here == "$1" && -s /etc/apt/sources.list ]]; then
        cat /etc/apt/sources.list
    elif [[ -n $here && -e $list ]]; then
        sed -nE '/^URIs:/{s/^URIs: *([^ ]*).*/deb \1 '"$1"' main/p;q}' "$list"
    elif [[ -n $here && -s /etc/apt/sources.list ]]; then
        sed -nE "s/^deb ((\[[^]]*\] )?[^ ]+) $here main.*/deb \1 $1 main/p" /etc/apt/sources.list | head -n 1
    fi
}

minimal_make() {
    local suite=$1 folder=$2 packages="${*:3}" packed="" sources setting settings=()
    [[ -z $minimal_kept ]] || packed=$minimal_kept/$suite-$(sha256sum <<<"$packages" | cut -c 1-8).tar
    mkdir -p "$folder"
    if [[ -n $packed && -n $(find "$packed" -mtime -7 2>/dev/null) ]]; then
        tar -C "$folder" --numeric-owner -xf "$packed" || return 1
    else
        # How packages are asked for (proxies, dates) is as on this machine.
        while read -r setting; do
            settings+=(--aptopt="$setting")
        done < <(apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https|Check-Date|Check-Valid-Until|Languages)[: ].*"[^"]+"')
        sources=$(minimal_sources "$suite")
        unshare --mount mmdebstrap --quiet --mode=root --variant=apt --dpkgopt=force-unsafe-io "${settings[@]}" \
            ${packages:+--include="${packages// /,}"} "$suite" "$folder" ${sources:+-} <<<"$sources" || return 1
        [[ -z $packed ]] || { tar -C "$folder" --one-file-system -cf "$packed.new" . && mv "$packed.new" "$packed"; } || return 1
    fi
    cp /etc/resolv.conf "$folder/etc/resolv.conf"
}

# The command is not the first process there: timeout of coreutils 9.10 starts nothing where it is.
minimal_enter() {
    # shellcheck disable=SC2016
    unshare --mount --pid --ipc --fork --kill-child bash -euc '
        system=$1
        shift
        mount -t proc proc "$system/proc"
        mount --rbind /dev "$system/dev"
        mount -t tmpfs tmpfs "$system/dev/shm"
        mount -t tmpfs tmpfs "$system/run"
        while [[ $1 != -- ]]; do
            mkdir -p "$system/${1#*:}"
            mount --bind "${1%%:*}" "$system/${1#*:}"
            shift
        done
        shift
        chroot "$system" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
        exit' enter "$1" "${minimal_binds[@]}" -- "${@:2}"
}

minimal_remove() {
    rm -rf --one-file-system "$1"
}
