# SPDX-License-Identifier: BSD-3-Clause
"""Analyses of a trace's events: summary, profiles, utilisation, latency, validation.

Each takes the events of one trace from the first one on, from Trace.feed or its own
add(event), and has results after its finish(), which Trace.feed calls. All results are
copies. The memory is freed when nothing refers to the object any more.
"""

import ctypes
import functools
import typing
import weakref

from . import structures as c
from .constants import (BACKGROUND_TASK, EventKind, GoState, LatencyGroup, LatencyKind, MmuFlag,
                        ProfileFlag, Rule, STACK_MAX_FRAMES, Status, ValidatorFlag, name_of)
from .calls import call_released
from .errors import check, check_open
from .library import libgotrace
from .stacks import Frame, copy_frames


class Analysis:
    """What all analyses have in common."""

    # The library, the prefix of the functions, and whether they take the reader and the event.
    LIBRARY = staticmethod(libgotrace)
    NAME = ""
    TAKES_READER = True

    def __init__(self, options, allocator=None, arguments=(), kept=()):
        """`arguments` are those of the open function; they live until the object is closed."""
        self._library = library = self.LIBRARY()
        self._handle = ctypes.c_void_p()
        if allocator is not None:
            options.allocator = allocator.pointer
        opening = getattr(library, self.NAME + "_open")
        check_open(opening, ctypes.byref(self._handle), *arguments, ctypes.byref(options))
        self._finalizer = weakref.finalize(self, close, getattr(library, self.NAME + "_close"),
                                           self._handle, allocator, *kept)

    def _call(self, name, *arguments):
        return getattr(self._library, "%s_%s" % (self.NAME, name))(self._handle, *arguments)

    def _call_released(self, name, *arguments):
        """Calls a function that takes long and does not use a reader."""
        return call_released(self._library, "%s_%s" % (self.NAME, name), self._handle, *arguments)

    def feeding(self, reader, slot):
        """Returns a function that passes it the event to which a reader's slot points."""
        function = self._library.without_checks(self.NAME + "_event")
        if self.TAKES_READER:
            return functools.partial(function, self._handle, reader, slot)
        return functools.partial(function, self._handle, slot)

    def add(self, event):
        """Takes the current event of its trace."""
        self.check(self.feeding(*event.trace.address_of(event))())

    def finish(self):
        """Finishes the analysis after the last event."""
        self.check(self._call("finish"))

    def check(self, status):
        """Raises the exception for a negative status."""
        check(status)

    def _info(self, structure):
        info = c.make(structure)
        check(self._call("get_info", ctypes.byref(info)))
        return {name: getattr(info, name) for name, _ in structure._fields_ if name != "size"}


class SnappedAnalysis(Analysis):
    """An analysis that has results also while it takes events."""

    def snapshot(self):
        """Makes the results as they are after the events taken so far.

        They are there until the next event is taken, and do not change later results.
        """
        self.check(self._call("snapshot"))


def close(function, handle, *_kept):
    function(ctypes.byref(handle))


class Times(typing.NamedTuple):
    """gt_summary_times, in nanoseconds. blocks and ranges are dicts by name."""
    execution: int
    sched_wait: int
    syscall: int
    syscall_block: int
    block: int
    unknown: int
    total: int
    blocks: typing.Dict[str, int]
    ranges: typing.Dict[str, int]


class RegionSummary(typing.NamedTuple):
    """begin and end are None if they are not known."""
    type: str
    task: int
    goroutine: int
    begin: typing.Optional[int]
    end: typing.Optional[int]
    inherited: bool
    frame: Frame
    times: Times


class GoroutineSummary(typing.NamedTuple):
    """started and ended are None if that never happened."""
    id: int
    name: str
    pc: int
    created: int
    started: typing.Optional[int]
    ended: typing.Optional[int]
    times: Times
    regions: typing.List[RegionSummary]


