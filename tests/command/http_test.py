#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Traces from URLs: what servers of all kinds send, and when they send it."""

import gzip
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from http_server import (CHUNKED, HANGING, HEAD, Server, chunks, drip, hang, reset, send,
                         wait_for_stop)

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
import beside  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-coro.trace"
BYTES = TRACE.read_bytes()
LENGTH = HEAD + b"Content-Length: %d\r\n\r\n"

signals.start_with_defaults()


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, timeout=PATIENCE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


DUMP = run("dump", TRACE).stdout


def start(*arguments):
    return subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


class HttpTest(unittest.TestCase):
    def serve(self, script):
        server = Server(script)
        self.addCleanup(server.close)
        return server

    def expect(self, answer, output=DUMP, code=0, message=""):
        """What dump makes of an answer: bytes, or a script."""
        server = self.serve(send(answer) if isinstance(answer, bytes) else answer)
        result = run("dump", server.url)
        self.assertRegex(result.stderr.decode(), message if message else "^$")
        self.assertEqual(result.returncode, code)
        if output is not None:
            self.assertEqual(result.stdout, output)
        return server


class AnswersTest(HttpTest):
    def test_body_may_be_framed_in_each_way(self):
        self.expect(LENGTH % len(BYTES) + BYTES)
        self.expect(HEAD + b"\r\n" + BYTES)
        self.expect(b"HTTP/1.0 200 OK\r\n\r\n" + BYTES)
        self.expect(CHUNKED + chunks(BYTES, 1000))
        self.expect(HEAD + b"TRANSFER-ENCODING:Chunked\r\nContent-Length: 5\r\n\r\n" +
                    chunks(BYTES, 70000))
        self.expect(CHUNKED + chunks(BYTES, 100, b' ;a="b";c', b"X: y\r\nZ: \r\n"))

    def test_answer_may_come_in_pieces(self):
        answer = CHUNKED + chunks(BYTES, 37, b";x", b"A: b\r\n")
        self.expect(drip(answer, 1))
        self.expect(drip(answer, 97, 0.0001))

    def test_informational_answers_are_passed_over(self):
        self.expect(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
                    LENGTH % len(BYTES) + BYTES)

    def test_what_follows_the_body_is_not_read(self):
        self.expect(LENGTH % len(BYTES) + BYTES + b"more")
        self.expect(CHUNKED + chunks(BYTES, 512) + b"more")

    def test_compressed_trace_is_decompressed(self):
        packed = gzip.compress(BYTES)
        self.expect(LENGTH % len(packed) + packed)

    def test_request_says_what_the_server_needs(self):
        server = self.expect(LENGTH % len(BYTES) + BYTES)
        self.assertEqual(server.requests[0].split("\r\n")[0], "GET /trace HTTP/1.1")
        self.assertIn("\r\nHost: " + server.url.split("/")[2] + "\r\n", server.requests[0])
        self.assertIn("\r\nAccept-Encoding: identity\r\n", server.requests[0])
        self.assertIn("\r\nConnection: close\r\n", server.requests[0])

    def test_url_without_path_is_that_of_pprof(self):
        server = self.serve(send(LENGTH % len(BYTES) + BYTES))
        base = server.url[:-len("/trace")]
        targets = {
            "": "/debug/pprof/trace?seconds=5",
            "/": "/debug/pprof/trace?seconds=5",
            "?a=b": "/debug/pprof/trace?a=b&seconds=5",
            "/?seconds=2#x": "/debug/pprof/trace?seconds=2",
            "/debug/pprof/trace": "/debug/pprof/trace?seconds=5",
            "/debug/pprof/trace?seconds=0.5": "/debug/pprof/trace?seconds=0.5",
            "/other?x": "/other?x",
        }
        for given, wanted in targets.items():
            self.assertEqual(run("stat", base + given).returncode, 0)
            self.assertEqual(server.requests.pop().split()[1], wanted)

    def test_each_command_takes_a_url(self):
        server = self.serve(send(CHUNKED + chunks(BYTES, 4000)))
        for command in (["stat"], ["json"], ["check"], ["wire"], ["text"], ["footprint"], ["mmu"],
                        ["pprof", "sched"], ["summary"], ["goroutines"], ["latency"],
                        ["cut", "--start", "-1ms"]):
            with self.subTest(command=command):
                expected = run(*command, TRACE)
                got = run(*command, server.url)
                hide = re.compile(rb"reader memory.*|127\S*|go1.27-coro.trace")
                self.assertEqual(got.stderr, b"")
                self.assertEqual(got.returncode, expected.returncode)
                self.assertEqual(hide.sub(b"", got.stdout), hide.sub(b"", expected.stdout))


