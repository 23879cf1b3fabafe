"""A session by catt: it asks the address who it is, casts a file of this computer, and controls it.

Usage: catt_session.py SHOWCALLER FOLDER CATT; run inside judge_network.sh. Prints one line per step that went as it should.
"""

import os
import subprocess
import sys

from judge import HOST, NAME, Receiver, tone

LIMIT = 60
folder, catt = sys.argv[2:4]
environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder}


def run(*arguments):
    finished = subprocess.run(
        [catt, "-d", HOST, *arguments], env=environment, capture_output=True, text=True, timeout=LIMIT)
    if finished.returncode != 0:
        raise SystemExit(f"catt {arguments}: {finished.returncode}\n{finished.stdout}{finished.stderr}")
    return finished.stdout


file = os.path.join(folder, "tone.wav")
tone(file, 10)
receiver = Receiver(sys.argv[1], folder)
casting = subprocess.Popen(
    [catt, "-d", HOST, "cast", file], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    receiver.wait("loaded", receiver.request("LOAD"), LIMIT)
    receiver.wait("playing", receiver.state("PLAYING"))
    if "State: PLAYING" not in (status := run("status")):
        raise SystemExit(status)
    print("status told")
    run("pause")
    receiver.wait("paused", receiver.state("PAUSED"))
    run("volume", "40")
    receiver.wait("volume set", lambda line: receiver.request("SET_VOLUME")(line)
                  and abs(line["msg"]["volume"].get("level", 0) - 0.4) < 0.01)
    run("play")
    run("stop")
    receiver.wait("stopped", receiver.request("STOP"))
    output, _ = casting.communicate(timeout=LIMIT)
    if f'on "{NAME}"' not in output:
        raise SystemExit(output)
    print("left")
finally:
    if casting.poll() is None:
        casting.kill()
        print(casting.communicate()[0], file=sys.stderr)
    receiver.stop()
