"""What sessions by pychromecast share: a connection to a receiver of ours, and waiting for what it says."""

import ssl
import threading
import uuid

import pychromecast
from pychromecast.controllers.media import MediaStatusListener


class OneAtATime(ssl.SSLSocket):
    """Reads and writes by turns: pychromecast does both at once, from two threads, which OpenSSL does not allow.

    Without it one session in ten ended with "EOF occurred in violation of protocol" when a status came during a write.
    """

    @property
    def turn(self):
        return self.__dict__.setdefault("_turn", threading.RLock())

    def recv(self, *arguments):
        with self.turn:
            return super().recv(*arguments)

    def sendall(self, *arguments):
        with self.turn:
            return super().sendall(*arguments)


ssl.SSLContext.sslsocket_class = OneAtATime


class Watcher(MediaStatusListener):
    """Wakes whoever waits for a media status."""

    def __init__(self, limit):
        self.limit = limit
        self.changed = threading.Condition()
        self.status = None

    def new_media_status(self, status):
        with self.changed:
            self.status = status
            self.changed.notify_all()

    def load_media_failed(self, queue_item_id, error_code):
        raise SystemExit(f"load failed: {error_code}")

    def wait(self, what, is_so):
        with self.changed:
            if not self.changed.wait_for(lambda: self.status is not None and is_so(self.status), self.limit):
                raise SystemExit(f"not {what} within {self.limit} s: {self.status}")
        print(what)


def connect(port, name, limit):
    cast = pychromecast.get_chromecast_from_host(("127.0.0.1", port, uuid.uuid4(), "virtual", name), tries=1)
    cast.wait(timeout=limit)
    return cast
