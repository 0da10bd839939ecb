"""Controllers with lights for midi_lights.sh, at the other ends of raw devices: midi_lights.py OSC_PORT FOLDER PROCESS"""

import os
import pty
import select
import signal
import sys
import time
import tty

port, folder, process = sys.argv[1:]
sys.argv = ["osc", port]
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import osc  # noqa: E402

froth = osc.Froth(int(port))


class Device:
    """A controller that is plugged in: what it hears, and what its lights show."""

    all = {}

    def __init__(self, name):
        self.name, self.path = name, os.path.join(folder, name)
        self.data, self.lights, self.pulses, self.exclusive = b"", {}, [], []
        self.bytes = 0
        self.begins = self.halts = 0
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.slave = slave
        os.symlink(os.ttyname(slave), self.path + ".new")
        os.rename(self.path + ".new", self.path)
        Device.all[name] = self

    def unplug(self):
        os.unlink(self.path)
        os.close(self.slave)
        os.close(self.master)
        del Device.all[self.name]

    def press(self, *data):
        os.write(self.master, bytes(data))

    def take(self):
        data = os.read(self.master, 65536)
        self.bytes += len(data)
        for byte in data:
            if byte >= 0xF8:
                self.begins += byte == 0xFA
                self.halts += byte == 0xFC
                if byte == 0xF8:
                    self.pulses.append(time.monotonic())
                continue
            self.data += bytes([byte])
            if self.data[0] == 0xF0 and byte == 0xF7:
                self.exclusive.append(self.data)
                self.data = b""
            elif self.data[0] in (0x90, 0xB0) and len(self.data) == 3:
                self.lights[self.data[0], self.data[1]] = self.data[2]
                self.data = b""


def hear(seconds):
    end = time.monotonic() + seconds
    while True:
        masters = {device.master: device for device in Device.all.values()}
        ready, _, _ = select.select(list(masters), [], [], max(0, end - time.monotonic()))
        for master in ready:
            masters[master].take()
        if time.monotonic() >= end:
            return


def until(what, fits):
    end = time.monotonic() + osc.PATIENCE
    while not fits():
        hear(0.02)
        if time.monotonic() > end:
            for device in Device.all.values():
                print(device.name, device.lights, device.exclusive, len(device.pulses))
            raise SystemExit(what)


NOTE, CONTROL = 0x90, 0xB0
nano, apc, pad = Device("nanoKONTROL2"), Device("APC mini"), Device("Launchpad Mini MK3")
clock = Device("clocked")


def shows(device, kind, number, value):
    until(f"{device.name}: {number} does not show {value}", lambda: device.lights.get((kind, number)) == value)


# All of it shows what there is, once each is greeted.
until("no mode for programmers", lambda: bytes.fromhex("F0002029020D0E01F7") in pad.exclusive)
shows(pad, NOTE, 11, 7)
shows(pad, CONTROL, 91, 3)
shows(apc, NOTE, 0, 3)
shows(apc, NOTE, 7, 1)
shows(nano, CONTROL, 45, 0)

# What another source sets is seen on each; what is pressed on one is seen on the others.
froth.say("/value/blackout", 1.0)
shows(pad, NOTE, 11, 5)
shows(apc, NOTE, 0, 4)
shows(nano, CONTROL, 45, 127)
apc.press(NOTE, 0, 127, NOTE, 0, 0)
shows(pad, NOTE, 11, 7)
shows(nano, CONTROL, 45, 0)
froth.until("blackout", lambda value: value == 0, "a pad does nothing")
nano.press(CONTROL, 32, 127, 32, 0)
shows(pad, NOTE, 13, 13)
froth.until("lock", lambda value: value == 1, "a button does nothing")
pad.press(NOTE, 16, 127)
shows(nano, CONTROL, 39, 127)
pad.press(NOTE, 18, 127)
froth.until("preset/index", lambda value: value == 1, "a pad does not call")
shows(nano, CONTROL, 39, 0)  # the next one is no favourite

def is_quiet():
    """For a second."""
    before = [device.bytes for device in (nano, apc, pad)]
    hear(1)
    return [device.bytes for device in (nano, apc, pad)] == before


# Nothing is sent where nothing changes.
until("lights are sent that have not changed", is_quiet)

# Pulled out and plugged in again: all of it is there.
apc.unplug()
hear(1)
apc = Device("APC mini")
shows(apc, NOTE, 2, 5)
shows(apc, NOTE, 0, 3)
shows(apc, NOTE, 7, 1)

# The beat, for what a map says it is for.
until("no clock", lambda: len(clock.pulses) >= 24 * 8)
if clock.begins != 1 or pad.pulses:
    raise SystemExit(f"the clock begins {clock.begins} times, another device has {len(pad.pulses)} pulses")


def has_tempo():
    """Over the last four beats, once the beat has been found."""
    seen = clock.pulses[-24 * 4:]
    bpm = froth.ask("sound/bpm")
    heard = 60 * (len(seen) - 1) / 24 / (seen[-1] - seen[0])
    if abs(heard / max(bpm, 1) - 1) < 0.05:
        print(f"{heard:.1f} beats a minute go out, {bpm:.1f} are heard")
    return abs(heard / max(bpm, 1) - 1) < 0.05


until("the clock has another tempo", has_tempo)

# They are left as they were found.
os.kill(int(process), signal.SIGINT)
until("it is not left", lambda: bytes.fromhex("F0002029020D0E00F7") in pad.exclusive)
until("the clock is not stopped", lambda: clock.halts == 1)
shows(pad, CONTROL, 91, 0)
shows(apc, NOTE, 7, 0)
