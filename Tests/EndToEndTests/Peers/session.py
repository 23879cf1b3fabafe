"""A session by an implementation that is not ours: connect, launch, load, see it play, pause, seek, stop.

Usage: session.py PORT NAME. Prints one line per step that went as it should; exits non-zero at the first that did not.
"""

import sys

import pychromecast
from cast_peer import Watcher, connect

PORT, NAME = int(sys.argv[1]), sys.argv[2]
URL = "https://media.example.com/film.mp4"
LIMIT = 10

cast = connect(PORT, NAME, LIMIT)
print("connected")

cast.start_app(pychromecast.config.APP_MEDIA_RECEIVER, timeout=LIMIT)
if cast.app_id != "CC1AD845":
    sys.exit(f"launched {cast.app_id}")
print("launched")

watcher = Watcher(LIMIT)
media = cast.media_controller
media.register_status_listener(watcher)
media.play_media(URL, "video/mp4", title="Sintel")
watcher.wait("playing", lambda status: status.player_state == "PLAYING" and status.content_id == URL)
if media.status.title != "Sintel":
    sys.exit(f"title {media.status.title}")

media.pause()
watcher.wait("paused", lambda status: status.player_state == "PAUSED")

media.seek(30)
watcher.wait("sought", lambda status: abs(status.current_time - 30) < 0.5)

media.play()
watcher.wait("resumed", lambda status: status.player_state == "PLAYING")

cast.set_volume(0.3, timeout=LIMIT)
if abs(cast.status.volume_level - 0.3) > 0.03:
    sys.exit(f"volume {cast.status.volume_level}")
print("volume set")

media.stop()
watcher.wait("stopped", lambda status: status.player_state == "IDLE" and status.idle_reason == "CANCELLED")

cast.quit_app(timeout=LIMIT)
if cast.app_id == "CC1AD845":
    sys.exit("the app still runs")
print("left")
cast.disconnect(timeout=LIMIT)
