"""A crowd at the control page. Usage: crowd.py PORT COUNT; prints how many of COUNT clients that ask for events and then
stay got them, and how many were let in at all; it goes when its standard input ends."""

import select
import socket
import sys
import time

port, count = int(sys.argv[1]), int(sys.argv[2])
ask = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
clients = []
for _ in range(count):
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    try:
        client.sendall(ask)
    except OSError:
        pass
    clients.append(client)
answers, open_ones, end = {}, {client.fileno(): client for client in clients}, time.monotonic() + 20
while open_ones and time.monotonic() < end:
    ready = select.select(list(open_ones), [], [], 1)[0]
    if not ready:
        break
    for number in ready:
        try:
            data = open_ones[number].recv(4096)
        except OSError:
            data = b""
        if data:
            answers.setdefault(number, data.split(b"\r\n")[0].decode())
        else:
            del open_ones[number]
print(sum("200" in answer for answer in answers.values()), len(answers), flush=True)
sys.stdin.read()
