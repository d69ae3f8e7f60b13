/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WHYPATH_H
#define GT_WEB_WHYPATH_H

/*
 * The past of all goroutines of the trace, from which the path of any interval can be found, and
 * when tasks began and ended.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/path.h>

#include "base/array.h"
#include "base/idmap.h"
#include "web/analysis.h"

/* A task that began in the trace. Times are as gt_event.time is. */
struct gt_whypath_task {
    int64_t begin, end;
    /* The goroutine in which it ended. */
    int64_t goroutine;
    bool has_ended;
};

struct gt_whypath {
    /* Protects `path`, as a gt_path may be used by one thread at a time only. */
    pthread_mutex_t lock;
    gt_path *path;
    struct gt_mem *mem;
    bool has_begun;
    /* The time of the trace's first event. */
    int64_t start;
    GT_ARRAY(struct gt_whypath_task) tasks;
    /* The number of a task in the list, plus 1, by its id. */
    struct gt_idmap task_numbers;
};

/* The kind of the analysis. Its key is empty, and its result a struct gt_whypath. */
extern const struct gt_analysis_kind gt_whypath_kind;

/* Returns the task, or NULL if it does not begin and end in the trace. */
const struct gt_whypath_task *gt_whypath_find_task(const struct gt_whypath *why, uint64_t id);

#endif