class FaultsTest(HttpTest):
    def test_status_is_reported_with_the_first_line_of_the_body(self):
        error = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 41\r\n\r\n"
        self.expect(error + b"Could not\x1b[1m enable tracing\nsecond line", b"", 1,
                    r"/trace: 500: Could not\?\[1m enable tracing\n$")
        self.expect(b"HTTP/1.1 404\r\n\r\n", b"", 1, "/trace: 404\n$")
        self.expect(b"HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n" +
                    chunks(b"busy\n", 2), b"", 1, "503: busy\n")

    def test_redirect_is_told_and_not_followed(self):
        self.expect(b"HTTP/1.1 302 Found\r\nLocation: http://other/x\r\n\r\n", b"", 1,
                    "302: moved to http://other/x\n")

    def test_answer_that_breaks_off_is_told_after_what_came(self):
        for answer in (LENGTH % (len(BYTES) + 1) + BYTES,
                       CHUNKED + chunks(BYTES, 5000)[:-5],
                       CHUNKED + chunks(BYTES, 5000)[:-1]):
            self.expect(answer, DUMP, 1, "closed before the end of the answer")
        cut = self.serve(send(CHUNKED + chunks(BYTES, 5000)[:len(BYTES) // 2]))
        result = run("dump", cut.url)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, b"closed before the end of the answer")
        for command in "stat", "check":
            result = run(command, cut.url)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, b"closed before the end of the answer")
        self.expect(reset(CHUNKED + chunks(BYTES, 5000)[:-5]), DUMP, 1,
                    "connection broke: Connection reset")

    def test_malformed_answers_are_refused(self):
        for answer in (b"", b"\r\n\r\n", b"HTTP/2 200\r\n\r\n", b"HTTP/1.1 20 OK\r\n\r\n",
                       b"220 mail.example ESMTP\r\n", b"HTTP/1.1 200 OK\n\n" + BYTES,
                       HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                       HEAD + b"Content-Length: -1\r\n\r\nab",
                       HEAD + b"Content-Length: 1234567890123456789012\r\n\r\nab",
                       HEAD + b"Transfer-Encoding: gzip\r\n\r\nab",
                       HEAD + b"no header\r\n\r\nab"):
            with self.subTest(answer=answer[:60]):
                self.expect(answer, b"", 1, "without an answer|not one of HTTP/1.1")

    def test_malformed_chunks_are_told(self):
        for size in (b"", b"x\r\n", b"-1\r\n", b"1234567890abcdef0\r\n", b"3\n", b"\r\n",
                     b"1\r\nab", b"1;" + b"x" * 20000):
            with self.subTest(size=size[:20]):
                self.expect(CHUNKED + size, b"", 1, "chunks.*malformed|closed before the end")
        self.expect(CHUNKED + chunks(BYTES, 100000)[:-5] + b"zz\r\n", DUMP, 1, "chunks.*malformed")
        self.expect(CHUNKED + chunks(BYTES, 100000)[:-2] + b"X: y\r\n" * 5000, DUMP, 1,
                    "chunks.*malformed")

    def test_length_may_claim_anything(self):
        self.expect(HEAD + b"Content-Length: 999999999999999999\r\n\r\n" + BYTES, DUMP, 1,
                    "closed before the end of the answer")
        self.expect(CHUNKED + b"fffffffffffffff\r\n" + BYTES, DUMP, 1,
                    "closed before the end of the answer")

    def test_head_without_an_end_is_refused(self):
        def endless(connection):
            connection.sendall(HEAD)
            while True:
                connection.sendall(b"X: y\r\n" * 100)
        self.expect(endless, b"", 1, "head of the answer is too long")
        self.expect(send(HEAD + b"X: " + b"y" * 20000), b"", 1, "head of the answer is too long")

    def test_body_that_is_no_trace_is_told(self):
        self.expect(LENGTH % 12 + b"<html></html", b"", 1, "not a Go execution trace|not.*trace")

    def test_url_that_cannot_be_read_is_told(self):
        for url, message in (("https://127.0.0.1/x", "curl -sN"),
                             ("http://", "no host"), ("http://:80/", "no host"),
                             ("http://a@127.0.0.1/", "user names"),
                             ("http://127.0.0.1:99999/", "port"),
                             ("http://127.0.0.1/a b", "must be escaped"),
                             ("http://127.0.0.1/" + "x" * 5000, "too long"),
                             ("http://127.0.0.1:1/", "cannot connect to 127.0.0.1:1: "),
                             ("http://name.invalid/", "cannot find name.invalid: ")):
            with self.subTest(url=url[:40]):
                result = run("dump", url)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr.decode(), message)


