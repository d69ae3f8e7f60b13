/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_SAMPLE_H
#define GT_RECORDER_SAMPLE_H

#include "recorder/inside.h"
#include "recorder/system_timer.h"

/*
 * Samples of what threads do. The signal handler of a thread writes to a ring of the thread, which
 * whoever ends a generation reads; so it takes no lock and needs no section.
 */

struct gt_recorder_samples {
    struct gt_atomic written, read; /* words so far */
    /* Odd: a handler takes a sample, which another one may interrupt. */
    struct gt_atomic taking;
    struct gt_system_timer timer; /* see recorder/sampler.h */
    uint64_t pcs[GT_STACK_MOST];
    uint64_t words[]; /* gt_recorder.sample_words of them */
};

/* How many words the rings of a recorder have: 0 if it takes no samples. */
uint64_t gt_recorder_sample_words(const gt_recorder *recorder);

/* The size of what a thread has of these, of which the ring is the last part. */
size_t gt_recorder_samples_size(const gt_recorder *recorder);

/* Gives a new thread memory of that size for them. */
void gt_recorder_samples_init(gt_rec_thread *thread, void *memory);

/* Writes the samples of a generation, which is over, and adds their stacks to its tables. */
void gt_recorder_samples_write(gt_recorder *recorder, uint64_t generation);

#endif
