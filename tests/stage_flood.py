"""A flood of light and Open Sound Control: stage_flood.py OSC_PORT UNIVERSE SECONDS RATE

Half of RATE messages a second are values by OSC, half levels by sACN, all different; the last of each come back. Prints
how many were sent, and the slowest millisecond's delay."""

import socket
import struct
import sys
import time

from stage_light import ROOM, sacn

port, universe, seconds, rate = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
osc = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
osc.connect(("127.0.0.1", port))
desk = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
desk.connect(("127.0.0.1", 5568))

SEQUENCE = 111
packet = bytearray(sacn(b"flood", universe, 0, b""))


def text(value):
    return value + b"\0" * (4 - len(value) % 4)


sent = {"osc": 0, "sacn": 0}


def say(number):
    """Values from 0.5 to 1.5: zoom by OSC."""
    osc.send(text(b"/value/zoom") + text(b",f") + struct.pack(">f", 0.5 + number))
    sent["osc"] += 1


def light(level):
    packet[SEQUENCE] = (packet[SEQUENCE] + 1) % 256
    packet[-ROOM] = level
    desk.send(packet)
    sent["sacn"] += 1


begin = time.monotonic()
done, worst = 0, 0.0
while (now := time.monotonic() - begin) < seconds:
    due = int(now * rate / 2)
    worst = max(worst, (due - done) / (rate / 2))
    for number in range(done, due):
        say(number % 997 / 997)
        light(number % 256)
    done = due
    time.sleep(0.0005)
say(0.25)
light(51)
print(f"sent {sent['osc']} by OSC, {sent['sacn']} by sACN in {seconds:g} s; {1000 * worst:.0f} ms behind at most")
