#!/bin/bash
# A network of its own (loopback only), a receiver at the usual port, and senders that ask who it is.
# Usage: setup.sh SHOWCALLER PYTHON; run inside `unshare --net`.
set -eu
showcaller=$1 python=$2
ip link set lo up
"$showcaller" receive --name "Lobby TV" > /dev/null &
receiver=$!
trap 'kill $receiver 2>/dev/null || true' EXIT
"$python" - <<'PYTHON'
import json
import ssl
import time
import urllib.error
import urllib.request

from pychromecast.dial import get_device_info, get_multizone_status

for _ in range(100):
    try:
        plain = urllib.request.urlopen("http://127.0.0.1:8008/setup/eureka_info?params=name,version", timeout=10)
        break
    except urllib.error.URLError:
        time.sleep(0.1)
print(json.dumps(json.load(plain)))
device = get_device_info("127.0.0.1", timeout=10)
print(device.friendly_name, device.model_name, device.manufacturer, device.cast_type, device.uuid)
print(get_multizone_status("127.0.0.1", timeout=10))
PYTHON
echo "== busy"
kill $receiver
wait $receiver
"$python" -m http.server --bind 127.0.0.1 8008 > /dev/null 2>&1 &
other=$!
trap 'kill $receiver $other 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  if "$python" -c 'import socket; socket.create_connection(("127.0.0.1", 8008))' 2>/dev/null; then break; fi
  sleep 0.1
done
timeout -s INT 3 "$showcaller" receive --name "Lobby TV" 2>&1 || true
echo "== elsewhere"
timeout -s INT 1 "$showcaller" receive --port 8011 --name "Lobby TV" 2>&1 || true
