"""A rig that plays a show: stage_show.py PORT CABLE UNIVERSE SECONDS SIZE [FOLDER]

Cue by cue, over and over, a controller, a lighting desk, a clock and Open Sound Control do what a VJ would, and each cue is
waited for: the value, the preset or the darkness that it asks for must come. FOLDER: where a picture of the screen is left
for each cue of the first round. SIZE: of the screen, WxH. Prints how long cues took, and fails at the first that does not
come."""

import os
import socket
import subprocess
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))

from osc import Froth  # noqa: E402
from stage_light import artnet, sacn  # noqa: E402

LIMIT = 20  # seconds until a cue must have come
PAUSE = 2.5  # seconds between two cues
SETTLE = 1.0  # seconds before a picture is taken

PAIRS = (
    ("Tidal Glass", "Corona"),
    ("Carina Mill", "Leaded Light"),
    ("Night Drive", "Petrol Veil"),
    ("Slow Medusa", "Tesseract Lamps"),
    ("Ebru Tray", "Gyroid Cathedral"),
    ("Starling Hour", "Ember Tunnel"),
    ("Maypole", "Window Frost"),
    ("Opal Current", "Julia Voltage"),
)


class Desk(threading.Thread):
    """A lighting desk: a universe of sACN and one of Art-Net, 40 times a second."""

    def __init__(self, universe):
        super().__init__(daemon=True)
        self.universe = universe
        self.levels = {"sacn": bytearray(512), "artnet": bytearray(512)}

    def run(self):
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sequence = 0
        while True:
            sequence = sequence % 255 + 1
            line.sendto(sacn(b"desk", self.universe, sequence, bytes(self.levels["sacn"])), ("127.0.0.1", 5568))
            line.sendto(artnet(self.universe, sequence, bytes(self.levels["artnet"])), ("127.0.0.1", 6454))
            time.sleep(0.025)


class Clock(threading.Thread):
    """A MIDI clock on the controller's cable."""

    def __init__(self, cable):
        super().__init__(daemon=True)
        self.cable = cable
        self.bpm = 0

    def run(self):
        due = time.monotonic()
        while True:
            if self.bpm == 0:
                time.sleep(0.02)
                due = time.monotonic()
                continue
            self.cable.write(b"\xf8")
            due += 60 / self.bpm / 24
            time.sleep(max(due - time.monotonic(), 0))


