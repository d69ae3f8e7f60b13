/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_READING_H
#define TESTS_SUPPORT_READING_H

#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/wire.h"

/*
 * A trace that a test writes and then reads event by event. Starts as zeros: write to `wire`, then
 * open it.
 */
struct reading {
    struct wire wire;
    gt_reader *reader;
    /* The last event. */
    const gt_event *event;
};

/* Begins a trace of one generation of Go 1.23, and opens a batch of thread 5. */
void reading_begin(struct reading *reading);

/* The same with proc 0 and goroutine 1 running on the thread. */
void reading_begin_running(struct reading *reading);

/* Ends the open batch, and opens the bytes; `options` may be NULL. */
void reading_open(struct reading *reading, const gt_reader_options *options);

/* Reads the next event, and asserts its kind. */
const gt_event *reading_next(struct reading *reading, uint32_t kind);

/* Skips events. */
void reading_skip(struct reading *reading, unsigned count);

/* Asserts the context of the last event. */
void reading_context(const struct reading *reading, int64_t thread, int64_t proc,
                     int64_t goroutine);

/* Asserts the time of the last event. */
void reading_time(const struct reading *reading, int64_t time);

/* Reads the next event, a metric, and asserts its value. */
void reading_metric(struct reading *reading, uint64_t value);

/* Reads the next event, a transition of a goroutine or a proc, and asserts its content. */
void reading_goroutine(struct reading *reading, int64_t id, uint32_t from, uint32_t to);
void reading_proc(struct reading *reading, int64_t id, uint32_t from, uint32_t to);

/* Reads the next event, a Sync, and returns its content. */
gt_sync reading_sync(struct reading *reading);

/* Returns the transition of the last event. */
gt_transition reading_transition(const struct reading *reading);

/* Reads the last Sync and then the end. Closes and frees everything. */
void reading_end(struct reading *reading);

/* Asserts that the next call fails like this. Closes and frees everything. */
void reading_fail(struct reading *reading, gt_status status);

/* Closes and frees everything. */
void reading_close(struct reading *reading);

#endif
