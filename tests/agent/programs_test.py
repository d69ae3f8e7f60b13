#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace record: programs of the system do under it what they do without, and their traces have
the expected edges. Skipped, at the end, if one of them is not installed."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

from recording import AGENT, COMMAND, Folder, check, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402
from waiting import listens, wait_for  # noqa: E402

SKIPPED = 77
# Threads of Python that wait for a queue.
QUEUE = """
import queue, threading
numbers = queue.Queue()
taken = []
def work():
    while (number := numbers.get()) is not None:
        taken.append(number)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for number in [*range(500), *[None] * len(threads)]:
    numbers.put(number)
for thread in threads:
    thread.join()
print(sum(taken))
"""
# Reads are done by two threads, which wait for work by a condition variable.
NGINX = """
daemon off;
user root;
worker_processes 1;
pid {0}/pid;
error_log {0}/error.log;
thread_pool pool threads=2;
events {{ worker_connections 16; }}
http {{
    access_log off;
    client_body_temp_path {0}/body;
    proxy_temp_path {0}/proxy;
    fastcgi_temp_path {0}/fastcgi;
    uwsgi_temp_path {0}/uwsgi;
    scgi_temp_path {0}/scgi;
    server {{
        listen unix:{0}/s;
        location / {{ root {0}; aio threads=pool; sendfile off; output_buffers 1 8k; }}
    }}
}}
"""


class Server:
    """A program that listens at a socket, with the agent or without, and is ended by a signal."""

    def __init__(self, path, *command):
        self.path = path
        self.child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        wait_for(lambda: self.child.poll() is not None or listens(self.path), "a server")
        return self

    def ask(self, request, end):
        """The answer to a request, up to its end."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(20)
            client.connect(str(self.path))
            client.sendall(request)
            answer = b""
            while not answer.endswith(end) and (part := client.recv(1 << 16)):
                answer += part
        return answer

    def end(self, number):
        self.child.send_signal(number)
        return self.child.wait(timeout=30)

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        self.path.unlink(missing_ok=True)


class ProgramsTest(Folder):
    """Programs of the system, where they are."""

    def needs(self, *programs):
        for program in programs:
            if not shutil.which(program):
                self.skipTest(f"no {program}")

    def data(self):
        path = self.path / "data"
        path.write_bytes(os.urandom(1 << 18) + b"some words\n" * 200000)
        return path

    def test_xz(self):
        self.needs("xz")
        self.same("xz", "-T2", "-0", "--block-size=300KiB", "-k", "-c", self.data())
        check(self.trace)
        text = self.events()
        # The main thread wakes a worker that waits for a condition.
        self.assertRegex(text, r' GoID=([23]) Running->Waiting Reason="sync\.\(\*Cond\)\.Wait"')
        self.assertRegex(text, r" G=1 \w+ Time=\d+ GoID=[23] Waiting->Runnable")

    def test_compressors(self):
        self.needs("pigz", "zstd", "lbzip2")
        for command in ("pigz", "-p2"), ("zstd", "-T2", "-q"), ("lbzip2", "-n2"):
            self.same(*command, "-c", self.data())
            check(self.trace)

    def test_sqlite(self):
        self.needs("sqlite3")
        script = "create table t(x); insert into t values(1),(2); select sum(x) from t;"
        self.same("sqlite3", ":memory:", script)
        check(self.trace)

    def test_python(self):
        self.same(sys.executable, "-c", QUEUE)
        check(self.trace)
        self.assertRegex(self.events(), r" G=\d+ \w+ Time=\d+ GoID=\d+ Waiting->Runnable")

    def with_agent(self, *command):
        return (COMMAND, "record", "--agent", AGENT, "-o", self.trace, "--", *command)

    def test_memcached(self):
        self.needs("memcached")
        path = self.path / "s"
        command = ("memcached", "-s", path, "-t", "4", "-u", "root")
        request = b"".join(b"set k%d 0 0 3\r\nabc\r\nget k%d\r\n" % (n, n) for n in range(500))
        answers = []
        for words in command, self.with_agent(*command):
            with Server(path, *words) as server:
                answers.append([server.ask(request + b"get none\r\nquit\r\n", b"never")
                                for _ in range(3)])
                self.assertEqual(server.end(signal.SIGTERM), 0)
        self.assertEqual(*answers)
        self.assertEqual(answers[0][0].count(b"VALUE k"), 500)
        check(self.trace)
        text = self.events()
        # The main thread waits until the workers have begun, and these then for connections.
        self.assertIn(' GoID=1 Running->Waiting Reason="sync.(*Cond).Wait"', text)
        self.assertRegex(text, r" G=[2-9] \w+ Time=\d+ GoID=1 Waiting->Runnable")
        self.assertRegex(text, r' GoID=[2-9] Running->Waiting Reason="select"')

    def test_nginx(self):
        self.needs("nginx")
        path = self.path / "s"
        (self.path / "nginx.conf").write_text(NGINX.format(self.path))
        content = os.urandom(40000)
        (self.path / "file").write_bytes(content)
        command = ("nginx", "-p", self.path, "-c", self.path / "nginx.conf", "-e",
                   self.path / "error.log")
        for words in command, self.with_agent(*command):
            with Server(path, *words) as server:
                for _ in range(3):
                    answer = server.ask(b"GET /file HTTP/1.0\r\n\r\n", b"never")
                    self.assertEqual(answer.partition(b"\r\n\r\n")[2], content)
                    self.assertTrue(answer.startswith(b"HTTP/1.1 200 "))
                self.assertEqual(server.end(signal.SIGTERM), 0)
        for trace in self.traces():
            check(trace)
        # The worker has a trace of its own. A thread of its pool that waits is woken to read.
        text = "".join(self.events(trace) for trace in self.traces())
        self.assertGreaterEqual(len(self.traces()), 2)
        self.assertIn(' GoID=1 Running->Waiting Reason="select"', text)
        self.assertRegex(text, r' GoID=[23] Running->Waiting Reason="sync\.\(\*Cond\)\.Wait"')
        self.assertRegex(text, r" G=1 \w+ Time=\d+ GoID=[23] Waiting->Runnable")

    def test_redis(self):
        self.needs("redis-server", "redis-benchmark", "redis-cli")
        path = self.path / "s"
        command = ("redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--dir",
                   self.path)
        with Server(path, *self.with_agent(*command)) as server:
            done = run("redis-benchmark", "-s", path, "-q", "-n", "2000", "-t", "set,get")
            self.assertEqual(done.returncode, 0, done)
            run("redis-cli", "-s", path, "shutdown", "nosave")
            self.assertEqual(server.child.wait(timeout=30), 0)
        check(self.trace)
        self.assertIn('Running->Waiting Reason="select"', self.events())


if __name__ == "__main__":
    done = skips.main(exit=False).result
    if not done.wasSuccessful():
        sys.exit(1)
    if done.skipped:
        print("skipped:", ", ".join(sorted(reason for _, reason in done.skipped)))
        sys.exit(SKIPPED)