class TaskLog(typing.NamedTuple):
    time: int
    goroutine: int
    category: str
    message: str


class TaskSummary(typing.NamedTuple):
    id: int
    parent: int
    name: str
    begin: typing.Optional[int]
    end: typing.Optional[int]
    children: typing.List[int]
    logs: typing.List[TaskLog]
    regions: typing.List[RegionSummary]
    goroutines: typing.List[int]


class Summary(SnappedAnalysis):
    """What goroutines, regions and tasks spent their time on."""

    NAME = "gt_summary"

    def __init__(self, *, limit=0, allocator=None):
        super().__init__(c.make(c.gt_summary_options, memory_limit=limit), allocator)

    def _list(self, name, copy):
        count = ctypes.c_size_t()
        items = self._call(name, ctypes.byref(count))
        return [copy(items[i].contents) for i in range(count.value)]

    def goroutines(self):
        """A list of GoroutineSummary, sorted by id."""
        return self._list("goroutines", copy_goroutine)

    def tasks(self):
        """A list of TaskSummary, sorted by id; it has BACKGROUND_TASK unless that is empty."""
        return self._list("tasks", copy_task)

    def goroutine(self, number):
        """The last goroutine with this id, or None."""
        found = self._call("find_goroutine", number)
        return copy_goroutine(found.contents) if found else None

    def task(self, number=BACKGROUND_TASK):
        found = self._call("find_task", number)
        return copy_task(found.contents) if found else None

    @property
    def info(self):
        return self._info(c.gt_summary_info)


def copy_times(times):
    numbers = [getattr(times, name) for name in Times._fields[:-2]]
    blocks = {t.name.text(): t.time for t in (times.blocks[i] for i in range(times.block_count))}
    ranges = {t.name.text(): t.time for t in (times.ranges[i] for i in range(times.range_count))}
    return Times(*numbers, blocks, ranges)


def copy_region(region):
    return RegionSummary(
        region.type.text(), region.task, region.goroutine,
        region.begin if region.has_begin else None, region.end if region.has_end else None,
        bool(region.inherited), copy_frames([region.frame], 1)[0], copy_times(region.times[0]))


def copy_regions(of):
    return [copy_region(of.regions[i].contents) for i in range(of.region_count)]


def copy_goroutine(goroutine):
    return GoroutineSummary(goroutine.id, goroutine.name.text(), goroutine.pc, goroutine.created,
                            goroutine.started or None, goroutine.ended or None,
                            copy_times(goroutine.times[0]), copy_regions(goroutine))


def copy_task(task):
    logs = [TaskLog(log.time, log.goroutine, log.category.text(), log.message.text())
            for log in (task.logs[i] for i in range(task.log_count))]
    return TaskSummary(task.id, task.parent, task.name.text(),
                       task.begin if task.has_begin else None, task.end if task.has_end else None,
                       task.children[:task.child_count], logs, copy_regions(task),
                       task.goroutines[:task.goroutine_count])


class Sample(typing.NamedTuple):
    """What was counted for a stack. state is a GoState with ProfileKind.WALL, else 0."""
    frames: typing.Tuple[Frame, ...]
    count: int
    nanoseconds: int
    state: int


