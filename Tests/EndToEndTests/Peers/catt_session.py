"""A session by catt: it finds the receiver, casts a file of this computer with subtitles, controls it, and comes back after a
restart.

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
subtitles = os.path.join(folder, "en.vtt")
with open(subtitles, "w", encoding="utf-8") as text:
    text.write("WEBVTT\n\n00:00.000 --> 00:10.000\nHello\n")
receiver = Receiver(sys.argv[1], folder)
found = subprocess.run([catt, "scan"], env=environment, capture_output=True, text=True, timeout=LIMIT)
if f"{HOST} - {NAME}" not in found.stdout:
    raise SystemExit(found.stdout + found.stderr)
print("found", flush=True)
casting = subprocess.Popen(
    [catt, "-d", HOST, "cast", "--subtitles", subtitles, file], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    receiver.wait("loaded", receiver.request("LOAD"), LIMIT)
    receiver.wait("subtitles on", lambda line: receiver.request("LOAD")(line)
                  and any(track.get("type") == "TEXT" for track in line["msg"]["media"].get("tracks", []))
                  or receiver.request("EDIT_TRACKS_INFO", activeTrackIds=[1])(line))
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
    print("left", flush=True)
    receiver.restart()
    run("volume", "30")
    receiver.wait("back after a restart", lambda line: receiver.request("SET_VOLUME")(line)
                  and abs(line["msg"]["volume"].get("level", 0) - 0.3) < 0.01)
finally:
    if casting.poll() is None:
        casting.kill()
        print(casting.communicate()[0], file=sys.stderr)
    receiver.stop()
