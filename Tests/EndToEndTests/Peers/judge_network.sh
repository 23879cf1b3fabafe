#!/bin/bash
# A network of its own with one address, a real Avahi daemon on a bus of its own, and in it a command.
# Usage: judge_network.sh FOLDER COMMAND...; run inside `unshare --net --mount`.
set -eu
folder=$1
shift
ip link set lo up
# Browsers look for devices on real interfaces only: both ends of a cable are here.
ip link add cast0 type veth peer name cast1
ip addr add 10.77.0.1/24 dev cast0
ip link set cast0 up
ip link set cast1 up
ip route add 224.0.0.0/4 dev cast0
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
host-name=judge
use-ipv4=yes
use-ipv6=no
allow-interfaces=cast0
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
"$@"
