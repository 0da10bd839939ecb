"""A desk: levels for a universe of sACN and one of Art-Net, and a MIDI clock. stage_light.py UNIVERSE FILE PIPE

The file says what is sent from now on, "sacn LEVELS", "artnet LEVELS" and "clock BEATS_A_MINUTE" (0: none); it is looked
at before each of 40 packets a second, until it is gone. Light goes to this machine, the clock into the pipe. At the end it
prints how much was sent."""

import socket
import struct
import sys
import time

ROOM = 512  # channels of a universe


def sacn(name, universe, sequence, levels):
    """A packet of sACN, whose levels come last."""
    return (
        struct.pack(">HH12sHI16s", 0x10, 0, b"ASC-E1.17\0\0\0", 0x7000 | 622, 4, name)
        + struct.pack(">HI64sBHBBH", 0x7000 | 600, 2, name, 100, 0, sequence, 0, universe)
        + struct.pack(">HBBHHHB", 0x7000 | 523, 2, 0xA1, 0, 1, 513, 0)
        + levels.ljust(ROOM, b"\0")
    )


def artnet(universe, sequence, levels):
    """A packet of Art-Net."""
    head = struct.pack("<8sH", b"Art-Net", 0x5000) + struct.pack(">HBB", 14, sequence, 0)
    return head + struct.pack("<H", universe) + struct.pack(">H", ROOM) + levels.ljust(ROOM, b"\0")


def read(path):
    """What the file says: levels by protocol, and beats a minute; None once it is gone."""
    try:
        with open(path, encoding="ascii") as file:
            rows = dict(row.split() for row in file)
    except FileNotFoundError:
        return None
    levels = {name: bytes(map(int, rows[name].split(","))) for name in ("sacn", "artnet")}
    return levels, float(rows["clock"])


def main():
    universe, path = int(sys.argv[1]), sys.argv[2]
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    packets, pulses = 0, 0
    light_due = pulse_due = time.monotonic()
    with open(sys.argv[3], "wb", buffering=0) as cable:
        while (wanted := read(path)) is not None:
            levels, beats = wanted
            if time.monotonic() >= light_due:
                packets += 1
                sequence = packets % 255 + 1
                line.sendto(sacn(b"desk", universe, sequence, levels["sacn"]), ("127.0.0.1", 5568))
                line.sendto(artnet(universe, sequence, levels["artnet"]), ("127.0.0.1", 6454))
                light_due += 0.025
            if beats == 0:
                pulse_due = time.monotonic()
            elif time.monotonic() >= pulse_due:
                cable.write(b"\xf8")
                pulses += 1
                pulse_due += 60 / beats / 24
            due = min(light_due, pulse_due) if beats > 0 else light_due
            time.sleep(max(due - time.monotonic(), 0))
    print(f"sent: {packets} packets of sACN, as many of Art-Net, {pulses} pulses of a MIDI clock")


if __name__ == "__main__":
    main()
