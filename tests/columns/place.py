# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of `gotrace columns` share: the folder in which they run the command."""
import os
import shutil
import subprocess
import sys
import tempfile

import parquet_read

# How many files a trace has if no other tables are named.
TABLES = 16


def need(condition, *what):
    if not condition:
        raise AssertionError(*what)


class Place:
    """A folder, in which the command is run."""

    def __init__(self, gotrace, testdata, folder):
        self.gotrace, self.folder = gotrace, folder
        self.trace = os.path.join(testdata, "v2", "go1.27-gens.trace")
        self.other = os.path.join(testdata, "v2", "go1.25-gens.trace")
        self.old = os.path.join(testdata, "v2", "go1.22-gc.trace")
        self.cut = os.path.join(testdata, "v2", "go1.22-cut.trace")

    def run(self, *arguments, code=0, **more):
        """Runs the command in the folder, and returns what it reports."""
        done = subprocess.run([self.gotrace, "columns", *arguments], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        need(done.returncode == code, arguments, done.returncode, done.stderr)
        self.printed = done.stdout.decode()
        return done.stderr.decode()

    def files(self, output="out", table=""):
        """All files below a folder, with those that are hidden."""
        top = os.path.join(self.folder, output, table)
        return sorted(os.path.join(at, name) for at, _, names in os.walk(top) for name in names)

    def rows(self, table, output="out"):
        return [row for path in self.files(output, table) for row in parquet_read.read(path).rows()]


def run_tests(names, place):
    """Runs those of `names` that begin with "test_", each with a `place` of its own. The arguments
    of the program are the command and the folder testdata."""
    gotrace, testdata = map(os.path.abspath, sys.argv[1:])
    for name, test in list(names.items()):
        if name.startswith("test_"):
            folder = tempfile.mkdtemp()
            try:
                test(place(gotrace, testdata, folder))
            except AssertionError:
                print(name, file=sys.stderr)
                raise
            finally:
                shutil.rmtree(folder)
