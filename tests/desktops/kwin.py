#!/usr/bin/python3
"""Asks KWin, which has to run with KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 and KWIN_SCREENSHOT_NO_PERMISSION_CHECKS=1.

  kwin.py keys KEY...              presses keys one after the other, as in F10, or ctrl+c
  kwin.py type TEXT                small letters and slashes
  kwin.py click X Y                the left button, there on the desktop
  kwin.py arrange OUTPUT=SCALE...  these are on, side by side in this order, and no other
  kwin.py shot OUTPUT FILE         what it shows, as a PPM
  kwin.py script TEXT              runs it in KWin
"""
import os
import socket
import struct
import sys
import tempfile
import threading
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

# Codes of the kernel's.
ROWS = {16: "qwertyuiop", 30: "asdfghjkl", 44: "zxcvbnm", 2: "1234567890"}
KEYS = {letter: first + i for first, row in ROWS.items() for i, letter in enumerate(row)}
KEYS.update({"/": 53, "Escape": 1, "Return": 28, "Tab": 15, "F4": 62, "F10": 68, "ctrl": 29, " ": 57})


class Client:
    """Of the compositor, by the bytes of the protocol."""

    def __init__(self, version, *interfaces):
        """Binds all globals of these: self.bound has their names and interfaces."""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.held = b""
        self.last = 2  # number of the newest object
        self.bound = []
        self.send(1, 1, struct.pack("=I", 2))  # wl_display.get_registry
        for who, what, body in self.turn():
            if who == 2 and what == 0:
                name, = struct.unpack_from("=I", body)
                interface, after = self.read_text(body, 4)
                offered, = struct.unpack_from("=I", body, after)
                if interface in interfaces:
                    self.last += 1
                    self.bound.append((self.last, interface))
                    new = struct.pack("=II", min(version, offered), self.last)
                    self.send(2, 0, struct.pack("=I", name) + self.text(interface) + new)

    @staticmethod
    def text(text):
        data = text.encode() + b"\0"
        return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)

    @staticmethod
    def read_text(body, at):
        length, = struct.unpack_from("=I", body, at)
        return body[at + 4:at + 4 + length - 1].decode(), at + 4 + (length + 3) // 4 * 4

    def send(self, who, what, body=b""):
        self.socket.sendall(struct.pack("=II", who, (8 + len(body)) << 16 | what) + body)

    def turn(self):
        """What the compositor has to say until it has heard all."""
        self.last += 1
        call = self.last
        self.send(1, 0, struct.pack("=I", call))  # wl_display.sync
        told = []
        while True:
            while len(self.held) >= 8:
                who, what = struct.unpack_from("=II", self.held)
                size = what >> 16
                if len(self.held) < size:
                    break
                body, self.held = self.held[8:size], self.held[size:]
                if who == call:
                    return told
                if who == 1 and what & 0xFFFF == 0:
                    sys.exit("KWin refuses it: " + self.read_text(body, 8)[0])
                told.append((who, what & 0xFFFF, body))
            more = self.socket.recv(65536)
            if not more:
                sys.exit("KWin has gone")
            self.held += more


def arrange(wishes):
    """By kde_output_management_v2."""
    enable, move, set_scale, apply = 0, 3, 4, 5
    current_mode, mode_comes, named, mode_size = 1, 2, 14, 0
    client = Client(2, "kde_output_management_v2", "kde_output_device_v2")
    devices, widths, modes = {}, {}, {}
    manager = [new for new, interface in client.bound if interface.endswith("management_v2")][0]
    for who, what, body in client.turn():
        if who >= 0xFF000000 and what == mode_size:  # a mode, which the compositor has named
            widths[who], = struct.unpack_from("=i", body)
        elif what == current_mode and who in [new for new, _ in client.bound]:
            modes[who], = struct.unpack_from("=I", body)
        elif what == named and who in [new for new, _ in client.bound]:
            devices[client.read_text(body, 0)[0]] = who
    client.last += 1
    configuration = client.last
    client.send(manager, 0, struct.pack("=I", configuration))
    x = 0
    on = dict(wish.split("=") for wish in wishes)
    for name, scale in on.items():
        device = devices[name]
        client.send(configuration, enable, struct.pack("=Ii", device, 1))
        client.send(configuration, move, struct.pack("=Iii", device, x, 0))
        client.send(configuration, set_scale, struct.pack("=Ii", device, int(float(scale) * 256)))
        x += int(widths[modes[device]] / float(scale))
    for name, device in devices.items():
        if name not in on:
            client.send(configuration, enable, struct.pack("=Ii", device, 0))
    client.send(configuration, apply)
    time.sleep(0.5)
    if not any(who == configuration and what == 0 for who, what, _ in client.turn()):
        sys.exit("KWin does not arrange outputs so")


