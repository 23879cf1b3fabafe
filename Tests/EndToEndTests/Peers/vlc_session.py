"""A session by VLC: it connects, launches, loads, pauses, goes on and leaves, told so by its remote control.

Usage: vlc_session.py SHOWCALLER FOLDER; run inside judge_network.sh. Prints one line per step that went as it should.
"""

import os
import shutil
import socket
import subprocess
import sys
import time

from judge import HOST, Receiver, tone

NOBODY = 65534
CONTROL = 4212


def control():
    """The remote control of VLC, once it is there."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", CONTROL), 5)
        except OSError:
            time.sleep(0.1)
    raise SystemExit("VLC did not start")


def press(remote, receiver, what, is_so):
    """Presses pause, again every two seconds, until the receiver has heard what is meant."""
    begin = len(receiver.lines)
    for _ in range(10):
        remote.sendall(b"pause\n")
        with receiver.changed:
            if receiver.changed.wait_for(lambda: any(map(is_so, receiver.lines[begin:])), 2):
                print(what, flush=True)
                return
    raise SystemExit(f"not {what} after pressing pause ten times")


folder = sys.argv[2]
home = os.path.join(folder, "vlc")
os.mkdir(home)
tone(os.path.join(home, "tone.wav"), 60)
# VLC refuses to be root.
as_nobody = []
if os.getuid() == 0:
    for path in [home, os.path.join(home, "tone.wav")]:
        shutil.chown(path, NOBODY, NOBODY)
    os.chmod(folder, 0o755)
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
receiver = Receiver(sys.argv[1], folder)
log = open(os.path.join(folder, "vlc.log"), "wb")
vlc = subprocess.Popen(
    as_nobody + [
        "vlc", "-I", "oldrc", "--rc-fake-tty", "--rc-host", f"127.0.0.1:{CONTROL}", "-v", "--demux-filter=demux_chromecast",
        "--sout", f"#chromecast{{ip={HOST},port=8009}}", os.path.join(home, "tone.wav")],
    stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home})
try:
    remote = control()
    receiver.wait("launched", receiver.request("LAUNCH", appId="CC1AD845"))
    receiver.wait("loaded", receiver.request("LOAD"))
    # VLC loads with "autoplay":"false"; what it thinks of its own pause is told apart only by asking for it again.
    receiver.wait("ready", receiver.state("PAUSED"))
    press(remote, receiver, "playing", receiver.request("PLAY"))
    press(remote, receiver, "paused", receiver.request("PAUSE"))
    press(remote, receiver, "resumed", receiver.request("PLAY"))
    remote.sendall(b"stop\n")
    # Whether it says STOP before it goes depends on what it is at.
    receiver.wait("left", lambda line: line["type"] == "closed")
except BaseException:
    log.flush()
    with open(log.name, errors="replace") as text:
        print(text.read()[-4000:], file=sys.stderr)
    raise
finally:
    if vlc.poll() is None:
        vlc.kill()
    receiver.stop()
