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

/* The same as gt_recorder_enter_part, where the system has a barrier in all threads. */
static inline uint64_t gt_recorder_enter_lightly(const gt_recorder *recorder,
                                                 struct gt_atomic *counter, uint64_t count)
{
    gt_atomic_set(counter, count);
    gt_atomic_light_fence();
    return gt_atomic_get(&recorder->generation);
}

/*
 * Sets a counter for which whoever ends a generation waits while it is odd, and returns the
 * generation with its mode.
 */
static inline uint64_t gt_recorder_enter_part(const gt_recorder *recorder,
                                              struct gt_atomic *counter, uint64_t count)
{
    if (recorder->has_barrier)
        return gt_recorder_enter_lightly(recorder, counter, count);
    gt_atomic_set_full(counter, count);
    return gt_atomic_get_full(&recorder->generation);
}

/* The same for a section where the system has no barrier, or memory has become scarce. */
uint64_t gt_recorder_enter_slowly(gt_rec_thread *thread);

/* Returns what gt_recorder_leave_from takes. */
static inline uint64_t gt_recorder_enter(gt_rec_thread *t)
{
    uint64_t sections = gt_atomic_peek(&t->sections) + 1, generation;
    if (GT_UNLIKELY(gt_atomic_peek(&t->recorder->enters_slowly))) {
        generation = gt_recorder_enter_slowly(t);
        sections = gt_atomic_peek(&t->sections);
    } else {
        generation = gt_recorder_enter_lightly(t->recorder, &t->sections, sections);
    }
    t->generation = generation >> GT_MODE_BITS;
    t->mode = gt_recorder_mode_of(generation);
    return sections;
}

/* Leaves the section that gt_recorder_enter has returned, which need not be loaded again. */
static inline void gt_recorder_leave_from(gt_rec_thread *t, uint64_t sections)
{
    gt_atomic_set(&t->sections, sections + 1);
}

static inline void gt_recorder_leave(gt_rec_thread *t)
{
    gt_recorder_leave_from(t, gt_atomic_peek(&t->sections));
}

/* The time. */
static inline uint64_t gt_recorder_clock(const gt_rec_thread *t)
{
    return gt_recorder_clock_time(&t->recorder->clock);
}

/* The time, if it is needed: within a section. */
static inline uint64_t gt_recorder_time(const gt_rec_thread *t)
{
    return gt_recorder_is_on(t) ? gt_recorder_clock(t) : 0;
}

/* What a change of a word found. */
struct gt_recorder_change {
    bool is_fresh;   /* it is the first one in the generation, and a status has to come before it */
    bool has_range;  /* a range had begun before */
    uint64_t word;   /* after the change */
    uint64_t before; /* the time before it */
    uint64_t section;
};

enum gt_recorder_moved {
    GT_RECORDER_MOVED,
    GT_RECORDER_REFUSED, /* it has another state */
    GT_RECORDER_TOO_OLD  /* the generation of the section is over, and the word of a later one */
};

/*
 * Who may try to change a word at the same time. Only one thread can start a goroutine, because the
 * program has it from one queue or another. If the program makes a mistake there, two threads have
 * the goroutine while nothing is recorded; see gt_recorder_set_go.
 */
enum gt_recorder_rivals {
    GT_RECORDER_ALONE,
    GT_RECORDER_RIVALS
};

/* A word that a thread gives to a goroutine that it has. */
static inline uint64_t gt_recorder_mark(const gt_rec_thread *t, uint64_t word)
{
    return gt_recorder_is_on(t) ? word : gt_word_tagged(word, t->tag);
}

/*
 * Changes a word from one state to another, within a section. While nothing is recorded a store
 * does where nobody else tries: the atomic exchange takes most of the time of a call then. No proc
 * is changed to the state GT_G_RUNNING, which has another meaning there.
 */
static GT_ALWAYS_INLINE enum gt_recorder_moved
gt_recorder_move(const gt_rec_thread *t, struct gt_recorder_resource *resource, uint64_t from,
                 uint64_t to, enum gt_recorder_rivals rivals, struct gt_recorder_change *change)
{
    uint64_t word = gt_atomic_get(&resource->word), next;
    do {
        if (gt_word_generation(word) > t->generation)
            return GT_RECORDER_TOO_OLD;
        if (gt_word_state(word) != from)
            return GT_RECORDER_REFUSED;
        next = gt_word_next(word, t->generation, to, 1);
        if (to == GT_G_RUNNING)
            next = gt_recorder_mark(t, next);
        if (rivals == GT_RECORDER_ALONE && t->mode == GT_MODE_OFF) {
            gt_atomic_set(&resource->word, next);
            break;
        }
    } while (!gt_atomic_swap(&resource->word, &word, next));
    change->is_fresh = gt_word_generation(word) != t->generation;
    change->has_range = gt_word_has_range(word);
    change->word = next;
    return GT_RECORDER_MOVED;
}

