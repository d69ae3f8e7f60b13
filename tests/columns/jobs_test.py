#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""jobs_test.py GOTRACE TESTDATA: `gotrace columns -j`: several dates at once give the files and the
messages of one after the other, and nothing if they are interrupted."""
import glob
import gzip
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from place import Place, TABLES, need, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import signals  # noqa: E402

signals.start_with_defaults()

DAY = 24 * 60 * 60
# The wall clock of the traces in testdata, in seconds.
RECORDED = 1795230600
DAYS = 5


def varint(number):
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes(parts + bytearray([number]))


def later(data, days):
    """The trace as it would be if it had been recorded that many days later."""
    for second in range(RECORDED - 600, RECORDED + 600):
        data = data.replace(varint(second), varint(second + days * DAY))
    return data


class Days(Place):
    """A folder with traces of several dates."""

    def __init__(self, gotrace, testdata, folder):
        super().__init__(gotrace, testdata, folder)
        self.names = []
        found = sorted(glob.glob(os.path.join(testdata, "v2", "go1.27-[gt]*.trace")))
        for day in range(DAYS):
            for path in found[day % 2::2]:
                self.add(f"{day}-{os.path.basename(path)}", open(path, "rb").read(), day)

    def add(self, name, data, day):
        self.names.append(name)
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(later(data, day))

    def content(self, output):
        return {path.split(f"/{output}/")[1]: open(path, "rb").read()
                for path in self.files(output)}

    def start(self, *arguments):
        return subprocess.Popen([self.gotrace, "columns", *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def dates_of(files):
    return {path.split("date=")[1].split("/")[0] for path in files}


def test_files_are_the_same_for_any_number_of_jobs(place):
    packed = os.path.join(place.folder, "packed.gz")
    with gzip.open(packed, "wb") as file:
        file.write(later(open(place.other, "rb").read(), 1))
    names = [*place.names[::2], place.old, "-", packed, place.cut, *place.names[1::2]]
    data = later(open(place.other, "rb").read(), 3)
    place.run(*names, "-o", "out1", "-j=1", input=data)
    files = place.content("out1")
    need(len(files) == (DAYS + 1) * TABLES and len(dates_of(files)) == DAYS + 1, files.keys())
    for jobs in "-j2", "-j=3", "--jobs=64", "--threads=4":
        place.run(*names, "-o", "out2", jobs, input=data)
        need(place.content("out2") == files, jobs)
        shutil.rmtree(os.path.join(place.folder, "out2"))
    # The traces of a date alone have the files of that date.
    for day in range(DAYS):
        alone = [name for name in names if name.startswith(f"{day}-")]
        alone += [packed] * (day == 1)
        if day != 3:
            place.run(*sorted(alone, key=names.index), "-o", "alone")
    alone = place.content("alone")
    need(len(alone) == (DAYS - 1) * TABLES, alone.keys())
    need(all(files[path] == content for path, content in alone.items()), "other files")


def test_messages_are_in_the_order_of_the_command_line(place):
    names = []
    for i, name in enumerate(place.names):
        names += [name, f"missing{i}", name]
    expected = [line for i, name in enumerate(place.names)
                for line in (f"missing{i}", f"{name}: left out")]
    for jobs in "1", "2", "4":
        said = place.run(*names, "-o", "out", "-j", jobs, code=1).splitlines()
        need(len(said) == len(expected), said)
        for line, start in zip(said, expected, strict=True):
            need(line.startswith(f"gotrace: {start}"), line, start)
        need(len(place.rows("traces")) == len(place.names), "traces are missing")


def test_nothing_is_left_if_one_date_cannot_be_written(place):
    folder = os.path.join(place.folder, "out", "frames", "service=unknown", "version=unknown")
    os.makedirs(folder)
    open(os.path.join(folder, "date=2026-11-23"), "w").close()
    for jobs in "1", "3":
        said = place.run(*place.names, "-o", "out", "-j", jobs, code=1)
        need(said.count("\n") == 1 and "date=2026-11-23/: Not a directory" in said, said)
        need(len(place.files()) == 1, place.files())


def test_dates_may_be_more_than_descriptors(place):
    place.run(*place.names, "-o", "out", "-j=2", preexec_fn=few_descriptors)
    need(len(place.files()) == DAYS * TABLES, place.files())


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def test_progress_is_that_of_all(place):
    said = place.run(*place.names, "-o", "out", "-j=2", "--progress")
    done = [int(percent) for percent in re.findall(r"gotrace: (\d+)%", said)]
    need(f": {len(place.names)} traces" in said, said)
    need(done and done == sorted(done) and done[-1] <= 100, said)


def test_a_signal_leaves_no_file(place):
    trace = os.path.join(os.path.dirname(place.trace), "go1.27-mix.trace")
    with open(trace, "rb") as file:
        data = file.read()
    for day in range(3 * DAYS):
        place.add(f"mix{day}", data, DAYS + day)
    for number, delay in ((signal.SIGINT, 0.02), (signal.SIGTERM, 0.0), (signal.SIGTERM, 0.01),
                          (signal.SIGHUP, 0.03), (signal.SIGINT, 0.0)):
        process = place.start(*place.names, "-o", "out", "-j=3")
        while not place.files() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(delay)
        process.send_signal(number)
        _, said = process.communicate()
        need(process.returncode == -number, process.returncode, said)
        need(place.files() == [], number, place.files())
        need(number != signal.SIGINT or b"interrupted" in said or said == b"", said)
        shutil.rmtree(os.path.join(place.folder, "out"))


def test_wrong_numbers_are_told(place):
    for number in "0", "65", "-1", "x", "":
        said = place.run(place.trace, "-o", "out", f"--jobs={number}", code=2)
        need("from 1 to 64" in said, said)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run_tests(globals(), Days)


if __name__ == "__main__":
    main()
