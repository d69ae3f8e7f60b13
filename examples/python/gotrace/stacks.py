# SPDX-License-Identifier: BSD-3-Clause
"""Stacks and their frames."""

import typing


class Frame(typing.NamedTuple):
    """One frame of a stack: a call of `function` at `line` of `file`."""
    pc: int
    line: int
    function: str
    file: str


def copy_frames(frames, count):
    """The first frames of an array of gt_frame."""
    return tuple(Frame(frame.pc, frame.line, frame.function.text(), frame.file.text())
                 for frame in (frames[i] for i in range(count)))


class Stack:
    """A stack of a trace: a sequence of Frame, leaf first, decoded on first use.

    Its frames are available until the trace goes on from the next Sync event, or with keep=True
    until the trace is closed; afterwards, accessing them raises ExpiredError. As a key it remains
    valid. The stacks of a copied event are available without limit.
    """

    __slots__ = ("owner", "handle")

    def __init__(self, owner, handle):
        self.owner = owner
        self.handle = handle

    @property
    def frames(self) -> typing.Tuple[Frame, ...]:
        """The frames, a tuple."""
        return self.owner.frames(self.handle)

    @property
    def id(self) -> int:
        """A number that equal stacks of all generations of the trace share: see Trace.interned.

        It is 0 for a stack without frames. A stack of a copied event has none.
        """
        return self.owner.intern(self.handle)

    def __iter__(self):
        return iter(self.frames)

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, index):
        return self.frames[index]

    def __bool__(self):
        return True

    def __eq__(self, other):
        return (isinstance(other, Stack) and self.handle == other.handle
                and self.owner is other.owner)

    def __hash__(self):
        return hash(self.handle)

    def __repr__(self):
        return "<Stack %#x>" % self.handle