/*
 * Enters a section, and changes a word in it. On success the thread remains in the section;
 * otherwise the word has another state.
 */
static GT_ALWAYS_INLINE bool gt_recorder_enter_and_move(gt_rec_thread *t,
                                                        struct gt_recorder_resource *resource,
                                                        uint64_t from, uint64_t to,
                                                        enum gt_recorder_rivals rivals,
                                                        struct gt_recorder_change *change)
{
    for (;;) {
        change->section = gt_recorder_enter(t);
        /* What others do after the change shall have later times. */
        change->before = gt_recorder_time(t);
        enum gt_recorder_moved moved = gt_recorder_move(t, resource, from, to, rivals, change);
        if (moved == GT_RECORDER_MOVED)
            return true;
        gt_recorder_leave(t);
        if (moved == GT_RECORDER_REFUSED)
            return false;
    }
}

/* The goroutine runs on the thread. Whoever reads the claim finds this goroutine, or a later one.
 */
static inline void gt_recorder_take_go(gt_rec_thread *t, gt_rec_go *go, uint64_t word)
{
    gt_atomic_pointer_poke(&t->go, go);
    gt_atomic_set(&t->claim, word);
}

static inline void gt_recorder_drop_go(gt_rec_thread *t)
{
    gt_atomic_pointer_poke(&t->go, NULL);
}

/* Another thread has the goroutine, too, and keeps it. */
void gt_recorder_lose_go(gt_rec_thread *t);

/*
 * Changes the word of the goroutine that the thread has, within a section.
 *
 * While nothing is recorded two threads may have started the goroutine at once, by a mistake of the
 * program. Each has given it a word of its own, so one of these was overwritten; only the thread
 * whose word is still there has the goroutine. That is found out where it matters: in the strict
 * generation before a recording each change is an exchange, so that afterwards no word that was
 * overwritten comes back; and while something is recorded the first event of a thread in each
 * generation is preceded by an exchange, in gt_recorder_settle. Returns false if the thread does
 * not have the goroutine; then it has none.
 */
static inline bool gt_recorder_set_go(gt_rec_thread *t, gt_rec_go *go, uint64_t next)
{
    uint64_t claim = gt_atomic_peek(&t->claim);
    if (GT_UNLIKELY(t->mode == GT_MODE_STRICT)) {
        if (!gt_atomic_swap(&go->resource.word, &claim, next)) {
            gt_recorder_lose_go(t);
            return false;
        }
    } else {
        gt_atomic_set(&go->resource.word, next);
    }
    return true;
}

/* The same, to a word with which the thread still has it. */
static inline bool gt_recorder_claim_go(gt_rec_thread *t, uint64_t word)
{
    uint64_t next = gt_recorder_mark(t, word);
    if (!gt_recorder_set_go(t, gt_recorder_own_go(t), next))
        return false;
    gt_atomic_set(&t->claim, next);
    return true;
}

/* The same, to another state in which the thread has it. */
static inline bool gt_recorder_keep_go(gt_rec_thread *t, uint64_t state, uint64_t step)
{
    uint64_t claim = gt_atomic_peek(&t->claim);
    return gt_recorder_claim_go(t, gt_word_next(claim, t->generation, state, step));
}

/* The same, to a state in which the thread does not have it any more. */
static inline void gt_recorder_leave_go(gt_rec_thread *t, gt_rec_go *go, uint64_t state)
{
    uint64_t claim = gt_atomic_peek(&t->claim);
    gt_recorder_set_go(t, go, gt_word_next(claim, t->generation, state, 0));
}

/* Changes whether a range of the goroutine of the thread has begun. */
static inline bool gt_recorder_set_go_range(gt_rec_thread *t, bool has_range)
{
    uint64_t claim = gt_atomic_peek(&t->claim);
    uint64_t next = gt_word_next(claim, t->generation, gt_word_state(claim), 0) & ~GT_WORD_RANGE;
    return gt_recorder_claim_go(t, has_range ? next | GT_WORD_RANGE : next);
}

