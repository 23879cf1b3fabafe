"""A group by an implementation that is not ours: its members, and the news of their volumes.

Usage: group_session.py GROUP_PORT MEMBER_PORT. Prints one line per step that went as it should.
"""

import sys
import threading

from cast_peer import connect
from pychromecast.controllers.multizone import MultizoneController, MultiZoneControllerListener

LIMIT = 10


class Group(MultizoneController, MultiZoneControllerListener):
    """Remembers what the group says of its members."""

    def __init__(self, group_uuid):
        self.changed = threading.Condition()
        self.volumes = {}
        self.names = None
        super().__init__(group_uuid)
        self.register_listener(self)

    def multizone_member_added(self, group_uuid):
        pass

    def multizone_member_removed(self, group_uuid):
        pass

    def multizone_status_received(self):
        with self.changed:
            self.names = sorted(self._members.values())
            self.changed.notify_all()

    def receive_message(self, _message, data):
        if data["type"] == "DEVICE_UPDATED":
            with self.changed:
                self.volumes[data["device"]["name"]] = round(data["device"]["volume"]["level"], 2)
                self.changed.notify_all()
        return super().receive_message(_message, data)

    def wait(self, what, is_so):
        with self.changed:
            if not self.changed.wait_for(is_so, LIMIT):
                sys.exit(f"not {what} within {LIMIT} s: {self.names} {self.volumes}")
        print(what)


cast = connect(int(sys.argv[1]), "Upstairs", LIMIT)
group = Group(cast.uuid)
cast.register_handler(group)
group.update_members()
group.wait("members", lambda: group.names == ["Bath", "Kitchen"])

member = connect(int(sys.argv[2]), "Kitchen", LIMIT)
member.set_volume(0.4, timeout=LIMIT)
group.wait("member set", lambda: group.volumes.get("Kitchen") == 0.4)

cast.set_volume(0.5, timeout=LIMIT)
group.wait("group set", lambda: group.volumes.get("Bath") is not None)

member.disconnect(timeout=LIMIT)
cast.disconnect(timeout=LIMIT)
print("left")
