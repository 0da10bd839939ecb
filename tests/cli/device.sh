#!/usr/bin/env bash
# Shaders on a graphics processor, which may be one of software: the trial and its verdict, the same pictures, a device that
# is lost while it draws, one that is not there: device.sh FROTH SOURCE
set -u

froth=$(realpath "$1")
source=$(realpath "$2")
# shellcheck source=lib/common.sh
. "$(dirname "$0")/lib/common.sh"
# shellcheck source=lib/display.sh
. "$(dirname "$0")/lib/display.sh"
# shellcheck source=lib/device.sh
. "$(dirname "$0")/lib/device.sh"
logs='list messages shown'
work=$(mktemp -d) || exit 1
show=
keep=
width=320 height=240
trap 'end_all "$show" "$display"' EXIT
alone
cd "$work" || exit 1

"$froth" devices --json > list 2> messages || fail "no list of devices"
grep -q '"gpu":' list || { echo "there is no device: skipped"; exit 77; }
grep -q '"gpu":.*"passed":true' list || fail "the device does not pass its trial"
numbers=$(sed -n 's/.*"numbers":\([0-9]*\).*/\1/p' list | head -n 1)
[ "$numbers" -gt 1000000 ] || fail "the trial compares $numbers numbers only"

# The verdict is kept; one that cannot be read is reached anew, one that says no is heard.
sed -i 's/passed .*/failed a test says so/' cache/froth/devices/*
"$froth" devices > list
grep -q '^graphics: .*: not used: a test says so$' list || fail "the verdict is not kept"
preset="$source/presets/originals/froth - Corona.milk"
render() { "$froth" render "$preset" --frames 4 --size 150x90 --hash --threads 2 "$@" 2> messages; }
render > cpu || fail "no pictures"
render --device gpu > other || fail "no pictures of a device that is not used"
cmp -s cpu other || fail "other pictures of a device that is not used"
grep -q 'does not draw the same pictures: a test says so' messages || fail "no word that it is not used"
sed -i 's/failed .*/passed 1 nan nan 64/' cache/froth/devices/*
render --device gpu > other || fail "no pictures"
grep -q ': passed [0-9]*\( [0-9.]*\)\{4\} 64$' cache/froth/devices/* || fail "a verdict of rubbish is taken"
grep -q ': passed 1 ' cache/froth/devices/* && fail "a verdict of rubbish is kept"

# Equations of vertices, of a mesh that is worth it; frames of the warp, the composite and the mesh.
preset="$source/presets/originals/froth - Sumi Weather.milk"
render --mesh 192x144 > cpu || fail "no pictures of a fine mesh"
render --mesh 192x144 --device gpu --stage-times > other || fail "no pictures of a fine mesh by the device"
cmp -s cpu other || fail "a fine mesh has other pictures on the device"
grep -Eq 'device: 12 stages' messages || fail "the device has not moved the mesh"
render --device gpu --stage-times > other || fail "no pictures of a coarse mesh"
grep -Eq 'device: 8 stages' messages || fail "a coarse mesh goes to the device"

# Presets with shaders and without, and a size that is no whole tile.
for name in 'Bench Beam' Corona 'Late Movie'; do
    preset="$source/presets/originals/froth - $name.milk"
    render > cpu || fail "no pictures of $name"
    render --device gpu --stage-times > other || fail "no pictures of $name by the device"
    cmp -s cpu other || fail "$name has other pictures on the device"
    grep -Eq 'device: 8 stages' messages || fail "the device has not drawn both stages of $name"
done

# A recorded show: presets that give way, commands, values of its presets.
cp -r "$source/tests/data/set/first" set
"$froth" render set --as-shown --hash --device gpu --stage-times > other 2> messages || fail "no pictures of a set by the device"
cmp -s "$source/tests/data/set/first.hashes" other || fail "a set has other pictures on the device"
grep -q '^device: [1-9][0-9]* stages' messages || fail "the device has not drawn the set"

# Ways to give way, while both presets are drawn by it.
for name in 'Bench Beam' Corona 'Late Movie'; do
    printf -- '- preset: "%s"\n  seconds: 0.4\n' "$source/presets/originals/froth - $name.milk"
done > both.yaml
for way in fade plasma diamonds; do
    giving=(both.yaml --frames 20 --fps 20 --size 150x90 --hash --threads 2 --blend 0.3 --transition "$way")
    "$froth" render "${giving[@]}" > both 2> messages || fail "no pictures of $way"
    "$froth" render "${giving[@]}" --device gpu --stage-times > other 2> messages || fail "no pictures of $way by the device"
    cmp -s both other || fail "$way has other pictures on the device"
    drawn=$(sed -n 's/^device: \([0-9]*\) stages.*/\1/p' messages)
    [ "${drawn:-0}" -gt 120 ] || fail "the device has not drawn both presets of $way: $drawn stages" # 120: one at a time
