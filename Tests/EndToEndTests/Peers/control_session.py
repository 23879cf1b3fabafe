"""The control page of `serve` in Chromium, used as a person does: by mouse, by keyboard, on a phone, in the dark.

Usage: control_session.py SHOWCALLER FOLDER. Prints one line per thing that is as it should be; pictures go to FOLDER.
"""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import threading
import time
import zlib

from chromium import Browser

# Names as a hostile network has them: whatever they try, they are text.
HOSTILE = "<img src=x onerror=alert(1)>"
BREAKING = "</script><script>alert(2)</script>\"'`"
TITLE = "\"><svg onload=alert(3)>&amp; {{7*7}}"
PLAYLIST = f"""
playlist: {json.dumps(TITLE)}
id: shop
timezone: UTC
devices: [Window TV, {json.dumps(HOSTILE)}, {json.dumps("Counter " + BREAKING)}]
media:
  menu: {{ url: file:menu.png, metadata: {{ title: {json.dumps("The menu " + BREAKING)} }} }}
  soup: {{ url: file:soup.png, metadata: {{ title: Soup of the day }} }}
  film: {{ url: https://e.invalid/film.mp4, duration: 1h, metadata: {{ title: {json.dumps(HOSTILE)} }} }}
  exits: {{ url: file:exits.png, metadata: {{ title: Exits }} }}
  broken: {{ url: https://e.invalid/broken.bin, type: application/x-none }}
dayparts: {{ opening: {{ hours: 08:00-20:00 }} }}
program:
  - {{ during: opening, play: [{{ media: menu, for: 1h }}, {{ media: soup, for: 1h }}, film] }}
  - {{ during: {{ hours: 02:00-03:00 }}, play: [broken] }}
  - {{ play: [soup] }}
triggers: {{ evacuate: {{ webhook: true }}, flood: {{ file: flood.flag }} }}
interrupts:
  - {{ on: evacuate, play: [exits], until: cleared, cut: immediately }}
  - {{ on: flood, play: [exits] }}
"""


def picture(path, colour):
    """Writes a PNG of one colour."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * 640) * 360
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 640, 360, 8, 2, 0, 0, 0))
                   + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


class Serve:
    """`serve --virtual --control 0`, and what it said."""

    def __init__(self, showcaller, folder):
        with open(os.path.join(folder, "shop.yaml"), "w") as file:
            file.write(PLAYLIST)
        picture(os.path.join(folder, "menu.png"), (200, 90, 40))
        picture(os.path.join(folder, "soup.png"), (30, 120, 90))
        picture(os.path.join(folder, "exits.png"), (180, 0, 0))
        self.changed, self.text = threading.Condition(), ""
        self.process = subprocess.Popen(
            [showcaller, "serve", "--virtual", "--from", "2026-11-25 10:00", "shop.yaml", "--control", "0",
             "--ledger", "plays.jsonl"],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state")})
        threading.Thread(target=self.follow, daemon=True).start()
        self.page, token = self.wait(r"the control page is (\S+) and its token is in ([^\n]+)\n").groups()
        with open(token) as file:
            self.token = file.read().strip()

    def follow(self):
        for line in self.process.stdout:
            with self.changed:
                self.text += line
                self.changed.notify_all()

    def wait(self, pattern, times=1):
        """Waits until something was said so often."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(re.findall(pattern, self.text)) >= times, 60):
                raise SystemExit(f"serve did not say {pattern}: {self.text[-2000:]}")
            return list(re.finditer(pattern, self.text))[times - 1]

    def count(self, pattern):
        with self.changed:
            return len(re.findall(pattern, self.text))


def until(expression, limit=20):
    """Waits until an expression is true in the page, and gives its value."""
    end = time.monotonic() + limit
    while not (value := browser.value(expression)):
        if time.monotonic() > end:
            raise SystemExit(f"not so within {limit} s: {expression}\n{browser.value('document.body.innerText')}")
        time.sleep(0.05)
    return value


def check(what, is_so, detail=None):
    if not is_so:
        raise SystemExit(f"not so: {what}: {detail}\n{browser.value('document.body.innerText')}")


def key(name, code, text=None, shift=False):
    more = {"text": text} if text else {}
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                     modifiers=8 if shift else 0, **(more if kind == "keyDown" else {}))


def tab():
    key("Tab", 9)


def enter():
    key("Enter", 13, "\r")


