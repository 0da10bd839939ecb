#!/usr/bin/env python3
"""Drives the source for OBS in an OBS that runs, by its websocket: talk.py PORT SOURCE LOG

The scene Stage has a media source Music, which sounds, and a source Painter. LOG: what OBS writes.
Prints what it looks at; ends with 1 at the first thing that is not as it should be.
"""
import base64
import json
import struct
import sys
import time

import websocket

PATIENCE = 120  # seconds


def fail(why):
    print("FAILED:", why)
    sys.exit(1)


class Obs:
    def __init__(self, port):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}", timeout=PATIENCE)
                break
            except OSError:
                if time.monotonic() > end:
                    fail("OBS does not answer")
                time.sleep(0.2)
        self.requests = 0
        self.socket.recv()
        self.socket.send(json.dumps({"op": 1, "d": {"rpcVersion": 1, "eventSubscriptions": 0}}))
        self.socket.recv()

    def ask(self, request, **data):
        """The answer's status, and what it says."""
        self.requests += 1
        name = str(self.requests)
        words = {"requestType": request, "requestId": name, "requestData": data}
        self.socket.send(json.dumps({"op": 6, "d": words}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer["op"] == 7 and answer["d"]["requestId"] == name:
                return answer["d"]["requestStatus"], answer["d"].get("responseData", {})

    def call(self, request, **data):
        status, answer = self.ask(request, **data)
        if not status["result"]:
            fail(f"{request} {data}: {status}")
        return answer

    def set(self, source="Painter", **settings):
        self.call("SetInputSettings", inputName=source, inputSettings=settings)

    def look(self, name="Stage"):
        """A picture of 64x36 as bytes blue, green, red; None where the source has none yet."""
        status, answer = self.ask("GetSourceScreenshot", sourceName=name, imageFormat="bmp",
                                  imageWidth=64, imageHeight=36)
        if not status["result"]:
            return None
        data = base64.b64decode(answer["imageData"].split(",")[1])
        start, = struct.unpack_from("<I", data, 10)
        width, height, _, bits = struct.unpack_from("<iiHH", data, 18)
        step = bits // 8
        stride = (width * step + 3) // 4 * 4
        rows = [data[start + y * stride:start + (y + 1) * stride] for y in range(abs(height))]
        return b"".join(row[x * step:x * step + 3] for row in rows for x in range(width))


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            fail(what)
        time.sleep(0.1)
    print("seen:", what)


def mean(picture):
    """Of blue, green and red, 0..255."""
    count = len(picture) // 3
    return [sum(picture[c::3]) / count for c in range(3)]


def main():
    obs = Obs(sys.argv[1])
    presets = sys.argv[2] + "/tests/obs/presets"
    log = sys.argv[3]

    def is_bright(name="Stage"):
        picture = obs.look(name)
        return picture is not None and max(mean(picture)) > 5 and len(set(picture)) > 20

    def lives(what, name="Stage"):
        wait_for(what + ": there is a picture", lambda: is_bright(name))
        first = obs.look(name)
        wait_for(what + ": it moves", lambda: obs.look(name) != first)

    def has_colour(blue, red, name="Stage"):
        picture = obs.look(name)
        if picture is None:
            return False
        shown = mean(picture)
        return (shown[0] > 150) == blue and (shown[2] > 150) == red

    lives("the scene as it was loaded")

    # A file that is not there: OBS's log says so, and what was there goes on.
    obs.set(file="/nowhere/at all.milk")
    wait_for("OBS's log names the file that is not there",
             lambda: "/nowhere/at all.milk" in open(log, errors="replace").read())
    lives("the last good preset")

    # Values, a size of its own, a rate.
    obs.set(blackout=True)
    wait_for("a black picture", lambda: max(mean(obs.look())) < 1)
    obs.set(blackout=False, width=320, height=200, rate=12)
    lives("another size")
    items = obs.call("GetSceneItemList", sceneName="Stage")["sceneItems"]
    painter = [item for item in items if item["sourceName"] == "Painter"][0]["sceneItemId"]

    def width():
        return obs.call("GetSceneItemTransform", sceneName="Stage",
                        sceneItemId=painter)["sceneItemTransform"]["sourceWidth"]
    wait_for("320 pixels across", lambda: width() == 320)
    obs.set(width=0, height=0, rate=0)
    wait_for("the canvas's size", lambda: width() == 640)

    # It hears the source that is named, and no other.
    obs.set(file=presets + "/line.milk", blend=0, audio="source:Music")

    def lit():
        picture = obs.look()
        return sum(1 for value in picture[:len(picture) // 3] if value > 64)

    def is_line():
        return 0 < sum(1 for value in obs.look()[::3] if value > 64) < 64 * 36 / 4
    wait_for("the line alone", is_line)
    wait_for("sound moves the line", lambda: lit() > 0)
    obs.set(audio="none")
    wait_for("silence does not", lambda: lit() == 0 and lit() == 0)
    obs.set(audio="track:1")
    wait_for("a track moves it as well", lambda: lit() > 0)
    obs.call("SetInputName", inputName="Music", newInputName="Song")
    obs.set(audio="source:Music")
    wait_for("a source that is not there is silent", lambda: lit() == 0 and lit() == 0)
    obs.call("SetInputName", inputName="Song", newInputName="Music")
    wait_for("it is heard as soon as it has that name", lambda: lit() > 0)

    # A folder, and hotkeys.
    obs.set(show="folder", folder=presets + "/both", random=False, advance=10000)
    wait_for("the folder's first preset", lambda: has_colour(blue=True, red=False))
    obs.call("TriggerHotkeyByName", hotkeyName="froth.next")
    wait_for("the next one", lambda: has_colour(blue=False, red=True))
    obs.call("TriggerHotkeyByName", hotkeyName="froth.previous")
    wait_for("the former one", lambda: has_colour(blue=True, red=False))
    obs.call("TriggerHotkeyByName", hotkeyName="froth.blackout")
    wait_for("black by a hotkey", lambda: max(mean(obs.look())) < 1)
    if not obs.call("GetInputSettings", inputName="Painter")["inputSettings"]["blackout"]:
        fail("the settings do not know what a hotkey did")
    obs.call("TriggerHotkeyByName", hotkeyName="froth.blackout")
    wait_for("blue again", lambda: has_colour(blue=True, red=False))

    # A second source beside it; the scene's own stands still while it is hidden.
    obs.call("CreateInput", sceneName="Stage", inputName="Second", inputKind="froth",
             inputSettings={"show": "file", "file": presets + "/both/red.milk"})
    wait_for("two sources, each with its own preset",
             lambda: has_colour(False, True, "Second") and has_colour(True, False, "Painter"))
    obs.set("Second", show="presets")
    lives("the presets that come with froth", "Second")
    second = obs.call("GetSceneItemId", sceneName="Stage", sourceName="Second")["sceneItemId"]
    obs.call("SetSceneItemEnabled", sceneName="Stage", sceneItemId=second, sceneItemEnabled=False)
    time.sleep(1)
    still = obs.look("Second")
    time.sleep(1)
    if obs.look("Second") != still:
        fail("a hidden source paints on")
    obs.call("SetSceneItemEnabled", sceneName="Stage", sceneItemId=second, sceneItemEnabled=True)
    wait_for("it goes on when it is shown", lambda: obs.look("Second") != still)

    # Removed while they play; what it listens to, too.
    obs.call("RemoveInput", inputName="Music")
    obs.call("RemoveInput", inputName="Second")
    obs.set(show="presets")
    lives("one source is left")
    obs.call("CreateInput", sceneName="Stage", inputName="Third", inputKind="froth",
             inputSettings={"show": "presets"})
    obs.call("RemoveInput", inputName="Third")
    lives("a source that came and went leaves the other alone")
    print("all well")


main()
