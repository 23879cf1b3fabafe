"""The HTML report of a run in Chromium, read as a person does: by mouse, by keyboard, on a phone, in the dark, on paper.

Usage: report_session.py SHOWCALLER FOLDER. Prints one line per thing that is as it should be; pictures go to FOLDER.
"""

import base64
import json
import os
import re
import subprocess
import sys
import time

from chromium import Browser

# Whatever a network or a document calls a thing, it is text.
HOSTILE = "</script><svg onload=alert(1)>\"'& \u202e"
DOCUMENT = f"""
scenario: {json.dumps("Breaks " + HOSTILE)}
device: {json.dumps("TV " + HOSTILE)}
vars:
  speed: 1.5
media:
  film:
    url: https://cdn.example.com/film.mp4
    duration: 10m
    metadata: {{ title: {json.dumps("Film " + HOSTILE)} }}
    clips: {{ car: {{ url: "https://cdn.example.com/car.mp4", duration: 6s }} }}
    breaks: [{{ id: pre, at: start, clips: [car] }}]
watch:
  - name: {json.dumps("never paused " + HOSTILE)}
    never: {{ player: paused }}
    if_fails: ignore
steps:
  - load: film
  - expect: {{ break: {{ id: pre, clip: car }} }}
  - name: {json.dumps("the film after the break " + HOSTILE)}
    expect: {{ player: playing, break: none }}
    within: 15s
  - rate: ${{speed}}
  - group:
      steps:
        - wait: 2s
        - expect: {{ rate: 2 }}
          within: 3s
    if_fails: continue
  - pause
  - expect: {{ player: playing, position: {{ about: 90s, tolerance: 1s }} }}
    within: 2s
  - stop_app
"""


def check(what, is_so, detail=None):
    if not is_so:
        raise SystemExit(f"not so: {what}: {detail}")


def command(*words, code):
    done = subprocess.run([showcaller, *words], cwd=folder, capture_output=True, text=True, timeout=90,
                          env={**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state")})
    check(f"{words} exits {code}", done.returncode == code, f"{done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def read(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def events(name):
    return [json.loads(line) for line in read(name).decode().splitlines()]


def status_at(stream, moment):
    """The merged status at a moment, as the events tell it."""
    status = {}
    for event in stream:
        if event["type"] == "status" and event["e"] <= moment:
            status.update(event["set"])
            for name in event["unset"]:
                status.pop(name, None)
    return status


def show(name, runs=True):
    """Opens a page as from an attachment; `runs` where it may run its script."""
    begin = time.monotonic()
    browser.call("Page.navigate", url="file://" + os.path.join(folder, name))
    while browser.value("location.pathname.endsWith('/%s') && document.readyState" % name) != "complete":
        check("it opens", time.monotonic() - begin < 30)
        time.sleep(0.01)
    if runs:
        settle()


def settle():
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def key(name, code, text=None, shift=False):
    more = {"text": text} if text else {}
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                     modifiers=8 if shift else 0, **(more if kind == "keyDown" else {}))
    settle()


def look(width, height, scheme, name):
    """Has the page be so large, in light, dark or on paper, and keeps a picture of it."""
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", media="print" if scheme == "print" else "", features=[
        {"name": "prefers-color-scheme", "value": "dark" if scheme == "dark" else "light"}])
    settle()
    tall = min(6000, browser.value("document.documentElement.scrollHeight"))
    shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, format="png",
                        clip={"x": 0, "y": 0, "width": width, "height": tall, "scale": 1})
    with open(os.path.join(folder, f"{name}-{scheme}.png"), "wb") as file:
        file.write(base64.b64decode(shot["data"]))


# Everything with text of its own: how much it stands out against what is behind it (WCAG 2.2 1.4.3). In drawings text
# stands on the bar before it.
CONTRAST = """(() => {
  const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = numbers(colour).slice(0, 3).map(value => value / 255).map(
      value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const clear = colour => { const parts = numbers(colour); return parts.length > 3 && parts[3] === 0; };
  const behind = element => { for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!clear(colour)) return colour; } return "rgb(255, 255, 255)"; };
  const bar = text => { const rect = text.previousElementSibling;
    const fill = rect && rect.localName === "rect" ? getComputedStyle(rect).fill : "none";
    return fill === "none" ? behind(text.closest("svg.draw") || text) : fill; };
  return [...document.querySelectorAll("body *")].filter(element => element.checkVisibility() && !element.closest("script")
    && element.localName !== "title" && [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  ).map(element => {
    const isDrawn = element.localName === "text", style = getComputedStyle(element);
    const [one, other] = [light(isDrawn ? style.fill : style.color), light(isDrawn ? bar(element) : behind(element))]
      .sort((a, b) => b - a);
    return [(one + 0.05) / (other + 0.05), element.tagName + " " + element.textContent.slice(0, 40)];
  }).filter(([ratio]) => ratio < 4.5); })()"""
