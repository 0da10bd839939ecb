"""Who would break the page for the phone, all at once: stage_attack.py PORT COOKIE LINK SECONDS

A thousand connections over and over, wrong tokens, a link that was used, requests that are too large, a page that floods its
socket, and four that read nothing. Prints how much of each there was; anything that is let in ends it."""

import os
import resource
import socket
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))

from remote import Page, Refused, ask, connect  # noqa: E402

port, cookie, link, seconds = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
ends = time.monotonic() + seconds
counts = dict.fromkeys(("connections", "wrong tokens", "used links", "too large", "lines", "slow readers"), 0)
let_in = []


def until_the_end(act):
    while time.monotonic() < ends and not let_in:
        try:
            act()
        except (OSError, EOFError, Refused):
            time.sleep(0.01)


def refused(what, status, *allowed):
    """Nothing at all comes from a connection that had to make room."""
    counts[what] += 1
    if status not in (0, *allowed):
        let_in.append(f"{what}: {status}")


def crowd():
    made = []
    try:
        for _ in range(1000):
            made.append(connect(port))
            counts["connections"] += 1
    finally:
        for one in made:
            one.close()


def hostile():
    number = sum(counts.values())
    refused("wrong tokens", ask(port, headers=[f"Cookie: froth={number:032x}"])[0], 403)
    refused("wrong tokens", ask(port, f"GET /?token={number:032x} HTTP/1.1")[0], 403)
    refused("used links", ask(port, f"GET /{link} HTTP/1.1")[0], 403)
    refused("too large", ask(port, headers=["X: " + "a" * 20000])[0], 400, 403, 413, 414, 431)
    refused("too large", ask(port, "POST /pair HTTP/1.1", ["Content-Length: 1000000"], b"a" * 1000000)[0], 403, 413)


def push():
    page = Page(port, cookie)
    page.socket.settimeout(0.2)
    while time.monotonic() < ends:
        page.send("call undo")
        counts["lines"] += 1


def read_nothing():
    pages = [Page(port, cookie, receive_buffer=2048) for _ in range(4)]
    counts["slow readers"] += len(pages)
    for page in pages:
        for _ in range(100):
            page.send("values")
    time.sleep(6)
    for page in pages:
        page.socket.close()


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
threads = [threading.Thread(target=until_the_end, args=(act,)) for act in (crowd, hostile, push, read_nothing)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(", ".join(f"{count} {what}" for what, count in counts.items()))
if let_in:
    sys.exit("let in: " + ", ".join(let_in))
