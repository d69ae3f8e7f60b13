/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/section.h"

uint64_t gt_recorder_enter_slowly(gt_rec_thread *t)
{
    if (gt_atomic_get(&t->recorder->is_scarce))
        t->recorder->relieve(t);
    return gt_recorder_enter_part(t->recorder, &t->sections, gt_atomic_peek(&t->sections) + 1);
}

/* Brings the word of a proc of the thread to the generation. Returns whether it was of an older
 * one. */
static bool section_bring(const gt_rec_thread *t, struct gt_recorder_resource *resource,
                          uint64_t *before)
{
    uint64_t word = gt_atomic_peek(&resource->word);
    if (gt_word_generation(word) == t->generation)
        return false;
    *before = word;
    gt_atomic_set(&resource->word, gt_word_next(word, t->generation, gt_word_state(word), 0));
    return true;
}

void gt_recorder_lose_go(gt_rec_thread *t)
{
    gt_recorder_drop_go(t);
    t->is_in_call = false;
    gt_atomic_add(&t->recorder->conflicts, 1);
}

/* The same for the goroutine, if the thread has it. */
static bool section_bring_go(gt_rec_thread *t, uint64_t *before)
{
    uint64_t claim = gt_atomic_peek(&t->claim);
    if (gt_word_generation(claim) == t->generation)
        return false;
    *before = claim;
    uint64_t next = gt_word_next(claim, t->generation, gt_word_state(claim), 0);
    if (!gt_atomic_swap(&gt_recorder_own_go(t)->resource.word, &claim, next)) {
        gt_recorder_lose_go(t);
        return false;
    }
    gt_atomic_set(&t->claim, next);
    return true;
}

void gt_recorder_settle_old(gt_rec_thread *t, uint64_t time)
{
    gt_rec_proc *proc = gt_recorder_own_proc(t);
    uint64_t word;
    if (proc && section_bring(t, &proc->resource, &word))
        gt_recorder_put_proc_status(t, time, proc, gt_word_state(word), gt_word_has_range(word));
    if (gt_recorder_own_go(t) && section_bring_go(t, &word))
        gt_recorder_put_go_status(t, time, gt_recorder_own_go(t), t->id, gt_word_state(word),
                                  gt_word_has_range(word));
    if (proc && gt_recorder_is_running(t))
        gt_recorder_tell_procs(t, time);
}

void gt_recorder_tell_new_procs(gt_rec_thread *t, uint64_t time)
{
    gt_recorder *recorder = t->recorder;
    uint64_t count = gt_atomic_get(&recorder->proc_count);
    struct gt_atomic *last = &recorder->procs_told[t->generation & 1];
    uint64_t told = gt_atomic_get(last);
    if (count != 0 && told != t->generation && gt_atomic_swap(last, &told, t->generation))
        gt_recorder_put(t, time, GT_WIRE_PROCS_CHANGE, count, 0);
    t->procs_told = t->generation;
}
