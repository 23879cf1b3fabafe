"""A session by Chromium's own media router: a page asks for a presentation, and the browser finds, verifies and controls
our receiver.

Usage: chromium_session.py SHOWCALLER FOLDER; run inside judge_network.sh. Prints one line per step that went as it should.
"""

import http.server
import json
import sys
import threading
import time

from chromium import Browser
from judge import NAME, Receiver

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


def send(number, **message):
    envelope = {"type": "v2_message", "message": message, "clientId": CLIENT, "sequenceNumber": number,
                "timeoutMillis": 0}
    browser.value(f"connection.send({json.dumps(json.dumps(envelope))})")


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
browser = Browser(folder, "--vmodule=*cast_channel*=1", f"--cast-developer-certificate-path={receiver.root}")
try:
    browser.open(f"http://127.0.0.1:{server.server_port}/")
    browser.call("Cast.enable", presentationUrl=SOURCE)
    browser.wait("found", lambda event: event["method"] == "Cast.sinksUpdated" and any(
        sink["name"] == NAME for sink in event["params"]["sinks"]))
    browser.call("Cast.setSinkToUse", sinkName=NAME)
    # A gesture counts on the page that is there: not on the blank one before it, and not for long on a busy computer.
    for _ in range(20):
        if browser.value("location.protocol + document.readyState") != "http:complete":
            time.sleep(0.25)
            continue
        started = browser.value(START, userGesture=True)
        if not str(started).startswith("NotAllowedError"):
            break
        time.sleep(0.25)
    else:
        raise SystemExit("the page was not loaded, or took no gesture")
    if started not in ("connecting", "connected"):
        raise SystemExit(f"no presentation: {started}")
    session_id = browser.wait("connected", session)
    media = {"contentId": "https://cdn.example.com/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED"}
    send(1, type="LOAD", sessionId=session_id, media=media, autoplay=True)
    media_session = browser.wait("playing", status(None, "PLAYING"))["mediaSessionId"]
    send(2, type="PAUSE", sessionId=session_id, mediaSessionId=media_session)
    browser.wait("paused", status(2, "PAUSED"))
    send(3, type="SEEK", sessionId=session_id, mediaSessionId=media_session, currentTime=30)
    receiver.wait("sought", receiver.request("SEEK", currentTime=30))
    send(4, type="SET_VOLUME", sessionId=session_id, volume={"level": 0.4})
    receiver.wait("volume set", lambda line: receiver.request("SET_VOLUME")(line)
                  and line["msg"]["volume"].get("level") == 0.4)
    tracks = [{"trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en", "name": "English",
               "trackContentId": "https://cdn.example.com/en.vtt", "trackContentType": "text/vtt"}]
    items = [{"media": {**media, "contentId": f"https://cdn.example.com/{name}.mp4", "tracks": tracks}}
             for name in ("one", "two")]
    send(5, type="QUEUE_LOAD", sessionId=session_id, items=items, repeatMode="REPEAT_OFF")
    media_session = browser.wait("queue loaded", lambda event: (found := status(None, "PLAYING")(event))
                                 and found["mediaSessionId"] != media_session and found)["mediaSessionId"]
    send(6, type="EDIT_TRACKS_INFO", sessionId=session_id, mediaSessionId=media_session, activeTrackIds=[1])
    browser.wait("subtitles on", lambda event: (found := status(6, "PLAYING")(event))
                 and found.get("activeTrackIds") == [1] and found)
    browser.value("connection.terminate()")
    receiver.wait("stopped", receiver.request("STOP", sessionId=session_id))
except BaseException:
    browser.tell_log(sys.stderr)
    raise
finally:
    browser.process.kill()
    receiver.stop()
