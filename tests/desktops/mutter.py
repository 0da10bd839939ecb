#!/usr/bin/python3
"""Asks mutter by its D-Bus, as GNOME's settings, remote desktop and screen recorder do.

  mutter.py state                       lines "CONNECTOR WIDTH HEIGHT SCALE X Y"; what is switched off is left out
  mutter.py arrange CONNECTOR=SCALE...  these are on, side by side in this order, and no other
  mutter.py keys KEY...                 presses keys one after the other: names of X, as in F10, or ctrl+c
  mutter.py type TEXT
  mutter.py click CONNECTOR X Y         the left button, there in its own coordinates
  mutter.py shot CONNECTOR FILE         what it shows, as a PPM
"""
import subprocess
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
NAME = "org.gnome.Mutter."
KEYS = {"F10": 0xFFC7, "Return": 0xFF0D, "Escape": 0xFF1B, "Tab": 0xFF09, "ctrl": 0xFFE3, "shift": 0xFFE1, "super": 0xFFEB}


def call(name, path, interface, method, arguments=None):
    return bus.call_sync(NAME + name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 20000, None).unpack()


def config(method, arguments=None):
    return call("DisplayConfig", "/org/gnome/Mutter/DisplayConfig", NAME + "DisplayConfig", method, arguments)


def state():
    serial, monitors, logical, _ = config("GetCurrentState")
    sizes, modes = {}, {}
    for spec, its_modes, _ in monitors:
        for mode in its_modes:
            if mode[6].get("is-current") or spec[0] not in modes:
                modes[spec[0]] = mode
            if mode[6].get("is-current"):
                sizes[spec[0]] = mode[1:3]
    return serial, modes, sizes, logical


def arrange(wishes):
    serial, modes, _, _ = state()
    x = 0
    logical = []
    for i, wish in enumerate(wishes):
        connector, scale = wish.split("=")
        mode = modes[connector]
        # What it takes is near what is asked for: such that its size is whole.
        scale = min(mode[5], key=lambda offered: abs(offered - float(scale)))
        if abs(scale - float(wish.split("=")[1])) > 0.1:
            sys.exit(f"{connector} has no scale {wish}: {mode[5]}")
        logical.append((x, 0, scale, 0, i == 0, [(connector, mode[0], {})]))
        x += round(mode[1] / scale)
    options = {"layout-mode": GLib.Variant("u", 1)}
    config("ApplyMonitorsConfig", GLib.Variant("(uua(iiduba(ssa{sv}))a{sv})", (serial, 1, logical, options)))


class Hand:
    """A remote desktop: its keyboard and its pointer, with the screens that it sees."""

    def __init__(self, connector=None):
        self.path, = call("RemoteDesktop", "/org/gnome/Mutter/RemoteDesktop", NAME + "RemoteDesktop", "CreateSession")
        if connector:
            wish = GLib.Variant("(ss)", (NAME + "RemoteDesktop.Session", "SessionId"))
            identity, = call("RemoteDesktop", self.path, "org.freedesktop.DBus.Properties", "Get", wish)
            self.stream = Stream(connector, identity)
        self.do("Start")

    def do(self, method, arguments=None):
        call("RemoteDesktop", self.path, NAME + "RemoteDesktop.Session", method, arguments)

    def key(self, symbol, pressed):
        self.do("NotifyKeyboardKeysym", GLib.Variant("(ub)", (symbol, pressed)))
        time.sleep(0.05)

    def press(self, names):
        symbols = [KEYS.get(name, ord(name[0])) for name in names]
        for symbol in symbols:
            self.key(symbol, True)
        for symbol in reversed(symbols):
            self.key(symbol, False)

    def click(self, x, y):
        self.do("NotifyPointerMotionAbsolute", GLib.Variant("(sdd)", (self.stream.path, x, y)))
        time.sleep(0.3)
        for pressed in True, False:
            self.do("NotifyPointerButton", GLib.Variant("(ib)", (0x110, pressed)))
            time.sleep(0.1)


class Stream:
    def __init__(self, connector, identity=None):
        options = {"remote-desktop-session-id": GLib.Variant("s", identity)} if identity else {}
        self.session, = call("ScreenCast", "/org/gnome/Mutter/ScreenCast", NAME + "ScreenCast", "CreateSession",
                             GLib.Variant("(a{sv})", (options,)))
        self.path, = call("ScreenCast", self.session, NAME + "ScreenCast.Session", "RecordMonitor",
                          GLib.Variant("(sa{sv})", (connector, {"cursor-mode": GLib.Variant("u", 0)})))

    def node(self):
        found = []
        loop = GLib.MainLoop()

        def added(*told):
            found.append(told[5].unpack()[0])
            loop.quit()

        bus.signal_subscribe(None, NAME + "ScreenCast.Stream", "PipeWireStreamAdded", self.path, None, 0, added)
        call("ScreenCast", self.session, NAME + "ScreenCast.Session", "Start")
        GLib.timeout_add_seconds(20, loop.quit)
        loop.run()
        return found[0]


def shot(connector, file):
    width, height = state()[2][connector]
    node = Stream(connector).node()
    # Where nothing changes, no picture may come: who asks asks again.
    raw = subprocess.run(["gst-launch-1.0", "-q", "pipewiresrc", f"path={node}", "num-buffers=1", "!", "videoconvert", "!",
                          "video/x-raw,format=RGB", "!", "fdsink"], stdout=subprocess.PIPE, timeout=5, check=True).stdout
    stride = len(raw) // height
    with open(file, "wb") as out:
        out.write(b"P6 %d %d 255\n" % (width, height))
        for row in range(height):
            out.write(raw[row * stride:row * stride + 3 * width])


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "state":
        _, _, sizes, logical = state()
        for x, y, scale, _, _, monitors, _ in logical:
            for monitor in monitors:
                print(monitor[0], *sizes[monitor[0]], scale, x, y)
    elif command == "arrange":
        arrange(arguments)
    elif command in ("keys", "type"):
        hand = Hand()
        hand.press(["shift"])  # the keyboard comes with its first key, and windows have to learn of it
        time.sleep(1.5)
        for key in arguments if command == "keys" else arguments[0]:
            hand.press(key.split("+") if command == "keys" else [key])
        time.sleep(0.5)
    elif command == "click":
        hand = Hand(arguments[0])
        hand.click(float(arguments[1]), float(arguments[2]))
        time.sleep(0.5)
    elif command == "shot":
        shot(*arguments)


main()
