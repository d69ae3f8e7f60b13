/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_UNWIND_H
#define GT_RECORDER_UNWIND_H

#include "recorder/cfi.h"
#include "recorder/inside.h"

/*
 * Finds the frames of a stack by tables, without locks and memory of its own, so that it may be
 * used in signal handlers. It reads only within the bounds of the stack.
 */

/* Whether there are tables for this kind of processor. */
#if defined(__x86_64__) && defined(__LP64__)
#define GT_UNWIND_HAS_TABLES 1
#else
#define GT_UNWIND_HAS_TABLES 0
#endif

/* Whether a recorder finds stacks by tables. */
static inline bool gt_recorder_has_tables(const gt_recorder *recorder)
{
    return (recorder->flags & GT_RECORDER_UNWIND) && GT_UNWIND_HAS_TABLES;
}

/* The code of the process that has tables, sorted by address. */
struct gt_unwind_part {
    uint64_t begin, end;
    const struct gt_cfi *cfi;
};

struct gt_unwind_map {
    uint64_t number; /* of no other map of the recorder, from 1 */
    size_t count;
    struct gt_unwind_part parts[];
};

/* The registers in a frame. `is_exact`: the next instruction is at `pc`, which has not called. */
struct gt_unwind_frame {
    uint64_t pc, sp, fp;
    bool is_exact;
};

enum {
    GT_UNWIND_TRAIL = 72
};

/*
 * The words of the stack by which callers were found, which with the registers and the map say all
 * about them. Where the count is larger than GT_UNWIND_TRAIL there was no room for all.
 */
struct gt_unwind_trail {
    size_t count;
    bool needs_pointer; /* the frame pointer of the first frame is one of the registers */
    uint32_t offsets[GT_UNWIND_TRAIL]; /* from the stack pointer of the frame */
    uint64_t words[GT_UNWIND_TRAIL];
};

/*
 * Stores the return addresses of the callers of a frame, and returns how many there are. Where a
 * signal has interrupted a function, that is the address after the first byte of the instruction
 * that comes next. `map` may be NULL: then there are frame pointers only. Adds to `trail`, unless
 * that is NULL.
 */
size_t gt_unwind(const struct gt_unwind_map *map, struct gt_recorder_bounds bounds,
                 struct gt_unwind_frame frame, uint64_t *pcs, size_t room,
                 struct gt_unwind_trail *trail);

#endif