/* Changes the word of a proc that the thread has, so that nobody else changes it. */
static inline uint64_t gt_recorder_set_own(const gt_rec_thread *t,
                                           struct gt_recorder_resource *resource, uint64_t state,
                                           uint64_t step)
{
    uint64_t next = gt_word_next(gt_atomic_peek(&resource->word), t->generation, state, step);
    gt_atomic_set(&resource->word, next);
    return gt_word_number(next);
}

/*
 * Changes whether a range of the proc that the thread has has begun. Within a section, for which
 * that is settled.
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

/*
 * Writes the statuses of what the thread has, unless that had an event in this generation. If
 * another thread has the goroutine, too, this one has none any more.
 */
void gt_recorder_settle_old(gt_rec_thread *t, uint64_t time);

/* The same, where mostly nothing is to be written. */
static inline void gt_recorder_settle(gt_rec_thread *t, uint64_t time)
{
    const gt_rec_proc *proc = gt_recorder_own_proc(t);
    if (GT_UNLIKELY((proc && gt_recorder_is_old(t, &proc->resource)) ||
                    (gt_recorder_own_go(t) &&
                     gt_word_generation(gt_atomic_peek(&t->claim)) != t->generation)))
        gt_recorder_settle_old(t, time);
}

/*
 * Enters a section for an event about what the thread has itself. Returns whether it is recorded;
 * then the statuses that have to come before it are written, and `*time` is set.
 */
static inline bool gt_recorder_enter_own(gt_rec_thread *t, uint64_t *time)
{
    gt_recorder_enter(t);
    if (!gt_recorder_is_on(t))
        return false;
    *time = gt_recorder_clock(t);
    gt_recorder_settle(t, *time);
    return true;
}

/*
 * The same for an event about the goroutine that runs on the thread. Returns false, outside of the
 * section, if another thread turns out to have that; otherwise gt_recorder_is_on tells whether the
 * event is recorded, at `*time`.
 */
static inline bool gt_recorder_enter_go(gt_rec_thread *t, uint64_t *time)
{
    *time = 0;
    gt_recorder_enter_own(t, time);
    if (GT_UNLIKELY(!gt_recorder_own_go(t))) {
        gt_recorder_leave(t);
        return false;
    }
    return true;
}

/* Whether a range of the goroutine that the thread has has begun. */
static inline bool gt_recorder_go_has_range(const gt_rec_thread *t)
{
    return gt_word_has_range(gt_atomic_peek(&t->claim));
}

/* Whether a range of a proc that the thread has has begun. */
static inline bool gt_recorder_has_range(const struct gt_recorder_resource *resource)
{
    return gt_word_has_range(gt_atomic_peek(&resource->word));
}

/* Whether the thread has a proc and runs no goroutine. */
static inline bool gt_recorder_is_free(gt_rec_thread *t)
{
    return !gt_recorder_own_go(t) && gt_recorder_own_proc(t);
}

/* Whether the thread can start a goroutine: a proc of its own starts with that. */
static inline bool gt_recorder_can_start(gt_rec_thread *t)
{
    return !gt_recorder_own_go(t) && (gt_recorder_own_proc(t) || t->home_proc);
}

/* Whether the thread may run a goroutine, which is not another thread's own. */
static inline bool gt_recorder_may_run(const gt_rec_thread *t, const gt_rec_go *go)
{
    const void *home = gt_atomic_pointer_get(&go->home);
    return !home || home == t;
}

/* In a section of a thread that runs a goroutine: tells how many procs may run at once. */
void gt_recorder_tell_new_procs(gt_rec_thread *t, uint64_t time);

/* The same, where mostly that was told in the generation. */
static inline void gt_recorder_tell_procs(gt_rec_thread *t, uint64_t time)
{
    if (GT_UNLIKELY(t->procs_told != t->generation))
        gt_recorder_tell_new_procs(t, time);
}

/* Whether the thread has a proc, outside of system calls. */
static inline bool gt_recorder_has_proc(gt_rec_thread *t)
{
    return !t->is_in_call && gt_recorder_own_proc(t);
}

/* Whether the goroutine of the thread can end: what readers see of a goroutine, ends before it. */
static inline bool gt_recorder_can_end(const gt_rec_thread *t)
{
    const gt_rec_go *go = gt_recorder_own_go(t);
    return go && !go->stop.is_open && !gt_recorder_go_has_range(t);
}

/* Whether the thread runs a goroutine, outside of system calls. */
static inline bool gt_recorder_is_running(const gt_rec_thread *t)
{
    return gt_recorder_own_go(t) && !t->is_in_call;
}

#endif
