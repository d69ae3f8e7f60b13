/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_READING_H
#define TESTS_SUPPORT_READING_H

#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/wire.h"

/*
 * A trace that a test writes and then reads event by event. Starts as all
 * zeros: write to `wire` first, then open.
 */
struct reading {
    struct wire wire;
    gt_reader *reader;
    /* The event that was read last. */
    const gt_event *event;
};

/* Begins a trace of one generation of Go 1.23, with a batch of thread 5 open. */
void reading_begin(struct reading *reading);

/* The same with proc 0 and goroutine 1 running on the thread. */
void reading_begin_running(struct reading *reading);

/* Ends the open batch, and opens the bytes; `options` may be NULL. */
void reading_open(struct reading *reading, const gt_reader_options *options);

/* Reads the next event, which must be of this kind. */
const gt_event *reading_next(struct reading *reading, uint32_t kind);

/* Reads events that the test has nothing to say of. */
void reading_skip(struct reading *reading, unsigned count);

/* Asserts that the event read last happened in this context. */
void reading_context(const struct reading *reading, int64_t thread, int64_t proc,
                     int64_t goroutine);

/* Asserts the time of the event read last. */
void reading_time(const struct reading *reading, int64_t time);

/* Reads the next event, a metric, and asserts its value. */
void reading_metric(struct reading *reading, uint64_t value);

/* Reads the next event, a goroutine's or a proc's transition, and asserts what it says. */
void reading_goroutine(struct reading *reading, int64_t id, uint32_t from, uint32_t to);
void reading_proc(struct reading *reading, int64_t id, uint32_t from, uint32_t to);

/* Reads the next event, a Sync, and gives what it says. */
gt_sync reading_sync(struct reading *reading);

/* The transition of the event read last. */
gt_transition reading_transition(const struct reading *reading);

/* Reads the last Sync and then the end; closes and frees all. */
void reading_end(struct reading *reading);

/* Asserts that the next call fails so; closes and frees all. */
void reading_fail(struct reading *reading, gt_status status);

/* Closes and frees all. */
void reading_close(struct reading *reading);

#endif
