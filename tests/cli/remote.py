"""Phones, and who would like to be one, for remote.sh: remote.py PORT COOKIE WHAT..., byte by byte."""

import base64
import json
import os
import re
import resource
import socket
import statistics
import struct
import sys
import threading
import time

PATIENCE = float(os.environ.get("FROTH_TEST_PATIENCE", 300))  # seconds that a busy machine may take
COOKIE = "Path=/; HttpOnly; SameSite=Strict"


class Refused(Exception):
    pass


def connect(port, receive_buffer=0):
    made = socket.socket()
    if receive_buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    made.settimeout(PATIENCE)
    made.connect(("127.0.0.1", port))
    return made


def ask(port, start="GET / HTTP/1.1", headers=(), body=b"", host=None):
    """One request of its own; status, headers in small letters, body; status 0: cut off without an answer."""
    made = connect(port)
    lines = [start, "Host: " + (host or f"127.0.0.1:{port}"), "Connection: close", *headers, "", ""]
    data = b""
    try:
        made.sendall("\r\n".join(lines).encode("latin-1") + body)
        while chunk := made.recv(65536):
            data += chunk
    except ConnectionError:
        pass
    made.close()
    head, _, rest = data.partition(b"\r\n\r\n")
    rows = head.decode("latin-1").split("\r\n")
    if len(rows[0].split()) < 2:
        return 0, {}, b""
    return int(rows[0].split()[1]), {k.lower(): v.strip() for k, _, v in (row.partition(":") for row in rows[1:])}, rest


