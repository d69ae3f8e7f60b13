# SPDX-License-Identifier: BSD-3-Clause
"""An allocator in Python: slow, and meant for counting memory and for simulating failures."""

import ctypes

from . import structures as c

_libc = ctypes.PyDLL(None)
_libc.malloc.restype = _libc.realloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]


class Allocator:
    """malloc with accounting.

    blocks     the sizes of all allocated blocks, by address
    calls      the number of allocations so far
    fail_at    the number of the allocation from which on all fail; None for none
    problems   errors in the library's use of it, as texts
    """

    def __init__(self, fail_at=None):
        self.blocks = {}
        self.calls = 0
        self.fail_at = fail_at
        self.problems = []
        self._structure = c.make(
            c.gt_allocator, allocate=c.allocate_fn(self._allocate),
            reallocate=c.reallocate_fn(self._reallocate), release=c.release_fn(self._release))
        self.pointer = ctypes.pointer(self._structure)

    def _is_to_fail(self):
        self.calls += 1
        return self.fail_at is not None and self.calls >= self.fail_at

    def _allocate(self, _context, size):
        if self._is_to_fail():
            return None
        block = _libc.malloc(size)
        if block:
            self.blocks[block] = size
        return block

    def _take(self, block, size):
        if self.blocks.pop(block, None) != size:
            self.problems.append("%#x was not allocated with %d bytes" % (block, size))

    def _reallocate(self, _context, block, old_size, size):
        if self._is_to_fail():
            return None
        self._take(block, old_size)
        block = _libc.realloc(block, size)
        if block:
            self.blocks[block] = size
        return block

    def _release(self, _context, block, size):
        self._take(block, size)
        _libc.free(block)
