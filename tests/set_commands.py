"""Commands for a show that is recorded: set_commands.py PORT COUNT SECONDS SEED, by Open Sound Control, spread evenly.

Prints how many of each the show has to carry out, a line "NAME COUNT" each, then how many do nothing: a button's release,
and a switch that stands as it is told to."""

import collections
import random
import socket
import struct
import sys
import time


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *values):
    data = b"".join(text(v) if isinstance(v, str) else struct.pack(">f", v) for v in values)
    kinds = "".join("s" if isinstance(v, str) else "f" for v in values)
    return text(address) + text("," + kinds) + data


def choose(dice):
    """One command of many kinds; none of them ends or stops a show for long."""
    many = [
        lambda: message("/cmd/next", float(dice.randint(-2, 3))),
        lambda: message("/cmd/cut", 1.0),
        lambda: message("/cmd/previous", 1.0),
        lambda: message("/cmd/transition", dice.choice(["zoom", "random", "cut", "plasma", "clock"])),
        lambda: message("/cmd/blend", dice.choice([0.5, 2.0, 5.0])),
        lambda: message("/cmd/lock", float(dice.randint(0, 1))),
        lambda: message("/cmd/freeze", 0.0),
        lambda: message("/cmd/step", 2.0) if dice.random() < 0.2 else message("/cmd/freeze", 0.0),
        lambda: message("/cmd/blackout", float(dice.random() < 0.1)),
        lambda: message("/cmd/tap"),
        lambda: message("/cmd/tempo", float(dice.randint(90, 150))),
        lambda: message("/cmd/nudge", float(dice.randint(-50, 50))),
        lambda: message("/cmd/wait-beats", float(dice.choice([0, 0, 1]))),
        lambda: message("/cmd/undo"),
        lambda: message("/cmd/redo"),
        lambda: message("/var/q1", dice.random()),
        lambda: message("/free/q1"),
    ]
    often = [
        lambda: message("/value/fDecay", 0.9 + 0.1 * dice.random()),
        lambda: message("/value/zoom", 0.95 + 0.1 * dice.random()),
        lambda: message("/value/rot", 0.1 * dice.random() - 0.05),
        lambda: message("/value/wave_r", dice.random()),
        lambda: message("/value/nWaveMode", float(dice.randint(0, 7))),
        lambda: message("/value/fGammaAdj", 1 + dice.random()),
    ]
    return dice.choice(often if dice.random() < 0.6 else many)()


# Commands of which a button sends 1 and 0, and 0 does nothing (/cmd/NAME of docs/osc.md).
BUTTONS = {"next"}
# The names of others as commands.
COMMANDS = {"/var/q1": "hold", "/free/q1": "free"}


def name_of(packet, switches):
    """What a recording calls it; None: it does nothing. SWITCHES has how each of them stands, and is told."""
    address = packet[: packet.index(b"\0")].decode()
    name = COMMANDS.get(address, address.split("/")[-1])
    number = struct.unpack(">f", packet[-4:])[0]
    if name == "step":
        switches["freeze"] = 1
    if name in switches:
        stands, switches[name] = switches[name], number
        return None if stands == number else name
    return None if name in BUTTONS and number == 0 else name


def main():
    port, count, seconds, seed = (int(word) for word in sys.argv[1:5])
    dice = random.Random(seed)
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    begun = time.monotonic()
    sent = collections.Counter()
    switches = {"lock": 0, "freeze": 0, "blackout": 0}
    for i in range(count):
        time.sleep(max(0, begun + i * seconds / count - time.monotonic()))
        packet = choose(dice)
        out.sendto(packet, ("127.0.0.1", port))
        sent[name_of(packet, switches)] += 1
    nothing = sent.pop(None, 0)
    for name, times in sorted(sent.items()):
        print(name, times)
    print("nothing", nothing)


if __name__ == "__main__":
    main()
