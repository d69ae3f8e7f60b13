# SPDX-License-Identifier: BSD-3-Clause
"""`go tool trace` of some version of Go, and the pages that it makes of a trace."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from waiting import PATIENCE  # noqa: E402

# Every list and drawing; the profiles as the data from which pictures would be drawn.
PAGES = ("/trace", "/jsontrace", "/goroutines", "/usertasks", "/userregions", "/mmu",
         "/io?raw=1", "/block?raw=1", "/syscall?raw=1", "/sched?raw=1")
# What /mmu draws. The tool of Go 1.21 panics where there are no events.
MMU = "/mmuPlot?flags=stw|background|assist"
# A trace without a stack, which Go's runtime does not write and its format allows: a task, a log
# and a region of a goroutine, which creates another one, and a region that this one inherits and
# ends.
NO_STACKS = """Trace Go1.22
EventBatch gen=1 m=18446744073709551615 time=1000 size=0
Frequency freq=1000000000
EventBatch gen=1 m=5 time=1000 size=0
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=5 gstatus=2
UserTaskBegin dt=1 task=7 parent_task=0 name_string=1 stack=0
UserRegionBegin dt=1 task=7 name_string=1 stack=0
GoCreate dt=1 new_g=2 new_stack=0 stack=0
UserLog dt=1 task=7 key_string=1 value_string=1 stack=0
UserRegionEnd dt=1 task=7 name_string=1 stack=0
UserTaskEnd dt=1 task=7 stack=0
GoBlock dt=1 reason_string=2 stack=0
GoStart dt=5 g=2 g_seq=1
UserRegionEnd dt=1 task=7 name_string=1 stack=0
GoUnblock dt=1 g=1 g_seq=1 stack=0
UserRegionBegin dt=1 task=0 name_string=1 stack=0
EventBatch gen=1 m=18446744073709551615 time=1001 size=0
Strings
String id=1
    data="send"
String id=2
    data="sync"
"""
ADDRESS = re.compile(r"listening on (http://\S+)")


def go_of(version):
    """The `go` command of a version such as "1.22", or None if the environment names none."""
    return os.environ.get("GT_GO_" + version.replace(".", "_"))


def traces_of(folder, corpus_pattern):
    """All traces of a folder of testdata, and those of $GT_CORPUS with such names."""
    traces = sorted((pathlib.Path(os.environ["GT_TESTDATA"]) / folder).glob("*.trace"))
    corpus = os.environ.get("GT_CORPUS")
    return traces + (sorted(pathlib.Path(corpus).glob(corpus_pattern)) if corpus else [])


def write_no_stacks(folder):
    """Writes NO_STACKS, and returns its path."""
    path = pathlib.Path(folder) / "no-stacks.trace"
    encoded = subprocess.run([os.environ["GT_COMMAND"], "encode", "--set-sizes", "-"], check=True,
                             input=NO_STACKS.encode(), stdout=subprocess.PIPE)
    path.write_bytes(encoded.stdout)
    return path


class GoTool:
    """The tool while it shows a trace, to be used with `with`. It shall not open a browser."""

    def __init__(self, go, trace):
        # The tool is a child of `go`, so both are ended as a group.
        self.process = subprocess.Popen(
            [go, "tool", "trace", "-http=127.0.0.1:0", str(trace)], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True,
            env={**os.environ, "BROWSER": "true", "GOTOOLCHAIN": "local", "GOFLAGS": ""})
        self.said = ""
        self.url = None

    def __enter__(self):
        for line in self.process.stderr:
            self.said += line
            found = ADDRESS.search(line)
            if found:
                self.url = found.group(1)
                break
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.process.stderr.close()

    def fault_of(self, page):
        """What is wrong with a page, or None. An error in drawing leaves /jsontrace empty."""
        try:
            with urllib.request.urlopen(self.url + page.replace("|", "%7C"),
                                        timeout=PATIENCE) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            with error:
                return "%s: %d: %r" % (page, error.code, error.read()[:200])
        except (OSError, urllib.error.URLError) as error:
            return "%s: %s" % (page, error)
        return None if body else "%s: nothing" % page

    def faults(self, pages=PAGES):
        """What is wrong with the pages of the trace, each a text."""
        if not self.url:
            return [self.said.strip()[-500:] or "no address"]
        return [fault for fault in map(self.fault_of, pages) if fault]
