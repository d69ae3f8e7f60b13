/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SECTION_H
#define GT_RECORDER_SECTION_H

#include <gotrace/wire.h>

#include "base/likely.h"
#include "recorder/buffer.h"
#include "recorder/inside.h"

/*
 * Sections, in which a thread changes states and writes events of one generation; and what all
 * changes have in common.
 *
 * The generation that a section reads may end while the section goes on. Then another thread may
 * have changed a word in the new generation already, and the old section must not change it: the
 * thread leaves, and enters again.
 */

static inline void gt_recorder_enter(gt_rec_thread *t)
{
    uint64_t sections = gt_atomic_peek(&t->sections) + 1, generation;
    if (GT_UNLIKELY(!t->recorder->has_barrier)) {
        gt_atomic_set_full(&t->sections, sections);
        generation = gt_atomic_get_full(&t->recorder->generation);
    } else {
        gt_atomic_set(&t->sections, sections);
        gt_atomic_light_fence();
        generation = gt_atomic_get(&t->recorder->generation);
    }
    t->generation = generation >> 1;
    t->is_on = generation & 1;
}

static inline void gt_recorder_leave(gt_rec_thread *t)
{
    gt_atomic_set(&t->sections, gt_atomic_peek(&t->sections) + 1);
}

/* The time, if it is needed: within a section. */
static inline uint64_t gt_recorder_time(const gt_rec_thread *t)
{
    return t->is_on ? gt_system_clock() : 0;
}

/* What a change of a word found. */
struct gt_recorder_change {
    bool is_fresh;   /* it is the first one in the generation, and a status has to come before it */
    bool has_range;  /* a range had begun before */
    uint64_t number; /* after the change */
    uint64_t before; /* the time before it */
};

enum gt_recorder_moved {
    GT_RECORDER_MOVED,
    GT_RECORDER_REFUSED, /* it has another state */
    GT_RECORDER_TOO_OLD  /* the generation of the section is over, and the word of a later one */
};

/* Changes a word from one state to another, within a section. */
static inline enum gt_recorder_moved gt_recorder_move(const gt_rec_thread *t,
                                                      struct gt_recorder_resource *resource,
                                                      uint64_t from, uint64_t to, uint64_t step,
                                                      struct gt_recorder_change *change)
{
    uint64_t word = gt_atomic_get(&resource->word), next;
    do {
        if (gt_word_generation(word) > t->generation)
            return GT_RECORDER_TOO_OLD;
        if (gt_word_state(word) != from)
            return GT_RECORDER_REFUSED;
        next = gt_word_next(word, t->generation, to, step);
    } while (!gt_atomic_swap(&resource->word, &word, next));
    change->is_fresh = gt_word_generation(word) != t->generation;
    change->has_range = gt_word_has_range(word);
    change->number = gt_word_number(next);
    return GT_RECORDER_MOVED;
}

/*
 * Enters a section, and changes a word in it, for which others may try at the same time. On success
 * the thread remains in the section; otherwise the word has another state.
 */
static inline bool gt_recorder_enter_and_move(gt_rec_thread *t,
                                              struct gt_recorder_resource *resource, uint64_t from,
                                              uint64_t to, struct gt_recorder_change *change)
{
    for (;;) {
        gt_recorder_enter(t);
        /* What others do after the change shall have later times. */
        change->before = gt_recorder_time(t);
        enum gt_recorder_moved moved = gt_recorder_move(t, resource, from, to, 1, change);
        if (moved == GT_RECORDER_MOVED)
            return true;
        gt_recorder_leave(t);
        if (moved == GT_RECORDER_REFUSED)
            return false;
    }
}

/* Changes the word of what the thread has itself, so that nobody else changes it. */
static inline uint64_t gt_recorder_set_own(const gt_rec_thread *t,
                                           struct gt_recorder_resource *resource, uint64_t state,
                                           uint64_t step)
{
    uint64_t next = gt_word_next(gt_atomic_peek(&resource->word), t->generation, state, step);
    gt_atomic_set(&resource->word, next);
    return gt_word_number(next);
}