class Rig:
    def __init__(self, port, cable, universe, size):
        self.froth = Froth(port)
        self.cable = open(cable, "wb", buffering=0)
        self.desk = Desk(universe)
        self.clock = Clock(self.cable)
        self.width, self.height = map(int, size.split("x"))
        self.desk.start()
        self.clock.start()

    # ---- what it says ----

    def say(self, address, *arguments):
        self.froth.say(address, *arguments)

    def midi(self, *data):
        self.cable.write(bytes(data))

    def press(self, note):
        self.midi(0x90, note, 100)
        self.midi(0x80, note, 0)

    def knob(self, controller, place):
        self.midi(0xB0, controller, place)

    def fader(self, protocol, channel, level):
        self.desk.levels[protocol][channel - 1] = level

    def flash(self, channel):
        """A channel that calls a command: up, and down again before the next cue."""
        self.fader("sacn", channel, 255)
        threading.Timer(1, self.fader, ("sacn", channel, 0)).start()

    def tap(self, bpm):
        self.say("/cmd/clock", "tap")
        for _ in range(5):
            self.say("/cmd/tap")
            time.sleep(60 / bpm)

    # ---- what it sees ----

    def near(self, name, value, by=0.01):
        return lambda: abs(self.froth.ask(name) - value) <= by

    def shows(self, name):
        return lambda: name in self.froth.ask("preset") and self.froth.ask("changes") == 0

    def another(self):
        before = self.froth.ask("preset")
        return lambda: self.froth.ask("preset") != before and self.froth.ask("changes") == 0

    def on_the_bar(self):
        """Another preset comes, and where the bar stands when it does."""
        before = self.froth.ask("preset")

        def seen():
            if self.froth.ask("changes") == 0 and self.froth.ask("preset") == before:
                return False
            bar = self.froth.ask("sound/bar")
            if bar > 0.25:
                raise SystemExit(f"a change did not wait for the bar: it came at {bar:.2f} of it")
            return True

        return seen

    def screen(self, *output):
        grab = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "x11grab", "-video_size", f"{self.width}x{self.height}"]
        grab += ["-i", os.environ["DISPLAY"], "-frames:v", "1", *output]
        return subprocess.run(grab, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout

    def light(self):
        """Mean level of the screen."""
        pixels = self.screen("-f", "rawvideo", "-pix_fmt", "gray", "-")
        return sum(pixels) / len(pixels)

    def is_dark(self):
        return self.light() == 0

    def is_bright(self):
        return self.light() > 2


def cues(rig, first, second):
    """What a cue is, what does it, and what must come of it; a function that is made before the cue sees what was before."""
    return (
        ("osc_preset", lambda: rig.say("/preset", first), rig.shows(first)),
        ("osc_bright", lambda: None, rig.is_bright),
        ("midi_knob", lambda: rig.knob(16, 127), rig.near("zoom", 1.05)),
        ("midi_knob_back", lambda: rig.knob(16, 64), rig.near("zoom", 1, 0.01)),
        ("sacn_fader", lambda: rig.fader("sacn", 1, 255), rig.near("warp", 2)),
        ("sacn_fader_down", lambda: rig.fader("sacn", 1, 51), rig.near("warp", 0.4)),
        ("osc_blend", lambda: rig.say("/value/blend", 1.5), rig.near("blend", 1.5)),
        ("midi_next", lambda: rig.press(36), rig.another()),
        ("artnet_gamma", lambda: rig.fader("artnet", 1, 128), rig.near("gamma", 2, 0.02)),
        ("artnet_gamma_back", lambda: rig.fader("artnet", 1, 64), rig.near("gamma", 1.5, 0.02)),
        ("light_next", lambda: rig.flash(2), rig.another()),
        ("midi_blackout", lambda: rig.press(37), rig.is_dark),
        ("midi_blackout_ends", lambda: rig.press(37), rig.is_bright),
        ("artnet_blackout", lambda: rig.fader("artnet", 2, 255), rig.is_dark),
        ("artnet_blackout_ends", lambda: rig.fader("artnet", 2, 0), rig.is_bright),
        ("midi_clock", lambda: clock(rig, "midi", 126), rig.near("sound/bpm", 126, 1)),
        ("midi_clock_faster", lambda: clock(rig, "midi", 140), rig.near("sound/bpm", 140, 1)),
        ("osc_tap", lambda: rig.tap(60), rig.near("sound/bpm", 60, 3)),
        ("osc_wait_for_bar", lambda: rig.say("/value/wait-beats", 4.0), rig.near("wait-beats", 4)),
        ("midi_next_on_the_bar", lambda: rig.press(36), rig.on_the_bar()),
        ("osc_wait_for_none", lambda: rig.say("/value/wait-beats", 0.0), rig.near("wait-beats", 0)),
        ("osc_preset_cut", lambda: cut_to(rig, second), rig.shows(second)),
        ("midi_freeze", lambda: rig.midi(0x90, 39, 100), rig.near("freeze", 1)),
        ("midi_freeze_ends", lambda: rig.midi(0x80, 39, 0), rig.near("freeze", 0)),
        ("midi_program", lambda: rig.midi(0xC0, 7), rig.another()),
        ("osc_learn", lambda: rig.say("/value/learn", 1), rig.near("learn", 1)),
        ("midi_learns", lambda: learn(rig), rig.near("learn", 0)),
        ("midi_has_learnt", lambda: turn(rig, 50), rig.near("echo-alpha", 1, 0.05)),
        ("osc_forget", lambda: rig.say("/cmd/forget"), lambda: True),
        ("osc_hold", lambda: rig.say("/var/q1", 0.5), lambda: True),
        ("osc_free", lambda: rig.say("/free"), lambda: True),
        ("clock_off", lambda: clock(rig, "heard", 0), lambda: True),
    )


def clock(rig, who, bpm):
    rig.say("/cmd/clock", who)
    rig.clock.bpm = bpm


def cut_to(rig, name):
    rig.say("/value/blend", 0.0)
    rig.say("/preset", name)


def learn(rig):
    """A knob, then what it is to move, which is chosen only."""
    for place in (0, 30, 60):
        rig.knob(50, place)
        time.sleep(0.2)
    time.sleep(1)
    rig.say("/value/echo-alpha", 0.5)


def turn(rig, controller):
    """From end to end, past where the value stands."""
    for place in range(0, 128, 1):
        rig.knob(controller, place)
        time.sleep(0.005)


def come(cue, does, seen):
    """Seconds until the cue has come."""
    began = time.monotonic()
    does()
    while not seen():
        if time.monotonic() > began + LIMIT:
            raise SystemExit(f"cue {cue} does not come")
        time.sleep(0.02)
    return time.monotonic() - began


def main():
    seconds, folder = float(sys.argv[4]), sys.argv[6] if len(sys.argv) > 6 else None
    rig = Rig(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[5])
    rig.say("/value/lock", 1)
    rig.say("/value/cut-on-loud", 0.0)
    rig.fader("artnet", 1, 64)
    begun, count, rounds, took = time.monotonic(), 0, 0, []
    names = [cue for cue, _, _ in cues(rig, *PAIRS[0])]
    while time.monotonic() < begun + seconds:
        first, second = PAIRS[rounds % len(PAIRS)]
        for number, name in enumerate(names):
            if time.monotonic() >= begun + seconds:
                break
            began = time.monotonic()
            took.append((come(*cues(rig, first, second)[number]), name))
            count += 1
            if folder is not None and rounds < 2:
                time.sleep(SETTLE)
                rig.screen(f"{folder}/{count:03}_{name}.png")
            time.sleep(max(began + PAUSE - time.monotonic(), 0))
        rounds += 1
    rig.say("/value/lock", 0)
    took.sort()
    slowest = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in took[-3:])
    print(f"{count} cues in {time.monotonic() - begun:.0f} s, all came; median {took[len(took) // 2][0]:.2f} s, slowest {slowest}")


main()
