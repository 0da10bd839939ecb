"""The other end of Open Sound Control for osc.sh: osc.py PORT WHAT..., messages written byte by byte."""

import os
import random
import socket
import struct
import sys
import time

# Seconds that a busy machine may take.
PATIENCE = float(os.environ.get("FROTH_TEST_PATIENCE", 300))


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

    def ask(self, name, seconds=PATIENCE):
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
        end = time.monotonic() + PATIENCE
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
    end = time.monotonic() + PATIENCE
    while len(seen) < 20 and time.monotonic() < end:
        answer = froth.hear(1)
        if answer is not None and answer[0] == "/is/frames":
            seen.append(answer[1][0])
    froth.say("/sub/frames", 0)
    if len(seen) < 20 or seen != sorted(set(seen)):
        raise SystemExit(f"what is subscribed to comes as {seen}")


class Stream:
    """A connection over TCP; slip: in the form of version 1.1."""

    def __init__(self, port, slip=False):
        self.slip = slip
        self.data = b""
        self.socket = socket.create_connection(("localhost", port), PATIENCE)
        self.socket.settimeout(PATIENCE)

    def say(self, address, *arguments):
        packet = message(address, *arguments)
        if self.slip:
            packet = b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"
        else:
            packet = struct.pack(">i", len(packet)) + packet
        self.socket.sendall(packet)

    def hear(self):
        while True:
            if self.slip:
                packet, end, rest = self.data.lstrip(b"\xc0").partition(b"\xc0")
                if end:
                    self.data = rest
                    return read(packet.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))
            elif len(self.data) >= 4 and len(self.data) >= 4 + struct.unpack(">i", self.data[:4])[0]:
                size = 4 + struct.unpack(">i", self.data[:4])[0]
                packet, self.data = self.data[4:size], self.data[size:]
                return read(packet)
            more = self.socket.recv(65536)
            if not more:
                raise SystemExit("a connection was cut off")
            self.data += more


def streamed(froth):
    """Over TCP, in both forms: answers and subscriptions come over the connection, to each its own."""
    streams = [Stream(froth.port), Stream(froth.port, slip=True), Stream(froth.port)]
    for number, stream in enumerate(streams[:2]):
        stream.say("/sub/frames", 60)
        stream.say("/get/blend")
    for stream in streams[:2]:
        seen, blend = [], False
        while len(seen) < 10 or not blend:
            address, values = stream.hear()
            blend = blend or address == "/is/blend"
            seen += values if address == "/is/frames" else []
        if seen != sorted(set(seen)):
            raise SystemExit(f"what is subscribed to comes as {seen}")
    streams[2].say("/get/vary")
    if streams[2].hear()[0] != "/is/vary":
        raise SystemExit("another connection's subscription comes")
    streams[0].say("/list")
    listed = []
    while "/get/sound/bar" not in listed:
        address, values = streams[0].hear()
        listed += values[:1] if address == "/is/list" else []
    if len(set(listed)) < 200:
        raise SystemExit(f"only {len(listed)} addresses are listed")
    for stream in streams:
        stream.socket.close()


def patterns(froth):
    froth.say("/value/{blend,vary}", 4.0)
    froth.until("blend", lambda value: value == 4, "a pattern does not set all")
    froth.until("vary", lambda value: value == 4, "a pattern does not set all")
    heard = set()
    end = time.monotonic() + PATIENCE
    while len(heard) < 3 and time.monotonic() < end:
        froth.say("/get/sound/[bmt]*_att")
        for _ in range(3):
            answer = froth.hear(1)
            heard |= {answer[0]} if answer is not None and answer[0].endswith("_att") else set()
    if len(heard) != 3:
        raise SystemExit(f"a pattern is answered by {heard}")


def hostile(froth):
    """Bytes of all kinds over UDP and TCP, connections by the hundred, one that reads nothing."""
    chance = random.Random(24)
    seeds = [message("/value/blend", 1.0), message("/preset", "x" * 100), message("/cmd/next", 1), message("/list"),
             bundle(time.time() + 100, message("/value/blend", 1.0)), bundle(0, bundle(0, message("/get/fps"))),
             message("/value/{blend,[!a]*}", 1.0), message("/osd", "x" * 300)]
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
            streams.append(socket.create_connection(("127.0.0.1", froth.port), PATIENCE))
            streams[-1].settimeout(0.2)
            if number % 3 == 0:
                streams[-1].sendall(b"\xc0"[: number % 2] + chance.randbytes(chance.randrange(1, 5000)))
            elif number % 3 == 1:
                streams[-1].sendall(struct.pack(">i", 0x7FFFFFFF) + b"x" * 1000)
        except OSError:
            pass
    try:
        slow = socket.create_connection(("127.0.0.1", froth.port), PATIENCE)
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
        end = time.monotonic() + PATIENCE
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
            if name == "pass":
                last = froth.ask("frames") + int(value)
                froth.until("frames", lambda found: found >= last, "no frames are shown")
                continue
            froth.until(name, lambda found: str(found) == value, "not as expected")
        elif what in ("bundles", "subscribed", "streamed", "patterns", "hostile", "flood"):
            globals()[what](froth)
        else:
            print(froth.ask(what))


if __name__ == "__main__":
    main()
