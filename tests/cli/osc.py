"""The other end of Open Sound Control for osc.sh: osc.py PORT WHAT..., messages written byte by byte."""

import random
import socket
import struct
import sys
import time


def text(value):
    data = value.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, *arguments):
    types, data = ",", b""
    for value in arguments:
        if isinstance(value, str):
            types, data = types + "s", data + text(value)
        elif isinstance(value, int):
            types, data = types + "i", data + struct.pack(">i", value)
        else:
            types, data = types + "f", data + struct.pack(">f", value)
    return text(address) + text(types) + data


def read_text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), (end + 4) // 4 * 4


def read(data):
    address, at = read_text(data, 0)
    types, at = read_text(data, at)
    values = []
    for kind in types[1:]:
        if kind == "s":
            value, at = read_text(data, at)
        else:
            value, at = struct.unpack_from(">i" if kind == "i" else ">f", data, at)[0], at + 4
        values.append(value)
    return address, values


class Froth:
    def __init__(self, port):
        self.port = port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))

    def say(self, address, *arguments):
        self.send(message(address, *arguments))

    def send(self, packet):
        try:
            self.socket.send(packet)
        except OSError:
            pass

    def hear(self, seconds):
        self.socket.settimeout(seconds)
        try:
            return read(self.socket.recv(65536))
        except OSError:
            return None

    def ask(self, name, seconds=60):
        """What /get/NAME answers; asked again, since datagrams may be lost."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.say("/get/" + name)
            wait = time.monotonic() + 1
            while time.monotonic() < wait:
                answer = self.hear(1)
                if answer is not None and answer[0] == "/is/" + name:
                    return answer[1][0]
        raise SystemExit(f"/get/{name} is not answered")

    def until(self, name, fits, what):
        end = time.monotonic() + 60
        while not fits(self.ask(name)):
            if time.monotonic() > end:
                raise SystemExit(f"{what}: {name} is {self.ask(name)}")
            time.sleep(0.05)


def bundle(seconds, *packets):
    stamp = struct.pack(">II", int(seconds) + 2208988800, int(seconds % 1 * 2**32))
    return text("#bundle") + stamp + b"".join(struct.pack(">i", len(p)) + p for p in packets)


def bundles(froth):
    """Those of a bundle wait for its time, and come together."""
    froth.say("/value/blend", 1.0)
    froth.until("blend", lambda value: value == 1, "a value is not set")
    due = time.time() + 3
    froth.send(bundle(due, message("/value/blend", 2.5), message("/value/vary", 0.25)))
    if froth.ask("blend") != 1 and time.time() < due:
        raise SystemExit("a bundle does not wait")
    froth.until("blend", lambda value: value == 2.5, "a bundle is lost")
    if time.time() < due:
        raise SystemExit("a bundle came too early")
    froth.until("vary", lambda value: value == 0.25, "half of a bundle is lost")


def subscribed(froth):
    froth.say("/sub/frames", 30)
    seen = []
    end = time.monotonic() + 60
    while len(seen) < 20 and time.monotonic() < end:
        answer = froth.hear(1)
        if answer is not None and answer[0] == "/is/frames":
            seen.append(answer[1][0])
    froth.say("/sub/frames", 0)
    if len(seen) < 20 or seen != sorted(set(seen)):
        raise SystemExit(f"what is subscribed to comes as {seen}")


def hostile(froth):
    """Bytes of all kinds over UDP and TCP, connections by the hundred, one that reads nothing."""
    chance = random.Random(24)
    seeds = [message("/value/blend", 1.0), message("/preset", "x" * 100), message("/cmd/next", 1), message("/list"),
             bundle(time.time() + 100, message("/value/blend", 1.0)), bundle(0, bundle(0, message("/get/fps")))]
    for _ in range(5000):
        packet = bytearray(chance.choice(seeds))
        for _ in range(chance.randrange(6)):
            packet[chance.randrange(len(packet))] = chance.randrange(256)
        froth.send(bytes(packet[: chance.randrange(len(packet) + 1)]) if chance.random() < 0.3 else bytes(packet))
    deep = message("/get/fps")
    while len(deep) < 60000:
        deep = bundle(0, deep)
    froth.send(deep)
    froth.send(b"\xff" * 65000)
    streams = []
    for number in range(150):
        try:
            streams.append(socket.create_connection(("127.0.0.1", froth.port), 5))
            streams[-1].settimeout(0.2)
            if number % 3 == 0:
                streams[-1].sendall(chance.randbytes(chance.randrange(1, 5000)))
            elif number % 3 == 1:
                streams[-1].sendall(struct.pack(">i", 0x7FFFFFFF) + b"x" * 1000)
        except OSError:
            pass
    try:
        slow = socket.create_connection(("127.0.0.1", froth.port), 5)
        slow.settimeout(0.2)
        packet = message("/get/preset")
        for _ in range(20000):
            slow.sendall(struct.pack(">i", len(packet)) + packet)
    except OSError:
        pass
    for stream in streams:
        stream.close()


def flood(froth):
    """As many as go out in two seconds: commands are dropped, frames go on, and the last value holds."""
    packets = [message("/cmd/decay", -1.0), message("/value/gamma", 2.0), message("/cmd/blackout"), message("/nothing")]
    before = froth.ask("frames")
    end = time.monotonic() + 2
    sent = 0
    while time.monotonic() < end:
        for packet in packets:
            froth.send(packet)
        sent += len(packets)
    froth.until("frames", lambda frames: frames > before + 5, "no frame comes")
    # What waits in the ring comes first.
    for name, number in (("gamma", 3.5), ("blackout", 0.0)):
        end = time.monotonic() + 60
        while froth.ask(name) != number and time.monotonic() < end:
            froth.say("/value/" + name, number)
            time.sleep(0.2)
        froth.until(name, lambda value: value == number, "the last value does not hold")
    print(f"{sent} messages")


def main():
    froth = Froth(int(sys.argv[1]))
    for what in sys.argv[2:]:
        if "=" in what:
            name, value = what.split("=", 1)
            froth.until(name, lambda found: str(found) == value, "not as expected")
        elif what in ("bundles", "subscribed", "hostile", "flood"):
            globals()[what](froth)
        else:
            print(froth.ask(what))


main()
