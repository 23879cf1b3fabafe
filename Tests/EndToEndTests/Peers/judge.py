"""What sessions of other senders share: our receiver, and what it heard of them."""

import json
import os
import struct
import subprocess
import sys
import threading
import wave

HOST = "10.77.0.1"
NAME = "Judge TV"


class Receiver:
    """`receive --wire` at the usual port, advertised; what it receives and sends is kept."""

    def __init__(self, showcaller, folder):
        self.showcaller = showcaller
        self.root = os.path.join(folder, "root.pem")
        self.changed = threading.Condition()
        self.lines = []
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.showcaller, "receive", "--advertise", "--listen", HOST, "--name", NAME, "--wire", "--write-auth-root",
             self.root], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().split(" ")[-1]
        if not self.address.startswith(HOST):
            raise SystemExit("the receiver did not start")
        threading.Thread(target=self.follow, daemon=True).start()

    def restart(self):
        """Ends it and starts it again, as a device that lost its power; what was heard before is forgotten."""
        self.stop()
        with self.changed:
            self.lines.clear()
        self.start()

    def follow(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(json.loads(line))
                self.changed.notify_all()

    def wait(self, what, is_so, limit=30):
        """Waits for a message of which `is_so` is true; prints `what`."""
        with self.changed:
            if not self.changed.wait_for(lambda: any(is_so(line) for line in self.lines), limit):
                for line in self.lines[-40:]:
                    print(json.dumps(line)[:400], file=sys.stderr)
                raise SystemExit(f"not {what} within {limit} s")
        print(what, flush=True)

    def request(self, kind, **members):
        """Whether a line is a request of that type with these members."""
        def is_so(line):
            message = line.get("msg")
            return (line["type"] == "received" and isinstance(message, dict) and message.get("type") == kind
                    and all(message.get(name) == value for name, value in members.items()))
        return is_so

    def state(self, state):
        """Whether a line is a media status of that player state."""
        def is_so(line):
            message = line.get("msg")
            if line["type"] != "sent" or not isinstance(message, dict) or message.get("type") != "MEDIA_STATUS":
                return False
            return any(status.get("playerState") == state for status in message.get("status", []))
        return is_so

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def tone(path, seconds):
    """Writes some silence that every player plays."""
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(struct.pack("<hh", 0, 0) * 44100 * seconds)
    os.chmod(path, 0o644)