def click(selector):
    """Presses the mouse in the middle of an element."""
    x, y = browser.value(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
        element.scrollIntoView({{ block: "center" }});
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def look(width, height, scheme, name):
    """Has the page be so large, in light or dark, and keeps a picture of it."""
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")
    with open(os.path.join(folder, f"{name}-{scheme}.png"), "wb") as file:
        file.write(base64.b64decode(shot["data"]))


# Everything with text of its own: how much it stands out against what is behind it (WCAG 2.2 1.4.3).
CONTRAST = """(() => {
  const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = numbers(colour).slice(0, 3).map(value => value / 255).map(
      value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = element => { for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor, parts = numbers(colour);
    if (parts.length < 4 || parts[3] > 0) return colour; } return "rgb(255, 255, 255)"; };
  return [...document.querySelectorAll("body *")].filter(element =>
    [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()) && element.checkVisibility()
  ).map(element => {
    const [one, other] = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
    return [(one + 0.05) / (other + 0.05), element.tagName + " " + element.textContent.slice(0, 40)];
  }).filter(([ratio]) => ratio < 4.5); })()"""
SMALL = """[...document.querySelectorAll("button, select, input, summary")].filter(element => element.checkVisibility()
  && element.getBoundingClientRect().height < 24).map(element => element.outerHTML)"""
CARD = "article:nth-of-type(%d)"
LABEL = "document.activeElement.textContent"

folder = sys.argv[2]
serve = Serve(sys.argv[1], folder)
browser = Browser(folder)
try:
    serve.wait("shows menu", 3)
    browser.open(serve.page)
    browser.call("Page.enable")
    browser.call("Log.enable")
    until("document.querySelectorAll('article').length === 3")
    until("document.querySelector('#health').textContent === '3 screens are well'")
    browser.value("window.stamp = 1")

    cards = browser.value("[...document.querySelectorAll('article')].map(card => card.innerText)")
    window = next(card for card in cards if "Window TV" in card)
    for words in ("playing", "The menu", "since\n", "by\nprogram[0] opening, line ", "next\nSoup of the day, ",
                  "program\nchanges ", "volume\n", "app\nDefault Media Receiver"):
        check("told on the card", words in window, f"{words!r} in {window!r}")
    until("[...document.images].length === 3 && [...document.images].every(image => image.naturalWidth === 640)")
    print("now, since, next, device and picture of each screen", flush=True)

    check("the names are there as text", sum(HOSTILE in card for card in cards) == 1 and sum(
        BREAKING in card for card in cards) == 3, cards)
    check("and the title", browser.value("document.querySelector('h2').textContent") == TITLE)
    made = browser.value("document.querySelectorAll('main img:not([src^=\"/art/\"]), main svg, main script').length")
    check("they made no element", made == 0, made)
    check("nothing ran", browser.value("document.scripts.length") == 1)
    print("hostile names are text", flush=True)

    # Without the token nothing happens, and the page says what it needs.
    click(CARD % 1 + " button")
    until("document.querySelector('#message').textContent.includes('needs')")
    check("the token is asked for", browser.value("document.activeElement.id") == "token")
    check("nothing was skipped", serve.count("skip, as asked") == 0)
    browser.call("Input.insertText", text=serve.token)
    enter()
    until("document.querySelector('#message').textContent.includes('from now on')")
    name = browser.value(f"document.querySelector('{CARD % 1} h3').textContent")
    click(CARD % 1 + " button")
    serve.wait("skip, as asked")
    until(f"document.querySelector('{CARD % 1} .now').textContent === 'Soup of the day'")
    print("skipped by mouse, with the token only, and seen without a reload", flush=True)

    # By keyboard, from the top: every press of Tab goes to something that shows that it has the focus.
    browser.value("document.querySelector('h1').tabIndex = -1, document.querySelector('h1').focus()")
    order = []
    for _ in range(40):
        tab()
        place = browser.value(f"[{LABEL} || document.activeElement.id, document.activeElement.tagName,"
                              "getComputedStyle(document.activeElement).outlineStyle,"
                              "parseFloat(getComputedStyle(document.activeElement).outlineWidth)]")
        if place[1] == "BODY":
            break
        order.append(place[0])
        check("the focus is seen", place[2] == "solid" and place[3] >= 2, place)
        if place[0].startswith("Fire evacuate"):
            break
    check("the trigger comes first", order and order[-1].startswith("Fire evacuate"), order)
    browser.value("window.heldFocus = document.activeElement")
    enter()
    serve.wait("shows exits, interrupts", 3)
    until("document.activeElement.textContent.startsWith('Clear evacuate')")
    check("the focus stayed", browser.value("document.activeElement === window.heldFocus"))
    until("[...document.querySelectorAll('.now')].every(now => now.textContent === 'Exits')")
    enter()
    serve.wait("shows menu", 4)
    until("document.activeElement.textContent.startsWith('Fire evacuate')")
    labels = []
    for _ in range(4):
        tab()
        labels.append(browser.value(f"document.activeElement.tagName === 'SELECT' ? 'choice' : {LABEL}"))
    check("the order of Tab", labels == ["Skip", "Pause", "choice", "Play now"], labels)
    print("an alarm fired and cleared by keyboard, and the focus seen on the way", flush=True)

    # An item is chosen, the page scrolled, parts opened; events change none of that.
    browser.value(f"document.querySelector('{CARD % 2} select').value = 'soup'")
    browser.value("document.querySelector('.week > summary').click()")
    until("document.querySelectorAll('.week li').length > 7")
    look(900, 500, "light", "events")
    browser.value(f"document.querySelector('{CARD % 2} select').focus({{ preventScroll: true }});"
                  "window.heldFocus = document.activeElement; scrollTo(0, 150);"
                  "window.heldCards = [...document.querySelectorAll('article')];"
                  "window.redrawn = 0; new MutationObserver(changes => { window.redrawn += changes.filter("
                  "change => change.type === 'childList' && [...change.removedNodes].some(node => node.nodeType === 1)"
                  ").length; }).observe(document.querySelector('main'), { childList: true, subtree: true })")
    before = browser.value("scrollY")
    check("it is scrolled", before > 100, before)
    skipped = serve.count("skip, as asked")
    for number in range(3):
        browser.value(f"fetch('/api/playlists/shop/screens/' + encodeURIComponent({json.dumps(name)}) + '/skip', "
                      f"{{ method: 'POST', headers: {{ Authorization: 'Bearer {serve.token}' }} }}).then(r => r.status)")
        serve.wait("skip, as asked", skipped + number + 1)
        time.sleep(0.5)
    until("document.querySelector('#playlists').textContent.includes('Soup')")
    kept = browser.value("[document.activeElement === window.heldFocus, window.heldFocus.value, scrollY, "
                         "document.querySelector('.week').open, window.stamp, "
                         "window.heldCards.every((card, index) => card === document.querySelectorAll('article')[index])]")
    check("focus, choice, scrolling and open parts", kept == [True, "soup", before, True, 1, True], kept)
    redrawn = browser.value("window.redrawn")
    check("only what changed is drawn", redrawn <= 12, redrawn)
    week = browser.value("document.querySelector('.week').innerText")
    check("planned and shown", "opening: menu, soup, film" in week and re.search(r"(window-tv|all screens): \d+ % shown", week), week)
    print("events leave focus, choice, scrolling and open parts alone", flush=True)

    # What was chosen is shown, and what will not load is told.
    click(CARD % 2 + " select + button")
    serve.wait("play soup, as asked")
    browser.value(f"document.querySelector('{CARD % 3} select').value = 'broken'")
    click(CARD % 3 + " select + button")
    until(f"(document.querySelector('{CARD % 3} .problems') || {{}}).textContent?.includes('broken will not load')")
    until(f"document.querySelector('{CARD % 2} .now').textContent === 'Soup of the day'")
    click(CARD % 1 + " .actions button:nth-child(2)")
    until(f"document.querySelector('{CARD % 1} .head').textContent.includes('program paused')")
    print("played, paused, and what went wrong is told", flush=True)

    browser.value(f"document.querySelector('{CARD % 3} details').open = true; document.activeElement.blur()")
    for width, height, shape in ((360, 740, "phone"), (1280, 800, "desktop")):
        for scheme in ("light", "dark"):
            look(width, height, scheme, shape)
            wide = browser.value("document.documentElement.scrollWidth")
            check("no scrolling sideways", wide <= width, f"{wide} at {width}")
            check("every text can be read", not (faint := browser.value(CONTRAST)), faint)
            check("every control can be hit", not (small := browser.value(SMALL)), small)
    backs = []
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        backs.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    check("dark is dark", backs[0] != backs[1] and sum(map(int, re.findall(r"\d+", backs[1])[:3])) < 120, backs)
    print("usable at 360 px and on a desk, in light and dark", flush=True)

    serve.process.terminate()
    serve.process.wait(20)
    until("document.querySelector('#health').textContent.includes('no connection')")
    print("a serve that is gone is told", flush=True)

    dialogs = [event for event in browser.events if event["method"] == "Page.javascriptDialogOpening"]
    check("no dialog", not dialogs, dialogs)
    broken = [event["params"]["entry"]["text"] for event in browser.events if event["method"] == "Log.entryAdded"
              and "Content Security Policy" in event["params"]["entry"]["text"]]
    check("nothing against the policy was tried", not broken, broken)
    print("no dialog opened", flush=True)
except BaseException:
    browser.tell_log(sys.stderr)
    print(serve.text[-3000:], file=sys.stderr)
    raise
finally:
    browser.process.kill()
    serve.process.kill()
