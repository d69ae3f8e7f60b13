/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/section.h"

/* Brings a word of the thread's own to the generation. Returns whether it was of an older one. */
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

void gt_recorder_settle_old(gt_rec_thread *t, uint64_t time)
{
    gt_rec_proc *proc = gt_recorder_own_proc(t);
    uint64_t word;
    if (proc && section_bring(t, &proc->resource, &word))
        gt_recorder_put_proc_status(t, time, proc, gt_word_state(word), gt_word_has_range(word));
    if (t->go && section_bring(t, &t->go->resource, &word))
        gt_recorder_put_go_status(t, time, t->go, t->id, gt_word_state(word),
                                  gt_word_has_range(word));
}