class Profile(SnappedAnalysis):
    """Where goroutines spend their time, by stack.

    kinds        the ProfileKinds to count
    goroutine    count only goroutines that started in the function of this name
    regions      count only what is in regions: a type, or True for any
    latency      with regions, their minimum and maximum duration in nanoseconds
    cpu_period   the nanoseconds that a sample of ProfileKind.CPU stands for
    """

    NAME = "gt_profile"

    def __init__(self, *kinds, goroutine="", regions=None, latency=None, cpu_period=10000000,
                 limit=0, allocator=None):
        options = c.make(c.gt_profile_options, kinds=sum(1 << kind for kind in set(kinds)),
                         goroutine=c.gt_string.of(goroutine), cpu_period=cpu_period,
                         memory_limit=limit)
        if regions is not None:
            options.flags = int(ProfileFlag.REGIONS)
            if regions is not True:
                options.region_type = c.gt_string.of(regions)
            options.latency_min, options.latency_max = latency or (0, options.latency_max)
        super().__init__(options, allocator)

    def samples(self, kind):
        """The Samples of a kind, sorted by falling time."""
        sample = c.make(c.gt_profile_sample)
        result = []
        for index in range(self._call("count", kind)):
            check(self._call("get_sample", kind, index, ctypes.byref(sample)))
            result.append(Sample(copy_frames(sample.frames, sample.frame_count), sample.count,
                                 sample.nanoseconds, name_of(GoState, sample.state)))
        return result

    def write_pprof(self, kind, file):
        """Writes the samples of a kind to a binary file, in the format of pprof."""
        writing = Writing(file)
        status = self._call("write_pprof", kind, writing.function, None)
        writing.check(status)

    @property
    def info(self):
        return self._info(c.gt_profile_info)


class Writing:
    """A gt_write_fn that writes to a Python file; it keeps the exception of a failed write."""

    def __init__(self, file):
        self._file = file
        self._problem = None
        self.function = c.write_fn(self._write)

    def _write(self, _data, address, size):
        try:
            self._file.write(ctypes.string_at(address, size))
            return 0
        except BaseException as problem:  # pylint: disable=broad-except
            self._problem = self._problem or problem
            return -1

    def check(self, status):
        if self._problem:
            raise self._problem
        check(status)


class Window(typing.NamedTuple):
    """From `time` on, the utilisation or its minimum is `value`."""
    time: int
    value: float


class Mmu(Analysis):
    """How much of the processor the garbage collector leaves to the program: from 0 to 1."""

    NAME = "gt_mmu"
    TAKES_READER = False

    def __init__(self, flags=MmuFlag.STW | MmuFlag.BACKGROUND | MmuFlag.ASSIST, *, limit=0,
                 allocator=None):
        options = c.make(c.gt_mmu_options, flags=int(flags), memory_limit=limit)
        super().__init__(options, allocator)

    def finish(self):
        self.check(self._call_released("finish"))

    def range(self):
        """The bounds of the time in which it is known."""
        start, end = ctypes.c_int64(), ctypes.c_int64()
        check(self._call("range", ctypes.byref(start), ctypes.byref(end)))
        return start.value, end.value

    def series(self, index=0):
        """Function number `index` as a list of Window; None if there is none."""
        points, count = ctypes.POINTER(c.gt_utilization)(), ctypes.c_size_t()
        status = self._call("series", index, ctypes.byref(points), ctypes.byref(count))
        if status == Status.ERR_NOT_AVAILABLE:
            return None
        check(status)
        return [Window(points[i].time, points[i].value) for i in range(count.value)]

    def minimum(self, window):
        """The lowest utilisation of all windows of this many nanoseconds."""
        minimum = ctypes.c_double()
        check(self._call_released("minimum", window, ctypes.byref(minimum)))
        return minimum.value

    def quantiles(self, window, quantiles):
        """For each rising fraction from 0 to 1, the value that so many windows do not exceed."""
        given = (ctypes.c_double * len(quantiles))(*quantiles)
        values = (ctypes.c_double * len(quantiles))()
        check(self._call_released("quantiles", window, given, len(quantiles), values))
        return list(values)

    def worst(self, window, count):
        """Up to `count` Windows that do not overlap, the worst first."""
        windows, found = (c.gt_utilization * count)(), ctypes.c_size_t(count)
        check(self._call_released("worst", window, windows, ctypes.byref(found)))
        return [Window(windows[i].time, windows[i].value) for i in range(found.value)]


class Bucket(typing.NamedTuple):
    """The number of durations that were at least `start` and below `end`."""
    start: int
    end: int
    count: int


