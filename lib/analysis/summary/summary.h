/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_H
#define GT_ANALYSIS_SUMMARY_H

#include <stdbool.h>

#include <gotrace/summary.h>

#include "analysis/summary/members.h"
#include "analysis/summary/times.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/shared_text.h"

enum {
    /* The size of the cache of names, which is indexed by the address of the trace's string. */
    GT_RECENT_NAMES = 32
};

/* A range that has begun on a goroutine or a proc and has not ended. */
struct gt_open_range {
    struct gt_open_range *next;
    const struct gt_shared_text *name;
    int64_t since;     /* the begin of a goroutine's range; 0 for a proc's range */
    int64_t goroutine; /* the goroutine on which a proc's range began */
};

/*
 * What is known of a goroutine until it ends. Each time is when the goroutine entered the state,
 * or 0 if it is not in that state.
 */
struct gt_summary_live {
    int64_t running;
    int64_t runnable;
    int64_t waiting;
    int64_t syscall;
    int64_t syscall_blocked;             /* since when its system call has had no proc */
    const struct gt_shared_text *reason; /* why it waits */
    struct gt_summary_proc *proc;        /* the proc with which it entered a system call */
    struct gt_open_range *ranges;
    struct gt_region_node *regions; /* the open regions, the innermost first */
};

/* A goroutine. Goroutines with the same id, which follow each other, have one each. */
struct gt_goroutine_node {
    gt_goroutine_summary public; /* what callers see */
    gt_summary_times times;
    struct gt_time_lists lists;
    struct gt_shared_text *name;
    struct gt_summary_live *live; /* NULL: the goroutine has ended */
    GT_ARRAY(gt_region_summary *) regions;
    size_t position; /* in the summary's list of goroutines */
    uint64_t number; /* goroutines are numbered as they come */
    bool reported;   /* on_goroutine was called */
};

struct gt_region_node {
    gt_region_summary public; /* what callers see */
    gt_summary_times times;
    struct gt_time_lists lists;
    struct gt_shared_text *type;
    struct gt_shared_text *function;
    struct gt_shared_text *file;
    struct gt_region_node *outer; /* the enclosing region, while this one is open */
    struct gt_region_node *twin;  /* what the last snapshot shows of it, if it was open */
};

struct gt_task_node {
    gt_task_summary public; /* what callers see */
    struct gt_shared_text *name;
    size_t position; /* in the summary's list of tasks */
    GT_ARRAY(uint64_t) children;
    GT_ARRAY(gt_task_log) logs;
    GT_ARRAY(gt_region_summary *) regions;
    GT_ARRAY(int64_t) goroutines;
    bool reported; /* on_task was called */
};

struct gt_summary_proc {
    struct gt_goroutine_node *syscall; /* the goroutine that entered a system call with it */
    struct gt_open_range *ranges;
};

/* A string of the trace, and the name that it was found to be. */
struct gt_recent_name {
    const char *data;
    size_t size;
    bool is_cause;
    const struct gt_shared_text *name;
};

/*
 * What callers see of a summary that is not finished. What goes on is shown by twins, which are as
 * they would be if the trace had ended; everything else is shown itself.
 */
struct gt_summary_snapshot {
    bool is_taken;
    uint64_t events; /* how many events came before: when others came, it cannot be seen any more */
    GT_ARRAY(gt_goroutine_summary *) goroutines; /* in the order of the summary's list */
    GT_ARRAY(gt_task_summary *) tasks;
    GT_ARRAY(struct gt_goroutine_node *) goroutine_twins;
    GT_ARRAY(struct gt_region_node *) region_twins;
    GT_ARRAY(gt_task_summary *) task_twins; /* each with its regions behind it */
};

struct gt_summary {
    struct gt_mem mem;
    gt_summary_options options;
    gt_status failure; /* the first failure, which every later call returns as well */
    bool busy;         /* a call is in progress: calls from callbacks are refused */
    bool finished;
    const gt_event *event;    /* the current one */
    struct gt_reader *reader; /* that it is of; NULL: of none */
    gt_summary_info info;
    int64_t sync_time; /* of the last Sync event */

    struct gt_idmap goroutines; /* the newest one of each id */
    struct gt_idmap tasks;
    struct gt_idmap procs;
    /* The goroutines and tasks that were not dropped, in order once the summary is finished. */
    GT_ARRAY(gt_goroutine_summary *) goroutine_list;
    GT_ARRAY(gt_task_summary *) task_list;
    struct gt_members members; /* the goroutines of tasks */
    struct gt_summary_snapshot snapshot;