done

# A check, each preset in a process of its own that opens the device.
check() {
    "$froth" check "$source/presets/originals/froth - "{Corona,'Late Movie','Bench Beam'}.milk --json --frames 8 --jobs 2 --size 150x90 "$@"
}
check --no-times > both 2> messages || fail "no check"
check --no-times --device gpu > other 2> messages || fail "no check with the device"
cmp -s both other || fail "a check with the device says something else"
[ "$(grep -c 'which the processor plays' messages)" -le 1 ] || fail "each preset says what device there is"
check --device gpu > other 2> messages || fail "no check with the device"
[ "$(grep -c '"device_stages": 16' other)" -eq 3 ] || fail "the device has not drawn the presets of a check: $(cat other)"
check --device nosuch > other 2> messages
[ $? -eq 1 ] && grep -q "error: there is no device 'nosuch'" messages || fail "a check with a device that is not there"
[ "$(grep -c preset other)" -eq 0 ] || fail "a check begins without its device"

# What the driver made is kept; a torn file is not given to it.
made=$(find cache/froth/pipelines -type f 2> /dev/null | head -n 1)
if [ -n "$made" ]; then
    cp "$made" whole
    for bytes in 0 8 9; do
        head -c "$bytes" whole > "$made"
        render --device gpu > other || fail "no pictures with a torn file of pipelines"
        cmp -s cpu other || fail "other pictures with a torn file of pipelines"
        cmp -s "$made" whole || fail "a torn file of pipelines is left so"
    done
fi

# The driver's rules, where its checker is there.
checker=
if VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LOADER_DEBUG=all "$froth" devices 2>&1 |
    grep -q 'Loading layer library.*validation'; then
    checker=yes
    VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation render --device gpu > other || fail "no pictures with the checker"
    cmp -s cpu other || fail "other pictures with the checker"
    grep -Ei 'validation|VUID' other messages && fail "the driver's rules are broken"
    key=$(basename "$(find cache/froth/devices -type f | head -n 1)")
    VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$froth" devices trial "$key" > other 2> messages
    grep -q '^passed ' other || fail "a trial with the checker"
    grep -Ei 'validation|VUID' other messages && fail "the trial breaks the driver's rules"
fi

