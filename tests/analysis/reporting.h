/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_REPORTING_H
#define TESTS_ANALYSIS_REPORTING_H

/* Feeds reports events that are made. */

#include <stdbool.h>

#include "support/test.h"

enum {
    MICROSECOND = 1000,
    MILLISECOND = 1000 * MICROSECOND
};

gt_report *reporting_open(void);

/* Sets a threshold. */
void reporting_set(gt_report *report, const char *name, double value);

/* Makes an event at a time, in a goroutine, and passes it. */
void reporting_feed(gt_report *report, gt_event_make_options *options, int64_t time,
                    int64_t goroutine);

/* The transition of goroutine `id`, without a stack. */
void reporting_move(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to);

/* The same, made by goroutine `by`. */
void reporting_move_by(gt_report *report, int64_t time, int64_t by, int64_t id, uint32_t from,
                       uint32_t to, const char *reason);

/* The same, made by the goroutine itself in a function, which is its whole stack. */
void reporting_move_at(gt_report *report, int64_t time, const char *function, int64_t id,
                       uint32_t from, uint32_t to, const char *reason);

/* Goroutine `id` is created, for main.work. */
void reporting_create(gt_report *report, int64_t time, int64_t id, uint32_t state);

/* The same for any function. */
void reporting_create_in(gt_report *report, int64_t time, const char *function, int64_t id,
                         uint32_t state);

/* The value of GOMAXPROCS. */
void reporting_procs(gt_report *report, int64_t time, uint64_t procs);

void reporting_move_proc(gt_report *report, int64_t time, int64_t id, uint32_t from, uint32_t to);

/* A range on a goroutine begins or ends, by an event of `kind`. A cause may be empty. */
void reporting_range(gt_report *report, int64_t time, uint32_t kind, int64_t goroutine,
                     const char *name, const char *cause);

/* Goroutine 1 begins or ends to stop the world, to read the statistics of memory. */
void reporting_stop(gt_report *report, int64_t time, uint32_t kind);

/* The number of the finding with this name, or how many there are; then it is in `*finding`. */
size_t reporting_number(const gt_report *report, const char *name, gt_report_finding *finding);

/* Whether there is a finding with this name, which is then in `*finding`. */
bool reporting_find(const gt_report *report, const char *name, gt_report_finding *finding);

#endif
