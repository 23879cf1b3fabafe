"""What `receive --screen` shows, and what it plays, in Chromium.

Usage: screen_session.py SHOWCALLER FOLDER. Prints one line per thing that is as it should be; pictures go to FOLDER.
"""

import base64
import http.server
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

SHOWCALLER, FOLDER = sys.argv[1:]
HOSTILE = "<img src=x onerror=alert(1)>"
MEDIA = "urn:x-cast:com.google.cast.media"
STYLE = {"foregroundColor": "#FFEE00FF", "backgroundColor": "#00000099", "edgeType": "OUTLINE", "edgeColor": "#000000FF",
         "fontScale": 1.25, "fontGenericFamily": "SERIF", "windowType": "ROUNDED_CORNERS", "windowColor": "#203050C0",
         "windowRoundedCornerRadius": 12}


# What is served: pictures, sound, a film, captions.

def png(width, height):
    """A picture with a gradient, so that it is seen for what it is."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes((40 + 180 * x // width, 60 + 90 * y // height, 150)) for x in range(width))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


def wav(seconds):
    size = seconds * 8000
    return (b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
            + b"data" + struct.pack("<I", size) + b"\x80" * size)


def webm(frames, rate, width, height):
    """A film of pictures that are key frames of VP8, as lossy WebP has them."""
    def element(name, data):
        size = len(data)
        return bytes.fromhex(name) + (0x0100000000000000 | size).to_bytes(8, "big") + data
    number = lambda value: value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")
    head = element("1a45dfa3", element("4286", b"\1") + element("42f7", b"\1") + element("42f2", b"\4")
                   + element("42f3", b"\x08") + element("4282", b"webm") + element("4287", b"\2") + element("4285", b"\2"))
    info = element("1549a966", element("2ad7b1", number(1_000_000)) + element("4d80", b"t") + element("5741", b"t")
                   + element("4489", struct.pack(">d", len(frames) * 1000 / rate)))
    video = element("e0", element("b0", number(width)) + element("ba", number(height)))
    tracks = element("1654ae6b", element("ae", element("d7", b"\1") + element("73c5", b"\1") + element("83", b"\1")
                                         + element("86", b"V_VP8") + video))
    clusters = b"".join(
        element("1f43b675", element("e7", number(index * 1000 // rate) or b"\0")
                + element("a3", b"\x81\0\0\x80" + frame)) for index, frame in enumerate(frames))
    return head + element("18538067", info + tracks + clusters)


def film(browser, seconds, rate=5, width=640, height=360):
    """Has the browser paint the pictures."""
    script = f"""(async () => {{
      const canvas = document.createElement("canvas"); canvas.width = {width}; canvas.height = {height};
      const paint = canvas.getContext("2d"), all = [];
      for (let index = 0; index < {seconds * rate}; index++) {{
        const sky = paint.createLinearGradient(0, 0, 0, {height});
        sky.addColorStop(0, "#2a5b9c"); sky.addColorStop(1, "#e9b872");
        paint.fillStyle = sky; paint.fillRect(0, 0, {width}, {height});
        paint.fillStyle = "#fff3d0"; paint.beginPath();
        paint.arc(60 + index * 500 / {seconds * rate}, 170, 46, 0, 7); paint.fill();
        paint.fillStyle = "#1d3a2f"; paint.fillRect(0, 270, {width}, 90);
        all.push(canvas.toDataURL("image/webp", 0.8).split(",")[1]);
      }}
      return all; }})()"""
    frames = []
    for text in browser.value(script):
        data = base64.b64decode(text)
        place = data.index(b"VP8 ")
        size = struct.unpack("<I", data[place + 4:place + 8])[0]
        frames.append(data[place + 8:place + 8 + size])
    return webm(frames, rate, width, height)


FILES = {
    "/art.png": ("image/png", png(320, 320)), "/menu.png": ("image/png", png(640, 360)), "/song.wav": ("audio/wav", wav(3)),
    "/long.wav": ("audio/wav", wav(60)), "/soap.wav": ("audio/wav", wav(2)),
    "/en.vtt": ("text/vtt", ("WEBVTT\n\n00:00.000 --> 10:00.000 line:90%\n<i>Hello</i> from &lt;b&gt; the captions\n"
                             "a second line").encode()),
}


class Files(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        kind, data = FILES.get(self.path.split("?")[0], (None, b""))
        first, last = 0, len(data) - 1
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if part and kind:
            first, last = int(part[1]), min(int(part[2] or last), last)
        self.send_response(404 if kind is None else 206 if part else 200)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(last + 1 - first))
        self.send_header("Access-Control-Allow-Origin", "*")
        if part and kind:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.end_headers()
        try:
            self.wfile.write(data[first:last + 1])
        except OSError:
            pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
threading.Thread(target=server.serve_forever, daemon=True).start()
WEB = f"http://127.0.0.1:{server.server_port}"


# The receiver, and a sender.

class Receiver:
    """`receive --screen 0`, and what it said."""

    def __init__(self, *options, count=1):
        self.lines, self.changed, self.watching = [], threading.Condition(), None
        self.process = subprocess.Popen(
            [SHOWCALLER, "receive", "--port", "0", "--screen", "0", "--latency", "none", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self.follow, args=(stream,), daemon=True).start()
        self.page = self.wait(r"the screens? (?:is|are) (http://\S+)")[1]
        self.address = self.wait(r" (127\.0\.0\.1:\d+)$")[1]

    def follow(self, stream):
        for line in stream:
            with self.changed:
                self.lines.append(line.rstrip())
                self.changed.notify_all()

    def wait(self, pattern, limit=30):
        def found():
            return next((match for match in (re.search(pattern, line) for line in self.lines) if match), None)
        with self.changed:
            if not self.changed.wait_for(found, limit):
                raise SystemExit(f"not said within {limit} s: {pattern}\n" + "\n".join(self.lines))
            return found()

    def ask(self, *words, fails=False):
        finished = subprocess.run([SHOWCALLER, *words, "--host", self.address], capture_output=True, text=True, timeout=60)
        if (finished.returncode != 0) != fails:
            raise SystemExit(f"{words}: exit {finished.returncode}\n{finished.stdout}{finished.stderr}")
        return finished.stdout + finished.stderr

    def launch(self):
        self.ask("launch", "CC1AD845")

    def listen(self):
        """Has a sender stay, which hears what goes to all."""
        self.watching = subprocess.Popen([SHOWCALLER, "watch", "--json", "--host", self.address],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def load(self, address, kind, more=None, **media):
        message = {"type": "LOAD", "requestId": 7, "autoplay": True,
                   "media": {"contentId": address, "contentType": kind, "streamType": "BUFFERED", **media}, **(more or {})}
        return self.ask("send", MEDIA, json.dumps(message))

    def status(self):
        return json.loads(self.ask("status", "--json"))

    def until(self, what, find, limit=20):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            status = self.status()
            if find(status):
                return status
            time.sleep(0.1)
        raise SystemExit(f"not {what} within {limit} s: {json.dumps(status)}\n" + "\n".join(self.lines))

    def end(self):
        if self.watching:
            self.watching.kill()
        self.process.terminate()
        check("receive ends well", self.process.wait(20) == 0, self.lines)


def check(what, holds, seen=None):
    if not holds:
        raise SystemExit(f"not as it should be: {what}; seen: {seen!r}")


def until(expression, limit=20):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if browser.value(expression):
            return
        time.sleep(0.05)
    texts = browser.value("document.body.innerText")
    raise SystemExit(f"not so within {limit} s: {expression}\n{texts}\n{browser.value('JSON.stringify(typeof state === `undefined` ? null : state)')}")


def look(name, width=1920, height=1080):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    time.sleep(0.3)
    shot = browser.call("Page.captureScreenshot", format="png")
    with open(os.path.join(FOLDER, f"{name}-{width}.png"), "wb") as file:
        file.write(base64.b64decode(shot["data"]))
    sides = browser.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    check("nothing sticks out", sides[0] <= width, sides)


def text(place):
    return browser.value(f"document.getElementById('{place}').textContent")


def shown(place):
    return f"!document.getElementById('{place}').hidden"


def show(receiver, path=""):
    browser.open(receiver.page + path)
    browser.call("Page.enable")
    browser.call("Log.enable")


METADATA = {"metadataType": 0, "title": "Sintel", "subtitle": "Blender Foundation", "images": [{"url": WEB + "/art.png"}]}
CAPTIONS = [{"trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en", "name": "English",
             "trackContentId": WEB + "/en.vtt", "trackContentType": "text/vtt"}]
BREAKS = {"breakClips": [{"id": "soap", "title": "Soap", "duration": 30, "whenSkippable": 20},
                         {"id": "car", "title": "Car", "duration": 10}],
          "breaks": [{"id": "pre", "position": 0, "breakClipIds": ["soap", "car"]}]}

browser = Browser(FOLDER, "--autoplay-policy=no-user-gesture-required")
receiver = None
try:
    browser.open("about:blank")
    FILES["/film.webm"] = ("video/webm", film(browser, 4))

    # By the clock of the receiver.
    receiver = Receiver("--name", "Lobby TV")
    show(receiver)
    until("document.title === 'Lobby TV'")
    check("idle", text("title") == "Lobby TV" and text("subtitle") == "Ready to cast", text("card"))
    look("idle"), look("idle", 390, 844)
    receiver.launch()
    until("document.getElementById('title').textContent === 'Default Media Receiver'")
    print("idle with the name, then the app that runs", flush=True)

    receiver.load("https://e.invalid/film.mp4", "video/mp4", duration=600,
                  metadata={**METADATA, "title": HOSTILE, "subtitle": "</h1><script>alert(2)</script>"})
    until(f"document.getElementById('title').textContent === {json.dumps(HOSTILE)}")
    until("document.getElementById('artwork').naturalWidth === 320 && !document.getElementById('artwork').hidden")
    check("position and duration", re.fullmatch(r"0:\d\d", text("position")) and text("duration") == "10:00", text("bar"))
    made = browser.value("document.querySelectorAll('#card img:not(#artwork), #card script').length")
    check("names made no element", made == 0 and browser.value("document.scripts.length") == 1, made)
    receiver.load("https://e.invalid/film.mp4", "video/mp4", duration=600, metadata=METADATA)
    until("document.getElementById('title').textContent === 'Sintel'")
    until("document.getElementById('artwork').naturalWidth === 320 && !document.getElementById('artwork').hidden")
    look("card"), look("card", 390, 844)
    print("title, artwork, position; hostile names are text", flush=True)

    receiver.load(WEB + "/film.webm", "video/webm", duration=600, metadata=METADATA, tracks=CAPTIONS, textTrackStyle=STYLE,
                  more={"activeTrackIds": [1]})
    until("document.querySelector('video.on')?.videoWidth === 640")
    until(shown("captions"))
    lines = browser.value("[...document.querySelectorAll('#captions span')].map(line => line.textContent)")
    check("captions", lines == ["Hello from <b> the captions", "a second line"], lines)
    style = browser.value("""(() => { const line = getComputedStyle(document.querySelector('#captions span')),
      box = getComputedStyle(document.querySelector('#captions p'));
      return [line.color, line.backgroundColor, line.fontFamily, line.textShadow.split('rgb').length, box.borderRadius,
        box.backgroundColor]; })()""")
    check("their style", style == ["rgb(255, 238, 0)", "rgba(0, 0, 0, 0.6)", "serif", 9, "12px", "rgba(32, 48, 80, 0.753)"], style)
    look("captions"), look("captions", 390, 844)
    size = browser.value("parseFloat(getComputedStyle(document.querySelector('#captions p')).fontSize)")
    receiver.ask("style", "size=250%")
    until(f"parseFloat(getComputedStyle(document.querySelector('#captions p')).fontSize) > {size * 1.9}")
    print("the film itself, and captions in the style that was asked for", flush=True)

    check("no volume", browser.value("document.getElementById('volume').hidden"))
    receiver.ask("volume", "30%")
    until(shown("volume"))
    check("the volume", text("percent") == "30 %" and browser.value("document.getElementById('level').style.width") == "30%")
    look("volume")
    until("document.getElementById('volume').hidden")
    receiver.ask("mute")
    until(shown("volume") + " && document.getElementById('percent').textContent === 'muted'")
    check("the film is muted", browser.value("document.querySelector('video').muted && Math.abs(document.querySelector('video').volume - 0.3) < 0.01"))
    receiver.ask("mute", "off")
    receiver.ask("pause")
    until("document.body.dataset.phase === 'paused' && document.querySelector('video').paused")
    look("paused")
    print("volume, mute and pause", flush=True)

    receiver.load(WEB + "/film.webm", "video/webm", duration=600, metadata=METADATA, **BREAKS)
    until(shown("break"))
    check("the ad", text("ad") == "Ad 1 of 2 · Soap" and re.fullmatch(r"0:(30|2\d)", text("countdown")), text("break"))
    check("when it can be skipped", re.fullmatch(r"Can be skipped in (20|1\d) s", text("skip")), text("skip"))
    before = text("countdown")
    until(f"document.getElementById('countdown').textContent < {json.dumps(before)}")
    look("break"), look("break", 390, 844)
    print("an ad break with a countdown, and when it can be skipped", flush=True)

    receiver.load("x", "text/html")
    until("document.body.classList.contains('fault')")
    check("a fault", [text("title"), text("subtitle")] == ["It cannot be played", "MEDIA_SRC_NOT_SUPPORTED, error 104"],
          [text("title"), text("subtitle")])
    look("fault")
    receiver.load(WEB + "/menu.png", "image/png", metadata=METADATA)
    until("document.querySelector('img.on')?.naturalWidth === 640")
    receiver.load(WEB + "/long.wav", "audio/wav", metadata={**METADATA, "artist": "Nobody"})
    until("document.querySelector('audio') && " + shown("bar"))
    look("audio")
    receiver.end()
    until("document.getElementById('notice').textContent.includes('no connection')")
    print("a fault, a picture, sound, and a receiver that is gone", flush=True)

    # Several.
    receiver = Receiver("--name", "Wall", "--count", "3")
    receiver.launch()
    show(receiver)
    until("document.querySelectorAll('#screens a').length === 3")
    until("document.querySelector('#screens a').innerText.includes('Default Media Receiver')")
    look("list", 1280, 720), look("list", 390, 844)
    check("their paths", browser.value("[...document.querySelectorAll('#screens a')].map(a => a.pathname)") == ["/1", "/2", "/3"])
    show(receiver, "2")
    until("document.title === 'Wall 2'")
    receiver.end()
    print("several on one page, each at its own path", flush=True)

    # By the browser. Without a page nothing plays.
    receiver = Receiver("--name", "Kiosk", "--play", "browser", "--wire")
    receiver.launch()
    receiver.listen()
    begun = time.monotonic()
    receiver.load(WEB + "/film.webm", "video/webm")
    receiver.wait("Kiosk: No page was open that could have played it")
    receiver.wait(r'"idleReason":"ERROR"')
    check("in time", 4 < time.monotonic() - begun < 10, time.monotonic() - begun)
    print("without a page a load fails and says why", flush=True)

    show(receiver)
    until("typeof state !== 'undefined' && state && state.driver === key.slice(0, 8)")
    receiver.load(WEB + "/film.webm", "video/webm", duration=600, metadata=METADATA, tracks=CAPTIONS, more={"activeTrackIds": [1]})
    status = receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    check("the real duration and size", '"duration": 4' in json.dumps(status), status)
    receiver.wait(r'"videoInfo":\{"width":640,"height":360')
    receiver.wait(r'"idleReason":"FINISHED"')
    until("document.querySelector('video') === null")
    print("a film plays in the page: its duration, its size, its end", flush=True)

    receiver.load(WEB + "/long.wav", "audio/wav", metadata=METADATA)
    until("document.querySelector('audio')?.currentTime > 0.3")
    receiver.ask("pause")
    until("document.querySelector('audio').paused")
    receiver.ask("seek", "30s")
    until("Math.abs(document.querySelector('audio').currentTime - 30) < 0.5")
    receiver.ask("play")
    until("document.querySelector('audio').currentTime > 30.5")
    receiver.ask("rate", "1.5")
    until("document.querySelector('audio').playbackRate === 1.5")
    receiver.ask("volume", "40%")
    until("Math.abs(document.querySelector('audio').volume - 0.4) < 0.01")
    # What somebody does at the page is what senders hear.
    browser.value("document.querySelector('audio').pause()")
    receiver.until("paused", lambda status: '"paused"' in json.dumps(status))
    browser.value("document.querySelector('audio').play()")
    receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    look("kiosk")
    print("senders drive the element, and hear what it does", flush=True)

    # Another page plays from now on; the first goes on when it is gone.
    first = browser.session
    show(receiver)
    until("document.querySelector('audio')?.currentTime > 30 && !document.querySelector('audio').muted")
    second, browser.session = browser.session, first
    until("document.getElementById('notice').textContent.includes('another page plays')")
    check("only one is heard", browser.value("document.querySelector('audio').muted"))
    # A page that follows stands while the receiver's clock does; that is nothing that senders should hear of later.
    browser.value("content.follow = () => content.element.pause(); content.element.pause()")
    browser.session = second
    browser.call("Page.navigate", url="about:blank")
    browser.session = first
    until("!document.querySelector('audio').muted && !document.querySelector('audio').paused")
    receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    browser.call("Page.reload")
    until("document.querySelector('audio')?.currentTime > 30")
    receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    print("the page opened last plays; another goes on with it, and so does one that is loaded again", flush=True)

    receiver.load(WEB + "/missing.webm", "video/webm")
    receiver.wait("Kiosk: It cannot be played: MEDIA_SRC_NOT_SUPPORTED, error 104")
    receiver.load(WEB + "/song.wav", "audio/wav",
                  breakClips=[{"id": "soap", "contentUrl": WEB + "/soap.wav", "contentType": "audio/wav"}],
                  breaks=[{"id": "pre", "position": 0, "breakClipIds": ["soap"]}])
    until(shown("break") + " && document.querySelector('[data-deck=clip]')?.currentTime > 0.2")
    until("/^0:0[012]$/.test(document.getElementById('countdown').textContent)")
    until("document.getElementById('break').hidden && document.querySelector('audio[data-deck=content]')?.currentTime > 0.2")
    receiver.until("the end", lambda status: '"playing"' not in json.dumps(status) and '"buffering"' not in json.dumps(status))
    print("a film that is not there fails; an ad and the content behind it play", flush=True)

    receiver.load(WEB + "/long.wav", "audio/wav")
    receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    browser.call("Page.navigate", url="about:blank")
    receiver.wait("Kiosk: The page that played it was closed")
    receiver.wait(r'"type":"ERROR"[^\n]*PAGE_CLOSED')
    print("a page that is closed while it plays ends it", flush=True)
    browser.process.kill()

    browser = Browser(FOLDER, "--autoplay-policy=document-user-activation-required")
    show(receiver)
    until("typeof state !== 'undefined' && state && state.driver === key.slice(0, 8)")
    receiver.load(WEB + "/long.wav", "audio/wav", metadata=METADATA)
    receiver.wait("the browser plays nothing by itself")
    receiver.wait("--autoplay-policy=no-user-gesture-required")
    receiver.until("paused", lambda status: '"paused"' in json.dumps(status))
    until("document.getElementById('notice').textContent.includes('click')")
    look("blocked")
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=500, y=400, button="left", clickCount=1)
    receiver.until("playing", lambda status: '"playing"' in json.dumps(status))
    receiver.end()
    print("a browser that may not play by itself says so, and plays when it is clicked", flush=True)

    broken = [event["params"]["entry"]["text"] for event in browser.events if event["method"] == "Log.entryAdded"
              and "Content Security Policy" in event["params"]["entry"]["text"]]
    check("nothing against the policy was tried", not broken, broken)
    check("no dialog", not [event for event in browser.events if event["method"] == "Page.javascriptDialogOpening"])
    print("no dialog opened", flush=True)
except BaseException:
    browser.tell_log(sys.stderr)
    if receiver:
        print("\n".join(line[:400] for line in receiver.lines[-25:]), file=sys.stderr)
    raise
finally:
    browser.process.kill()
    if receiver:
        for process in (receiver.process, receiver.watching):
            if process:
                process.kill()
