"""A hand on a controller for midi.sh: midi.py PORT PIPE WHAT... with PORT of Open Sound Control, by which it sees the show."""

import sys
import threading
import time

from osc import PATIENCE, Froth


def value(froth, name):
    """What a value stands at; asked again, since datagrams may be lost."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        froth.say("/value/" + name)
        wait = time.monotonic() + 1
        while time.monotonic() < wait:
            answer = froth.hear(1)
            if answer is not None and answer[0] == "/value/" + name:
                return answer[1][0]
    raise SystemExit(f"/value/{name} is not answered")


def stands(froth, name, number):
    end = time.monotonic() + PATIENCE
    while abs(value(froth, name) - number) > 1e-3:
        if time.monotonic() > end:
            raise SystemExit(f"{name} is {value(froth, name)} instead of {number}")
        time.sleep(0.05)


def clock(froth, pipe):
    """Pulses of 125 beats a minute drive the beat until a stop, again after a start, and not once they end."""
    ends = threading.Event()

    def send():
        due = time.monotonic()
        while not ends.is_set():
            pipe.write(b"\xf8")
            due += 60 / 125 / 24
            time.sleep(max(due - time.monotonic(), 0))

    sender = threading.Thread(target=send)
    sender.start()
    try:
        froth.until("sound/clock", lambda found: found == "midi", "pulses drive nothing")
        froth.until("sound/bpm", lambda found: abs(found - 125) < 2, "another tempo")
        pipe.write(b"\xfc")
        froth.until("sound/clock", lambda found: found != "midi", "a clock that was stopped drives")
        pipe.write(b"\xfa")
        froth.until("sound/clock", lambda found: found == "midi", "a clock that was started does not drive")
    finally:
        ends.set()
        sender.join()
    froth.until("sound/clock", lambda found: found != "midi", "a clock without pulses drives")


def main():
    froth = Froth(int(sys.argv[1]))
    with open(sys.argv[2], "wb", buffering=0) as pipe:
        for what in sys.argv[3:]:
            if what == "clock":
                clock(froth, pipe)
            elif "=" in what:
                name, number = what.split("=", 1)
                if name == "preset":
                    froth.until(name, lambda found: found == number, "not as expected")
                else:
                    stands(froth, name, float(number))
            elif what.startswith("/"):
                words = what.split(":")
                froth.say(words[0], *[float(word) for word in words[1:]])
            else:
                pipe.write(bytes.fromhex(what))


main()
