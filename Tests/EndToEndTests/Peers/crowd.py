"""A crowd at the control page. Usage: crowd.py PORT COUNT; prints how many of COUNT clients that ask for events and then
stay got them, and how many were let in at all; it goes when its standard input ends."""

import resource
import select
import socket
import sys
import time

limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit if limit != resource.RLIM_INFINITY else 1 << 16, limit))
port, count = int(sys.argv[1]), int(sys.argv[2])
ask = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
clients = []
for _ in range(count):
    try:
        client = socket.create_connection(("127.0.0.1", port), timeout=10)
    except OSError:
        continue
    try:
        client.sendall(ask)
    except OSError:
        pass
    clients.append(client)
answers, open_ones, end = {}, {client.fileno(): client for client in clients}, time.monotonic() + 20
# Not `select`, which knows no number from 1 024 on.
watch = select.poll()
for number in open_ones:
    watch.register(number, select.POLLIN)
while open_ones and time.monotonic() < end:
    ready = watch.poll(1000)
    if not ready:
        break
    for number, _ in ready:
        try:
            data = open_ones[number].recv(4096)
        except OSError:
            data = b""
        if data:
            answers.setdefault(number, data.split(b"\r\n")[0].decode())
        else:
            watch.unregister(number)
            del open_ones[number]
print(sum("200" in answer for answer in answers.values()), len(answers), flush=True)
sys.stdin.read()
