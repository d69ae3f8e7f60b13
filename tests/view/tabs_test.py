# SPDX-License-Identifier: BSD-3-Clause
"""Several traces in one `gotrace view`: from the command line, and sent by a page."""

import contextlib
import gzip
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
import skips  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

signals.start_with_defaults()
TESTDATA = os.environ["GT_TESTDATA"]
TRACES = tuple(os.path.join(TESTDATA, name + ".trace")
               for name in ("v2/go1.27-tasks", "v2/go1.26-tasks", "v1/go1.19-sync"))
BYTES = "application/octet-stream"
# Prints without end, as a decompression bomb does.
ENDLESS = "#!/bin/sh\nexec cat /dev/zero\n"


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Viewer:
    """`gotrace view`, which is asked over new connections, so that each may be spoilt."""

    def __init__(self, *arguments, code=0, environment=None):
        self.code = code
        self.process = subprocess.Popen(
            [os.environ["GT_COMMAND"], "view", "--no-open", *arguments], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.host = line.split("http://")[1].strip() if line else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.errors = self.process.communicate(timeout=PATIENCE)[1]
        if self.process.returncode != self.code:
            raise RuntimeError("it ended with %d: %s" % (self.process.returncode, self.errors))

    def request(self, method, path, body=None, **headers):
        """Status, headers and body."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask(self, path, expected=200):
        status, _, body = self.request("GET", path)
        if status != expected:
            raise RuntimeError("%s: %d %r" % (path, status, body[:100]))
        return json.loads(body)

    def send(self, data, name="sent.trace", **headers):
        """Status and JSON for a file that a page sends."""
        headers = {"Origin": "http://" + self.host, "Content-Type": BYTES, **headers}
        status, _, body = self.request("POST", "/traces?" + urllib.parse.urlencode({"name": name}),
                                       data, **headers)
        return status, json.loads(body)

    def close(self, number):
        status, _, body = self.request("DELETE", "/traces?id=%s" % number,
                                       Origin="http://" + self.host)
        return status, json.loads(body)

    def paths(self):
        return [trace["path"] for trace in self.ask("/traces")["traces"]]

    def facts(self, path):
        """What is known of a trace once it has been read."""
        def is_read():
            facts = self.ask(path + "api/trace")
            return facts if facts["progress"]["done"] else None
        return wait_for(is_read, f"the whole trace at {path}")

    def temporary_files(self):
        """Deleted files that the process holds open."""
        folder = "/proc/%d/fd" % self.process.pid
        count = 0
        for name in os.listdir(folder):
            # A connection may be closed meanwhile.
            with contextlib.suppress(FileNotFoundError):
                count += os.readlink(os.path.join(folder, name)).endswith(" (deleted)")
        return count


def events(path):
    """How many events the command counts in a trace."""
    text = subprocess.run([os.environ["GT_COMMAND"], "stat", "--json", path], check=True,
                          stdout=subprocess.PIPE).stdout
    return json.loads(text)["events"]


class SeveralFilesTest(unittest.TestCase):
    def test_each_file_has_its_own_path(self):
        with Viewer(*TRACES) as viewer:
            self.assertEqual(viewer.ask("/traces"), {
                "traces": [{"id": i + 1, "path": path, "name": name}
                           for i, (path, name) in enumerate(zip(("./", "t/2/", "t/3/"), TRACES))],
                "can_open": True, "limit": 4 << 30, "every": 0})
            for path, trace in zip(("/", "/t/2/", "/t/3/"), TRACES):
                facts = viewer.facts(path)
                self.assertEqual(facts["name"], trace)
                self.assertEqual(facts["counts"]["events"], events(trace))
                self.assertEqual(facts["traces_url"],
                                 "traces" if path == "/" else "../../traces")
                self.assertEqual(viewer.request("GET", path)[0], 200)
            for path in ("/t/1/", "/t/4/api/trace", "/t/", "/t/2", "/t/x/", "/t/-2/", "/t/2x/",
                         "/t/99999999999/", "/t/4294967298/", "/traces/"):
                self.assertEqual(viewer.request("GET", path)[0], 404, path)

    def test_others_are_read_when_they_are_looked_at(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy")
            shutil.copy(TRACES[1], copy)
            with Viewer(TRACES[0], copy) as viewer:
                os.remove(copy)
                self.assertIn("cannot open the file", viewer.ask("/t/2/", 500)["error"])
                shutil.copy(TRACES[1], copy)
                self.assertEqual(viewer.facts("/t/2/")["counts"]["events"], events(TRACES[1]))

    def test_bad_file_is_told_of_at_once(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(gzip.compress(b"no trace at all"))
            file.flush()
            for name, why in ((file.name, "not a Go execution trace"),
                              (file.name + "x", "cannot open the file")):
                viewer = Viewer(TRACES[0], name, code=1)
                with viewer:
                    self.assertEqual(viewer.host, "")
                self.assertIn("%s: %s" % (name, why), viewer.errors)

    def test_closed_trace_is_gone(self):
        with Viewer(*TRACES) as viewer:
            viewer.facts("/t/2/")
            self.assertEqual(viewer.close(2), (200, {}))
            self.assertEqual(viewer.close(2)[0], 404)
            self.assertEqual(viewer.paths(), ["./", "t/3/"])
            status, headers, _ = viewer.request("GET", "/t/2/")
            self.assertEqual((status, headers["Location"]), (302, "../../"))
            viewer.ask("/t/2/api/trace", 404)
            self.assertEqual(viewer.close(1)[0], 200)
            status, headers, _ = viewer.request("GET", "/")
            self.assertEqual((status, headers["Location"]), (302, "t/3/"))
            viewer.ask("/api/trace", 404)
            self.assertEqual(viewer.close(3)[0], 409)
            for number in ("", "x", "-1", "4294967299"):
                self.assertEqual(viewer.close(number)[0], 404)
            self.assertEqual(viewer.paths(), ["t/3/"])

    def test_trace_is_closed_while_it_is_used(self):
        with Viewer(*TRACES) as viewer:
            stop, failed = threading.Event(), []

            def ask():
                while not stop.is_set():
                    status = viewer.request("GET", "/t/2/api/flame?kind=wall")[0]
                    if status not in (200, 202, 404):
                        failed.append(status)

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(0.1)
            viewer.close(2)
            time.sleep(0.1)
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(failed, [])


class SendingTest(unittest.TestCase):
    def assert_refused(self, viewer, status, *arguments, **headers):
        got, answer = viewer.send(*arguments, **headers)
        self.assertEqual(got, status, answer)
        self.assertTrue(answer["error"])

    def test_file_that_is_sent_becomes_a_trace(self):
        with Viewer(TRACES[0]) as viewer:
            kept = viewer.temporary_files()
            names = ("a b&=%.trace", '"><img>\n\x01\udcff', "", "x" * 2000)
            packed = gzip.compress(read(TRACES[1]))
            forms = [read(TRACES[1]), packed, packed[:-8]]
            for number, name in enumerate(names, 2):
                data = forms[number % len(forms)]
                raw = name.encode(errors="surrogateescape")
                status, answer = viewer.send(data, raw)
                self.assertEqual((status, answer["path"]), (201, "t/%d/" % number))
                expected = raw[:255].decode(errors="replace") or "trace"
                self.assertEqual(answer["name"], expected)
                facts = viewer.facts("/t/%d/" % number)
                self.assertEqual(facts["counts"]["events"], events(TRACES[1]))
                self.assertEqual(facts["name"], expected)
            self.assertEqual(viewer.temporary_files(), kept + len(names))
            for number in range(2, 2 + len(names)):
                self.assertEqual(viewer.close(number)[0], 200)
            self.assertEqual(viewer.temporary_files(), kept)
            self.assertEqual(viewer.paths(), ["./"])

    def test_zstd_is_sent_too(self):
        if not shutil.which("zstd"):
            self.skipTest("zstd is not installed")
        data = subprocess.run(["zstd", "-q", "-c"], input=read(TRACES[1]), check=True,
                              stdout=subprocess.PIPE).stdout
        with Viewer(TRACES[0]) as viewer:
            self.assertEqual(viewer.send(data)[0], 201)
            self.assertEqual(viewer.facts("/t/2/")["counts"]["events"], events(TRACES[1]))

    def test_what_is_no_trace_is_refused(self):
        with Viewer(TRACES[0]) as viewer:
            kept = viewer.temporary_files()
            for data in (b"", b"x", b"no trace at all" * 1000, gzip.compress(b"no trace"),
                         gzip.compress(read(TRACES[1]))[:9], b"\x28\xb5\x2f\xfd"):
                self.assert_refused(viewer, 400, data)
            self.assertEqual(viewer.temporary_files(), kept)
            self.assertEqual(viewer.paths(), ["./"])
            self.assertEqual(viewer.send(read(TRACES[1]))[0], 201)

    def test_foreign_pages_are_refused(self):
        with Viewer(TRACES[0]) as viewer:
            data = read(TRACES[1])
            port = viewer.host.split(":")[1]
            for origin in ("null", "", "http://evil.example", "http://" + viewer.host + ".evil",
                           "https://" + viewer.host, "http://localhost:" + port):
                self.assert_refused(viewer, 403, data, Origin=origin)
            evil = "evil.example:" + port
            self.assert_refused(viewer, 403, data, Host=evil, Origin="http://" + evil)
            self.assertEqual(viewer.request("POST", "/traces", data, **{"Content-Type": BYTES})[0],
                             403)
            for kind in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded",
                         "application/octet-stream, text/plain", ""):
                self.assert_refused(viewer, 415, data, **{"Content-Type": kind})
            self.assertEqual(viewer.request("DELETE", "/traces?id=1")[0], 403)
            for method in ("PUT", "PATCH", "OPTIONS", "TRACE"):
                status, headers, _ = viewer.request(method, "/traces")
                self.assertEqual(status, 405)
                self.assertIsNone(headers["Access-Control-Allow-Origin"])
            self.assertEqual(viewer.paths(), ["./"])
            own = "localhost:" + port
            self.assertEqual(viewer.send(data, Host=own, Origin="http://" + own)[0], 201)

    def test_trace_itself_cannot_be_changed(self):
        with Viewer(TRACES[0]) as viewer:
            for path in ("/", "/api/trace", "/t/1/"):
                status, headers, _ = viewer.request("POST", path, b"", Origin="http://" +
                                                    viewer.host, **{"Content-Type": BYTES})
                self.assertIn(status, (404, 405))
                if status == 405:
                    self.assertEqual(headers["Allow"], "GET, HEAD")

    def test_limit_holds_for_files_and_what_they_unpack_to(self):
        data = read(TRACES[1])
        with Viewer("--upload-limit", str(len(data)), TRACES[0]) as viewer:
            self.assertEqual(viewer.ask("/traces")["limit"], len(data))
            self.assertEqual(viewer.send(data)[0], 201)
            self.assert_refused(viewer, 413, data + b"x")
            self.assertEqual(viewer.send(gzip.compress(data))[0], 201)
            self.assert_refused(viewer, 413, gzip.compress(data + b"x"))
        with Viewer("--upload-limit=1K", TRACES[0]) as viewer:
            self.assertEqual(viewer.ask("/traces")["limit"], 1024)
        for size in ("", "x", "-1", "1T", "1KK", "99999999999999999999", "99999999999G", " 1"):
            with Viewer("--upload-limit", size, TRACES[0], code=2) as viewer:
                self.assertEqual(viewer.host, "")

    def test_bomb_ends_at_the_limit_and_its_program_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gzip")
            with open(path, "w", encoding="ascii") as file:
                file.write(ENDLESS)
            os.chmod(path, 0o755)
            environment = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
            with Viewer("--upload-limit=1M", TRACES[0], environment=environment) as viewer:
                kept = viewer.temporary_files()
                self.assert_refused(viewer, 413, gzip.compress(b"x"))
                self.assertEqual(viewer.temporary_files(), kept)
                with open("/proc/%d/task/%d/children" % (viewer.process.pid, viewer.process.pid),
                          encoding="ascii") as file:
                    self.assertEqual(file.read().split(), [])

    def test_more_traces_than_there_is_room_for_are_refused(self):
        with Viewer(*[TRACES[0]] * 31) as viewer:
            self.assertEqual(viewer.send(read(TRACES[1]))[0], 201)
            self.assert_refused(viewer, 503, read(TRACES[1]))
            viewer.close(7)
            self.assertEqual(viewer.send(read(TRACES[1]))[0], 201)

    def test_public_server_opens_only_if_it_is_told_to(self):
        address = ("--http", "0.0.0.0:0")
        with Viewer(*address, *TRACES) as viewer:
            self.assertFalse(viewer.ask("/traces")["can_open"])
            self.assert_refused(viewer, 405, read(TRACES[1]))
            self.assertEqual(viewer.close(2)[0], 405)
        with Viewer(*address, "--allow-open", TRACES[0]) as viewer:
            self.assertTrue(viewer.ask("/traces")["can_open"])
            self.assertEqual(viewer.send(read(TRACES[1]))[0], 201)

    def test_signal_ends_a_transfer(self):
        with Viewer(TRACES[0]) as viewer:
            host, port = viewer.host.split(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
            connection.putrequest("POST", "/traces")
            for name, value in (("Origin", "http://" + viewer.host), ("Content-Type", BYTES),
                                ("Content-Length", "1000000")):
                connection.putheader(name, value)
            connection.endheaders(b"go 1.26 trace")
            began = time.monotonic()
        self.assertLess(time.monotonic() - began, 20)
        connection.close()


if __name__ == "__main__":
    skips.main()
