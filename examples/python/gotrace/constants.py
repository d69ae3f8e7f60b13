# SPDX-License-Identifier: BSD-3-Clause
"""The library's constants, which include/gotrace/*.h documents.

GT_EVENT_SYNC is EventKind.SYNC here. A number of a newer library that has no name here
remains a plain int: see name_of.
"""

import enum

NO_THREAD = NO_PROC = NO_GOROUTINE = -1
NO_TASK = 2**64 - 1
BACKGROUND_TASK = 0
NO_OFFSET = 2**64 - 1
READ_AGAIN = -2**63
STACK_NONE = 0
STACK_MAX_FRAMES = 128
EVENT_MAKE_MAX_FRAMES = 1000
STACK_EMPTY_SLOT = 2**32 - 1
ERROR_MESSAGE_SIZE = 200
ERROR_TEXT_SIZE = 300
DURATION_TEXT_SIZE = 40
WALL_CLOCK_TEXT_SIZE = 64
FINDING_MESSAGE_SIZE = 200
SUMMARY_MAX_NAMES = 128
SUMMARY_OTHER = LATENCY_OTHER = "(other)"
SPLITTER_BYTES = 100 << 20

ABI_VERSION = 0


class Status(enum.IntEnum):
    OK = 0
    END = 1
    AGAIN = 2
    CANCELLED = 3
    STALE = 4
    ERR_INVALID_ARGUMENT = -1
    ERR_NO_MEMORY = -2
    ERR_LIMIT = -3
    ERR_IO = -4
    ERR_WRONG_KIND = -5
    ERR_EXPIRED = -6
    ERR_NOT_AVAILABLE = -7
    ERR_CALLBACK = -8
    ERR_STATE = -9
    ERR_BUSY = -10
    ERR_NOT_A_TRACE = -20
    ERR_VERSION = -21
    ERR_TRUNCATED = -22
    ERR_BATCH = -23
    ERR_GENERATION = -24
    ERR_STRINGS = -25
    ERR_STACKS = -26
    ERR_SAMPLES = -27
    ERR_SYNC = -28
    ERR_EVENT = -29
    ERR_ORDER = -30
    ERR_STUCK = -31
    ERR_REFERENCE = -32
    ERR_TIME = -33
    ERR_SYMBOLS = -34


class EventKind(enum.IntEnum):
    SYNC = 1
    METRIC = 2
    LABEL = 3
    STACK_SAMPLE = 4
    RANGE_BEGIN = 5
    RANGE_ACTIVE = 6
    RANGE_END = 7
    TASK_BEGIN = 8
    TASK_END = 9
    REGION_BEGIN = 10
    REGION_END = 11
    LOG = 12
    STATE_TRANSITION = 13
    EXPERIMENTAL = 14


class ValueKind(enum.IntEnum):
    NONE = 0
    UINT64 = 1
    STRING = 2


class ResourceKind(enum.IntEnum):
    NONE = 0
    GOROUTINE = 1
    PROC = 2
    THREAD = 3


class Ending(enum.IntEnum):
    UNKNOWN = 0
    STOPPED = 1
    RUNNING = 2


class GoState(enum.IntEnum):
    UNDETERMINED = 0
    NOT_EXIST = 1
    RUNNABLE = 2
    RUNNING = 3
    WAITING = 4
    SYSCALL = 5


class ProcState(enum.IntEnum):
    UNDETERMINED = 0
    NOT_EXIST = 1
    RUNNING = 2
    IDLE = 3


class ProcStandIn(enum.IntEnum):
    TIMERS = 1000001
    NETWORK = 1000002
    SYSCALLS = 1000003
    GC = 1000004


class ReaderFlag(enum.IntFlag):
    KEEP = 1
    KNOWN_VERSIONS = 2
    LENIENT = 4
    AS_RECORDED = 8
    AHEAD = 16
    TRACK = 32
    UNFORCED = 64


class SummaryFlag(enum.IntFlag):
    DROP = 1


class ProfileKind(enum.IntEnum):
    NET = 1
    SYNC = 2
    SYSCALL = 3
    SCHED = 4
    CPU = 5
    OFFCPU = 6
    WALL = 7


class ProfileFlag(enum.IntFlag):
    REGIONS = 1
    ALL = 2


class MmuFlag(enum.IntFlag):
    STW = 1
    BACKGROUND = 2
    ASSIST = 4
    SWEEP = 8
    PER_PROC = 16
    EXACT = 32


class LatencyKind(enum.IntEnum):
    SCHED = 1
    BLOCK = 2
    TASK = 3
    REGION = 4


class LatencyGroup(enum.IntEnum):
    ALL = 0
    BY_GOROUTINE = 1
    BY_REASON = 2
    BY_TASK = 3
    BY_REGION = 4


class LatencyFlag(enum.IntFlag):
    PAIR_WAITS = 1


class LatencySide(enum.IntEnum):
    WAITER = 0
    UNBLOCKER = 1


class Rule(enum.IntEnum):
    TIME = 1
    FRAME = 2
    SYNC_NUMBER = 3
    SYNC_CLOCK = 4
    CLOCK_ORDER = 5
    METRIC = 6
    LABEL = 7
    UNDETERMINED = 8
    OLD_STATE = 9
    FIRST_STATE = 10
    NO_THREAD = 11
    THREAD_TAKEN = 12
    NOT_RUNNING = 13
    OPEN_RANGE = 14
    STOP_STACK = 15
    RANGE_BEGIN = 16
    RANGE_END = 17
    TASK_ID = 18
    TASK_TYPE = 19
    GETTER = 20


class ValidatorFlag(enum.IntFlag):
    COARSE_CLOCK = 1


class Section(enum.IntEnum):
    RESOURCES = 0
    STATS = 1
    TASKS = 2


class Row(enum.IntEnum):
    TIMERS = 1000001
    NETWORK = 1000002
    SYSCALLS = 1000003
    GC = 1000004


class ViewerKind(enum.IntEnum):
    UNSIGNED = 1
    SIGNED = 2
    STRING = 3
    DOUBLE = 4


class EmitterFlag(enum.IntFlag):
    ENCLOSING = 1


class CountedState(enum.IntEnum):
    DEAD = 0
    RUNNABLE = 1
    RUNNING = 2
    WAITING = 3
    WAITING_GC = 4


class CountedThread(enum.IntEnum):
    IN_SYSCALL = 0
    IN_SYSCALL_RUNTIME = 1
    THREAD_RUNNING = 2


class View(enum.IntEnum):
    PROC = 0
    THREAD = 1
    GOROUTINE = 2


class Selection(enum.IntEnum):
    GOROUTINE = 1
    TASK = 2
    FOCUS_TASK = 3


class TimelineFlag(enum.IntFlag):
    EXACT = 1
    STATES = 2


def name_of(names, number):
    """The member of an enumeration, or the plain number if a newer library added it."""
    try:
        return names(number)
    except ValueError:
        return number
