# SPDX-License-Identifier: BSD-3-Clause
"""Recognizes the differences from Go that section 7 of docs/formats.md describes.

Each function below is a row of its tables, and says whether it explains why the reading `ours`
differs from `theirs`, of the trace `data`. It must look for what the row says and nothing else, and
what precedes the difference must be equal.
"""

import re

import dumps

LARGEST_TIME = 2**62
END_OF_GENERATION = 52
FRAME = re.compile(r"^\t(.*) @ (0x[0-9a-f]+)\n\t\t(.*):(\d+)$", re.MULTILINE)


def version_of(data):
    found = re.match(rb"go 1\.(\d+) trace", data)
    return int(found.group(1)) if found else 0


def starts_equal(ours, theirs):
    """Whether Go's events are the first ones of ours."""
    return dumps.difference_of_events(ours.events, theirs.events, True) is None


def starts_with_ours(ours, theirs):
    """Whether our events, but for a last Sync that opens no generation, are the first of Go's."""
    events = ours.events
    if events and re.search(r" Sync N=\d+$", events[-1].text):
        events = events[:-1]
    return dumps.difference_of_events(theirs.events, events, True) is None


def panics(theirs, text):
    return theirs.code == 2 and re.search(text, theirs.error) is not None


def varints(data, at, count):
    """The numbers at a place, and where they end; None if they are cut off."""
    numbers = []
    for _ in range(count):
        value = shift = 0
        while True:
            if at >= len(data) or shift > 63:
                return None, at
            value |= (data[at] & 0x7f) << shift
            shift += 7
            at += 1
            if data[at - 1] < 0x80:
                break
        numbers.append(value)
    return numbers, at


def batches(data):
    """The offsets of the contents of the batches from the start, as far as they are well-formed."""
    at = 16
    while at < len(data):
        if data[at] == END_OF_GENERATION:
            at += 1
            continue
        if data[at] not in (1, 49):
            return
        at += 1 + (data[at] == 49)
        numbers, at = varints(data, at, 4)
        if numbers is None:
            return
        yield at
        at += numbers[3]


def unknown_name_of_a_frame_is_a_panic(data, ours, theirs):
    """7.2: a stack's function or file that is no string of the trace; Go panics."""
    return (version_of(data) < 22 and ours.is_good() and starts_equal(ours, theirs) and
            panics(theirs, r"panic: expected id \d+ in string table"))


def unknown_name_of_a_frame_is_another_text(data, ours, theirs):
    """7.2: the same; Go shows a text of its own."""
    if version_of(data) >= 22 or not ours.is_good() or not theirs.is_good():
        return False
    functions, files = set(), set()
    for event in ours.events:
        for function, pc, file, _ in FRAME.findall(event.text):
            functions |= {pc} if not function else set()
            files |= {pc} if not file else set()

    def mend(found):
        function, pc, file, line = found.groups()
        return "\t%s @ %s\n\t\t%s:%s" % ("" if pc in functions else function, pc,
                                         "" if pc in files else file, line)

    mended = [dumps.Event(event.time, FRAME.sub(mend, event.text)) for event in theirs.events]
    return dumps.difference_of_events(ours.events, mended, False) is None


def unknown_string_of_an_event(data, ours, theirs):
    """7.2: a label, task, region or log that names no string of the trace."""
    return (version_of(data) < 22 and ours.code == 1 and starts_with_ours(ours, theirs) and
            re.search(r"names string \d+, which does not exist", ours.error) is not None and
            (theirs.is_good() or panics(theirs, r"panic: expected id \d+ in string table")))


def unknown_stack_of_an_event(data, ours, theirs):
    """7.2: a stack that is not in the trace."""
    return (version_of(data) < 22 and ours.is_good() and starts_equal(ours, theirs) and
            panics(theirs, r"panic: expected id \d+ in trace\.stack table"))


def distant_time(data, ours, theirs):
    """7.2: a time above 2^62 ns."""
    count = sum(event.time < LARGEST_TIME for event in ours.events)
    if version_of(data) >= 22 or count == len(ours.events) or not theirs.is_good():
        return False
    first = [event for event in ours.events if event.time < LARGEST_TIME]
    return dumps.difference_of_events(theirs.events, first, True) is None


def thread_without_number(data, ours, theirs):
    """7.2: a ProcStart on thread 2^64-1 looks as if the proc had no thread, which may be 0."""
    if version_of(data) >= 22 or not ours.is_good() or not theirs.is_good():
        return False
    if b"\xff" * 9 + b"\x01" not in data:
        return False

    def mend(reading):
        return [dumps.Event(event.time, re.sub(r"^M=0 ", "M=-1 ", event.text))
                for event in reading.events]

    return dumps.difference_of_events(mend(ours), mend(theirs), False) is None


def goroutine_without_number(data, ours, theirs):
    """7.1 and 7.2: goroutine 2^64-1."""
    return (ours.code == 1 and re.search(r"goroutine -1\b", ours.error) is not None and
            (version_of(data) < 22 or starts_with_ours(ours, theirs)))


def proc_without_number(data, ours, theirs):
    """7.1: proc 2^64-1."""
    return (version_of(data) >= 22 and ours.code == 1 and starts_with_ours(ours, theirs) and
            re.search(r"proc -1\b", ours.error) is not None)


def unknown_stack_of_a_sample(data, ours, theirs):
    """7.1: a CPU sample with an unknown stack."""
    return (version_of(data) >= 22 and ours.code == 1 and starts_equal(ours, theirs) and
            panics(theirs, r"panic: expected id \d+ in trace\.stack table") and
            re.search(r"sample names stack \d+", ours.error) is not None)


def unknown_experiment(data, ours, theirs):
    """7.1: an experimental batch of an unknown experiment."""
    return (version_of(data) >= 22 and starts_equal(ours, theirs) and
            panics(theirs, r"index out of range(?s:.*)internal/trace\.Event\.Sync\("))


def table_cut_before_a_number(data, ours, theirs):
    """7.1: a record of a table that is cut right before a number."""
    return (version_of(data) >= 22 and theirs.is_good() and starts_with_ours(ours, theirs) and
            "record is cut off by its batch's end" in ours.error)


def batch_that_begins_with_an_end(data, ours, theirs):
    """7.1: a batch whose content starts with byte 52."""
    return (version_of(data) >= 22 and starts_with_ours(ours, theirs) and
            any(at < len(data) and data[at] == END_OF_GENERATION for at in batches(data)))


ROWS = (
    unknown_name_of_a_frame_is_a_panic,
    unknown_name_of_a_frame_is_another_text,
    unknown_string_of_an_event,
    unknown_stack_of_an_event,
    distant_time,
    thread_without_number,
    goroutine_without_number,
    proc_without_number,
    unknown_stack_of_a_sample,
    unknown_experiment,
    table_cut_before_a_number,
    batch_that_begins_with_an_end,
)


def name_of(data, ours, theirs, again):
    """The name of the row that explains the difference, or None.

    Go 1.27 reads the procs of a trace of Go 1.21 or before in random order, so another reading may
    agree with ours.
    """
    for row in ROWS:
        if row(data, ours, theirs):
            return row.__name__.replace("_", " ")
    for _ in range(8 if version_of(data) < 22 else 0):
        if dumps.difference(ours, again()) is None:
            return "random order of equal times"
    return None
