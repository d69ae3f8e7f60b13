/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_REPORT_TALLY_H
#define GT_ANALYSIS_REPORT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "analysis/durations.h"
#include "analysis/report/found.h"
#include "base/array.h"
#include "base/index.h"

struct gt_report;
struct gt_report_goroutine;

/* What a tally counts. */
enum gt_tally_kind {
    GT_TALLY_LOCK,          /* waits for a lock */
    GT_TALLY_SYSCALL,       /* system calls */
    GT_TALLY_RUN,           /* runs without a break while others waited */
    GT_TALLY_STORM,         /* storms of wakeups */
    GT_TALLY_NETWORK,       /* from the end of a wait in the poller to running */
    GT_TALLY_CHANNEL,       /* waits for a channel of goroutines that serve tasks or requests */
    GT_TALLY_CHANNEL_WAKER, /* the same by where others ended them */
    GT_TALLY_IDLE,          /* runnable goroutines beside idle procs */
    GT_TALLY_TASK,
    GT_TALLY_REGION
};

enum {
    /* The most tallies of a report, and those with durations. What comes then is not counted. */
    GT_REPORT_TALLIES = 1 << 16,
    GT_REPORT_SERIES = 1 << 12
};

/* What tells tallies apart. */
struct gt_report_tally_key {
    uint32_t kind;
    uint32_t who;   /* the number of a group, or of the text of a type */
    uint32_t stack; /* the numbers of stacks, or 0 */
    uint32_t other;
};

/* Things of one kind that happened to one group of goroutines at one stack. Times saturate. */
struct gt_report_tally {
    struct gt_report_tally_key key;
    uint32_t series_plus_1; /* the number of its durations, if there are any */
    uint64_t count;
    uint32_t whole_plus_1; /* the number of the tally of which it counts a part, if there is one */
    bool is_bad;           /* told at the end */
    uint64_t lost;         /* the system calls of these that lost their proc */
    int64_t time;
    struct gt_report_span longest;
    uint32_t longest_group; /* of a task or a region: the number, and where it began */
    uint32_t longest_stack;
};

struct gt_report_tallies {
    GT_ARRAY(struct gt_report_tally) list;
    struct gt_index index;
    GT_ARRAY(struct gt_durations) series;
};

void gt_report_tallies_free(struct gt_report *report);

/* Counts what lasted from `start` until now in a goroutine. */
gt_status gt_report_tally_add(struct gt_report *report, const struct gt_report_tally_key *key,
                              int64_t goroutine, int64_t start);

/* The same of a part of what another tally counts, which may be NULL. */
gt_status gt_report_tally_add_part(struct gt_report *report, const struct gt_report_tally_key *key,
                                   int64_t goroutine, int64_t start,
                                   const struct gt_report_tally *whole);

/*
 * Does the same, and keeps the durations, so that the tally has quantiles. Sets `*tally` to it, or
 * to NULL if it is not counted.
 */
gt_status gt_report_tally_measure(struct gt_report *report, const struct gt_report_tally_key *key,
                                  int64_t goroutine, int64_t start, struct gt_report_tally **tally);

/* A quantile of the durations of a tally that was measured. */
double gt_report_tally_quantile(const struct gt_report *report, const struct gt_report_tally *tally,
                                double part);

/*
 * Adds the tallies of a kind that have at least a number of durations, of which the 99th percentile
 * is above a threshold, to a finding, whose figure is the largest percentile. Its example is the
 * longest one of that tally. `lost` is the text for those that mostly lost their proc. The result
 * is the sum of the times of these tallies.
 */
struct gt_report_slow {
    enum gt_tally_kind kind;
    unsigned limit; /* of the percentile */
    unsigned count; /* the limit of the number */
    uint32_t lost;
};

double gt_report_slow_find(const struct gt_report *report, const struct gt_report_slow *slow,
                           struct gt_report_found *found);

#endif
