# SPDX-License-Identifier: BSD-3-Clause
"""A viewer that runs, to be asked, and the commands that it must agree with."""

import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402
from waiting import PATIENCE, wait_for  # noqa: E402

signals.start_with_defaults()


def run(*arguments, code=0):
    """The standard output of the command."""
    result = subprocess.run([os.environ["GT_COMMAND"], *map(str, arguments)], timeout=PATIENCE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert result.returncode == code, (arguments, result.returncode, result.stderr)
    return result.stdout


def lines(*arguments, code=0):
    """The same, as a JSON object a line."""
    return [json.loads(line) for line in run(*arguments, code=code).splitlines()]


class Viewer:
    """`gotrace view` of a trace, to be used with `with`."""

    def __init__(self, trace):
        self.process = subprocess.Popen(
            [os.environ["GT_COMMAND"], "view", "--no-open", str(trace)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        self.url = re.search(r"http://\S+", self.process.stdout.readline()).group(0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, "the viewer did not end in order"
        self.process.stdout.close()

    def fetch(self, path, **query):
        """Status and body."""
        url = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def bytes(self, path, **query):
        status, body = self.fetch(path, **query)
        assert status == 200, (path, query, status, body[:200])
        return body

    def ask(self, path, **query):
        """The answer of an analysis, once it is there."""
        status, body = self.answer(path, **query)
        assert status == 200, (path, query, status, body[:200])
        return json.loads(body)

    def trace(self):
        """What it says of the trace, once that is read."""
        def is_read():
            trace = json.loads(self.bytes("/api/trace"))
            return trace if trace["progress"]["done"] else None
        return wait_for(is_read, "the whole trace")

    def answer(self, path, **query):
        """Status and body of an analysis, once it is there or refused."""
        def is_there():
            status, body = self.fetch(path, **query)
            if status != 202:
                return status, body
            assert 0 <= json.loads(body)["progress"] <= 1, body
            return None
        return wait_for(is_there, f"{path} {query}")
