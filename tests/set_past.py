#!/usr/bin/env python3
"""Back in a show that is not recorded: how long any picture of its last minutes takes, and whether it is the same again.

set_past.py FROTH SOURCE [SECONDS [SIZE [KEEP [COUNT [LIMIT]]]]]      330 1280x720 1024 40 0.5 if not given

Needs a display (xvfb-run). The show runs by itself, over the presets that come with froth, with transitions. After SECONDS
it is asked COUNT times for a moment of the last five minutes, by chance; KEEP is --keep, in MiB. Exit code 1: a picture
is another one than the first time, took more than LIMIT seconds, or the program takes 1.5 GiB."""

import pathlib
import random
import socket
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from set_commands import message  # noqa: E402

FPS = 30


class Shown:
    """What a show prints of its pictures."""

    def __init__(self, lines):
        self.first = {}  # of each frame
        self.again = []  # (clock, frame, hash)
        self.last = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.read, args=(lines,), daemon=True).start()

    def read(self, lines):
        for line in lines:
            words = line.split()
            with self.lock:
                if len(words) == 3 and words[0] == "frame":
                    self.last = int(words[1])
                    self.first[self.last] = words[2]
                elif len(words) == 3 and words[0] == "past":
                    self.again.append((time.monotonic(), int(words[1]), words[2]))

    def stood(self, frame):
        """The picture that was to be seen then: of a frame that was late the one before."""
        while frame > 0 and frame not in self.first:
            frame -= 1
        return self.first.get(frame)

    def wait(self, begun, expected, patience):
        """Seconds until a picture of that moment came, or of one as much later as it came late; None: it did not."""
        while time.monotonic() - begun < patience:
            with self.lock:
                for clock, frame, _ in reversed(self.again):
                    if clock < begun:
                        break
                    if -0.3 * FPS <= frame - expected <= (0.3 + clock - begun) * FPS:
                        return clock - begun
            time.sleep(0.005)
        return None

    def now(self, least=0):
        """The frame that is shown, just as it comes, from that one on."""
        before = max(self.last, least)
        begun = time.monotonic()
        while self.last <= before and time.monotonic() - begun < 600:
            time.sleep(0.002)
        return self.last


def memory(process):
    """Bytes that the program has at hand now, and the most that it had."""
    found = {}
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "VmHWM"):
            found[name] = int(value.split()[0]) * 1024
    return found["VmRSS"], found["VmHWM"]


def main():
    given = sys.argv[1:] + [None] * 7
    froth, source = given[0], given[1]
    seconds = int(given[2] or 330)
    size, keep = given[3] or "1280x720", given[4] or "1024"
    count = int(given[5] or 40)
    limit = float(given[6] or 0.5)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [froth, "play", f"{source}/presets/originals", "--no-library", "--audio", "demo", "--size", size, "--fps", str(FPS)]
    command += ["--advance", "7", "--blend", "2", "--order", "random", "--seed", "7", "--osc", str(port), "--keep", keep, "--hash"]
    show = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    shown = Shown(show.stdout)
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(*words):
        out.sendto(message(*words), ("127.0.0.1", port))

    try:
        shown.now(seconds * FPS)
        dice = random.Random(26)
        times, missing = [], 0
        for _ in range(count):
            back = dice.uniform(1, min(seconds - 3, 299))
            expected = shown.now() - back * FPS
            begun = time.monotonic()
            send("/cmd/rewind", back / 5)
            took = shown.wait(begun, expected, max(5, limit))
            if took is None:
                missing += 1
            else:
                times.append(took)
            time.sleep(0.3)
            send("/cmd/live")
            time.sleep(0.3)
        now, most = memory(show)
    finally:
        show.terminate()
        show.wait()
    with shown.lock:
        again = {frame: digest for _, frame, digest in shown.again}
        differ = sorted(frame for frame in again if shown.stood(frame) != again[frame])
        left_out = sum(frame not in shown.first for frame in again)
    if not times:
        sys.exit("no picture of the past came")
    print(f"{len(times)} moments of the last {min(seconds - 3, 299)} s: median {statistics.median(times):.3f} s, longest {max(times):.3f} s, {missing} did not come")
    print(f"{len(differ)} of {len(again)} pictures differ from the first time {differ[:10]}, {left_out} of them stood for a late one")
    print(f"memory {now / 2**20:.0f} MiB, {most / 2**20:.0f} MiB at most")
    sys.exit(len(differ) > 0 or missing > 0 or max(times) > limit or most >= 1.5 * 2**30)


if __name__ == "__main__":
    main()
