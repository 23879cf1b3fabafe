#!/bin/bash
# Two computers joined by a cable, each in a network namespace of its own: here a real Avahi daemon and the program
# under test, there another Avahi daemon with virtual receivers and a Python mDNS stack with devices of its own.
# Usage: network.sh SHOWCALLER FOLDER PYTHON MDNS.PY; run inside `unshare --net --mount`.
set -eu
showcaller=$1 folder=$2 python=$3 peer=$4
cleanup() { kill $(jobs -p) $(cat "$folder"/*.pid 2>/dev/null) 2>/dev/null || true; }
trap cleanup EXIT

ip link set lo up
unshare --net --mount sleep 300 &
far=$!
# Waits, fifteen seconds at most, until a command succeeds.
until_true() {
  for _ in $(seq 150); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  echo "not in time: $*" >&2
  exit 1
}
there() { nsenter --target "$far" --net --mount "$@"; }
has_own_network() { [ "$(readlink /proc/$far/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; }
until_true has_own_network
ip link add here type veth peer name there netns "$far"
ip addr add 10.77.0.1/24 dev here
ip addr add fe80::1:1/64 dev here nodad
ip link set here up
there ip link set lo up
there ip addr add 10.77.0.2/24 dev there
there ip addr add fe80::2:2/64 dev there nodad
there ip link set there up

# daemon NAME INTERFACE [PREFIX...]: a bus and an Avahi daemon, with its fixed folder mounted over.
configure() {
  cat > "$folder/$1-bus.conf" <<CONF
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=$folder/$1-bus</listen>
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
  cat > "$folder/$1-avahi.conf" <<CONF
[server]
host-name=computer-$1
use-ipv4=yes
use-ipv6=yes
allow-interfaces=$1
enable-dbus=yes
disallow-other-stacks=no
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
[publish]
publish-hinfo=no
publish-workstation=no
CONF
  dbus-daemon --config-file="$folder/$1-bus.conf" --nofork --nopidfile 2>/dev/null &
  until_true test -S "$folder/$1-bus"
}
answers() {
  dbus-send --bus="unix:path=$folder/$1-bus" --print-reply --dest=org.freedesktop.Avahi / \
    org.freedesktop.Avahi.Server.GetVersionString
}
start_here() {
  DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/here-bus \
    avahi-daemon -f "$folder/here-avahi.conf" --no-drop-root --no-chroot --no-rlimits >>"$folder/here.log" 2>&1 &
  avahi=$!
  until_true answers here
}
configure here
configure there
mkdir -p /run/avahi-daemon
mount -t tmpfs tmpfs /run/avahi-daemon
there sh -c 'mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon'
start_here
start_there() {
  DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/there-bus nsenter --target "$far" --net --mount \
    avahi-daemon -f "$folder/there-avahi.conf" --no-drop-root --no-chroot --no-rlimits >>"$folder/there.log" 2>&1 &
  far_avahi=$!
  until_true answers there
}
start_there

# Receivers there: one that is announced by our own advertising, one that only the Python stack tells of.
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/there-bus nsenter --target "$far" --net --mount \
  "$showcaller" receive --advertise --port 8009 --name "Far TV" > "$folder/far" &
nsenter --target "$far" --net --mount "$showcaller" receive --listen :: --port 8010 --name "Hidden" > "$folder/hidden" &
until_true test -s "$folder/far"
until_true test -s "$folder/hidden"
mkfifo "$folder/orders"
nsenter --target "$far" --net --mount "$python" -u "$peer" advertise 10.77.0.2 fe80::2:2 8010 \
  < "$folder/orders" > "$folder/done" 2> "$folder/peer.log" &
exec 9> "$folder/orders"
until_true grep -q ready "$folder/done"
order() {
  echo "$1" >&9
  until_true grep -qx "$1" "$folder/done"
}

export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/here-bus
export XDG_CACHE_HOME=$folder/cache
echo "== json"
"$showcaller" discover --timeout 4s --json
echo "== table"
"$showcaller" discover --timeout 4
echo "== group"
"$showcaller" discover --timeout 3s --can group --can audio
echo "== runs"
"$showcaller" discover --timeout 3s --runs CC1AD845
echo "== none"
code=0
"$showcaller" discover --timeout 3s --runs 0F0F0F0F || code=$?
echo "exit $code"
echo "== address"
"$showcaller" discover --host "[fe80::2:2%here]:8010" --json
echo "== browser"
"$python" "$peer" browse 10.77.0.1 "Far TV"
echo "== six"
"$showcaller" run --runs "$folder/runs" --device Six --report "json=$folder/six.jsonl" examples/hello.yaml

echo "== watch"
"$showcaller" discover --watch --json > "$folder/watch" 2> "$folder/watch.err" &
watch=$!
seen() { [ "$(grep -c "\"event\":\"$1\"" "$folder/watch")" -ge "$2" ]; }
until_true seen came 5
order change
until_true seen changed 1
order move
until_true seen moved 1
kill -9 "$avahi"
wait "$avahi" 2>/dev/null || true
until_true seen lost 1
# One leaves while nobody listens: it is gone once the others have had the time to be seen again.
order leave
start_here
until_true seen back 1
order late
until_true seen came 6
until_true seen gone 1
kill -INT "$watch"
code=0
wait "$watch" || code=$?
cat "$folder/watch"
echo "== end"
echo "exit $code"

# Our own advertising outlives its daemon, too.
kill -9 "$far_avahi"
wait "$far_avahi" 2>/dev/null || true
start_there
advertised() { "$python" "$peer" browse 10.77.0.1 "Far TV" | grep -q '"port": 8009'; }
until_true advertised
echo "== again"
