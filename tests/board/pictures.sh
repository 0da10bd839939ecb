#!/usr/bin/env bash
# Pictures of patches on a memory card: the firmware shows the same frames in the board's twin as this machine,
# with pictures that are there and with stand-ins, and says which these are. Skips itself (77) where the board's
# compiler is not there.
#   pictures.sh SOURCE FROTH BUILD    the project's folder, the program, a folder to build in
set -euo pipefail

source=$1
froth=$2
build=$3
frames=20
image=$build/boot.bin
. "$source/tests/board/firmware_lib.sh"
board_image "$source" "$build"
work=$build/pictures
rm -rf "$work"
mkdir -p "$work"
corpus=$source/tests/fuzz/corpus/fuzz_board_picture
cp "$corpus/rgb.png" "$work/SUN.PNG"
cp "$corpus/progressive.jpg" "$work/moon.jpg"
cp "$corpus/alpha.png" "$work/glass.png"
cp "$corpus/wide.png" "$work/wide.png"
head -c 500 "$corpus/rgb.png" >"$work/cut.png"
head -c 400 "$corpus/progressive.jpg" >"$work/cut.jpg"

cat >"$work/whole.fnp" <<'END'
imagefile1 = /flash/pictures/Sun.png
imagefile2 = "MOON.JPG"
imagefile3 = glass.png // one that is half transparent
decay = 0.95
per_frame:
    zoom = 1.01
    image1_a = 0.5  image1_zoom = 6  image1_x = 0.3 + 0.1*sin(time*3)
    image2_a = 0.3 + 0.2*bass  image2_zoom = 3 + time  image2_index = time > 0.4 ? 2 : 1
    image2_y = 0.5 + 0.3*cos(time*5)
END
cat >"$work/broken.fnp" <<'END'
imagefiles = rose: "gone rose.png", cut.png, cut.jpg, wide.png, moon.jpg
decay = 0.9
per_frame:
    image1_a = 0.5  image1_index = frame % 5
    image2_a = 0.3  image2_index = rose  image2_x = 0.2
END
cat >"$work/live.fnp" <<'END'
video_a = 0.3
decay = 0.8
wave_a = 0
per_frame:
    zoom = 1.02
    video_a = time*2 if time < +0.4
END

failed=0
fail() {
    echo "FAILED: $1" >&2
    failed=1
}
"$source/tools/card_image" "$work/card.img" "$work/whole.fnp" "$work/broken.fnp" "$work/live.fnp" \
    "$work/SUN.PNG" "$work/moon.jpg" "$work/glass.png" "$work/wide.png" "$work/cut.png" "$work/cut.jpg"
for patch in P1:whole P2:broken P3:live; do
    name=${patch#*:}
    hashes_on_board "$frames" 24 test "${patch%:*}.FNP" "$work/$name.txt" --card "$work/card.img" >"$work/board" || true
    hashes_on_host "$frames" 24 test "$work/$name.fnp" >"$work/host" || true
    if [[ -s $work/host ]] && cmp -s "$work/host" "$work/board"; then
        different=$(sort -u "$work/board" | wc -l)
        echo "$name: the same $(wc -l <"$work/board") frames, $different of them different"
        ((different > 10)) || fail "$name: it does not move"
    else
        fail "$name: other frames than on this machine"
        tail -n 5 "$work/$name.txt" >&2
    fi
done
! grep -q warning "$work/whole.txt" || fail "a warning about pictures that are there"
for what in "'gone rose.png': it is not there" "'cut.png': it is damaged" "'cut.jpg': it is damaged" \
    "'wide.png': it has more than 1024 pixels"; do
    count=$(grep -c "warning: .*$what" "$work/broken.txt" || true)
    [[ $count == 1 ]] || fail "said $count times: $what"
done
for what in "there is no live video" "'video.png': it is not there"; do
    count=$(grep -c "warning: .*$what" "$work/live.txt" || true)
    [[ $count == 1 ]] || fail "said $count times: $what"
done
exit $failed