    struct gt_pool goroutine_pool;
    struct gt_pool live_pool;
    struct gt_pool region_pool;
    struct gt_pool open_range_pool;
    struct gt_time_pools times;

    struct gt_shared_texts texts; /* the mark of a text says that it is a name */
    size_t name_count;
    struct gt_shared_text *other; /* stands for the names above GT_SUMMARY_MAX_NAMES */
    struct gt_recent_name recent[GT_RECENT_NAMES];
    GT_ARRAY(char) full_name; /* a buffer for a name that is put together */
};

/*
 * The name that `string` stands for: a reason to wait, a range or, if `is_cause`, a stopped world
 * with that cause. NULL: no memory.
 */
const struct gt_shared_text *gt_summary_name(struct gt_summary *summary, gt_string string,
                                             bool is_cause);

/* The outermost frame of a stack of the event, with its texts; all zeros if the stack is empty. */
gt_status gt_summary_root_frame(struct gt_summary *summary, gt_stack stack, gt_frame *frame);

/* Whether what has ended is reported and then forgotten. */
static inline bool gt_summary_drops(const struct gt_summary *summary)
{
    return (summary->options.flags & GT_SUMMARY_DROP) != 0;
}

/* The newest goroutine with this id, or NULL. */
static inline struct gt_goroutine_node *gt_summary_goroutine(const struct gt_summary *summary,
                                                             int64_t id)
{
    return gt_idmap_get(&summary->goroutines, (uint64_t) id);
}

/* The proc with this id, which is added if it is new. NULL: no memory. */
struct gt_summary_proc *gt_summary_proc_get(struct gt_summary *summary, int64_t id);

/* Sorts the lists of goroutines and tasks. */
void gt_summary_lists_sort(struct gt_summary *summary);

/* Frees the snapshot. */
void gt_summary_snapshot_drop(struct gt_summary *summary);

/* Each of these takes in an event of its kind. */
gt_status gt_summary_transition(struct gt_summary *summary, const gt_event *event);
gt_status gt_summary_range(struct gt_summary *summary, const gt_event *event);
gt_status gt_summary_region_begin(struct gt_summary *summary, const gt_event *event);
gt_status gt_summary_region_end(struct gt_summary *summary, const gt_event *event);
gt_status gt_summary_task(struct gt_summary *summary, const gt_event *event);
gt_status gt_summary_log(struct gt_summary *summary, const gt_event *event);

/*
 * The times of a goroutine as they would be if it ended at `time`. The caller must free `lists`,
 * also after a failure.
 */
gt_status gt_summary_goroutine_snapshot(struct gt_summary *summary,
                                        const struct gt_goroutine_node *goroutine, int64_t time,
                                        gt_summary_times *times, struct gt_time_lists *lists);

/*
 * The live part of a goroutine. One that was thought to have ended gets a new one. NULL: no
 * memory.
 */
struct gt_summary_live *gt_summary_goroutine_live(struct gt_summary *summary,
                                                  struct gt_goroutine_node *goroutine);

/* Ends a goroutine at `time`. `event` ends it, or is NULL if the end of the trace does. */
gt_status gt_summary_goroutine_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                   int64_t time, const gt_event *event);
void gt_summary_goroutine_free(struct gt_summary *summary, struct gt_goroutine_node *goroutine);

/* A goroutine starts in a region of the task of the innermost region of its creator. */
gt_status gt_summary_region_inherit(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                    const struct gt_goroutine_node *creator, int64_t time);

/* Ends the open regions of a goroutine that ends and whose times are final. */
gt_status gt_summary_regions_end(struct gt_summary *summary, struct gt_goroutine_node *goroutine,
                                 const gt_event *event);

/* Sorts the regions of a goroutine and shows them to callers. */
void gt_summary_regions_publish(struct gt_goroutine_node *goroutine);

/* The task with this id, which is added if it is new. NULL: no memory. */
struct gt_task_node *gt_summary_task_get(struct gt_summary *summary, uint64_t id);
gt_status gt_summary_task_add_goroutine(struct gt_summary *summary, struct gt_task_node *task,
                                        int64_t id);
gt_status gt_summary_task_add_region(struct gt_summary *summary, struct gt_task_node *task,
                                     struct gt_region_node *region);

/* Shows the lists of a task to callers, unless the options drop them. */
void gt_summary_task_publish(const struct gt_summary *summary, struct gt_task_node *task);

/* Reports a task that has ended, and drops it if the options say so. */
void gt_summary_task_end(struct gt_summary *summary, struct gt_task_node *task);
void gt_summary_task_free(struct gt_summary *summary, struct gt_task_node *task);

#endif