class TimeTest(HttpTest):
    def test_silence_ends_what_is_read(self):
        server = self.serve(hang(LENGTH % (len(BYTES) + 1) + BYTES))
        begin = time.monotonic()
        result = run("dump", "--follow", "--idle", "2s", server.url)
        self.assertLess(time.monotonic() - begin, HANGING / 2)
        self.assertEqual(result.stdout, DUMP)
        self.assertRegex(result.stderr, b"waited 2 s for the next bytes of the answer\n")

    def test_an_answer_that_does_not_begin_is_told(self):
        server = self.serve(hang(b""))
        result = run("dump", "--follow", "--idle", "1s", server.url)
        self.assertRegex(result.stderr, b"waited 1 s for the answer to begin\n")

    def stop(self, script, number, *arguments):
        """The result of a command that is stopped while it reads."""
        server = self.serve(script)
        with start(*arguments, server.url) as process:
            wait_for(lambda: server.requests, "the request")
            time.sleep(0.2)
            process.send_signal(number)
            output, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, output, errors.decode()

    def test_signal_ends_the_recording_and_the_rest_is_read(self):
        half = len(BYTES) // 2
        answer = CHUNKED + chunks(BYTES, 500)
        for number in signal.SIGINT, signal.SIGTERM:
            for arguments in (["dump"], ["dump", "--follow"]):
                script = wait_for_stop(answer[:half], answer[half:])
                self.assertEqual(self.stop(script, number, *arguments), (0, DUMP, ""))
        # Nothing has come yet, not even the head.
        self.assertEqual(self.stop(wait_for_stop(b"", answer), signal.SIGINT, "dump"),
                         (0, DUMP, ""))

    def test_rest_after_a_signal_has_three_seconds(self):
        begin = time.monotonic()
        code, output, errors = self.stop(hang(LENGTH % (len(BYTES) + 1) + BYTES), signal.SIGINT,
                                         "dump")
        self.assertLess(time.monotonic() - begin, HANGING / 2)
        self.assertEqual((code, output), (1, DUMP))
        self.assertRegex(errors, "did not send the rest within 3 seconds")

    def test_second_signal_ends_the_command(self):
        def script(connection):
            """Goes on when the client has had enough, and then hangs."""
            connection.sendall(CHUNKED)
            connection.recv(1)
            stopped.set()
            time.sleep(HANGING)

        stopped = threading.Event()
        server = self.serve(script)
        with start("dump", server.url) as process:
            wait_for(lambda: server.requests, "the request")
            process.send_signal(signal.SIGTERM)
            self.assertTrue(stopped.wait(PATIENCE))
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGTERM)


