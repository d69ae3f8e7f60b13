/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_SHOWN_H
#define TESTS_ANALYSIS_SHOWN_H

#include <gotrace/gotrace.h>

/* Every analysis that gives snapshots, with various options, fed with the same events. */
enum {
    SHOWN_PROFILES = 3
};

struct shown {
    gt_summary *summary;
    gt_summary *dropping;
    gt_latency *latency;
    gt_profile *profiles[SHOWN_PROFILES];
};

/* Opens the analyses; `allocator` may be NULL. */
void shown_open(struct shown *shown, const gt_allocator *allocator);
void shown_close(struct shown *shown);

/* Feeds all of them with an event, which must succeed. */
void shown_event(struct shown *shown, gt_reader *reader, const gt_event *event);

/* Takes a snapshot of all. The first failure, or GT_OK. */
gt_status shown_snapshot(struct shown *shown);

/* Finishes all, which must succeed. */
void shown_finish(struct shown *shown);

/*
 * Everything that the analyses give, as text from malloc: all but the amount of memory, and the
 * lists of `dropping`, which are there in a snapshot only.
 */
char *shown_text(struct shown *shown);

/* The goroutines and tasks that still exist, in the snapshot of a summary. From malloc. */
char *shown_rest(const gt_summary *summary);

#endif
