/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_THREADS_JOB_H
#define TESTS_THREADS_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "support/getters.h"

/* A trace in memory, which all jobs may read at the same time. */
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
 * Passes a trace through a part of the library a few events at a time, so that a thread can run
 * several jobs at once. Everything but the first members starts as zeros.
 */
struct job {
    enum job_kind kind;
    const struct job_trace *trace;
    /* Opens the file by its path instead of the bytes. */
    int by_path;
    /* The reader has a thread of its own. */
    bool is_ahead;
    /* For JOB_DRAW: a finished selector, or NULL. */
    const gt_selector *selector;

    /* A hash of all output. */
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

/* Handles some more events, and closes everything at the end. Returns 0 when it is done. */
int job_step(struct job *job);

#endif