# A device that is lost between two frames, and in the middle of one.
if find_layers; then
    # Both stages of the preset run once while they are loaded, four passes of blurring, and three ways to draw on a
    # picture; then the warp, all passes together, what is drawn on the picture, and the composite.
    for lost in '0 0' '1 0' '4 0' '8 0' '9 0' '10 0' '11 0' '12 0' '13 2' '15 2' '16 2' '17 4'; do
        read -r after drawn <<< "$lost"
        FROTH_LOST_AFTER=$after VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost \
            render --device gpu --stage-times > other || fail "a lost device ends the rendering"
        cmp -s cpu other || fail "a device lost after $after stages leaves other pictures"
        grep -q 'was lost; the processor goes on' messages || fail "no word of the lost device"
        grep -q "device: $drawn stages" messages || fail "it did not draw $drawn stages"
    done
    # One whose driver does not come back, and could not be left in order.
    for after in 1 6 9 11 12; do
        FROTH_LOST_HOW=hang FROTH_LOST_AFTER=$after VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost \
            render --device gpu > other || fail "a driver that hangs after $after stages: the rendering ends with $?"
        cmp -s cpu other || fail "a driver that hangs after $after stages leaves other pictures"
        grep -q 'was lost; the processor goes on' messages || fail "no word of a driver that hangs"
    done
    # One with memory of its own: what it does not get over the bus is not there.
    apart() { FROTH_LOST_HOW=apart VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost "$@"; }
    apart "$froth" devices trial "$(basename "$(find cache/froth/devices -type f | head -n 1)")" > other 2> messages
    grep -q '^passed ' other || fail "a device with memory of its own does not pass: $(cat other)"
    for name in Corona 'Late Movie'; do
        preset="$source/presets/originals/froth - $name.milk"
        render > both || fail "no pictures of $name"
        apart render --device gpu --stage-times > other || fail "no pictures of a device with memory of its own"
        cmp -s both other || fail "a device with memory of its own has other pictures of $name"
        grep -q 'device: 8 stages' messages || fail "a device with memory of its own has not drawn"
        grep -q 'there is no graphics processor but' messages && fail "the layer does not say that it has memory of its own"
        if [ -n "$checker" ]; then
            FROTH_LOST_HOW=apart VK_LAYER_PATH=$layers:/usr/share/vulkan/explicit_layer.d \
                VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation:VK_LAYER_FROTH_lost render --device gpu > other || fail "no pictures with the checker"
            cmp -s both other || fail "other pictures of a device with memory of its own with the checker"
            grep -Ei 'validation|VUID' other messages && fail "what goes over the bus breaks the driver's rules"
        fi
    done
    # One that promises to keep denormal numbers: its programs compare them as they are.
    promising() { FROTH_LOST_HOW=denormals VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost "$@"; }
    promising "$froth" devices trial "$(basename "$(find cache/froth/devices -type f | head -n 1)")" > other 2> messages
    grep -q '^passed .* 64$' other || fail "a device that keeps denormal numbers does not pass: $(cat other)"
    promising render --device gpu --stage-times > other || fail "no pictures of a device that keeps denormal numbers"
    cmp -s both other || fail "a device that keeps denormal numbers has other pictures of $name"
    grep -q 'device: 8 stages' messages || fail "a device that keeps denormal numbers has not drawn"
    # A fine mesh: its vertices' places go there once, where they read comes back.
    fine() { render --mesh 192x144 "$@"; }
    before=$preset
    preset="$source/presets/originals/froth - Slow Lichen.milk"
    fine > mesh || fail "no pictures of a fine mesh"
    apart fine --device gpu --stage-times > other || fail "no fine mesh of a device with memory of its own"
    cmp -s mesh other || fail "a device with memory of its own has other pictures of a fine mesh"
    grep -q 'device: 12 stages' messages || fail "a device with memory of its own has not moved the mesh"
    # One whose floats of 64 bits are not the processor's: that keeps the equations, the device all else.
    wrong() { FROTH_LOST_HOW=doubles VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost "$@"; }
    wrong "$froth" devices trial "$(basename "$(find cache/froth/devices -type f | head -n 1)")" > other 2> messages
    grep -q '^passed .* 32$' other || fail "a device with other floats of 64 bits: $(cat other)"
    wrong fine --device gpu --stage-times > other || fail "no fine mesh of a device with other floats of 64 bits"
    cmp -s mesh other && fail "the layer leaves floats of 64 bits as they are"
    sed -i 's/ 64$/ 32/' cache/froth/devices/*
    wrong fine --device gpu --stage-times > other || fail "no fine mesh of a device without floats of 64 bits"
    cmp -s mesh other || fail "a device without floats of 64 bits has other pictures"
    grep -q 'device: 8 stages' messages || fail "a device without floats of 64 bits has moved the mesh"
    "$froth" devices | grep -q 'draws the same pictures, but leaves equations to the processor' || fail "no word of equations"
    sed -i 's/ 32$/ 64/' cache/froth/devices/*
    preset=$before
    # A preset without shaders stays with the processor there, unless the trial has shown that the device is faster.
    timed() { sed -i -E "s/(passed [0-9]+) .* 64/\1 $1 64/" cache/froth/devices/*; }
    preset="$source/presets/originals/froth - Bench Beam.milk"
    render > plain || fail "no pictures of a preset without shaders"
    timed '9 9 2 1'
    apart render --device gpu --stage-times > other || fail "no pictures of a preset without shaders"
    cmp -s plain other || fail "other pictures of a preset without shaders that stays with the processor"
    grep -q 'device: 0 stages .*, 0 stages are left to the processor, 0 MiB' messages || fail "a canvas crosses the bus for nothing"
    timed '9 9 1 2'
    apart render --device gpu --stage-times > other || fail "no pictures of a preset without shaders by the device"
    cmp -s plain other || fail "a device with memory of its own has other pictures without shaders"
    grep -q 'device: 8 stages' messages || fail "a device that is faster without shaders does not draw"
    # Of its own accord froth leaves to a device only what is faster there.
    timed '1 2 2 1'
    render --device auto --stage-times > other || fail "no pictures of a device that is faster with shaders"
    grep -q 'device: 0 stages' messages || fail "a preset without shaders goes to a device that is slower at it"
    preset=$before
    render --device auto --stage-times > other || fail "no pictures of a device that is faster"
    cmp -s both other || fail "other pictures of a device that is faster"
    grep -q 'device: 8 stages' messages || fail "a device that is faster is not taken"
    FROTH_LOST_AFTER=4 apart render --device gpu > other || fail "a lost device with memory of its own ends the rendering"
    cmp -s both other || fail "a lost device with memory of its own leaves other pictures"
    grep -q 'was lost; the processor goes on' messages || fail "no word of a lost device with memory of its own"
    # No more than 1 GiB of its memory: beside a canvas of 256 MiB a second stage of 640 is left to the processor,
    # and what is drawn between them.
    FROTH_LOST_HOW=large VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost \
        render --device gpu --stage-times > other || fail "no pictures without memory"
    cmp -s cpu other || fail "other pictures without memory"
    grep -Eq 'device: 4 stages .*, 2 stages are left to the processor, 89[0-9] MiB' messages ||
        fail "a device's memory has no end"
    # It is told while the show goes on.
    if command -v Xvfb > /dev/null; then
        start_display
        FROTH_LOST_AFTER=30 VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost SDL_AUDIODRIVER=dummy \
            "$froth" play "$preset" --device gpu --size 64x48 --fps 20 --threads 1 --audio demo --no-library 2> shown &
        show=$!
        wait_for "a lost device is not told during the show" grep -q 'was lost; the processor goes on' shown
        kill -INT "$show"
        wait "$show" || fail "the show ends with $?"
        show=
        [ "$(grep -c 'was lost' shown)" -eq 1 ] || fail "a lost device is told more than once"
    fi
    # A driver that crashes ends its trial, and not the show.
    kept=$(find cache/froth/devices -type f | head -n 1)
    cp "$kept" verdict
    rm "$kept"
    FROTH_LOST_HOW=crash FROTH_LOST_AFTER=5 VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost \
        render --device gpu > other || fail "a driver that crashes ends the rendering"
    cmp -s cpu other || fail "a driver that crashes leaves other pictures"
    grep -q 'warning: .* its driver ended the trial by signal 6; the processor draws instead' messages ||
        fail "no word of a driver that crashes"
    grep -q ': failed its driver ended' "$kept" || fail "a driver that crashes is tried again"
    mv verdict "$kept"
fi

"$froth" devices foo > other 2> messages
[ $? -eq 2 ] || fail "devices of something"

# One that is not there.
render --device nosuch > other
[ $? -eq 1 ] && grep -q "error: there is no device 'nosuch'" messages || fail "a device that is not there is no error"
render --device auto > other && cmp -s cpu other || fail "other pictures with auto"
echo "$numbers numbers of the trial, 2 presets, lost devices: all the same pictures"
