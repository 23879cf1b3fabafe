"""Another mDNS stack's devices, and its view of ours. Usage: mdns.py advertise V4 V6 PORT6 | mdns.py browse V4 NAME

`advertise` prints `ready`, then does what each line of its input says, and prints it back when it is done.
"""
import json
import socket
import sys
import time

from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, Zeroconf

TYPE = "_googlecast._tcp.local."


def info(number, name, addresses, port=8009, ca="5", model="Chromecast", shows="", **more):
    identity = f"{number:032x}"
    properties = {"id": identity, "fn": name, "md": model, "ca": ca, "ve": "05", "st": "0", "rs": shows, **more}
    return ServiceInfo(
        TYPE, f"Peer-{identity}.{TYPE}", addresses=addresses, port=port, server=f"peer-{number}.local.",
        properties=properties)


def advertise(v4, v6, port6):
    zeroconf = Zeroconf(interfaces=[v4], ip_version=IPVersion.V4Only)
    four, six = socket.inet_aton(v4), socket.inet_pton(socket.AF_INET6, v6)
    speaker = info(1, "Speaker", [four], port=9, ca="4")
    group = info(2, "Ground floor", [four], port=42001, ca="36", model="Google Cast Group")
    only6 = info(3, "Six", [six], port=int(port6))
    # What no reader may take: a record over the limit, one without an id, a name that is an order to a terminal.
    large = info(4, "Large", [four], **{f"x{n}": "y" * 200 for n in range(7)})
    nameless = info(5, "", [four])
    painted = info(6, "Red \x1b[31m TV", [four], port=9)
    everything = [speaker, group, only6, large, nameless, painted]
    for entry in everything:
        zeroconf.register_service(entry, cooperating_responders=True)
    print("ready", flush=True)
    for line in sys.stdin:
        order = line.strip()
        if order == "change":
            zeroconf.update_service(info(1, "Speaker", [four], port=9, ca="4", shows="Radio"))
        elif order == "move":
            zeroconf.update_service(info(2, "Ground floor", [four], port=42777, ca="36", model="Google Cast Group"))
        elif order == "leave":
            zeroconf.unregister_service(painted)
        elif order == "late":
            zeroconf.register_service(info(7, "Late", [four], port=9), cooperating_responders=True)
        print(order, flush=True)


class Listener:
    def __init__(self, name):
        self.name = name
        self.found = None

    def add_service(self, zeroconf, kind, name):
        entry = zeroconf.get_service_info(kind, name, 3000)
        if entry is None:
            return
        text = {key.decode(): (value or b"").decode() for key, value in entry.properties.items()}
        if text.get("fn") == self.name:
            self.found = {
                "instance": name, "port": entry.port, "server": entry.server, "txt": text,
                "addresses": entry.parsed_addresses(IPVersion.All)}

    update_service = add_service

    def remove_service(self, zeroconf, kind, name):
        pass


def browse(v4, name):
    zeroconf = Zeroconf(interfaces=[v4], ip_version=IPVersion.V4Only)
    listener = Listener(name)
    browser = ServiceBrowser(zeroconf, TYPE, listener)
    for _ in range(200):
        if listener.found:
            break
        time.sleep(0.05)
    print(json.dumps(listener.found))
    browser.cancel()
    zeroconf.close()


if sys.argv[1] == "advertise":
    advertise(*sys.argv[2:5])
else:
    browse(*sys.argv[2:4])