class Hand(Client):
    """The compositor's fake input: its keyboard and its pointer."""

    def __init__(self):
        super().__init__(4, "org_kde_kwin_fake_input")
        if not self.bound:
            sys.exit("there is no fake input")
        self.input = self.bound[0][0]
        self.send(self.input, 0, self.text("froth") + self.text("test"))

    def press(self, names):
        codes = [KEYS[name] for name in names]
        for code, pressed in [(code, 1) for code in codes] + [(code, 0) for code in reversed(codes)]:
            self.send(self.input, 10, struct.pack("=II", code, pressed))
            time.sleep(0.05)

    def click(self, x, y):
        self.send(self.input, 9, struct.pack("=ii", int(x * 256), int(y * 256)))
        time.sleep(0.3)
        for pressed in 1, 0:
            self.send(self.input, 2, struct.pack("=II", 0x110, pressed))
            time.sleep(0.1)


def call(path, interface, method, arguments, descriptors=None):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    return bus.call_with_unix_fd_list_sync("org.kde.KWin", path, interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                                           20000, descriptors, None)[0].unpack()


def shot(output, file):
    reads, writes = os.pipe()
    data = []

    def read():
        with os.fdopen(reads, "rb") as pipe:
            data.append(pipe.read())

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    descriptors = Gio.UnixFDList.new_from_array([writes])
    options = {"native-resolution": GLib.Variant("b", True)}
    told, = call("/org/kde/KWin/ScreenShot2", "org.kde.KWin.ScreenShot2", "CaptureScreen",
                 GLib.Variant("(sa{sv}h)", (output, options, 0)), descriptors)
    del descriptors
    reader.join()
    width, height, stride = told["width"], told["height"], told["stride"]
    with open(file, "wb") as out:
        out.write(b"P6 %d %d 255\n" % (width, height))
        for y in range(height):
            row = data[0][y * stride:y * stride + 4 * width]  # blue, green, red and one more
            line = bytearray(3 * width)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            out.write(line)


def script(text):
    with tempfile.NamedTemporaryFile("w", suffix=".js") as file:
        file.write(text)
        file.flush()
        name = os.path.basename(file.name)
        number, = call("/Scripting", "org.kde.kwin.Scripting", "loadScript", GLib.Variant("(ss)", (file.name, name)))
        for path in f"/Scripting/Script{number}", f"/{number}":  # of KWin 6, and of 5
            try:
                call(path, "org.kde.kwin.Script", "run", None)
                break
            except GLib.Error:
                pass
        call("/Scripting", "org.kde.kwin.Scripting", "unloadScript", GLib.Variant("(s)", (name,)))


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command in ("keys", "type"):
        hand = Hand()
        time.sleep(1)
        for key in arguments if command == "keys" else arguments[0]:
            hand.press(key.split("+") if command == "keys" else [key])
        time.sleep(0.5)
    elif command == "click":
        hand = Hand()
        time.sleep(0.5)
        hand.click(float(arguments[0]), float(arguments[1]))
        time.sleep(0.5)
    elif command == "arrange":
        arrange(arguments)
    elif command == "shot":
        shot(*arguments)
    elif command == "script":
        script(arguments[0])


main()
