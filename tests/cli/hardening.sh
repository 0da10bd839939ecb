#!/usr/bin/env bash
# What was built is hardened, whatever its kind: hardening.sh FROTH SOURCE
# Reads froth and the programs and archives beside it.
set -u

froth=$(realpath "$1")
folder=$(dirname "$froth")
failed=0
complain() {
    echo "FAILED: $1: $2"
    failed=1
}
command -v readelf > /dev/null || { echo "readelf is missing: skipped"; exit 77; }
[ -f "$folder/CMakeCache.txt" ] || { echo "froth does not lie in its build folder: skipped"; exit 77; }

# cache NAME: the value that CMake keeps
cache() { sed -n "s/^$1:[A-Z]*=//p" "$folder/CMakeCache.txt"; }

check_program() {
    local header segments dynamic
    header=$(readelf -hW "$1") segments=$(readelf -lW "$1") dynamic=$(readelf -dW "$1")
    grep -q 'Type: *DYN' <<< "$header" && { grep -q 'Flags:.*PIE' <<< "$dynamic" || [[ $1 == *.so* ]]; } ||
        complain "$1" "it has a fixed address"
    grep -q 'GNU_RELRO' <<< "$segments" || complain "$1" "no part becomes read-only"
    grep -qE 'BIND_NOW|Flags:.*NOW' <<< "$dynamic" || complain "$1" "functions are bound late"
    grep -qE 'GNU_STACK.* RW ' <<< "$segments" || complain "$1" "its stack may be executed"
    grep -qE 'LOAD.* [RW ]*WE' <<< "$segments" && complain "$1" "a part may be written and executed"
    grep -qE 'TEXTREL|RPATH|RUNPATH' <<< "$dynamic" && complain "$1" "it is changed or led astray as it is loaded"
}

# Programs for the board stand there as well.
machine=$(readelf -hW "$froth" | grep 'Machine:')
programs=0
while read -r file; do
    head -c 4 "$file" | cmp -s - <(printf '\177ELF') || continue
    header=$(readelf -hW "$file")
    grep -qE 'Type: *(DYN|EXEC)' <<< "$header" && grep -qF "$machine" <<< "$header" || continue
    check_program "$file"
    programs=$((programs + 1))
done < <(find "$folder" -maxdepth 2 -type f -perm -u+x -not -path '*/CMakeFiles/*')
((programs > 0)) || complain "$folder" "there is no program"

# The sanitizers see what FORTIFY would.
names=__stack_chk_fail
[ "$(cache CMAKE_BUILD_TYPE)" = Sanitize ] || names+=' __memcpy_chk __snprintf_chk'
for name in $names; do
    readelf -W --dyn-syms "$froth" | grep -q "$name" || complain "$froth" "$name is not called"
done

# The C library's own first instructions decide on the mark of the whole; each part of froth's has it.
archives=0
if [ "$(cache FROTH_HAS_fcf_protection_full)" = 1 ]; then
    while read -r file; do
        members=$(ar t "$file" | wc -l)
        marked=$(readelf -nW "$file" | grep -c 'x86 feature: IBT, SHSTK')
        ((members == marked)) || complain "$file" "$marked of its $members parts have marks for indirect jumps"
        archives=$((archives + 1))
    done < <(find "$folder/rooms" -name 'libroom_*.a')
    ((archives > 0)) || complain "$folder" "there is no archive"
fi
echo "$programs programs and $archives archives read"
exit "$failed"
