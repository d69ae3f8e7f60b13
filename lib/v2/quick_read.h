/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_READ_H
#define GT_V2_QUICK_READ_H

#include "base/likely.h"
#include "v2/order.h"

/*
 * Functions that the quick cases share, for reading arguments and checking requirements. See
 * v2/quick.h.
 */

/* Reads a varint of five bytes or more, out of line. */
struct gt_varint gt_v2_number_long(const uint8_t *p);

/* Reads a varint. The end is NULL if it is malformed. */
static GT_ALWAYS_INLINE struct gt_varint gt_v2_number_read(const uint8_t *p)
{
    struct gt_varint varint = gt_varint_short(p);
    return GT_UNLIKELY(!varint.end) ? gt_v2_number_long(p) : varint;
}

/*
 * Returns the end of an event whose last argument ends at `p`. Returns NULL if the rest of the
 * batch may be too short for the header of another event.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_end(const struct gt_v2_thread *thread,
                                                       const uint8_t *p)
{
    return p < thread->quick_end ? p : NULL;
}

/*
 * Reads the arguments of the thread's next event at `p`. Returns the result of gt_v2_quick_end, or
 * NULL if an argument is malformed.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_read(const struct gt_v2_thread *thread,
                                                        const uint8_t *p, uint64_t *numbers,
                                                        unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct gt_varint number = gt_v2_number_read(p);
        if (GT_UNLIKELY(!number.end))
            return NULL;
        numbers[i] = number.value;
        p = number.end;
    }
    return gt_v2_quick_end(thread, p);
}

/* Returns whether the thread has a proc, and a goroutine whose pointer is up to date. */
static GT_ALWAYS_INLINE bool gt_v2_quick_has_goroutine(const struct gt_v2_thread *thread)
{
    const struct gt_v2_goroutine *goroutine = thread->goroutine;
    return goroutine && goroutine->id == thread->goroutine_id && gt_v2_has_proc(thread);
}

/*
 * Returns whether the thread has a proc, and a goroutine with this status whose pointer is up to
 * date.
 */
static GT_ALWAYS_INLINE bool gt_v2_quick_is(const struct gt_v2_thread *thread, uint8_t status)
{
    return gt_v2_quick_has_goroutine(thread) && thread->goroutine->status == status;
}

/*
 * Returns the goroutine with this id, or NULL. For GT_NO_GOROUTINE the result may also be a
 * goroutine that has ended, whose status is neither runnable nor waiting.
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