/*
 * Changes whether a range of what the thread has has begun. Within a section, for which that is
 * settled.
 */
static inline void gt_recorder_set_range(const gt_rec_thread *t,
                                         struct gt_recorder_resource *resource, bool has_range)
{
    uint64_t word = gt_atomic_peek(&resource->word);
    word = gt_word_next(word, t->generation, gt_word_state(word), 0) & ~GT_WORD_RANGE;
    gt_atomic_set(&resource->word, has_range ? word | GT_WORD_RANGE : word);
}

/* A range that has begun is told of in each generation, of which any can be the first to be read.
 */
static inline void gt_recorder_put_proc_status(gt_rec_thread *t, uint64_t time,
                                               const gt_rec_proc *proc, uint64_t status,
                                               bool has_range)
{
    gt_recorder_put(t, time, GT_WIRE_PROC_STATUS, proc->resource.id, status);
    if (GT_UNLIKELY(has_range))
        gt_recorder_put(t, time, GT_WIRE_GC_SWEEP_ACTIVE, proc->resource.id);
}

/* The number of a stack is that of the text that names its only frame. */
static inline void gt_recorder_put_go_status(gt_rec_thread *t, uint64_t time, const gt_rec_go *go,
                                             uint64_t thread, uint64_t status, bool has_range)
{
    gt_recorder_put(t, time, GT_WIRE_GO_STATUS_STACK, go->resource.id, thread, status, go->name);
    if (GT_UNLIKELY(has_range))
        gt_recorder_put(t, time, GT_WIRE_GC_MARK_ASSIST_ACTIVE, go->resource.id);
}

static inline gt_rec_proc *gt_recorder_own_proc(gt_rec_thread *t)
{
    return gt_atomic_pointer_get(&t->proc);
}

/* Whether a word of the thread's own is of an older generation. */
static inline bool gt_recorder_is_old(const gt_rec_thread *t,
                                      const struct gt_recorder_resource *resource)
{
    return gt_word_generation(gt_atomic_peek(&resource->word)) != t->generation;
}

/* Writes the statuses of what the thread has, unless that had an event in this generation. */
void gt_recorder_settle_old(gt_rec_thread *t, uint64_t time);

/* The same, where mostly nothing is to be written. */
static inline void gt_recorder_settle(gt_rec_thread *t, uint64_t time)
{
    const gt_rec_proc *proc = gt_recorder_own_proc(t);
    if (GT_UNLIKELY((proc && gt_recorder_is_old(t, &proc->resource)) ||
                    (t->go && gt_recorder_is_old(t, &t->go->resource))))
        gt_recorder_settle_old(t, time);
}

/*
 * Enters a section for an event about what the thread has itself. Returns whether it is recorded;
 * then the statuses that have to come before it are written, and `*time` is set.
 */
static inline bool gt_recorder_enter_own(gt_rec_thread *t, uint64_t *time)
{
    gt_recorder_enter(t);
    if (!t->is_on)
        return false;
    *time = gt_system_clock();
    gt_recorder_settle(t, *time);
    return true;
}

/* Whether a range of what the thread has has begun. */
static inline bool gt_recorder_has_range(const struct gt_recorder_resource *resource)
{
    return gt_word_has_range(gt_atomic_peek(&resource->word));
}

/* Whether the thread has a proc, runs no goroutine, and so can start one. */
static inline bool gt_recorder_is_free(gt_rec_thread *t)
{
    return !t->go && gt_recorder_own_proc(t);
}

/* Whether the thread has a proc, outside of system calls. */
static inline bool gt_recorder_has_proc(gt_rec_thread *t)
{
    return !t->is_in_call && gt_recorder_own_proc(t);
}

/* Whether the goroutine of the thread can end: what readers see of a goroutine, ends before it. */
static inline bool gt_recorder_can_end(const gt_rec_thread *t)
{
    return t->go && !t->go->stop.is_open && !gt_recorder_has_range(&t->go->resource);
}

/* Whether the thread runs a goroutine, outside of system calls. */
static inline bool gt_recorder_is_running(const gt_rec_thread *t)
{
    return t->go && !t->is_in_call;
}

#endif
