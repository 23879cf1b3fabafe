#!/bin/bash
# A network of its own (loopback only), a real Avahi daemon on a bus of its own, and the built binary on both sides.
# Usage: discovery.sh SHOWCALLER FOLDER; run inside `unshare --net --mount`.
set -eu
showcaller=$1 folder=$2
ip link set lo up
ip link set lo multicast on
ip route add 224.0.0.0/4 dev lo
mkdir -p /run/avahi-daemon
mount -t tmpfs tmpfs /run/avahi-daemon
cat > "$folder/bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$folder/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
CONF
cat > "$folder/avahi.conf" <<CONF
[server]
host-name=tester
use-ipv4=yes
use-ipv6=no
allow-interfaces=lo
enable-dbus=yes
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
CONF
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus
cleanup() { kill $(jobs -p) 2>/dev/null || true; }
trap cleanup EXIT
# Waits, ten seconds at most, until a command succeeds.
until_true() {
  for _ in $(seq 100); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  echo "not in time: $*" >&2
  exit 1
}
answers() {
  dbus-send --bus="$DBUS_SYSTEM_BUS_ADDRESS" --print-reply --dest=org.freedesktop.Avahi / \
    org.freedesktop.Avahi.Server.GetVersionString
}
dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile 2>/dev/null &
until_true test -S "$folder/bus"
avahi-daemon -f "$folder/avahi.conf" --no-drop-root --no-chroot --no-rlimits >"$folder/avahi.log" 2>&1 &
until_true answers

export XDG_RUNTIME_DIR=$folder/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
both() { [ "$(wc -l < "$folder/receivers")" = 2 ]; }
"$showcaller" receive --advertise --port 0 --name "Living Room TV" --name "Kitchen" > "$folder/receivers" &
until_true both
export XDG_CACHE_HOME=$folder/cache
echo "== discover"
"$showcaller" discover --timeout 2
echo "== json"
"$showcaller" discover --timeout 2 --json
echo "== known"
"$showcaller" ---complete fish showcaller run --device ''
stat -c %a "$folder/cache/showcaller" "$folder/cache/showcaller/devices.json"
ls "$folder/cache/showcaller"
echo "== run"
"$showcaller" run --runs "$folder/runs" --report "json=$folder/events.jsonl" examples/hello.yaml
echo "== missing"
sed 's/Living Room TV/Living Rom TV/' examples/hello.yaml > "$folder/missing.yaml"
code=0
"$showcaller" run --runs "$folder/runs" "$folder/missing.yaml" || code=$?
echo "exit $code"

# What a person does is seen by mDNS, too.
echo "== txt"
avahi-browse -rpt _googlecast._tcp | grep '^=.*Kitchen'
found() { "$showcaller" discover --timeout 1 --json | grep "\"name\":\"$1\""; }
shows() { found "$1" | grep -q "\"shows\":\"$2\""; }
is_gone() { ! found "$1"; }
echo "== person"
"$showcaller" receiver press takeover --device Kitchen | head -1
until_true shows Kitchen YouTube
"$showcaller" receiver press stop-app --device Kitchen > "$folder/idle"
until_true shows Kitchen ""
"$showcaller" receiver press unplug --device "Living Room TV" | head -1
until_true is_gone "Living Room TV"
"$showcaller" receiver press plug --device "Living Room TV" > "$folder/plugged"
until_true found "Living Room TV"

# A fleet of a file: a group at a port of its own, and a restart at another port that is announced.
cat > "$folder/fleet.yaml" <<YAML
library: Fleet
receiver: { model: Chromecast }
receivers:
  attic: { name: Attic, port: 18100 }
  loft: { name: Loft, members: [attic] }
faults:
  - { at: volume, times: 1, restart: port, for: 1s }
YAML
"$showcaller" receive "$folder/fleet.yaml" --advertise --port 18200 > "$folder/fleet" &
until_true grep -q Loft "$folder/fleet"
until_true found Loft
echo "== fleet"
found Attic
found Loft
"$showcaller" volume 50% --host 127.0.0.1:18100 > "$folder/volume" 2>&1 || true
has_moved() { found Attic | grep -vq '"port":18100'; }
until_true has_moved
echo "== moved"
found Attic
cat "$folder/fleet"
