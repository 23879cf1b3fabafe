"""A session by Chromium's own media router: a page asks for a presentation, and the browser finds, verifies and controls
our receiver.

Usage: chromium_session.py SHOWCALLER FOLDER; run inside judge_network.sh. Prints one line per step that went as it should.
"""

import http.server
import json
import os
import subprocess
import sys
import threading
import time

from judge import NAME, Receiver

LIMIT = 60
CLIENT = "judge"
SOURCE = (
    f"cast:CC1AD845?clientId={CLIENT}&autoJoinPolicy=tab_and_origin_scoped"
    "&defaultActionPolicy=create_session&capabilities=video_out,audio_out")
START = """new Promise((done) => {
  new PresentationRequest(['%s']).start().then((connection) => {
    window.connection = connection;
    connection.onmessage = (event) => console.log(event.data);
    done(connection.state);
  }, (error) => done(error.name + ': ' + error.message));
})""" % SOURCE


class Browser:
    """Headless Chromium, told what to do over a pair of pipes."""

    def __init__(self, folder, root):
        own_read, its_write = os.pipe()
        its_read, own_write = os.pipe()
        self.output, self.input = os.fdopen(own_write, "wb", buffering=0), os.fdopen(own_read, "rb", buffering=0)
        self.log = open(os.path.join(folder, "chromium.log"), "wb")
        profile = os.path.join(folder, "profile")
        # Chromium reads orders from 3 and answers on 4.
        command = (
            "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
            " --remote-debugging-pipe --enable-logging=stderr --vmodule=*cast_channel*=1"
            f" '--user-data-dir={profile}' '--cast-developer-certificate-path={root}' about:blank"
            f" 3<&{its_read} 4>&{its_write}")
        self.process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(its_read, its_write), stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder})
        os.close(its_read)
        os.close(its_write)
        self.changed = threading.Condition()
        self.events, self.answers, self.count, self.session = [], {}, 0, None
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        rest = b""
        while piece := self.input.read(65536):
            *messages, rest = (rest + piece).split(b"\0")
            with self.changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.changed.notify_all()

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        with self.changed:
            if not self.changed.wait_for(lambda: message["id"] in self.answers, LIMIT):
                raise SystemExit(f"Chromium did not answer {method} within {LIMIT} s")
            answer = self.answers[message["id"]]
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def wait(self, what, find):
        """Waits for an event in which `find` finds something, prints `what`, and gives what was found."""
        def found():
            return next((value for value in map(find, self.events) if value), None)
        with self.changed:
            if not self.changed.wait_for(found, LIMIT):
                raise SystemExit(f"not {what} within {LIMIT} s: {[json.dumps(event)[:300] for event in self.events[-5:]]}")
            print(what, flush=True)
            return found()

    def send(self, number, **message):
        envelope = {"type": "v2_message", "message": message, "clientId": CLIENT, "sequenceNumber": number,
                    "timeoutMillis": 0}
        self.call("Runtime.evaluate", expression=f"connection.send({json.dumps(json.dumps(envelope))})")


def told(event):
    """What the page was told by the browser's media router."""
    if event["method"] != "Runtime.consoleAPICalled":
        return {}
    try:
        message = json.loads(event["params"]["args"][0]["value"])
    except (KeyError, IndexError, ValueError):
        return {}
    return message if isinstance(message, dict) else {}


def session(event):
    return told(event).get("type") == "new_session" and told(event)["message"]["sessionId"]


def status(number, state):
    """Whether an event is the answer number so-and-so, or any status, with that player state."""
    def find(event):
        message = told(event)
        inner = message.get("message")
        if message.get("type") != "v2_message" or not isinstance(inner, dict):
            return None
        if number is not None and message.get("sequenceNumber") != number:
            return None
        return next((entry for entry in inner.get("status") or [] if entry.get("playerState") == state), None)
    return find


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>judge</title>")

    def log_message(self, *_):
        pass


folder = sys.argv[2]
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
receiver = Receiver(sys.argv[1], folder)
browser = Browser(folder, receiver.root)
try:
    target = browser.call("Target.createTarget", url=f"http://127.0.0.1:{server.server_port}/")
    browser.session = browser.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
    browser.call("Runtime.enable")
    browser.call("Cast.enable", presentationUrl=SOURCE)
    browser.wait("found", lambda event: event["method"] == "Cast.sinksUpdated" and any(
        sink["name"] == NAME for sink in event["params"]["sinks"]))
    browser.call("Cast.setSinkToUse", sinkName=NAME)
    # A gesture counts on the page that is there: not on the blank one before it, and not for long on a busy computer.
    for _ in range(20):
        place = browser.call("Runtime.evaluate", expression="location.protocol + document.readyState", returnByValue=True)
        if place["result"].get("value") != "http:complete":
            time.sleep(0.25)
            continue
        started = browser.call(
            "Runtime.evaluate", expression=START, awaitPromise=True, userGesture=True, returnByValue=True)
        if not str(started["result"].get("value")).startswith("NotAllowedError"):
            break
        time.sleep(0.25)
    else:
        raise SystemExit("the page was not loaded, or took no gesture")
    if started["result"].get("value") not in ("connecting", "connected"):
        raise SystemExit(f"no presentation: {started['result']}")
    session_id = browser.wait("connected", session)
    media = {"contentId": "https://cdn.example.com/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED"}
    browser.send(1, type="LOAD", sessionId=session_id, media=media, autoplay=True)
    media_session = browser.wait("playing", status(None, "PLAYING"))["mediaSessionId"]
    browser.send(2, type="PAUSE", sessionId=session_id, mediaSessionId=media_session)
    browser.wait("paused", status(2, "PAUSED"))
    browser.send(3, type="SEEK", sessionId=session_id, mediaSessionId=media_session, currentTime=30)
    receiver.wait("sought", receiver.request("SEEK", currentTime=30))
    browser.call("Runtime.evaluate", expression="connection.terminate()")
    receiver.wait("stopped", receiver.request("STOP", sessionId=session_id))
except BaseException:
    browser.log.flush()
    with open(browser.log.name, errors="replace") as text:
        print(text.read()[-4000:], file=sys.stderr)
    raise
finally:
    browser.process.kill()
    receiver.stop()
