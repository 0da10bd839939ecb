#!/usr/bin/env bash
# Numbers of the pages that follow from the source are those that the source gives: counts, what instruments of
# 'froth lab' print, defaults. What was measured by the clock is left to the pages: numbers.sh FROTH SOURCE
set -euo pipefail

froth=$(realpath "$1")
source=$(realpath "$2")
thesis=${FROTH_SHARED:+$(realpath "$FROTH_SHARED")/presets/thesis}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
wrong=0
rows=0

# says PAGE TEXT: the text stands on the page, whatever its lines
says() {
    rows=$((rows + 1))
    tr -s '\n ' ' ' <"$source/$1" | grep -qF -- "$2" || { echo "$1 does not say: $2" && wrong=1; }
}

word() { # NUMBER: in words, up to 99
    local ones=(zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen) tens=('' '' twenty thirty forty fifty sixty seventy eighty ninety)
    local unit=$(($1 % 10))
    if (($1 < 20)); then
        echo "${ones[$1]}"
    elif ((unit == 0)); then
        echo "${tens[$1 / 10]}"
    else
        echo "${tens[$1 / 10]}-${ones[unit]}"
    fi
}

count() { # FILE...
    echo $#
}

# Presets, panels, stages.
milk=$(count "$source"/presets/originals/*.milk)
fnp=$(count "$source"/presets/originals/*.fnp)
board=$(grep -cvE '^(#|$)' "$source/board/firmware/patches.list")
name=$(word "$milk")
says README.md "${name^} presets come with it"
says README.md "$(word "$fnp") patches in the language of the"
name=$(word "$board")
says docs/milkymist-one.md "${name^} of the presets that come"
says docs/milkymist-one.md "$board presets among them"
stages=$(cat "$source"/presets/originals/*.milk | grep -cE '^(warp|comp)_1=')
says docs/shaders.md "All $stages stages of the presets that come with froth agree"
[ "$(grep -c '^APP_PANEL(' "$source/app/operator/panels.def")" -eq 12 ] || fail "there are more tabs than keys of docs/stage.md"
says docs/stage.md "(Alt+1 to Alt+9, the tenth Alt+0, then Alt+M and Alt+P)"
says docs/architecture.md "at most $(sed -nE 's/^most_files=//p' "$source/tools/arrows") files"
says docs/stage.md "shown for $(sed -nE 's/.* usual = ([0-9]+); .*seconds.*/\1/p' "$source/app/play/play.c") seconds"
says docs/stage.md "thumbnails ($(sed -nE 's/.* THUMBNAIL_BYTES = ([0-9]+) \* 1024 \* 1024;/\1/p' "$source"/app/library/*.c) MB at most)"

# How exact the coprocessor's roots and quotients are.
"$froth" lab accuracy >accuracy
error() { # ROW: "2.3e-6 in 10"
    awk -v row="$1" 'index($0, row "  ") == 1 {
        text = $0
        sub(/.* error up to /, "", text)
        sub(/,.*/, "", text)
        text = sprintf("%.1e", text)
        sub(/e-0/, "e-", text)
        sub(/ operations.*/, "")
        print text " in " $NF
    }' accuracy
}
says docs/coprocessor.md "\`invsqrt\` $(error invsqrt) operations, division $(error division)"
says docs/coprocessor.md "papers have $(error "invsqrt, thesis' form") and $(error "division, thesis' form")"

# Texture machines: the table of hit rates, the fill rates, and the machines side by side.
number() { # JSON KEY
    sed -nE "s/.*\"$2\":([0-9.]+).*/\1/p" <<<"$1"
}
declare -A table fill
sizes=(2 4 8 16 32 64 128)
sets=(copy zoomin zoomout rotozoom)
requests=()
for set in "${sets[@]}"; do
    while read -r line; do
        kilo=$(($(number "$line" cache_bytes) / 1024))
        hits=$(($(sed -E 's/.*"hits":\[([0-9,]+)\].*/\1/; y/,/+/' <<<"$line")))
        asked=$(($(sed -E 's/.*"requests":\[([0-9,]+)\].*/\1/; y/,/+/' <<<"$line")))
        percent=$(printf '%.2f' "$(number "$line" hit_percent)")
        table[$kilo]+=" $hits ($percent) | $percent |"
        ((kilo != 16)) || fill[$set]="$percent % | $(printf '%.1f' "$(number "$line" megapixels)") |"
    done < <("$froth" lab cache --set "$set" --arch milkymist --size "$(IFS=,; echo "${sizes[*]/%/K}")" --json)
    requests+=("$asked")
    # Columns: attila, furygpu, hkm96, milkymist, milkymist_one, rpu.
    "$froth" lab cache --set "$set" >machines
    for row in 'hit rate, %' 'refilled, bytes per pixel' 'cycles per pixel'; do
        name=$([[ $row == hit* ]] && echo "$set, hits" || { [[ $row == refilled* ]] && echo bytes || echo cycles; })
        values=$(sed -nE "s/^$row +//p" machines | head -n 1)
        read -r attila furygpu hkm96 milkymist one rpu <<<"$values"
        says docs/texture-mapper.md "| $name | $milkymist | $one | $furygpu | $hkm96 | $attila | $rpu |"
    done
done
for kilo in "${sizes[@]}"; do
    says docs/texture-mapper.md "| $kilo KB |${table[$kilo]}"
done
says docs/texture-mapper.md "Requests are ${requests[0]}, ${requests[1]}, ${requests[2]} and ${requests[3]}."
for set in zoomin rotozoom zoomout; do
    says docs/texture-mapper.md "| $set | ${fill[$set]}"
done

# The thesis' patches, where they are.
if [[ -d $thesis ]]; then
    while read -r line; do
        part() { # SCHEDULER KEY
            number "$(sed -E "s/.*\"$1\":\{([^{}]*)(\{[^{}]*\})?.*/\1\2/" <<<"$line")" "$2"
        }
        smallest=$(sed -E 's/.*"critical":\{[^{}]*"smallest":(\{[^{}]*\}).*/\1/' <<<"$line")
        says docs/coprocessor.md "| $(number "$line" first_words) | $(number "$line" first_best_words) | $(part greedy words) | $(number "$smallest" operations) | $(number "$smallest" critical_path) | $(part critical words) | $(part pipelined words) | $(part pipelined stages) |"
    done < <("$froth" lab schedule --json "$thesis" 2>/dev/null | grep '"latencies":"chip"')
else
    echo "skipped: FROTH_SHARED is not set: the table of the thesis' patches"
fi
echo "$rows numbers or rows of numbers looked at"
exit "$wrong"
