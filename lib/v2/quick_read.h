/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_READ_H
#define GT_V2_QUICK_READ_H

#include "base/likely.h"
#include "v2/order.h"

/* What the quick cases of events share: how they are read, and what they need. See v2/quick.h. */

/* A varint, and where it ends; NULL if it is malformed. */
struct gt_v2_number {
    const uint8_t *end;
    uint64_t value;
};

/* A varint of four bytes or more, out of line. */
struct gt_v2_number gt_v2_number_long(const uint8_t *p);

static GT_ALWAYS_INLINE struct gt_v2_number gt_v2_number_read(const uint8_t *p)
{
    uint32_t word =
        (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24;
    uint32_t low = word & 0x7f;
    if (!(word & 0x80))
        return (struct gt_v2_number){p + 1, low};
    low |= word >> 1 & 0x3f80;
    if (!(word & 0x8000))
        return (struct gt_v2_number){p + 2, low};
    low |= word >> 2 & 0x1fc000;
    if (!(word & 0x800000))
        return (struct gt_v2_number){p + 3, low};
    low |= word >> 3 & 0xfe00000;
    if (!(word & 0x80000000))
        return (struct gt_v2_number){p + 4, low};
    return gt_v2_number_long(p);
}

/*
 * Where an event ends whose last argument is before `p`; NULL if so little of the batch follows
 * that the header of another event may not fit.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_end(const struct gt_v2_thread *thread,
                                                       const uint8_t *p)
{
    return thread->end - p > GT_VARINT_MAX ? p : NULL;
}

/* Reads the arguments of the thread's next event. Returns gt_v2_quick_end, or NULL. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_read(const struct gt_v2_thread *thread,
                                                        uint64_t *numbers, unsigned count)
{
    const uint8_t *p = thread->pos;
    for (unsigned i = 0; i < count; i++) {
        struct gt_v2_number number = gt_v2_number_read(p);
        if (GT_UNLIKELY(!number.end))
            return NULL;
        numbers[i] = number.value;
        p = number.end;
    }
    return gt_v2_quick_end(thread, p);
}

/* Whether the thread has a proc, and a goroutine that it points to. */
static GT_ALWAYS_INLINE bool gt_v2_quick_has_goroutine(const struct gt_v2_thread *thread)
{
    const struct gt_v2_goroutine *goroutine = thread->goroutine;
    return goroutine && goroutine->id == thread->goroutine_id && gt_v2_has_proc(thread);
}

/* The same; the goroutine has this status, too. */
static GT_ALWAYS_INLINE bool gt_v2_quick_is(const struct gt_v2_thread *thread, uint8_t status)
{
    return gt_v2_quick_has_goroutine(thread) && thread->goroutine->status == status;
}

/*
 * The goroutine with this id, or NULL. For the id GT_NO_GOROUTINE it may also be a goroutine that
 * has ended, which is not runnable or waiting.
 */
static GT_ALWAYS_INLINE struct gt_v2_goroutine *gt_v2_goroutine_recent(struct gt_v2 *v2,
                                                                       uint64_t id)
{
    struct gt_v2_goroutine **recent = &v2->state.recent[id % GT_V2_RECENT];
    if (GT_UNLIKELY((uint64_t) (*recent)->id != id)) {
        struct gt_v2_goroutine *found = gt_v2_goroutine_find_slow(v2, id);
        if (!found)
            return NULL;
        *recent = found;
    }
    return *recent;
}

#endif
