/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_VALIDATOR_H
#define GT_VALIDATE_VALIDATOR_H

#include <gotrace/validate.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "validate/kept.h"
#include "validate/stack.h"
#include "validate/subject.h"

enum {
    /*
     * The first version in which threads record for themselves, and in which a trace
     * says what was there when it began.
     */
    GT_VALIDATE_THREADS = 22
};

/* The findings that were kept. */
struct gt_findings {
    gt_finding *list;
    size_t kept;
    size_t capacity;
    uint64_t count;
};

/* A range that is open on a subject. */
struct gt_open_range {
    struct gt_open_range *next; /* on the same subject */
    struct gt_kept name;
    struct gt_kept cause;
};

/* A task that began. */
struct gt_open_task {
    struct gt_kept type;
};

struct gt_validator {
    struct gt_mem mem;
    gt_validator_options options;
    gt_status failure; /* what every later call returns, too */
    int busy;
    /* The event that is being looked at. */
    const gt_event *event;
    struct gt_reader *reader;
    uint64_t number;

    struct gt_findings findings;
    int64_t last_time; /* where `number` is more than 1 */
    uint64_t sync_number;
    int has_events; /* of threads; a generation without them names nothing */
    int all_known;  /* the first generation with such events is over */
    gt_sync clock;  /* the last Sync with one; none where its has_clock is 0 */
    struct gt_subjects subjects;
    struct gt_seen_stacks stacks;
    struct gt_pool ranges;
    struct gt_idmap tasks;
    struct gt_pool task_pool;
    struct gt_kept_list texts;
};

/*
 * What looks at the event returns GT_OK whatever it finds, or that there is no
 * memory.
 */
typedef gt_status gt_look(struct gt_validator *v, const gt_event *event);

gt_look gt_look_experimental;
gt_look gt_look_label;
gt_look gt_look_log;
gt_look gt_look_metric;
gt_look gt_look_range;
gt_look gt_look_region;
gt_look gt_look_sync;
gt_look gt_look_task;
gt_look gt_look_transition;
gt_status gt_look_stack(struct gt_validator *v, gt_stack stack);

/*
 * The event breaks a rule. The message is made as gt_error_set makes one, where
 * %s takes what gt_shown made of the trace's texts.
 */
gt_status gt_found(struct gt_validator *v, gt_rule rule, const char *text, ...);

/* A getter, which `what` names, gave `status`. */
gt_status gt_found_getter(struct gt_validator *v, const char *what, gt_status status);

enum {
    GT_SHOWN_SIZE = 48
};

/* A text of the trace in short: quoted, so that a line stays one line, and cut. */
struct gt_shown {
    char text[GT_SHOWN_SIZE];
};

struct gt_shown gt_shown_make(gt_string text);

/* The ranges that are open on it are so no longer. */
void gt_ranges_drop(struct gt_validator *v, struct gt_subject *subject);

#endif
