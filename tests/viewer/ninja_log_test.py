#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the example ninja_log writes for a build: a drawing that has nothing of Go.

ninja_log_test.py NINJA_LOG

If GT_TRACE_PROCESSOR names Perfetto's trace processor, that must find the same in the file.
"""

import json
import os
import subprocess
import sys
import tempfile

LOG = """# ninja log v5
0\t250\t1\ta.o\tf00
100\t300\t1\tb c.o\tf01
250\t2000\t1\tprogram\tf02
"""


def run(program, text):
    return subprocess.run([program], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", timeout=60, check=False)


def check(found, expected):
    if found != expected:
        sys.exit("%s\nis not\n%s" % (found, expected))


def check_drawing(text):
    events = json.loads(text)["traceEvents"]
    check([(event["name"], event["tid"], event["ts"], event["dur"]) for event in events
           if event["ph"] == "X"],
          [("a.o", 0, 0, 250000), ("b c.o", 1, 100000, 200000), ("program", 0, 250000, 1750000)])
    check([(event["name"], event["ts"], event["args"]) for event in events if event["ph"] == "C"],
          [("finished (jobs/s)", 250000, {"rate": 4}),
           ("finished (jobs/s)", 300000, {"rate": 6.666666666666667}),
           ("finished (jobs/s)", 2000000, {"rate": 1.5})])
    check([(event["pid"], event["name"], event["args"]) for event in events if event["ph"] == "M"],
          [(1, "process_name", {"name": "STATS"}), (1, "process_sort_index", {"sort_index": 0}),
           (0, "process_name", {"name": "JOBS"}), (0, "process_sort_index", {"sort_index": 2})])


def check_perfetto(processor, text):
    query = "select name, dur from slice order by ts;"
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("drawing.json", text), ("query.sql", query)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
        output = subprocess.run([processor, "-q", "query.sql", "drawing.json"], cwd=folder,
                                stdout=subprocess.PIPE, encoding="utf-8", timeout=60,
                                check=True).stdout
    for line in ('"a.o",250000000', '"b c.o",200000000', '"program",1750000000'):
        if line not in output.splitlines():
            sys.exit("%s is not in\n%s" % (line, output))


def main():
    program = sys.argv[1]
    result = run(program, LOG)
    check((result.returncode, result.stderr), (0, ""))
    check_drawing(result.stdout)
    backwards = run(program, "9\t3\t1\tx\tf00\n")
    check((backwards.returncode, backwards.stderr),
          (1, "ninja_log: the duration of the slice is negative: 9\t3\t1\tx\tf00\n"))
    if os.environ.get("GT_TRACE_PROCESSOR"):
        check_perfetto(os.environ["GT_TRACE_PROCESSOR"], result.stdout)


if __name__ == "__main__":
    main()
