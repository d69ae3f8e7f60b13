/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_THREADS_JOB_H
#define TESTS_THREADS_JOB_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "support/getters.h"

/* A trace in memory, which all jobs may read at once. */
struct job_trace {
    char *path;
    uint8_t *data;
    size_t size;
};

enum job_kind {
    JOB_EVENTS,
    JOB_LENIENT,
    JOB_RAW,
    JOB_VALIDATE,
    JOB_SUMMARY,
    JOB_PROFILE,
    JOB_MMU,
    JOB_LATENCY,
    JOB_DRAW,
    JOB_KINDS
};

/*
 * One trace from its first event to its last, through one part of the library, a few events
 * at a time, so that a thread can have several at once. Starts as all zeros but for what
 * comes first.
 */
struct job {
    enum job_kind kind;
    const struct job_trace *trace;
    /* Opens the file by its path, not the bytes. */
    int by_path;
    /* Its reader has a thread of its own. */
    int is_ahead;
    /* For JOB_DRAW; finished, or NULL. */
    const gt_selector *selector;

    /* Of all that came out. */
    uint64_t hash;
    uint64_t events;
    gt_status status;

    gt_reader *reader;
    gt_raw_reader *raw;
    struct fold *fold;
    gt_validator *validator;
    gt_summary *summary;
    gt_profile *profile;
    gt_mmu *mmu;
    gt_latency *latency;
    gt_json_writer *writer;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

void job_open(struct job *job);

/* Does a few events more, and at the end closes all. 0 when there is no more to do. */
int job_step(struct job *job);

#endif
