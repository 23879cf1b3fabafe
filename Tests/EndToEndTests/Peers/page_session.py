"""A receiver page used by an implementation that is not ours.

Usage: page_session.py PORT NAME APP URL. Prints one line per step that went as it should; exits non-zero at the first
that did not.
"""

import queue
import sys

from cast_peer import Watcher, connect
from pychromecast.controllers import BaseController

PORT, NAME, APP, URL = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
LIMIT = 20


class Show(BaseController):
    """The page's own namespace."""

    def __init__(self):
        super().__init__("urn:x-cast:com.example.show", APP)
        self.heard = queue.Queue()

    def receive_message(self, _message, data):
        self.heard.put(data)
        return True


cast = connect(PORT, NAME, LIMIT)
print("connected")

show = Show()
cast.register_handler(show)
cast.start_app(APP, timeout=LIMIT)
if cast.app_id != APP:
    sys.exit(f"launched {cast.app_id}")
if cast.status.status_text != "Ready to cast":
    sys.exit(f"status text {cast.status.status_text}")
print("launched")

show.send_message({"type": "hello"})
while True:
    greeting = show.heard.get(timeout=LIMIT)
    if greeting["type"] == "greeting":
        break
if len(greeting["senders"]) != 1:
    sys.exit(f"senders {greeting}")
print("greeted")

watcher = Watcher(LIMIT)
media = cast.media_controller
media.app_id = APP
media.supporting_app_id = APP
media.register_status_listener(watcher)
media.play_media(URL, "audio/wav", title="Sintel")
watcher.wait("playing", lambda status: status.player_state == "PLAYING" and status.content_id == URL)
media.pause()
watcher.wait("paused", lambda status: status.player_state == "PAUSED")
media.seek(30)
watcher.wait("sought", lambda status: abs(status.current_time - 30) < 0.5)
media.play()
watcher.wait("resumed", lambda status: status.player_state == "PLAYING")

cast.set_volume(0.3, timeout=LIMIT)
while True:
    heard = show.heard.get(timeout=LIMIT)
    if heard["type"] == "volume" and abs(heard["level"] - 0.3) < 0.03:
        break
print("volume set")

media.stop()
watcher.wait("stopped", lambda status: status.player_state == "IDLE" and status.idle_reason == "CANCELLED")
cast.quit_app(timeout=LIMIT)
if cast.app_id == APP:
    sys.exit("the app still runs")
print("left")
cast.disconnect(timeout=LIMIT)
