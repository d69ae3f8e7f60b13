# SPDX-License-Identifier: BSD-3-Clause
"""A reverse proxy that mounts another server below a path, and knows nothing else."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import PATIENCE

# These concern one connection, so a proxy does not pass them on.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        proxy = self.server.proxy
        if not self.path.startswith(proxy.prefix + "/"):
            proxy.strays.append(self.path)
            self.send_error(404)
            return
        connection = http.client.HTTPConnection(proxy.backend, timeout=PATIENCE)
        try:
            connection.request("GET", self.path[len(proxy.prefix):])
            self.pass_on(connection.getresponse())
        finally:
            connection.close()

    def pass_on(self, answer):
        body = answer.read()
        self.send_response(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        """A browser may close its connection at any time, as when a page is left."""
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def log_message(self, format, *arguments):
        pass


class Prefix:
    """Serves what `backend`, a host and port, serves at / below `prefix` instead.

    `strays` are the paths of the requests that did not lie below the prefix.
    """

    def __init__(self, backend, prefix):
        self.backend = backend
        self.prefix = prefix
        self.strays = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.proxy = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}{prefix}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
