/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GEN_MOMENTS_H
#define TESTS_SUPPORT_GEN_MOMENTS_H

/*
 * The expected events of a generator's trace, as a table:
 *
 *     static const struct gen_moment starts[] = {
 *         SYNC_OF(1),
 *         PROC(0, UNDETERMINED, RUNNING, 5, -1, -1),
 *         GO(2, RUNNABLE, RUNNING, 5, 0, -1),
 *         ANY(METRIC, 5, 0, 2),
 *     };
 *
 * The last three columns are the context: thread, proc and goroutine.
 */

#include "support/gen.h"

struct gen_moment {
    uint32_t kind;
    /* For a transition, otherwise 0. */
    uint32_t resource;
    /* The id of the resource of a transition, or the generation of a Sync. */
    int64_t id;
    uint32_t from;
    uint32_t to;
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
};

#define SYNC_OF(generation)                                                                        \
    {                                                                                              \
        GT_EVENT_SYNC, 0, generation, 0, 0, -1, -1, -1                                             \
    }
#define GO(id, from, to, thread, proc, goroutine)                                                  \
    {                                                                                              \
        GT_EVENT_STATE_TRANSITION, GT_RESOURCE_GOROUTINE, id, GT_GO_##from, GT_GO_##to, thread,    \
            proc, goroutine                                                                        \
    }
#define PROC(id, from, to, thread, proc, goroutine)                                                \
    {                                                                                              \
        GT_EVENT_STATE_TRANSITION, GT_RESOURCE_PROC, id, GT_PROC_##from, GT_PROC_##to, thread,     \
            proc, goroutine                                                                        \
    }
#define ANY(kind, thread, proc, goroutine)                                                         \
    {                                                                                              \
        GT_EVENT_##kind, 0, 0, 0, 0, thread, proc, goroutine                                       \
    }

#define GEN_MOMENTS(moments) (moments), sizeof(moments) / sizeof(*(moments))

/* Reads as many events, and asserts that they are the given ones. */
void gen_expect(struct reading *reading, const struct gen_moment *moments, size_t count);

/*
 * Describes a trace in every version from `least` to `most`, and asserts that its events are these
 * and a last Sync.
 */
void gen_check(void (*describe)(struct gen *gen), unsigned least, unsigned most,
               const struct gen_moment *moments, size_t count);

/* The same, with an error at the last described event or after it. */
void gen_check_fault(void (*describe)(struct gen *gen), unsigned least, unsigned most,
                     gt_status status, const struct gen_moment *moments, size_t count);

#endif
