# Devices that compute, and the layer of tests/lost that plays bad ones; sourced after common.sh.

# What the driver has made for one test serves the others, and so does the verdict of a trial, which this program had there.
export MESA_SHADER_CACHE_DIR=${MESA_SHADER_CACHE_DIR:-$(dirname "$froth")/driver}
trials=$(dirname "$froth")/driver/trials

# try_device: the list of devices goes to list; a trial that another test's device has passed is not had again, and one that
# took too long on a busy machine is
try_device() {
    local code turn kept=$XDG_CACHE_HOME/froth/devices
    mkdir -p "$trials" "$kept"
    exec 8> "$trials.lock"
    flock 8
    cp "$trials"/* "$kept" 2> /dev/null
    for turn in 1 2 3 4 5; do
        "$froth" devices --json > list 2> messages
        code=$?
        grep -q 'did not come back' "$kept"/* 2> /dev/null || break
        echo "trial $turn: the driver did not come back"
        rm "$kept"/*
    done
    ! grep -q ': passed ' "$kept"/* 2> /dev/null || cp "$kept"/* "$trials"
    exec 8>&-
    return $code
}

# need_device: without one that passes its trial the test is skipped
need_device() {
    try_device || fail "no list of devices"
    grep -q '"gpu":.*"passed":true' list || { echo "there is no device that passes: skipped"; exit 77; }
}

# make_still WIDTH HEIGHT: still.milk, whose picture stands still and is nowhere the same, and that as RGB bytes in still
make_still() {
    printf '%s\n' MILKDROP_PRESET_VERSION=201 PSVERSION=2 '[preset00]' fDecay=0 nWaveMode=0 fWaveAlpha=0 'comp_1=`shader_body' \
        'comp_2=`{' 'comp_3=`ret = float3(0.3 + 0.7 * uv.x, 0.2 + 0.8 * uv.y, frac(7 * uv.x * uv.y));' 'comp_4=`}' > still.milk
    "$froth" render still.milk --frames 3 --size "${1}x$2" --threads 1 -o still.png 2> messages || fail "no picture"
    ffmpeg -v error -y -i still.png -f rawvideo -pix_fmt rgb24 still || fail "no picture"
    [ "$("$screen" levels still "$1" 0 0 "$1" "$2" | cut -d ' ' -f 4)" -gt 200 ] || fail "the picture is black"
}

# find_layers: $layers is the folder of the layer; false: there is none
find_layers() {
    layers=$(dirname "$froth")/tests
    [ -f "$layers/liblost_layer.so" ] || layers=$layers/lost
    [ -f "$layers/liblost_layer.so" ] && return
    echo "no layer that loses a device: left out"
    return 1
}

# layer HOW AFTER COMMAND...: with a device that is bad in that way (tests/lost) after so many submits
layer() {
    local how=$1 after=$2
    shift 2
    FROTH_LOST_HOW=$how FROTH_LOST_AFTER=$after VK_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_FROTH_lost "$@"
}
