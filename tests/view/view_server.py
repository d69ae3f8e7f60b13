# SPDX-License-Identifier: BSD-3-Clause
"""A `gotrace view` of a test's own."""

import http.client
import io
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

signals.start_with_defaults()


class Stream:
    """A connection that stays, for requests without a body. A test may make a hundred thousand of
    them, and http.client takes three times as long for each, most of it for headers that no test
    looks at."""

    def __init__(self, host):
        self.host = host
        self.socket = socket.create_connection(host.rsplit(":", 1), timeout=PATIENCE)
        self.file = self.socket.makefile("rb")

    def ask(self, method, path):
        """Status, lines of the header, and body."""
        self.socket.sendall(("%s %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                             % (method, path, self.host)).encode("ascii"))
        status = self.file.readline()
        if not status.startswith(b"HTTP/1.1 "):
            raise RuntimeError("%s: %r" % (path, status))
        lines, size = [], None
        while (line := self.file.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("%s: the header is cut off" % path)
            lines.append(line)
            if line.lower().startswith(b"content-length:"):
                size = int(line[15:])
        return int(status[9:12]), lines, b"" if method == "HEAD" else self.read_body(size)

    def read_body(self, size):
        """Without a size it comes in chunks, each after its own size."""
        if size is not None:
            return self.read_part(size)
        parts = []
        while not parts or parts[-1]:
            parts.append(self.read_part(int(self.file.readline(), 16)))
            if self.file.readline() != b"\r\n":
                raise RuntimeError("a chunk is too long")
        return b"".join(parts)

    def read_part(self, size):
        part = self.file.read(size)
        if len(part) != size:
            raise RuntimeError("the body is cut off")
        return part

    def close(self):
        self.file.close()
        self.socket.close()


class Server:
    """Starts it, waits until the trace has been read, and ends it."""

    def __init__(self, path, *options):
        self.process = subprocess.Popen([os.environ["GT_COMMAND"], "view", "--no-open", *options,
                                         path],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.host = line.split("http://")[1].split("/")[0].strip()
        # Only this one can send bodies.
        self.connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        self.stream = None
        self.lines = []

    def __enter__(self):
        wait_for(lambda: self.ask("trace")["progress"]["done"], "the whole trace")
        return self

    def __exit__(self, kind, *_):
        self.connection.close()
        self.leave()
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=PATIENCE)
        told = [line for line in errors.splitlines() if ": repaired: " not in line]
        if kind is None and (self.process.returncode != 0 or told):
            raise RuntimeError("it ended with %d: %s" % (self.process.returncode, errors))

    def get(self, path, method="GET"):
        """Status, type and body."""
        self.stream = self.stream or Stream(self.host)
        status, self.lines, body = self.stream.ask(method, path)
        kind, closes = None, False
        for line in self.lines:
            name, _, value = line.partition(b":")
            name = name.lower()
            if name == b"content-type":
                kind = value.strip().decode("ascii")
            closes |= name == b"connection" and value.strip().lower() == b"close"
        if closes:
            self.leave()
        return status, kind, body

    def leave(self):
        if self.stream:
            self.stream.close()
        self.stream = None

    @property
    def headers(self):
        """Of the last answer."""
        return http.client.parse_headers(io.BytesIO(b"".join(self.lines) + b"\r\n"))

    def answer(self, path):
        """The same of an analysis, once it is there or refused."""
        def is_there():
            found = self.get(path)
            return found if found[0] != 202 else None
        return wait_for(is_there, path)

    def ask(self, name, expected=200, **parameters):
        """What /api/NAME answers, which is JSON."""
        path = "/api/" + name
        if parameters:
            path += "?" + urllib.parse.urlencode(parameters)
        status, kind, body = self.get(path)
        if status != expected or not kind.startswith("application/json"):
            raise RuntimeError("%s: %d %s %r" % (path, status, kind, body[:200]))
        return json.loads(body)

    def tiles(self, level, index, tracks):
        path = "/api/tiles?level=%d&index=%d&tracks=%s" % (level, index,
                                                           ",".join(map(str, tracks)))
        status, kind, body = self.get(path)
        if status != 200 or kind != "application/octet-stream":
            raise RuntimeError("%s: %d %s" % (path, status, kind))
        return Tiles(body)


class Bar:
    def __init__(self, data, at):
        self.start, self.end, self.count, self.index = struct.unpack_from("<ddII", data, at)
        self.shares = data[at + 24:at + 40]
        self.cls, zero, zeros, self.name, self.goroutine, last = struct.unpack_from(
            "<BBHIII", data, at + 24)
        if self.count == 1 and (zero or zeros or last):
            raise ValueError("what must be 0 is not")


class Tiles:
    """An answer of /api/tiles, taken apart."""

    def __init__(self, data):
        magic, self.final, count = struct.unpack_from("<4sII", data, 0)
        if magic != b"GTT1":
            raise ValueError("no tile")
        at, self.bars, self.order, self.labels = 12, {}, [], {}
        for _ in range(count):
            track, items = struct.unpack_from("<II", data, at)
            self.order.append(track)
            self.bars[track] = [Bar(data, at + 8 + 40 * i) for i in range(items)]
            at += 8 + 40 * items
        count, at = struct.unpack_from("<I", data, at)[0], at + 4
        for _ in range(count):
            track, index, size = struct.unpack_from("<III", data, at)
            self.labels[track, index] = data[at + 12:at + 12 + size].decode()
            at += 12 + size
        if at != len(data):
            raise ValueError("%d bytes too many" % (len(data) - at))
