#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""servers.py BUILD [RUNS]: the processor time that servers need for a fixed number of requests,
under `gotrace record`, the same without system calls, and without it, in turns: the least of some
runs, in seconds.

Servers that are not installed, or whose clients are not, are left out: redis-server with
redis-benchmark, and memcached with memcslap of libmemcached-tools.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from waiting import listens, wait_for  # noqa: E402


def servers(folder, path):
    """The words of each server and of its client."""
    return {
        "redis": (("redis-server", "--port", "0", "--unixsocket", path, "--save", "",
                   "--dir", folder),
                  ("redis-benchmark", "-s", path, "-q", "-n", "50000", "-t", "set,get")),
        "memcached": (("memcached", "-s", path, "-t", "2", "-u", "root"),
                      ("memcslap", f"--servers={path}", "--concurrency=4",
                       "--execute-number=10000", "--test=get")),
    }


def measure(path, server, client):
    """The processor time of a server, and of what it has started, for what a client asks."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    path.unlink(missing_ok=True)
    child = subprocess.Popen(server, **quiet)
    try:
        wait_for(lambda: listens(path), "a server")
        subprocess.run(client, check=True, timeout=120, **quiet)
    finally:
        child.terminate()
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
    return usage.ru_utime, usage.ru_stime


def main():
    build, runs = pathlib.Path(sys.argv[1]).resolve(), int((*sys.argv, "5")[2])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "s"
        record = (build / "examples/gotrace/gotrace", "record", "--agent",
                  build / "lib/agent/libgotrace-agent.so", "-o", f"{folder}/t.trace")
        ways = {"plain": (), "recorded": (*record, "--"),
                "no-syscalls": (*record, "--only", "sync,net,sleep", "--")}
        for name, (server, client) in servers(folder, str(path)).items():
            if not shutil.which(server[0]) or not shutil.which(client[0]):
                continue
            times = {way: [] for way in ways}
            for _ in range(runs):
                for way, words in ways.items():
                    times[way].append(measure(path, (*words, *server), client))
            for way, spent in times.items():
                print(f"{name} {way}: user {min(user for user, _ in spent):.2f},"
                      f" system {min(system for _, system in spent):.2f},"
                      f" both {min(map(sum, spent)):.2f}")


if __name__ == "__main__":
    main()
