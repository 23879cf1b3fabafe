"""A session by pychromecast: it finds the receiver by mDNS, switches subtitles, and comes back by itself after a restart.

Usage: pychromecast_session.py SHOWCALLER FOLDER; run inside judge_network.sh. Prints one line per step that went as it should.
"""

import sys
import threading

import pychromecast
from cast_peer import Watcher
from judge import NAME, Receiver

LIMIT = 30
URL = "https://media.example.com/film.mp4"


class Connections:
    """Waits for what becomes of the connection."""

    def __init__(self):
        self.changed = threading.Condition()
        self.seen = []

    def new_connection_status(self, status):
        with self.changed:
            self.seen.append(status.status)
            self.changed.notify_all()

    def wait(self, status):
        with self.changed:
            if not self.changed.wait_for(lambda: status in self.seen, LIMIT):
                raise SystemExit(f"not {status}: {self.seen}")
            self.seen.clear()


def play(what):
    media.play_media(URL, "video/mp4", subtitles="https://media.example.com/en.vtt", subtitles_lang="en")
    watcher.wait(what, lambda status: status.player_state == "PLAYING" and status.content_id == URL)


receiver = Receiver(sys.argv[1], sys.argv[2])
try:
    casts, browser = pychromecast.get_listed_chromecasts(friendly_names=[NAME], discovery_timeout=LIMIT)
    if [cast.name for cast in casts] != [NAME]:
        raise SystemExit(f"found {casts}")
    print("found", flush=True)
    cast = casts[0]
    connections = Connections()
    cast.register_connection_listener(connections)
    cast.wait(timeout=LIMIT)
    watcher = Watcher(LIMIT)
    media = cast.media_controller
    media.register_status_listener(watcher)
    play("playing")
    if [track["language"] for track in media.status.subtitle_tracks] != ["en"]:
        raise SystemExit(f"tracks {media.status.subtitle_tracks}")
    watcher.wait("subtitles on", lambda status: status.current_subtitle_tracks == [1])
    media.disable_subtitle()
    watcher.wait("subtitles off", lambda status: status.current_subtitle_tracks == [])
    connections.seen.clear()
    receiver.restart()
    connections.wait("CONNECTED")
    print("back after a restart", flush=True)
    play("playing again")
    cast.disconnect(timeout=LIMIT)
    browser.stop_discovery()
finally:
    receiver.stop()
