/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/words.h"

const struct gt_words gt_words = {
    .goroutines = "Goroutines",
    .running = "Running",
    .runnable = "Runnable",
    .gc_waiting = "GCWaiting",
    .threads = "Threads",
    .in_syscall = "InSyscall",
    .heap = "Heap",
    .allocated = "Allocated",
    .next_gc = "NextGC",
    .thread_scope = "t",
};
