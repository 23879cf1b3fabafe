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
