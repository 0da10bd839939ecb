#!/usr/bin/env python3
"""Presets whose shaders are made by chance: random_shaders.py SEED COUNT FOLDER

Statements over vectors of one to four numbers: arithmetic, functions, comparisons, branches, swizzles, reads of pictures,
blurs, noise and volumes. tests/devices.sh draws them on a graphics processor and without one, and compares."""

import pathlib
import random
import sys

ONE = ["sin", "cos", "abs", "frac", "floor", "ceil", "sqrt", "exp2", "log2", "saturate", "sign", "rsqrt", "exp", "tan", "normalize"]
TWO = ["pow", "min", "max", "fmod", "atan2", "step"]
THREE = ["lerp", "clamp", "smoothstep"]
SCALARS = ["rad", "ang", "time", "bass", "mid", "treb", "q1", "fps", "frame", "rand_frame.x", "roam_sin.y", "aspect.z", "texsize.x"]
SAMPLERS = ["sampler_main", "sampler_fw_main", "sampler_pc_main", "sampler_noise_lq", "sampler_pw_noise_mq", "sampler_noise_hq"]
NAMES = "xyzw"


class Shader:
    def __init__(self, dice):
        self.dice = dice
        self.locals = []  # (name, width)

    def number(self):
        return self.dice.choice(["0", "1", "0.5", "2", "-1", "3.7", "0.001", "1000", "-0.25", "7e5", "1e-6"])

    def value(self, width, depth):
        """An expression of that many numbers."""
        dice = self.dice
        if depth == 0 or dice.random() < 0.12:
            return self.leaf(width)
        kind = dice.randrange(9)
        if kind < 3:
            return f"({self.value(width, depth - 1)} {dice.choice('+-*/')} {self.value(width, depth - 1)})"
        if kind == 3:
            return f"{dice.choice(ONE)}({self.value(width, depth - 1)})"
        if kind == 4:
            return f"{dice.choice(TWO)}({self.value(width, depth - 1)}, {self.value(width, depth - 1)})"
        if kind == 5:
            parts = ", ".join(self.value(width, depth - 1) for _ in range(3))
            return f"{dice.choice(THREE)}({parts})"
        if kind == 6:
            left, right = self.value(1, depth - 1), self.value(1, depth - 1)
            return f"(({left} {dice.choice(['<', '>', '<=', '>=', '==', '!='])} {right}) ? {self.value(width, depth - 1)} : {self.value(width, depth - 1)})"
        if kind == 7:
            return self.swizzle(self.read(depth - 1), 4, width)
        return self.swizzle(self.value(4, depth - 1), 4, width)

    def swizzle(self, text, have, width):
        return f"({text})." + "".join(self.dice.choice(NAMES[:have]) for _ in range(width))

    def leaf(self, width):
        dice = self.dice
        fitting = [(name, have) for name, have in self.locals if have >= width]
        if fitting and dice.random() < 0.4:
            name, have = dice.choice(fitting)
            return self.swizzle(name, have, width) if have > 1 else name
        if width == 1:
            return dice.choice([self.number(), dice.choice(SCALARS), "uv.x", "uv_orig.y"])
        if dice.random() < 0.3:
            return f"float{width}(" + ", ".join(self.leaf(1) for _ in range(width)) + ")"
        return self.swizzle(dice.choice(["uv", "uv_orig"]), 2, width)

    def read(self, depth):
        dice = self.dice
        kind = dice.randrange(5)
        if kind == 0:
            return f"float4(GetBlur{dice.randrange(1, 4)}({self.value(2, depth)}), 1)"
        if kind == 1:
            return f"tex3D(sampler_noisevol_{dice.choice(['lq', 'hq'])}, {self.value(3, depth)})"
        return f"tex2D({dice.choice(SAMPLERS)}, {self.value(2, depth)})"

    def body(self):
        dice = self.dice
        lines = ["shader_body {"]
        for i in range(dice.randrange(1, 6)):
            width = dice.randrange(1, 5)
            lines.append(f"float{width if width > 1 else ''} v{i} = {self.value(width, 3)};")
            self.locals.append((f"v{i}", width))
        if dice.random() < 0.5:
            name, width = dice.choice(self.locals)
            lines.append(f"if ({self.value(1, 2)} > {self.value(1, 1)}) {{ {name} = {self.value(width, 2)}; }} else {name} *= {self.value(width, 1)};")
        lines.append(f"ret = {self.value(3, 3)} + 0.3 * tex2D(sampler_main, uv).xyz;")
        lines.append("}")
        return lines


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        dice = random.Random(f"{seed}/{number}")
        rows = ["MILKDROP_PRESET_VERSION=201", "PSVERSION=2", "PSVERSION_WARP=2", "PSVERSION_COMP=2", "[preset00]", "fDecay=0.98"]
        rows += ["zoom=1.02", "warp=0.5", "ob_size=0.02", "ob_r=0.9", "ob_a=0.8", "per_frame_1=q1=sin(time);"]
        for stage in ("warp", "comp"):
            rows += [f"{stage}_{i}=`{line}" for i, line in enumerate(Shader(dice).body(), 1)]
        (folder / f"{seed}-{number:05}.milk").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
