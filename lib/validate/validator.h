/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_VALIDATOR_H
#define GT_VALIDATE_VALIDATOR_H

#include <stdbool.h>

#include <gotrace/validate.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/shared_text.h"
#include "validate/stack.h"
#include "validate/subject.h"

enum {
    /*
     * The first version in which each thread records its own events, and in which a trace lists the
     * existing resources when it begins.
     */
    GT_VALIDATE_THREADS = 22
};

/* A range that is open on a subject. */
struct gt_open_range {
    struct gt_open_range *next; /* the next open range of the subject */
    struct gt_shared_text *name;
    struct gt_shared_text *cause;
};

struct gt_validator {
    struct gt_mem mem;
    gt_validator_options options;
    gt_status failure; /* if it is not GT_OK, every call returns it */
    bool busy;

    /* The event that is being validated. */
    const gt_event *event;
    struct gt_reader *reader;
    uint64_t number; /* counts events from 1 */

    GT_ARRAY(gt_finding) kept; /* the first findings, up to options.keep */
    uint64_t finding_count;
    int64_t last_time; /* the time of the previous event; unset while `number` is 1 */
    uint64_t sync_number;
    bool has_events; /* events of threads were seen, which say what exists */
    bool all_known;  /* the first generation with such events has ended */
    gt_sync clock;   /* the last Sync with a clock snapshot; has_clock is 0 before the first */
    struct gt_subjects subjects;
    struct gt_seen_stacks stacks;
    struct gt_pool ranges; /* allocates struct gt_open_range */
    struct gt_idmap tasks; /* the types of open tasks, each a struct gt_shared_text */
    struct gt_shared_texts texts;
};

/*
 * Validates one kind of event. A finding is not a failure: the function returns GT_OK unless there
 * is no memory.
 */
typedef gt_status gt_validate_fn(struct gt_validator *v, const gt_event *event);

gt_validate_fn gt_validate_experimental;
gt_validate_fn gt_validate_label;
gt_validate_fn gt_validate_log;
gt_validate_fn gt_validate_metric;
gt_validate_fn gt_validate_range;
gt_validate_fn gt_validate_region;
gt_validate_fn gt_validate_sync;
gt_validate_fn gt_validate_task;
gt_validate_fn gt_validate_transition;
gt_status gt_validate_stack(struct gt_validator *v, gt_stack stack);

/*
 * Reports that the event breaks a rule. The message is formatted as by gt_error_set. Texts of the
 * trace must be passed as excerpts.
 */
gt_status gt_validator_report(struct gt_validator *v, gt_rule rule, const char *format, ...);

/* Reports that the getter of this name returned `status`. */
gt_status gt_validator_report_getter(struct gt_validator *v, const char *getter, gt_status status);

enum {
    GT_EXCERPT_SIZE = 48
};

/*
 * The quoted start of a text of the trace, for a message. Quoting ensures that it has no line
 * break.
 */
struct gt_excerpt {
    char text[GT_EXCERPT_SIZE];
};

struct gt_excerpt gt_excerpt_of(gt_string text);

/* Closes all ranges that are open on the subject. */
void gt_validator_drop_ranges(struct gt_validator *v, struct gt_subject *subject);

#endif
