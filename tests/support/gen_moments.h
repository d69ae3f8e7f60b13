/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_GEN_MOMENTS_H
#define TESTS_SUPPORT_GEN_MOMENTS_H

/*
 * What must come of a generator's trace, as a table:
 *
 *     static const struct gen_moment starts[] = {
 *         SYNC_OF(1),
 *         PROC(0, UNDETERMINED, RUNNING, 5, -1, -1),
 *         GO(2, RUNNABLE, RUNNING, 5, 0, -1),
 *         ANY(METRIC, 5, 0, 2),
 *     };
 *
 * The last three of a row are the context: thread, proc and goroutine.
 */

#include "support/gen.h"

struct gen_moment {
    uint32_t kind;
    /* Of a transition; else 0. */
    uint32_t resource;
    /* Of a transition's resource, or a Sync's generation. */
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

/* Reads as many events, and asserts that they are these. */
void gen_expect(struct reading *reading, const struct gen_moment *moments, size_t count);

/*
 * Describes a trace in every version from `least` to `most`, and asserts that
 * these events and a last Sync are all that comes of it.
 */
void gen_check(void (*describe)(struct gen *gen), unsigned least, unsigned most,
               const struct gen_moment *moments, size_t count);

/* The same where the last event that was described, or what follows it, is wrong. */
void gen_check_fault(void (*describe)(struct gen *gen), unsigned least, unsigned most,
                     gt_status status, const struct gen_moment *moments, size_t count);

#endif
