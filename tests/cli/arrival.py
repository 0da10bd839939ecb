"""From a message's arrival to the frame that shows it: arrival.py PORT PIPE UNIVERSE FPS TURNS

By Open Sound Control, MIDI, sACN and Art-Net in turn a value goes to and fro, at any moment of a frame. The first frame that
begins after a message, or the one behind it where its values were taken already, shows it. A look that the machine delays by
a third of a frame tells nothing. A busy machine may hold a thread up that takes messages: what is late once has two more tries."""

import os
import random
import socket
import sys
import time

from osc import Froth

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from stage_light import artnet, sacn  # noqa: E402


def measure(froth, name, turn, value, seconds, turns):
    """turn(up): sets the value to 1.5 or back to 1."""
    chance = random.Random(7)
    done, late, blurred = 0, 0, 0
    turn(False)
    froth.until(value, lambda found: abs(found - 1) < 1e-3, f"{name} moves nothing")
    while done < turns and blurred < 20 * turns:
        up = (done + blurred) % 2 == 0
        wanted = 1.5 if up else 1
        time.sleep(chance.random() * seconds)
        before = froth.ask("frames")
        turn(up)
        asked = said = time.monotonic()
        clear, shown = True, None
        while shown is None:
            began = time.monotonic()
            there = abs(froth.ask(value) - wanted) < 1e-3
            frame = froth.ask("frames")
            clear = clear and time.monotonic() - began < seconds / 3
            shown = frame if there else None
            if shown is None and began > said + 1:
                turn(up)  # a source of light that says nothing is lost
                said, clear = began, False
            if time.monotonic() > asked + 60:
                raise SystemExit(f"{name} moves nothing")
        if clear or shown <= before + 2:
            done += 1
            late += shown > before + 2
        else:
            blurred += 1
    print(f"{name}: {done - late} of {done} within a frame, {blurred} not seen in time")
    return late == 0 and done == turns


def main():
    froth, universe, seconds = Froth(int(sys.argv[1])), int(sys.argv[3]), 1 / float(sys.argv[4])
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    count = 0

    def by_sacn(up):
        nonlocal count
        count += 1
        line.sendto(sacn(b"desk", universe, count % 256, bytes([255 * up])), ("127.0.0.1", 5568))

    with open(sys.argv[2], "wb", buffering=0) as cable:
        ways = (
            ("OSC", "zoom", lambda up: froth.say("/value/zoom", 1.5 if up else 1.0)),
            ("MIDI", "warp", lambda up: cable.write(bytes((0xB0, 16, 127 * up)))),
            ("sACN", "warp-speed", by_sacn),
            ("Art-Net", "warp-scale", lambda up: line.sendto(artnet(universe, 0, bytes([255 * up])), ("127.0.0.1", 6454))),
        )
        good = [any(measure(froth, name, turn, value, seconds, int(sys.argv[5])) for _ in range(3)) for name, value, turn in ways]
    if not all(good):
        raise SystemExit("too late")


main()