class SaveTest(HttpTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "kept"

    def test_file_keeps_what_came(self):
        packed = gzip.compress(BYTES)
        for body in BYTES, packed:
            server = self.serve(send(LENGTH % len(body) + body))
            self.assertEqual(run("stat", "--save", self.path, server.url).returncode, 0)
            self.assertEqual(self.path.read_bytes(), body)
        server = self.serve(send(LENGTH % len(BYTES) + BYTES[:2000]))
        self.assertEqual(run("stat", "--save", self.path, server.url).returncode, 1)
        self.assertEqual(self.path.read_bytes(), BYTES[:2000])
        self.assertEqual(os.listdir(self.path.parent), ["kept"])

    def test_file_keeps_what_comes_through_a_pipe(self):
        result = subprocess.run([COMMAND, "stat", "--save", self.path, "-"], input=BYTES,
                                check=True, stdout=subprocess.PIPE)
        self.assertEqual(self.path.read_bytes(), BYTES)
        self.assertIn(b"complete              yes", result.stdout)

    def test_file_keeps_a_compressed_trace_as_it_came(self):
        packed = gzip.compress(BYTES)
        result = subprocess.run([COMMAND, "stat", "--save", self.path, "-"], input=packed,
                                check=True, stdout=subprocess.PIPE)
        self.assertEqual(self.path.read_bytes(), packed)
        self.assertIn(b"complete              yes", result.stdout)

    def test_full_disk_is_an_error(self):
        # The shell counts 512 bytes as one.
        limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f %d; exec "$@"' % (len(BYTES) // 1024), "-"]
        result = subprocess.run([*limited, COMMAND, "stat", "--save", self.path, "-"],
                                input=BYTES, capture_output=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertFalse(self.path.exists())

    def test_file_that_must_not_be_replaced_is_not(self):
        result = run("stat", "--save", self.path, TRACE)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, b"needs no --save")
        self.path.mkdir()
        server = self.serve(send(LENGTH % len(BYTES) + BYTES))
        result = run("stat", "--save", self.path, server.url)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, b"not a plain file")


class GoTest(HttpTest):
    """What Go's own server sends: recorded, and if GT_GO names a toolchain, at this moment."""

    def test_recorded_answers_are_complete_traces(self):
        for path in sorted((DATA / "live").glob("*.http")):
            for script in send(path.read_bytes()), drip(path.read_bytes(), 1111):
                result = run("check", "--strict", self.serve(script).url)
                self.assertRegex(result.stdout.decode(), r"^[0-9]{3,} events, no findings\n$")
                self.assertEqual((result.returncode, result.stderr), (0, b""))

    @unittest.skipUnless(shutil.which(os.environ.get("GT_GO", "")), "GT_GO names no Go")
    def test_running_program_is_traced(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "server")
            subprocess.run([os.environ["GT_GO"], "build", "-o", program, "."], check=True,
                           cwd=DATA / "record" / "server")
            with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True) as server:
                self.trace("http://" + server.stdout.readline().strip())
                server.stdin.close()

    def trace(self, url):
        """Records for a second, and from 30 seconds until it is stopped; and the last seconds."""
        def expect_good(result):
            self.assertRegex(result.stdout.decode(), r"^[0-9]{3,} events, no findings\n$")
            self.assertEqual((result.returncode, result.stderr), (0, b""))
        expect_good(run("check", url + "/debug/pprof/trace?seconds=1"))
        for number in signal.SIGINT, signal.SIGTERM:
            with start("check", url + "/debug/pprof/trace?seconds=30") as process:
                time.sleep(1.3)
                process.send_signal(number)
                begin = time.monotonic()
                output, errors = process.communicate(timeout=PATIENCE)
            self.assertLess(time.monotonic() - begin, 20)
            expect_good(subprocess.CompletedProcess([], process.returncode, output, errors))
        with start("stat", url + "/debug/pprof/trace?seconds=2") as process:
            time.sleep(0.5)
            busy = run("stat", url)
            process.communicate(timeout=PATIENCE)
        self.assertRegex(busy.stderr, b"500: Could not enable tracing")
        flight = run("check", url + "/flight")
        if b"404" not in flight.stderr:
            expect_good(flight)


if __name__ == "__main__":
    beside.main()
