#!/usr/bin/env bash
# Patches in the board's own language: both styles, both targets, controllers, messages.
set -uo pipefail

froth=$(realpath "$1")
# shellcheck source=lib/runs.sh
. "$(dirname "$0")/lib/runs.sh"

host() {
    run 0 render "$1" --size 320x240 --frames 20 --hash "${@:2}"
}
board() {
    run 0 render "$1" --target milkymist-one --frames 20 --hash "${@:2}"
}
# same WHAT FUNCTION ONE OTHER
same() {
    "$2" "$3"
    cp out first
    "$2" "$4"
    cmp -s out first || fail "$1: $3 and $4 differ"
}
differ() {
    cmp -s "$1" "$2" && fail "$3"
}

cat >new.fnp <<'END'
// the new style
fDecay = 0.97
wave_mode = 6
ob_size = 0.03  ob_a = 1
per_frame:
    beat = 0.9*beat
    beat = 1 if bass > 0.8 && treb > 0.1   /* remembers */
    ob_r = beat > 0.5 ? 1 : 0.2;
    q1 = time % 1
per_vertex:
    w = sin(rad*9 - time)
    zoom = 0.98 + 0.02*w*q1
    rot = 0.03 if x > 0.5
END
cat >old.fnp <<'END'
[preset00]
fRating=3.000000
decay=0.97
nWaveMode=6
ob_size=0.03
ob_a=1
per_frame_1=beat = 0.9*beat;
per_frame_2=beat = if(band(above(bass,0.8),above(treb,0.1)),1,beat);
ob_r=if(above(beat,0.5),1,0.2);
q1=time % 1;
per_pixel_1=w = sin(rad*9 - time);
zoom=0.98 + 0.02*w*q1;
rot=if(above(x,0.5),0.03,rot);
END
same 'both styles' host new.fnp old.fnp
same 'both styles' board new.fnp old.fnp
cp new.fnp new.milk
same 'known by what it says' host new.fnp new.milk
same 'known by what it says' board new.fnp new.milk

# On the desktop: the board's x, y and rad, its way round, its defaults.
printf 'nWaveMode=6\nrot=0.05\nper_frame:\nper_vertex: dx = 0.1*x*rad  dy = 0.1*(y - 0.5)\n' >place.fnp
cat >place.milk <<'END'
[preset00]
fGammaAdj=1
fDecay=1
nWaveMode=6
fWaveAlpha=1
fWaveSmoothing=0
bMaximizeWaveColor=0
fVideoEchoZoom=1
bTexWrap=0
warp=0
rot=-0.05
ob_size=0
ib_size=0
per_pixel_1=xx=(x-0.5)*aspectx+0.5; yy=(y-0.5)*aspecty+0.5;
per_pixel_2=dx=0.1*xx*sqrt(sqr(xx-0.5)+sqr(yy-0.5)); dy=0.1*(yy-0.5);
END
same 'place and turn on the desktop' host place.fnp place.milk
printf 'warp=1 fWarpAnimSpeed=1 nWaveMode=6\nper_frame: fWarpScale = 2 + sin(time)  wave_scale = 3' >reach.fnp
printf 'warp=1 fWarpAnimSpeed=1 nWaveMode=6\nper_frame:' >still.fnp
host reach.fnp
cp out first
host still.fnp
differ out first 'fWarpScale and wave_scale are not reached on the desktop'

# What is the board's alone begins each frame anew on the desktop too, and a wave that the board does
# not draw is not drawn when an equation chooses it.
printf 'wave_mode=6\nper_frame: dmx1 = dmx1 + 0.01 zoom = 1 + dmx1 + image1_x - 0.5' >lights.fnp
printf 'wave_mode=6\nper_frame: zoom = 1.01' >lights_off.fnp
for way in host board; do
    same 'variables of the board on the desktop' "$way" lights.fnp lights_off.fnp
done
for mode in 0 1.5 7 10; do
    printf 'wave_mode=6\nper_frame: wave_mode = %s' "$mode" >mode.fnp
    printf 'wave_mode=6\nper_frame: wave_a = 0' >mode_off.fnp
    for way in host board; do
        same "wave mode $mode" "$way" mode.fnp mode_off.fnp
    done
done
host lights_off.fnp
cp out first
printf 'wave_mode=1\nper_frame: wave_mode = 6.9 zoom = 1.01' >mode.fnp
host mode.fnp
cmp -s out first || fail 'a wave mode of the board is not drawn'

# Controllers and lights.
cat >bound.fnp <<'END'
midi "any" { one = fader(2, 7) }
nWaveMode = 6
ob_size = 0.1  ob_a = 1
ob_r = range(one)
per_frame:
    ob_g = idmx3
END
board bound.fnp
cp out first
board bound.fnp --at 5:midi=B00740
cmp -s out first || fail 'a controller of another channel is heard'
board bound.fnp --at 5:midi=B10740
differ out first 'a controller is not heard'
[[ $(head -5 out) == "$(head -5 first)" ]] || fail 'a controller is heard too early'
board bound.fnp --at 5:dmx=2/255
differ out first 'DMX is not heard'
for wrong in 5:midi=B1074 5:buttons=1 midi=B10740 5:dmx=2; do
    run 2 render bound.fnp --target milkymist-one --hash --frames 2 --at "$wrong"
    grep -q 'is no input' err || fail "--at $wrong: $(cat err)"
done
run 2 render bound.fnp --hash --frames 2 --at 5:midi=B10740
grep -q -- '--target milkymist-one' err || fail "--at without a target: $(cat err)"

# What is not there is said, and the patch runs.
printf 'imagefile1=a picture.png\nper_frame: image1_a = 1 video_a = 1 ob_r = osc1\n' >lacking.fnp
board lacking.fnp
for what in "another one takes the place of the picture 'a picture.png': it is not there" 'there is no live video: the picture'; do
    grep -q "lacking.fnp:.*warning: $what" err || fail "no word of: $what"
done

# Messages; a folder.
printf 'zoom = 1\nper_frame:\n    a = sin(1\n' >wrong.fnp
run 1 render wrong.fnp --hash --frames 2
grep -qE "wrong.fnp:4:1: error: '\)' is missing at the end; " err || fail "wrong: $(cat err)"
printf 'per_frame_1=a=1\nper_vertex:\n' >wrong.fnp
run 1 compile wrong.fnp
grep -q 'wrong.fnp:2:1: error: style mismatch; ' err || fail "style: $(cat err)"
printf 'per_frame: a = 1\nper_vertex:\n  b = x\n  zoom = 1 + floor(b)*tan(b)*asin(b)*pow(b, x) + 0*y\n' >fits.fnp
board fits.fnp
run 0 compile new.fnp
{
    printf 'per_frame:\n'
    for i in {1..200}; do echo "  v$i = v$(((i + 1) % 200))*$i.5 + bass"; done
} >many.fnp
run 0 compile many.fnp
board many.fnp
grep -q "^many.fnp:2:3: note: the board's CPU computes" err || fail "no place of what the CPU computes: $(cat err)"
mkdir folder
cp new.fnp bound.fnp folder
run 0 check folder
grep -q 'new.fnp' out && grep -q 'bound.fnp' out || fail "check: $(cat out)"
exit $failed