class Page:
    """A live socket."""

    def __init__(self, port, cookie, origin=None, protocol="froth", receive_buffer=0, path="/live"):
        self.socket = connect(port, receive_buffer)
        self.left = b""
        headers = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                   "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version: 13"]
        headers += [f"Cookie: {cookie}"] if cookie else []
        headers += [f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []
        if origin != "":
            headers.append("Origin: " + (origin or f"http://127.0.0.1:{port}"))
        self.socket.sendall("\r\n".join(headers + ["", ""]).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            byte = self.socket.recv(1)
            if not byte:
                break
            head += byte
        self.status = int(head.split()[1]) if head else 0
        if self.status != 101:
            raise Refused(self.status)

    def send(self, text, kind=1, final=True):
        data = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        size = struct.pack(">B", 0x80 | len(data)) if len(data) < 126 else struct.pack(">BH", 0xFE, len(data))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(bytes([(0x80 if final else 0) | kind]) + size + mask + masked)

    def take(self, count):
        while len(self.left) < count:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise EOFError
            self.left += chunk
        data, self.left = self.left[:count], self.left[count:]
        return data

    def hear(self):
        """The next object; {"close": CODE} where it is closed."""
        while True:
            kind, size = self.take(2)
            size = {126: lambda: struct.unpack(">H", self.take(2))[0],
                    127: lambda: struct.unpack(">Q", self.take(8))[0]}.get(size, lambda: size)()
            data = self.take(size)
            if kind & 15 == 8:
                return {"close": struct.unpack(">H", data[:2])[0] if data else 0}
            if kind & 15 == 1:
                return json.loads(data)
            if kind & 15 == 9:
                self.send(data, 10)

    def end(self):
        """Waits until it is closed; with which code, 0 where it is cut off."""
        try:
            while "close" not in (told := self.hear()):
                pass
        except (EOFError, ConnectionError):
            return 0
        return told["close"]

    def wait(self, key, fits=lambda value: True):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            told = self.hear()
            if key in told and fits(told[key]):
                return told[key]
            if "close" in told:
                raise EOFError(f"closed with {told}")
        raise TimeoutError(key)


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} in place of {wanted!r}")


def enter(port, link):
    """By the link, which works once; prints the cookie."""
    status, headers, _ = ask(port, f"GET /{link} HTTP/1.1")
    expect("the link", status, 200)
    cookie, _, rest = headers["set-cookie"].partition("; ")
    expect("cookie", rest, COOKIE)
    expect("the link again", ask(port, f"GET /{link} HTTP/1.1")[0], 403)
    print(cookie)


def outside(port, cookie):
    """Who has no cookie gets nothing."""
    expect("no cookie", ask(port)[0], 403)
    expect("a page without a cookie", ask(port, "GET /page/page.html HTTP/1.1")[0], 403)
    expect("a picture without a cookie", ask(port, "GET /thumb/0 HTTP/1.1")[0], 403)
    expect("a wrong cookie", ask(port, headers=["Cookie: froth=" + "0" * 32])[0], 403)
    for origin, wrong in (None, ""), (None, "froth=" + "0" * 32), ("http://evil.example", cookie), ("", cookie):
        try:
            Page(port, wrong, origin)
            sys.exit(f"a socket was opened: {origin} {wrong}")
        except Refused as refused:
            expect("a strange socket", refused.args[0], 403)


def inside(port, cookie):
    mine = [f"Cookie: {cookie}"]
    status, headers, body = ask(port, headers=mine)
    expect("the page", status, 200)
    for name, value in ("cache-control", "no-store"), ("x-content-type-options", "nosniff"):
        expect(name, headers.get(name), value)
    if not headers.get("content-security-policy", "").startswith("default-src 'none';"):
        sys.exit(f"policy: {headers}")
    for path in set(re.findall(rb'"(/page/[a-z.]+)"', body)):
        expect(path, ask(port, f"GET {path.decode()} HTTP/1.1", mine)[0], 200)
    expect("another name of this machine", ask(port, headers=mine, host=f"evil.example:{port}")[0], 421)
    expect("another origin", ask(port, headers=[*mine, "Origin: http://evil.example"])[0], 403)
    expect("what is not there", ask(port, "GET /page/../../etc/passwd HTTP/1.1", mine)[0], 404)
    expect("another method", ask(port, "PUT / HTTP/1.1", mine)[0], 405)


def live(port, cookie):
    page = Page(port, cookie)
    expect("hello", page.wait("hello")["size"], [64, 48])
    page.wait("state", lambda state: state["name"] == "one" and state["fps"] > 0)
    page.send("call blackout on")
    page.wait("state", lambda state: state["blackout"] == 1)
    page.send("value zoom 1.25")
    page.wait("state", lambda state: state["values"].get("zoom") == 1.25)
    page.send("list 0 10")
    found = page.wait("list")
    expect("list", [entry["name"] for entry in found["entries"]], ["one", "two"])
    page.send("list 0 10 tw")
    found = page.wait("list")
    expect("search", [entry["name"] for entry in found["entries"]], ["two"])
    number = found["entries"][0]["id"]
    page.send("call lo", final=False)
    page.send(f"ad ={number}", 0)
    page.wait("state", lambda state: state["preset"] == number)
    page.send("where")
    expect("where", page.wait("where")["at"], 1)
    page.send("values")
    names = {value["name"] for value in page.wait("values", lambda values: isinstance(values, list))}
    expect("values", ("zoom" in names, "fullscreen" in names), (True, False))
    for line in "call quit", "call load /etc/passwd", "call save x", "value fullscreen 1", "nothing":
        page.send(line)
        page.wait("note")
    page.send("call blackout off")
    page.wait("state", lambda state: state["blackout"] == 0)
    for wrong, kind, code in ("x" * 600, 1, 1009), ("call next", 2, 1003):
        other = Page(port, cookie)
        other.send(wrong, kind)
        if other.end() not in (code, 0):
            sys.exit("a wrong message is taken")


def oversized(port, cookie):
    for headers, body in ([f"X: {'a' * 20000}"], b""), ([f"Cookie: froth={'a' * 3000}"], b""):
        if ask(port, headers=headers, body=body)[0] not in (0, 400, 403, 413, 414, 431):
            sys.exit("a header that is too long is taken")
    origin = f"Origin: http://127.0.0.1:{port}"
    for size in 65, 10**6:
        status = ask(port, "POST /pair HTTP/1.1", [origin, f"Content-Length: {size}"], b"a" * size)[0]
        if status not in (0, 403, 413):
            sys.exit(f"{size} bytes are taken: {status}")
    expect("a path that is too long", ask(port, f"GET /{'a' * 1000} HTTP/1.1")[0], 431)


class Watcher:
    """What a page sees of the show's pace."""

    def __init__(self, port, cookie):
        self.page = Page(port, cookie)
        self.states = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        try:
            while "close" not in (told := self.page.hear()):
                if "state" in told:
                    self.states.append((time.monotonic(), told["state"]["fps"]))
        except (OSError, EOFError):
            pass  # what is measured next says so

    def measure(self, what, since):
        rates = [rate for at, rate in self.states if at >= since + 1.5]
        if not rates:
            sys.exit(f"{what}: the page is told nothing")
        print(f"{what}: {statistics.median(rates):.1f} frames a second, {len(rates)} states")
        return statistics.median(rates)


def flood(seconds, act):
    since = time.monotonic()
    while time.monotonic() - since < seconds:
        try:
            act()
        except OSError:
            pass
    return since


def attack(port, cookie):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    watcher = Watcher(port, cookie)
    slow = [Page(port, cookie, receive_buffer=2048) for _ in range(4)]
    def undisturbed():
        return watcher.measure("undisturbed", flood(3, lambda: time.sleep(0.1)))

    def holds(what, act, rate):
        """The show's pace; other programs may slow it down as well, so that it is looked at again."""
        for _ in range(10):
            found = watcher.measure(what, act())
            if found >= rate / 2:
                return
            rate = undisturbed()
        sys.exit(f"{what}: {found} frames a second in place of {rate}")

    rate = undisturbed()
    for page in slow:
        for _ in range(100):
            page.send("values")

    crowd = []

    def gather():
        since = time.monotonic()
        crowd.extend(connect(port) for _ in range(1000 - len(crowd)))
        expect("one of many", ask(port, headers=[f"Cookie: {cookie}"])[0], 200)
        flood(max(0, since + 3 - time.monotonic()), lambda: time.sleep(0.1))
        return since

    holds("1,000 connections", gather, rate)
    stays = 0
    for one in crowd:
        one.setblocking(False)
        try:
            stays += one.recv(1) != b""
        except BlockingIOError:
            stays += 1
        except OSError:
            pass
        one.close()
    if stays > 64:
        sys.exit(f"{stays} connections are kept")

    def request():
        made = connect(port)
        made.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        made.close()

    holds("requests", lambda: flood(3, request), rate)
    pusher = Page(port, cookie)
    pusher.socket.settimeout(0.2)
    holds("lines", lambda: flood(3, lambda: pusher.send("call undo")), rate)
    pusher.socket.close()
    for page in slow:
        told = 0
        try:
            while told < 200 and "close" not in page.hear():
                told += 1
        except (OSError, EOFError):
            pass
        if told >= 200:
            sys.exit("who reads nothing is kept")
        page.socket.close()
    pages = [Page(port, cookie) for _ in range(10)]
    ends = [page.hear() for page in pages]
    if {"close": 4002} not in ends or not any("hello" in end for end in ends):
        sys.exit(f"ten pages: {ends}")


def dawdle(port, cookie):
    """Half a request is cut off."""
    made = connect(port)
    made.sendall(b"GET / HTTP/1.1\r\nHost:")
    expect("half a request", made.recv(1), b"")


def until_unpaired(port, cookie):
    page = Page(port, cookie)
    page.wait("state")
    print("open", flush=True)
    expect("unpaired", page.end(), 4001)
    expect("a token that was revoked", ask(port, headers=[f"Cookie: {cookie}"])[0], 403)


def pair(port, code):
    """From nothing to the page: pair CODE."""
    origin = f"Origin: http://127.0.0.1:{port}"

    def post(form, *headers):
        return ask(port, "POST /pair HTTP/1.1", [*headers, f"Content-Length: {len(form)}"], form.encode())

    expect("without an origin", post(f"code={code}")[0], 403)
    expect("no code", post("code=12345", origin)[0], 400)
    wrong = f"{(int(code) + 1) % 1000000:06}"
    since = time.monotonic()
    expect("a wrong code", post(f"code={wrong}", origin)[0], 403)
    status, headers, _ = post(f"code={code}", origin)
    if status != 200 or time.monotonic() - since < 1:  # on a busy machine it does not come at once
        expect("the right code at once", status, 429)
        time.sleep(float(headers["retry-after"]) + 0.1)
        status, headers, _ = post(f"code={code}", origin)
    expect("the right code", status, 200)
    cookie, _, rest = headers["set-cookie"].partition("; ")
    expect("cookie", rest, COOKIE)
    expect("the same code again", post(f"code={code}", origin)[0], 410)
    status, headers, _ = ask(port, headers=[f"Cookie: {cookie}"])
    expect("the page", (status, headers.get("x-froth-page")), (200, None))
    Page(port, cookie).wait("state")


def unpaired(port, cookie):
    """What --remote lan shows to who is not paired."""
    status, headers, body = ask(port)
    expect("the page for pairing", (status, headers.get("x-froth-page")), (200, "pair"))
    if b"one" in re.sub(rb"<[^>]*>", b"", body).split():
        sys.exit("it names a preset")
    for path in "/page/page.html", "/page/main.js", "/thumb/0", "/anything":
        expect(path, ask(port, f"GET {path} HTTP/1.1")[0], 403)
    try:
        Page(port, "")
        sys.exit("a socket was opened")
    except Refused as refused:
        expect("a socket", refused.args[0], 403)


if __name__ == "__main__":
    for name in sys.argv[3:]:
        globals()[name](int(sys.argv[1]), sys.argv[2])
