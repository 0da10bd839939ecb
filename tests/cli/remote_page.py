"""The page for the phone, used in Chromium by fingers: remote_page.py LINK PORT-OF-OSC FOLDER [PICTURES].

Froth is asked by Open Sound Control what it does. What is to be done with its process is printed.
"""

import os
import re
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from osc import Froth

PRESETS = 10000
PHONE, ASIDE, TABLET = (360, 640), (740, 360), (1180, 820)
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]


class Page:
    def __init__(self, folder):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS + [f"--user-data-dir={folder}/browser"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.lies(*PHONE)
        self.command("Emulation.setTouchEmulationEnabled", enabled=True)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def counts(self):
        """How long each touch lasts."""
        self.run("""let since = 0;
                    addEventListener('pointerdown', event => { since = event.timeStamp; }, true);
                    addEventListener('pointerup', event => { window.lasted = event.timeStamp - since; }, true)""")

    def lies(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, script, what, *arguments):
        end = time.monotonic() + 60
        while not (found := self.run(f"return {script}", *arguments)):
            if time.monotonic() > end:
                fail(f"{what}: {script}")
            time.sleep(0.05)
        return found

    def place(self, selector):
        """The middle of the first that is found."""
        self.until("document.querySelector(arguments[0]) !== null", f"there is no {selector}", selector)
        return self.run("""const box = document.querySelector(arguments[0]).getBoundingClientRect();
                           return [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height]""", selector)

    def touch(self, kind, *points):
        self.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def tap(self, selector, times=1, by_itself=False):
        """How many seconds the finger was there: more than it should, if the machine is slow. by_itself: the browser lifts
        the finger; between two commands to it a busy machine may do much else."""
        x, y = self.place(selector)[:2]
        for _ in range(times):
            if by_itself:
                self.command("Input.synthesizeTapGesture", x=round(x), y=round(y), duration=20, gestureSourceType="touch")
            else:
                self.touch("touchStart", (x, y))
                self.touch("touchEnd")
        return self.run("return window.lasted / 1000")

    def tap_shortly(self, selector, seconds, undo=lambda: None, times=1):
        """Again if it was too long to be a tap, once that is undone."""
        for turn in range(23):
            if self.tap(selector, times, by_itself=turn >= 3) < seconds:
                return
            time.sleep(1)
            undo()
        fail("the machine is too slow for a tap")

    def hold(self, selector, seconds):
        x, y = self.place(selector)[:2]
        self.touch("touchStart", (x, y))
        time.sleep(seconds)
        self.touch("touchEnd")

    def drag(self, selector, parts):
        """From the middle, by parts of the width; the finger stays down for a moment first."""
        x, y, width, _ = self.place(selector)
        self.touch("touchStart", (x, y))
        time.sleep(0.1)
        for step in range(1, 11):
            self.touch("touchMove", (x + parts * width * step / 10, y))
        self.touch("touchEnd")

    def write(self, selector, text):
        self.run("document.querySelector(arguments[0]).focus()", selector)
        for letter in text:
            self.command("Input.insertText", text=letter)


def fail(why):
    raise SystemExit(f"FAILED: {why}")


def expect(is_so, why):
    if not is_so:
        fail(why)


def tile(at):
    """The selector of a tile by its place from 0."""
    return f".tile[aria-posinset='{at + 1}']"


def name(number):
    return f"band {number // 100:02} - song {number:04}"


def shows_grid(page, pictures):
    page.until(f"document.getElementById('total')?.textContent === '{PRESETS}'", "the presets are not there")
    page.until("document.body.dataset.link === 'on' && document.querySelector('.tile.playing')", "nothing is marked")
    page.until("document.querySelector('.tile img')?.naturalWidth > 0", "there is no picture")
    count = page.run("return document.querySelectorAll('.tile').length")
    expect(9 <= count <= 60, f"{count} tiles stand for {PRESETS}")
    small = page.run("""return [...document.querySelectorAll('button, .slider, .tile, input')]
        .filter(one => one.checkVisibility()).map(one => [one.id || one.className, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 48 || box.height < 48).map(([name]) => name)""")
    expect(small == [], f"these are too small for a thumb: {small}")
    wide = page.run("return [...document.querySelectorAll('button')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id)")
    expect(wide == [], f"text is cut off: {wide}")
    if pictures:
        for what, size in {"portrait": PHONE, "landscape": ASIDE, "tablet": TABLET}.items():
            page.lies(*size)
            time.sleep(1)
            page.driver.save_screenshot(f"{pictures}/{what}.png")
        page.lies(*PHONE)
        page.until(f"document.querySelector({tile(3)!r})", "the grid does not come back")


def plays_presets(page, froth):
    page.tap_shortly(tile(4), 0.4)
    froth.until("preset", lambda preset: preset == name(4), "a tap plays nothing")
    page.until(f"document.querySelector({tile(4) + '.playing'!r})", "what plays is not marked")
    # The list goes to its end and back without an entry more in the page.
    page.run("const list = document.getElementById('scroll'); list.scrollTop = list.scrollHeight")
    page.until(f"document.querySelector({tile(PRESETS - 1)!r})?.ariaLabel === '{name(PRESETS - 1)}'", "the end of the list")
    expect(page.run("return document.querySelectorAll('.tile').length") <= 60, "tiles pile up")
    time.sleep(0.2)
    page.tap_shortly(tile(PRESETS - 1), 0.4)
    froth.until("preset", lambda preset: preset == name(PRESETS - 1), "the last preset cannot be played")
    page.run("document.getElementById('scroll').scrollTop = 0")
    page.until(f"document.querySelector({tile(0)!r})", "the begin of the list")
    page.tap("#playing")
    page.until(f"document.querySelector({tile(PRESETS - 1) + '.playing'!r})", "it does not go to what plays")


def fades_and_cuts(page, froth):
    froth.say("/value/blend", 20.0)
    page.until("document.querySelector('#fade output').textContent === '20 s'", "the time of a fade is not shown")
    page.run("document.getElementById('scroll').scrollTop = 0")
    page.until(f"document.querySelector({tile(1)!r})", "the begin of the list")
    time.sleep(0.2)
    page.tap_shortly(tile(1), 0.4)
    page.until(f"document.querySelector({tile(1) + '.coming'!r})", "a tap does not fade")
    page.hold(tile(2), 1)
    page.until(f"document.querySelector({tile(2) + '.playing'!r}) && !document.querySelector('.coming')", "to hold does not cut")
    froth.until("preset", lambda preset: preset == name(2), "to hold plays nothing")
    page.tap("#cut")
    froth.until("preset", lambda preset: preset == name(3), "no cut to the next")
    page.tap("#next")
    page.until(f"document.querySelector({tile(4) + '.coming'!r})", "no fade to the next")
    page.tap("#back")
    froth.until("preset", lambda preset: preset == name(3), "it does not go back")
    froth.say("/value/blend", 0.0)


def searches(page):
    total = PRESETS
    for letters in ["77", "7", "1"]:
        page.write("#seek", letters)
        before, total = total, None
        page.until(f"+document.getElementById('total').textContent < {before}", "typing finds nothing less")
        page.until("[...document.querySelectorAll('.tile')].every(one => one.ariaLabel.includes(document.getElementById('seek').value))",
                   "what is found does not fit")
        total = int(page.run("return document.getElementById('total').textContent"))
    expect(total == 1, f"7771 finds {total}")
    page.write("#seek", "x")
    page.until("!document.getElementById('empty').hidden && document.querySelectorAll('.tile').length === 0", "nothing found is not said")
    page.tap("#presets .clear")
    page.until(f"document.getElementById('total').textContent === '{PRESETS}'", "a search cannot be cleared")
    page.run("document.activeElement.blur()")


def keeps_favourites(page, froth):
    preset = froth.ask("preset")
    page.tap("#favourite")
    page.until("document.getElementById('favourite').ariaPressed === 'true'", "no favourite")
    page.tap("#stars")
    page.until(f"document.getElementById('total').textContent === '1' && document.querySelector({tile(0)!r})?.ariaLabel.startsWith('{preset}, favourite')",
               "favourites are not found")
    page.tap("#stars")
    page.until(f"document.getElementById('total').textContent === '{PRESETS}'", "the others do not come back")


def taps_the_tempo(page, froth):
    # On a busy machine taps may be too uneven to be a tempo.
    for _ in range(20):
        for _ in range(6):
            page.tap("#beat")
            time.sleep(0.5)
        if froth.ask("sound/clock") == "tap":
            break
    froth.until("sound/clock", lambda who: who == "tap", "taps set no tempo")
    froth.say("/value/tempo", 0.0)


def moves_sliders(page, froth):
    page.tap(".tab[data-to=sliders]")
    gamma = ".slider[data-value=gamma]"
    page.until("document.querySelector(arguments[0])?.ariaValueNow === '1.5'", "no slider, or not where the preset has it", gamma)
    page.tap(gamma)
    time.sleep(0.5)
    expect(froth.ask("gamma") == 1.5, "a tap makes a slider jump")
    page.drag(gamma, 0.25)
    froth.until("gamma", lambda value: 2.2 < value < 2.7, "a slider moves nothing")
    froth.until("gamma", lambda value: abs(value - float(page.run("return document.querySelector(arguments[0]).ariaValueNow", gamma))) < 1e-3,
                "the slider is elsewhere")
    froth.say("/value/gamma", 3.0)
    page.until("document.querySelector(arguments[0]).ariaValueNow === '3'", "a slider does not follow froth", gamma)
    page.drag(gamma, -0.25)
    froth.until("gamma", lambda value: 1.8 < value < 2.3, "a slider jumps back to where it was let go")
    page.tap_shortly(gamma, 0.1, times=2)
    froth.until("gamma", lambda value: value == 1.5, "a double tap resets nothing")
    page.write("#seek-values", "wave_r")
    page.until("document.querySelectorAll('.slider[data-value=wave_r]').length === 1 && document.querySelectorAll('#rack .slider').length === 1",
               "a value cannot be found")
    page.run("document.querySelector('.slider[data-value=wave_r]').focus()")
    page.command("Input.dispatchKeyEvent", type="keyDown", key="End", code="End", windowsVirtualKeyCode=35)
    froth.until("wave_r", lambda value: value == 1, "a key moves nothing")
    page.tap("#sliders .clear")
    page.run("document.activeElement.blur()")
    page.drag("#fade .slider", -0.1)
    froth.until("blend", lambda value: value == 0, "the time of a fade")
    page.drag("#fade .slider", 0.5)
    froth.until("blend", lambda value: 4 < value < 6, "the time of a fade")


def blacks_out(page, froth):
    page.tap_shortly("#blackout", 0.25, lambda: froth.say("/value/blackout", 0.0))
    time.sleep(1)
    expect(froth.ask("blackout") == 0, "a tap is a blackout")
    page.hold("#blackout", 1)
    froth.until("blackout", lambda value: value == 1, "to hold is no blackout")
    page.until("document.getElementById('blackout').ariaPressed === 'true'", "a blackout is not shown")
    page.tap_shortly("#blackout", 0.25, lambda: froth.say("/value/blackout", 1.0))
    time.sleep(0.5)
    expect(froth.ask("blackout") == 1, "a tap ends a blackout")
    page.hold("#blackout", 1)
    froth.until("blackout", lambda value: value == 0, "a blackout does not end")
    for button, reading in {"#freeze": "freeze", "#lock": "lock"}.items():
        for value in [1, 0]:
            page.tap(button)
            froth.until(reading, lambda found, value=value: found == value, button)
            page.until("document.querySelector(arguments[0]).ariaPressed === arguments[1]", button, button, str(value == 1).lower())


def comes_back(page, froth, order):
    preset = froth.ask("preset")
    order("stop")
    page.until("!document.getElementById('lost').hidden", "nobody says that the line is cut")
    # The finger does what it likes; nothing of it is for later.
    page.tap(".tab[data-to=presets]")
    page.tap("#next")
    page.hold("#blackout", 1)
    page.until("document.getElementById('note').classList.contains('shown')", "what is not sent is not told")
    order("go")
    page.until("document.body.dataset.link === 'on' && document.getElementById('lost').hidden", "the line does not come back")
    time.sleep(1)
    expect(froth.ask("preset") == preset and froth.ask("blackout") == 0, "old commands come late")
    page.tap("#next")
    froth.until("preset", lambda now: now != preset, "nothing can be done after that")


def pairs(page, messages):
    """Another froth, which wants to be paired with."""
    page.until("document.querySelectorAll('#keys button').length === 12", "it does not ask for a code")
    page.counts()
    end = time.monotonic() + 60
    while not (codes := re.findall(r"the code for it: (\d{6})", open(messages, encoding="utf-8").read())):
        expect(time.monotonic() < end, "the operator gets no code")
        time.sleep(0.1)
    wrong = "".join(str((int(digit) + 1) % 10) for digit in codes[-1])
    for digit in wrong:
        page.tap(f"#keys button:nth-child({11 if digit == '0' else digit})")
    page.until("document.querySelector('#says.wrong')", "a wrong code is taken")
    time.sleep(2)
    for digit in codes[-1]:
        page.tap(f"#keys button:nth-child({11 if digit == '0' else digit})")
    page.until(f"document.body.dataset.link === 'on' && document.getElementById('total').textContent === '{PRESETS}'", "the right code does not help")


def main():
    link, port, folder, pictures = (sys.argv + [""])[1:5]
    froth = Froth(int(port))

    def order(what):
        print(what, flush=True)

    page = Page(folder)
    try:
        page.driver.get(link)
        page.counts()
        shows_grid(page, pictures)
        plays_presets(page, froth)
        fades_and_cuts(page, froth)
        searches(page)
        keeps_favourites(page, froth)
        taps_the_tempo(page, froth)
        moves_sliders(page, froth)
        blacks_out(page, froth)
        comes_back(page, froth, order)
        order("anew")
        pairs(page, os.path.join(folder, "messages"))
        said = [entry["message"] for entry in page.driver.get_log("browser")]
        wrong = [line for line in said if "Content Security" in line or "Uncaught" in line]
        expect(wrong == [], f"the browser complains: {wrong}")
    finally:
        page.driver.quit()


if __name__ == "__main__":
    main()
