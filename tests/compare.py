#!/usr/bin/env python3
"""Two builds of froth beside each other: what a frame costs with the one, as a part of what it costs with the other.

compare.py [--sizes WxH,...] [--cpu LEVEL,...] [--frames N] [--turns N] [--every N] BEFORE NOW PRESET-OR-FOLDER...

BEFORE and NOW are programs. Both measure each preset in turns (`froth bench`, one thread), so that what else the machine
does comes to both; of a program's turns the shortest processor time of a frame counts. --every N takes each N-th preset
only. Prints a line for each size and level: presets, the median of the ratios, the ratio of the sums, the smallest and
the largest ratio, and both medians in milliseconds. --list names the presets too, the worst ratio first."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def frame_us(program, preset, size, cpu, frames):
    """Processor time of a frame in microseconds; None where the preset does not load."""
    command = [program, "bench", preset, "--sizes", size, "--threads", "1", "--cpu", cpu, "--frames", str(frames), "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if run.returncode != 0:
        return None
    lines = map(json.loads, run.stdout.splitlines())
    return next(line["median_us"] for line in lines if line.get("stage") == "frame")


def beside(arguments, preset, size, cpu):
    """The shortest times of both programs, or None."""
    best = [float("inf"), float("inf")]
    for _ in range(arguments.turns):
        for which, program in enumerate((arguments.before, arguments.now)):
            time = frame_us(program, preset, size, cpu, arguments.frames)
            if time is None:
                return None
            best[which] = min(best[which], time)
    return best


def presets_of(paths, every):
    """Files, and all presets below folders, in their order."""
    found = []
    for path in map(pathlib.Path, paths):
        found += sorted(path.rglob("*.milk")) if path.is_dir() else [path]
    return [str(path) for path in found][::every]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="640x480")
    parser.add_argument("--cpu", default="avx2")
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("presets", nargs="+")
    arguments = parser.parse_args()
    presets = presets_of(arguments.presets, arguments.every)
    for size in arguments.sizes.split(","):
        for cpu in arguments.cpu.split(","):
            rows = []
            for preset in presets:
                times = beside(arguments, preset, size, cpu)
                if times is None:
                    print(f"{preset}: left out, one of the programs does not draw it", file=sys.stderr)
                else:
                    rows.append((times[1] / times[0], *times, preset))
            if not rows:
                sys.exit("compare.py: no preset was drawn by both programs")
            ratios = [row[0] for row in rows]
            before, now = ([row[k] / 1000 for row in rows] for k in (1, 2))
            print(
                f"{size} {cpu}: {len(rows)} presets, median {statistics.median(ratios):.3f}, "
                f"sum {sum(now) / sum(before):.3f}, {min(ratios):.2f} to {max(ratios):.2f}, "
                f"ms {statistics.median(before):.2f} -> {statistics.median(now):.2f}",
                flush=True,
            )
            for ratio, old, new, preset in sorted(rows, reverse=True) if arguments.list else []:
                print(f"  {ratio:.3f}  {old / 1000:7.2f} -> {new / 1000:7.2f}  {pathlib.Path(preset).name}")


if __name__ == "__main__":
    main()
