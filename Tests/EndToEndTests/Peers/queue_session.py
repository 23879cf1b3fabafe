"""A queue driven by an implementation that is not ours: load, insert, next, previous, jump, end of an item.

Usage: queue_session.py PORT NAME. Prints one line per step that went as it should; exits non-zero at the first that did not.
"""

import sys

import pychromecast
from cast_peer import Watcher, connect

PORT, NAME = int(sys.argv[1]), sys.argv[2]
LIMIT = 20


def url(name):
    return f"https://media.example.com/{name}.mp4"


order = []


def ids():
    """The item ids that the last status listed."""
    return list(order)


cast = connect(PORT, NAME, LIMIT)
cast.start_app(pychromecast.config.APP_MEDIA_RECEIVER, timeout=LIMIT)
print("launched")

watcher = Watcher(LIMIT)
media = cast.media_controller
receive = media.receive_message


def receive_and_note(message, data):
    for status in data.get("status", []):
        if "items" in status:
            order[:] = [item["itemId"] for item in status["items"]]
    return receive(message, data)


# Its own status leaves the items out.
media.receive_message = receive_and_note
media.register_status_listener(watcher)
media.play_media(url("a"), "video/mp4", title="A")
watcher.wait("playing", lambda s: s.player_state == "PLAYING" and s.content_id == url("a") and ids() == [1])

media.play_media(url("b"), "video/mp4", title="B", enqueue=True)
watcher.wait("inserted", lambda s: len(ids()) == 2 and s.content_id == url("a"))
first, second = ids()

media.queue_next()
watcher.wait("next", lambda s: s.player_state == "PLAYING" and s.content_id == url("b") and s.title == "B")
if watcher.status.media_session_id != 1:
    sys.exit("a step within a queue made another media session")

media.queue_prev()
watcher.wait("previous", lambda s: s.player_state == "PLAYING" and s.content_id == url("a"))

media.send_message(
    {
        "type": "QUEUE_UPDATE",
        "mediaSessionId": watcher.status.media_session_id,
        "currentItemId": second,
        "currentTime": 5,
    }
)
watcher.wait("jumped", lambda s: s.content_id == url("b") and abs(s.current_time - 5) < 0.5)

media.send_message(
    {"type": "QUEUE_REMOVE", "mediaSessionId": watcher.status.media_session_id, "itemIds": [first]}
)
watcher.wait("removed", lambda s: ids() == [second])

media.send_message(
    {
        "type": "QUEUE_LOAD",
        "items": [
            {"media": {"contentId": url(name), "contentType": "video/mp4", "streamType": "BUFFERED", "duration": 2}}
            for name in ("c", "d")
        ],
        "repeatMode": "REPEAT_ALL",
    }
)
watcher.wait("queue loaded", lambda s: s.content_id == url("c") and s.media_session_id == 2 and len(ids()) == 2)
watcher.wait("went on by itself", lambda s: s.player_state == "PLAYING" and s.content_id == url("d"))
watcher.wait("began again", lambda s: s.player_state == "PLAYING" and s.content_id == url("c"))

media.stop()
watcher.wait("stopped", lambda s: s.player_state == "IDLE" and s.idle_reason == "CANCELLED")
cast.disconnect(timeout=LIMIT)