class Series(typing.NamedTuple):
    """Durations of a kind, in nanoseconds."""
    index: int
    kind: int
    group: int
    name: str
    count: int
    sum: int
    minimum: int
    maximum: int


class Pair(typing.NamedTuple):
    """Who unblocked whom: both stacks, the number of waits, and their total duration."""
    count: int
    time: int
    waiter: typing.Tuple[Frame, ...]
    unblocker: typing.Tuple[Frame, ...]


class Latency(SnappedAnalysis):
    """Latency distributions: how long goroutines wait, and what ends their waits."""

    NAME = "gt_latency"

    def __init__(self, *, series=1000, pairs=100000, limit=0, allocator=None):
        options = c.make(c.gt_latency_options, series=series, pairs=pairs, memory_limit=limit)
        super().__init__(options, allocator)

    def series(self):
        """All Series, sorted by kind, group and name."""
        result, series = [], c.make(c.gt_latency_series)
        for index in range(self._call("series_count")):
            check(self._call("get_series", index, ctypes.byref(series)))
            result.append(Series(index, name_of(LatencyKind, series.kind),
                                 name_of(LatencyGroup, series.group), series.name.text(),
                                 series.count, series.sum, series.minimum, series.maximum))
        return result

    def quantile(self, series, part):
        """The least duration that a fraction of the series, from 0 to 1, does not exceed."""
        duration = ctypes.c_int64()
        check(self._call("quantile", series.index, part, ctypes.byref(duration)))
        return duration.value

    def buckets(self, series):
        """The histogram: its non-empty Buckets."""
        result, bucket = [], c.make(c.gt_latency_bucket)
        while True:
            status = self._call("next_bucket", series.index, ctypes.byref(bucket))
            check(status)
            if status == Status.END:
                return result
            result.append(Bucket(getattr(bucket, "from"), bucket.to, bucket.count))

    def pairs(self):
        """All Pairs, sorted by falling number of waits."""
        result, pair = [], c.make(c.gt_latency_pair)
        for index in range(self._call("pair_count")):
            check(self._call("get_pair", index, ctypes.byref(pair)))
            result.append(Pair(pair.count, pair.time, self._frames(index, 0),
                               self._frames(index, 1)))
        return result

    def _frames(self, index, side):
        frames, count = (c.gt_frame * STACK_MAX_FRAMES)(), ctypes.c_size_t()
        check(self._call("pair_frames", index, side, frames, len(frames), ctypes.byref(count)))
        return copy_frames(frames, count.value)

    @property
    def info(self):
        return self._info(c.gt_latency_info)


class Finding(typing.NamedTuple):
    """A rule that event number `number` breaks."""
    rule: int
    kind: int
    number: int
    time: int
    thread: int
    proc: int
    goroutine: int
    message: str


class Validator(Analysis):
    """Checks events against rules that hold for every trace.

    version   the version in Trace.info, on which some rules depend; 0 for the newest
    keep      the number of findings to keep; `count` is the number that there were
    """

    NAME = "gt_validator"

    def __init__(self, version=0, *, keep=1000, coarse_clock=False, limit=0, allocator=None):
        options = c.make(c.gt_validator_options, version=version, keep=keep, memory_limit=limit,
                         flags=int(ValidatorFlag.COARSE_CLOCK) if coarse_clock else 0)
        super().__init__(options, allocator)

    def finish(self):
        """Does nothing: a validator need not be finished."""

    @property
    def count(self):
        return self._call("count")

    def findings(self):
        """The Findings that were kept."""
        result, finding = [], c.make(c.gt_finding)
        while True:
            status = self._call("finding", len(result), ctypes.byref(finding))
            if status == Status.ERR_NOT_AVAILABLE:
                return result
            check(status)
            members = [getattr(finding, name) for name in Finding._fields[:-1]]
            members[0] = name_of(Rule, members[0])
            members[1] = name_of(EventKind, members[1])
            result.append(Finding(*members, finding.message.decode("utf-8", "replace")))
