#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace view --follow: a trace that is shown while it is being recorded."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from view_server import PATIENCE, Server, wait_for

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "command"))
from http_server import CHUNKED, HANGING, Server as Remote, chunks, hang  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import beside  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
BYTES = (pathlib.Path(os.environ["GT_TESTDATA"]) / "v2" / "go1.27-gens.trace").read_bytes()


class Live(Server):
    """A viewer that follows; it does not wait until the trace has been read."""

    def __init__(self, path, *options):
        super().__init__(path, "--follow", *options)

    def __enter__(self):
        return self

    def wait(self, condition):
        wait_for(lambda: condition(self.ask("trace")), "what /api/trace says")
        return self.ask("trace")

    def stop(self):
        self.connection.request("POST", "/api/live?do=stop", b"",
                                {"Content-Type": "application/octet-stream",
                                 "Origin": "http://" + self.host})
        answer = self.connection.getresponse()
        return answer.status, answer.read()


class LiveTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "growing.trace"
        self.path.write_bytes(BYTES[:len(BYTES) // 2])
        with Server(pathlib.Path(os.environ["GT_TESTDATA"]) / "v2" / "go1.27-gens.trace") as whole:
            self.whole = whole.ask("trace")

    def expect_whole(self, trace):
        self.assertTrue(trace["progress"]["done"])
        self.assertEqual(trace["counts"], self.whole["counts"])
        self.assertEqual(trace["duration"], self.whole["duration"])

    def test_file_is_shown_while_it_grows(self):
        with Live(self.path) as view:
            half = view.wait(lambda trace: trace["progress"]["live"] and trace["duration"])
            self.assertLess(half["counts"]["events"], self.whole["counts"]["events"])
            self.assertGreater(half["progress"]["lag"], 0)
            self.assertTrue(half["progress"]["can_stop"])
            with self.path.open("ab") as file:
                file.write(BYTES[len(BYTES) // 2:])
            view.wait(lambda trace: trace["duration"] > half["duration"])
            self.assertFalse(view.ask("trace")["progress"]["done"])
            self.assertEqual(view.stop()[0], 200)
            self.expect_whole(view.wait(lambda trace: trace["progress"]["done"]))

    def test_silence_ends_the_recording(self):
        self.path.write_bytes(BYTES)
        with Live(self.path, "--idle", "300ms") as view:
            trace = view.wait(lambda trace: trace["progress"]["done"])
            self.expect_whole(trace)
            self.assertFalse(trace["progress"]["live"])

    def test_stop_lets_the_server_send_the_rest(self):
        answer = CHUNKED + chunks(BYTES, 700)

        def script(connection):
            connection.sendall(answer[:len(answer) // 2])
            while connection.recv(100):
                pass
            connection.sendall(answer[len(answer) // 2:])
        remote = Remote(script)
        self.addCleanup(remote.close)
        kept = self.path.with_name("kept")
        with Live(remote.url, "--save", str(kept)) as view:
            view.wait(lambda trace: trace["progress"]["live"] and trace["duration"])
            self.assertEqual(view.stop()[0], 200)
            self.expect_whole(view.wait(lambda trace: trace["progress"]["done"]))
            self.assertIsNone(view.ask("trace")["error"])
        self.assertEqual(kept.read_bytes(), BYTES)

    def test_viewer_ends_at_once_while_it_records(self):
        remote = Remote(hang(CHUNKED + chunks(BYTES, 700)[:2000]))
        self.addCleanup(remote.close)
        for path in remote.url, str(self.path):
            with Live(path) as view:
                view.wait(lambda trace: trace["progress"]["live"])
                begin = time.monotonic()
            self.assertLess(time.monotonic() - begin, HANGING / 2)

    def test_source_that_cannot_be_followed_is_refused(self):
        missing = self.path.with_name("missing")
        remote = Remote(lambda connection: connection.sendall(b"HTTP/1.1 403 No\r\n\r\nnot you"))
        self.addCleanup(remote.close)
        for path, message in ((missing, b"No such file"), (remote.url, b"403: not you")):
            result = subprocess.run([COMMAND, "view", "--no-open", "--follow", path], check=False,
                                    timeout=PATIENCE, stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, 1)
            self.assertIn(message, result.stderr)

    def test_url_is_shown_when_it_is_complete(self):
        remote = Remote(lambda connection: connection.sendall(CHUNKED + chunks(BYTES, 999)))
        self.addCleanup(remote.close)
        with Server(remote.url) as view:
            self.expect_whole(view.ask("trace"))


class EveryTest(unittest.TestCase):
    """Traces that are taken again and again."""

    def remote(self, script):
        remote = Remote(script)
        self.addCleanup(remote.close)
        return remote

    @staticmethod
    def traces(view):
        status, _, body = view.get("/traces")
        assert status == 200
        return json.loads(body)

    def wait(self, view, condition):
        wait_for(lambda: condition(self.traces(view)["traces"]), "what /traces says")
        return self.traces(view)["traces"]

    def test_each_trace_is_a_tab_and_the_last_ten_are_kept(self):
        remote = self.remote(lambda connection: connection.sendall(CHUNKED + chunks(BYTES, 999)))
        with Server(remote.url, "--every", "150ms") as view:
            events = view.ask("trace")["counts"]["events"]
            self.assertEqual(self.traces(view)["every"], 150)
            second = self.wait(view, lambda traces: len(traces) > 1)[1]
            self.assertRegex(second["name"], r"^\d\d:\d\d:\d\d$")
            traces = self.wait(view, lambda traces: traces[0]["id"] > 2)
            self.assertEqual(len(traces), 10)
            path = "/%sapi/trace" % traces[-1]["path"]
            wait_for(lambda: json.loads(view.get(path)[2])["progress"]["done"], "the newest one")
            self.assertEqual(json.loads(view.get(path)[2])["counts"]["events"], events)
            self.assertEqual(view.get("/api/trace")[0], 404)

    def test_failure_is_told_once_and_does_not_end_the_series(self):
        def script(connection):
            good = len(remote.requests) not in (2, 3, 4)
            connection.sendall(CHUNKED + chunks(BYTES, 999) if good else
                               b"HTTP/1.1 500 No\r\n\r\nCould not enable tracing")
        remote = self.remote(script)
        view = Server(remote.url, "--every", "100ms")
        self.wait(view, lambda traces: len(traces) > 2)
        view.connection.close()
        view.process.send_signal(signal.SIGTERM)
        errors = view.process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(errors.count("500: Could not enable tracing"), 1)
        self.assertEqual(view.process.returncode, 0)

    def test_cut_answer_is_no_trace(self):
        def script(connection):
            whole = CHUNKED + chunks(BYTES, 999)
            connection.sendall(whole if len(remote.requests) != 2 else whole[:3000])
        remote = self.remote(script)
        view = Server(remote.url, "--every", "100ms")
        self.wait(view, lambda traces: len(traces) > 1)
        view.connection.close()
        view.process.send_signal(signal.SIGTERM)
        self.assertEqual(view.process.communicate(timeout=PATIENCE)[1].count("\n"), 1)

    def test_answer_that_is_no_trace_is_told_and_is_no_tab(self):
        def script(connection):
            page = b"HTTP/1.1 200 OK\r\n\r\n<!doctype html>"
            is_page = len(remote.requests) in (2, 3)
            connection.sendall(page if is_page else CHUNKED + chunks(BYTES, 999))
        remote = self.remote(script)
        view = Server(remote.url, "--every", "100ms")
        wait_for(lambda: len(remote.requests) >= 4, "four requests")
        traces = self.traces(view)["traces"]
        self.assertLessEqual(len(traces), len(remote.requests) - 2)
        view.connection.close()
        view.process.send_signal(signal.SIGTERM)
        errors = view.process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(errors.count("the answer is not a trace"), 1)

    def test_viewer_ends_at_once_while_it_takes_a_trace(self):
        def script(connection):
            connection.sendall(CHUNKED + chunks(BYTES, 999) if len(remote.requests) == 1 else
                               CHUNKED + chunks(BYTES, 999)[:2000])
            if len(remote.requests) > 1:
                time.sleep(HANGING)
        remote = self.remote(script)
        with Server(remote.url, "--every", "100ms"):
            wait_for(lambda: len(remote.requests) >= 2, "the second request")
            begin = time.monotonic()
        self.assertLess(time.monotonic() - begin, HANGING / 2)

    def test_no_room_is_told(self):
        remote = self.remote(lambda connection: connection.sendall(CHUNKED + chunks(BYTES, 999)))
        view = Server(remote.url, "--every", "1s")
        for _ in range(31):
            view.connection.request("POST", "/traces?name=x", BYTES,
                                    {"Content-Type": "application/octet-stream",
                                     "Origin": "http://" + view.host})
            view.connection.getresponse().read()
            view.connection.close()
        wait_for(lambda: len(remote.requests) >= 4, "four requests")
        view.connection.close()
        view.process.send_signal(signal.SIGTERM)
        errors = view.process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(errors.count("too many traces are open"), 1)

    def test_wrong_use_is_refused(self):
        for arguments in (("--every", "1s", "x.trace"), ("--every", "x", "http://localhost:1"),
                          ("--every", "99ms", "http://localhost:1"),
                          ("--every", "1s", "--follow", "http://localhost:1"),
                          ("--every", "1s", "--save", "x", "http://localhost:1"),
                          ("--every", "1s", "http://localhost:1", "http://localhost:1")):
            result = subprocess.run([COMMAND, "view", *arguments], check=False, timeout=PATIENCE,
                                    stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, 2, arguments)


if __name__ == "__main__":
    beside.main()
