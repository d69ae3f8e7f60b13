#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fleet_test.py GOTRACE: the program of docs/fleet.md saves a trace of a slow request, and gives
one to `gotrace columns`; the task of the request is in both. Skipped unless GT_GO names a `go`
command of Go 1.25 or later."""
import glob
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/columns"))
import parquet_read

WAIT_S = 30 * float(os.environ.get("GT_TIME_SCALE", "1"))


def toolchain():
    """The go command, or the test is skipped."""
    go = shutil.which(os.environ.get("GT_GO", ""))
    version = ""
    if go:
        version = subprocess.run([go, "version"], stdout=subprocess.PIPE, encoding="utf-8",
                                 env={**os.environ, "GOTOOLCHAIN": "local"}).stdout
    found = re.search(r"go1\.(\d+)", version)
    if not found or int(found[1]) < 25:
        print("skipped: GT_GO names no Go 1.25 or later")
        sys.exit(77)
    return go


def build(go, folder):
    text = (ROOT / "docs/fleet.md").read_text(encoding="utf-8")
    program, = re.findall("^```go\n(.*?)^```$", text, re.M | re.S)
    (folder / "main.go").write_text(program, encoding="utf-8")
    (folder / "go.mod").write_text("module fleet\n\ngo 1.25\n", encoding="utf-8")
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOPROXY": "off", "CGO_ENABLED": "0"}
    for command in ["vet"], ["build", "-o", "fleet"]:
        subprocess.run([go, *command, "."], cwd=folder, env=environment, check=True)
    return folder / "fleet"


def wait_for(what):
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        try:
            found = what()
        except OSError:
            found = None
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came")


def read(url):
    with urllib.request.urlopen(url, timeout=WAIT_S) as answer:
        return answer.read()


def task_types(gotrace, trace, output):
    subprocess.run([gotrace, "columns", "--tables", "tasks", "-o", str(output), trace], check=True)
    path, = glob.glob(str(output / "tasks" / "*" / "*" / "date=2*" / "*.parquet"))
    return {row["type"] for row in parquet_read.read(path).rows()}


def check(gotrace, address, folder):
    wait_for(lambda: read(f"http://{address}/work") == b"done\n")
    saved = wait_for(lambda: glob.glob(str(folder / "*.trace")))
    for i, trace in enumerate((saved[0], f"http://{address}/debug/flight")):
        types = task_types(gotrace, trace, folder / f"tables-{i}")
        assert "GET /work" in types, (trace, types)
    assert not glob.glob(str(folder / "*.part")), "a part of a trace was left"


def main():
    go = toolchain()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(go, folder)
        with socket.create_server(("127.0.0.1", 0)) as place:
            address = f"127.0.0.1:{place.getsockname()[1]}"
        server = subprocess.Popen([program, "-address", address, "-traces", name])
        try:
            check(sys.argv[1], address, folder)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