SMALL = """[...document.querySelectorAll("button, summary, a")].filter(element => element.checkVisibility()
  && element.getBoundingClientRect().height < 18).map(element => element.outerHTML)"""
# The status that is told: names of fields, and their text.
TOLD = """Object.fromEntries([...document.querySelectorAll(".now li")].map(
  item => [item.querySelector("b").textContent, item.textContent.slice(item.querySelector("b").textContent.length + 1)]))"""
MOMENT = "parseFloat(document.querySelector('.now b').textContent)"

showcaller, folder = sys.argv[1:]
with open(os.path.join(folder, "breaks.yaml"), "w") as file:
    file.write(DOCUMENT)
command("run", "--virtual", "--speed", "20x", "--wire", "breaks.yaml", "--report", "html=report.html", "--report",
        "json=events.jsonl", code=1)
command("report", "latest", "--html", "again.html", code=0)
check("the report made again is the same", read("report.html") == read("again.html"))
stream = events("events.jsonl")
steps = [event["step"] for event in stream if event["type"] == "step.started" and "parent" not in event]
print("written by the run, and the same made again", flush=True)

browser = Browser(folder)
try:
    browser.open("about:blank")
    for domain in ("Page", "Log", "Network"):
        browser.call(domain + ".enable")

    # Without a script.
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    show("report.html", runs=False)
    lanes = browser.value("[...document.querySelectorAll('.lane')].map(lane => lane.dataset.lane)")
    check("the lanes", lanes == ["steps", "app", "player", "break", "position", "rate", "expect", "messages", "monitors"],
          lanes)
    check("a bar for each step", browser.value("[...document.querySelectorAll('.step')].map(s => s.dataset.step)") == steps)
    check("no script ran", browser.value("document.querySelectorAll('.zoom, [tabindex]').length") == 0)
    text = browser.value("document.body.innerText")
    for words in ("breaks.yaml: failed", "the film after the break " + HOSTILE[:-1], "2.0x", "1.5x", "\nexit\n1: ",
                  "showcaller run breaks.yaml --virtual"):
        check("told", words.lower() in text.lower() or words in ("2.0x", "1.5x"), words)
    opened = browser.value("[...document.querySelectorAll('.item[open] > summary > code')].map(code => code.textContent)")
    failed = [event["step"] for event in stream if event["type"] == "step.finished" and event["result"] == "failed"]
    check("failures are open, and only they", sorted(opened) == sorted(failed), f"{opened} {failed}")
    check("all statuses are there", browser.value("document.querySelectorAll('.log li').length") == sum(
        event["type"] == "status" for event in stream))
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    print("whole without a script", flush=True)

    browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=900, deviceScaleFactor=1, mobile=False)
    show("report.html")
    start, end = browser.value("(({ dataset }) => [+dataset.start, +dataset.end])(document.querySelector('.timeline'))")
    browser.value("document.querySelector('.draw').scrollIntoView({ block: 'center' })")
    for share in (0.1, 0.35, 0.6, 0.9):
        box = browser.value("(({ x, y, width, height }) => [x, y, width, height])("
                            "document.querySelector('.draw').getBoundingClientRect())")
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=round(box[0] + box[2] * share), y=round(box[1] + 60))
        settle()
        moment, told = browser.value(MOMENT), browser.value(TOLD)
        check("the moment", abs(moment - (start + (end - start) * share)) < (end - start) * 0.01, moment)
        status = status_at(stream, moment)
        check("the fields at that moment", sorted(told) == sorted(status), f"{told} {status} at {moment}")
        check("the player", told["player"] == status["player"], told)
    check("the cursor is there", abs(browser.value("parseFloat(document.querySelector('.cursor').getAttribute('x1'))") - 90) < 1)
    print("the merged status at the pointer", flush=True)

    # By keyboard, from the top.
    show("report.html")
    for _ in range(40):
        key("Tab", 9)
        if browser.value("document.activeElement.className") == "view":
            break
    place = browser.value("[document.activeElement.getAttribute('role'), document.activeElement.getAttribute('aria-valuemin'),"
                          "getComputedStyle(document.activeElement).outlineStyle, document.activeElement.ariaLabel]")
    check("the timeline has the focus, and it is seen", place[0] == "slider" and place[2] == "solid", place)
    check("it has a name", place[3].startswith("timeline from "), place)
    stops = sorted({round(event["e"], 3) for event in stream if event["type"] == "status"})
    seen = []
    for _ in range(6):
        key("ArrowRight", 39)
        seen.append(browser.value("+document.activeElement.getAttribute('aria-valuenow')"))
    check("from event to event", seen == sorted(set(seen)) and any(moment in stops for moment in seen), seen)
    key("ArrowLeft", 37)
    check("and back", browser.value("+document.activeElement.getAttribute('aria-valuenow')") == seen[-2])
    told, words = browser.value(TOLD), browser.value("document.activeElement.getAttribute('aria-valuetext')")
    status = status_at(stream, browser.value(MOMENT) + 0.0005)
    check("told by keyboard", sorted(told) == sorted(status) and "player " + status["player"] in words, f"{told} {words}")
    key("End", 35)
    check("the end", abs(browser.value(MOMENT) - end) < 0.001)
    key("+", 187, "+")
    key("+", 187, "+")
    wide = browser.value("(({ view, draw }) => [draw.clientWidth / view.clientWidth, view.scrollLeft])({"
                         "view: document.querySelector('.view'), draw: document.querySelector('.draw') })")
    check("it is zoomed, and the moment is in view", 3.9 < wide[0] < 4.1 and wide[1] > 0, wide)
    key("0", 48, "0")
    check("and whole again", browser.value("document.querySelector('.draw').style.width") == "100%")
    print("the same by keyboard, and zoom", flush=True)

    for width, height, shape in ((390, 844, "phone"), (1920, 1080, "desk")):
        for scheme in ("light", "dark", "print"):
            look(width, height, scheme, shape)
            wide = browser.value("document.documentElement.scrollWidth")
            check("no scrolling sideways", wide <= width, f"{wide} at {width}, {scheme}")
            check("every text can be read", not (faint := browser.value(CONTRAST)), f"{scheme}: {faint}")
            check("every control can be hit", not (small := browser.value(SMALL)), small)
            if scheme == "print":
                check("no controls on paper", browser.value(
                    "[...document.querySelectorAll('.zoom, .now')].every(part => !part.checkVisibility())"))
    print("readable on a phone, on a desk, in light, dark and print", flush=True)

    # Ten minutes with a status each 250 ms.
    lines = [json.dumps(event) for event in stream if event["type"] in (
        "run.started", "device.found", "device.connected", "scenario.started")]
    begin, device = max(json.loads(line)["e"] for line in lines), stream[-2]["dev"]
    for number in range(2400):
        lines.append(json.dumps({
            "v": 1, "n": 1000 + number, "t": "2026-11-27T12:00:00.000Z", "e": round(begin + number / 4, 3), "type": "status",
            "doc": "breaks", "dev": device, "source": "push", "scope": "media", "session": 1, "unset": [], "set": {
                "player": "playing" if number % 50 else "buffering", "position": number / 4, "rate": 1, "duration": 600,
                "content": "https://cdn.example.com/film.mp4", "break": {"id": "b", "clip": "c", "clip_time": number / 4}}}))
    with open(os.path.join(folder, "long.jsonl"), "w") as file:
        file.write("\n".join(lines) + "\n")
    command("report", "long.jsonl", "--html", "long.html", code=0)
    check("no more than 2 MB", len(read("long.html")) < 2_000_000, len(read("long.html")))
    browser.call("Emulation.setEmulatedMedia", media="", features=[])
    show("long.html")
    took = browser.value("performance.getEntriesByType('navigation')[0].duration")
    print(f"long.html: {len(read('long.html'))} bytes, {took:.0f} ms", file=sys.stderr)
    # A second where nothing else runs; here others do.
    check("it opens at once", took < 4000, took)
    print("ten minutes of statuses open at once", flush=True)

    asked = [event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"]
    check("only the page itself was asked for", all(re.fullmatch(r"(file:///.*/(report|long)\.html|data:,)", url) for url in asked),
          asked)
    told = [event["params"] for event in browser.events
            if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled",
                                   "Page.javascriptDialogOpening")]
    check("no error, no dialog", not told, told)
    print("no request, no error, no dialog", flush=True)
except BaseException:
    browser.tell_log(sys.stderr)
    raise
finally:
    browser.process.kill()
