# SPDX-License-Identifier: BSD-3-Clause
"""A server that answers one request by a script, byte for byte."""

import socket
import struct
import threading
import time

HEAD = b"HTTP/1.1 200 OK\r\n"
# For so many seconds a script hangs: longer than what a test expects to happen meanwhile, on any
# machine. No test waits for its end.
HANGING = 120
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


class Server:
    """Listens on a port of its own, and calls `script` with each connection and its request."""

    def __init__(self, script):
        self.script = script
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/trace"
        self.requests = []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            with connection:
                try:
                    self.answer(connection)
                except OSError:
                    pass

    def answer(self, connection):
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            data = connection.recv(4096)
            if not data:
                return
            request += data
        self.requests.append(request.decode())
        self.script(connection)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def send(data):
    """A script that sends these bytes."""
    return lambda connection: connection.sendall(data)


def drip(data, size, pause=0.0):
    """A script that sends these bytes in pieces."""
    def script(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), size):
            connection.sendall(data[start:start + size])
            time.sleep(pause)
    return script


def reset(data):
    """A script that sends these bytes and resets the connection."""
    def script(connection):
        connection.sendall(data)
        time.sleep(0.1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    return script


def wait_for_stop(before, after):
    """A script that records until the client closes its direction, as net/http does."""
    def script(connection):
        connection.sendall(before)
        while connection.recv(4096):
            pass
        connection.sendall(after)
    return script


def hang(data):
    """A script that sends these bytes and nothing more."""
    def script(connection):
        connection.sendall(data)
        time.sleep(HANGING)
    return script


def chunks(data, size, extension=b"", trailer=b""):
    """The bytes in chunks."""
    out = b""
    for start in range(0, len(data), size):
        part = data[start:start + size]
        out += b"%X%s\r\n%s\r\n" % (len(part), extension, part)
    return out + b"0\r\n" + trailer + b"\r\n"
