/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_H
#define GT_ANALYSIS_SUMMARY_H

#include <gotrace/summary.h>

#include "analysis/summary/members.h"
#include "analysis/summary/times.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/shared_text.h"

enum {
    /* Names of reasons and ranges that were looked up last, by where they lie. */
    GT_RECENT_NAMES = 32
};

/* A range that is open on a goroutine or a proc. */
struct gt_going {
    struct gt_going *next;
    const struct gt_shared_text *name;
    int64_t since;     /* on a goroutine; 0 for a proc's */
    int64_t goroutine; /* on a proc: that it began on */
};

/* What is needed of a goroutine only until it ends. A time of 0 stands for "not so". */
struct gt_live {
    int64_t running; /* since when; so the others */
    int64_t runnable;
    int64_t waiting;
    int64_t syscall;
    int64_t syscall_blocked;
    const struct gt_shared_text *reason; /* for waiting */
    struct gt_seen_proc *proc;           /* that it entered a system call with */
    struct gt_going *ranges;
    struct gt_region_node *regions; /* that are open, the innermost first */
};

struct gt_goroutine_node {
    gt_goroutine_summary s;
    struct gt_timing lists;
    struct gt_shared_text *name;
    struct gt_live *live; /* NULL: it ended */
    gt_region_summary **regions;
    size_t region_capacity;
    size_t place; /* in the list of all */
    uint64_t number;
    int told;
};

struct gt_region_node {
    gt_region_summary s;
    struct gt_timing lists;
    struct gt_shared_text *type;
    struct gt_shared_text *function;
    struct gt_shared_text *file;
    struct gt_region_node *outer; /* while it is open */
};

struct gt_task_node {
    gt_task_summary s;
    struct gt_shared_text *name;
    size_t place; /* in the list of all */
    uint64_t *children;
    size_t child_capacity;
    gt_task_log *logs;
    size_t log_capacity;
    gt_region_summary **regions;
    size_t region_capacity;
    int64_t *goroutines;
    size_t goroutine_capacity;
    int told;
};

struct gt_seen_proc {
    struct gt_goroutine_node *syscall; /* that entered a system call with it */
    struct gt_going *ranges;
};

struct gt_recent_name {
    const char *data;
    size_t size;
    int is_cause;
    const struct gt_shared_text *name;
};

struct gt_summary {
    struct gt_mem mem;
    gt_summary_options options;
    gt_status failure; /* what every later call returns, too */
    int busy;
    int finished;
    struct gt_reader *reader;
    gt_summary_info info;
    int64_t sync_time;

    struct gt_idmap goroutines;
    struct gt_idmap tasks;
    struct gt_idmap procs;
    /* Those that were not dropped; sorted when the summary is finished. */
    gt_goroutine_summary **goroutine_list;
    size_t goroutine_count;
    size_t goroutine_capacity;
    gt_task_summary **task_list;
    size_t task_count;
    size_t task_capacity;
    struct gt_members members; /* of tasks: goroutines */

    struct gt_pool goroutine_pool;
    struct gt_pool live_pool;
    struct gt_pool region_pool;
    struct gt_pool task_pool;
    struct gt_pool proc_pool;
    struct gt_pool going_pool;
    struct gt_time_pools times;

    struct gt_shared_texts texts;
    size_t name_count;
    struct gt_shared_text *other; /* for names beyond what is told apart */
    struct gt_recent_name recent[GT_RECENT_NAMES];
    char *full_name;
    size_t full_name_capacity;
};

/* The text of a reason; `is_cause`: of a stopped world with that cause. NULL: no memory. */
const struct gt_shared_text *gt_summary_name(struct gt_summary *s, gt_string string, int is_cause);

/* The outermost frame of a stack, whose texts are the reader's; of zeros where there is none. */
gt_status gt_summary_root(struct gt_summary *s, gt_stack stack, gt_frame *frame);

/* The goroutine that came last with this id, or NULL. */
static inline struct gt_goroutine_node *gt_summary_goroutine(const struct gt_summary *s, int64_t id)
{
    return gt_idmap_get(&s->goroutines, (uint64_t) id);
}

/* NULL: no memory, see gt_mem_failure(&s->mem). */
struct gt_seen_proc *gt_summary_proc(struct gt_summary *s, int64_t id);

/* What each kind of event does. */
gt_status gt_summary_transition(struct gt_summary *s, const gt_event *event);
gt_status gt_summary_range(struct gt_summary *s, const gt_event *event);
gt_status gt_summary_region_begin(struct gt_summary *s, const gt_event *event);
gt_status gt_summary_region_end(struct gt_summary *s, const gt_event *event);
gt_status gt_summary_task(struct gt_summary *s, const gt_event *event);
gt_status gt_summary_log(struct gt_summary *s, const gt_event *event);

/*
 * The times of a goroutine at the moment, with what is going on; its lists are the
 * caller's to free.
 */
gt_status gt_goroutine_snapshot(struct gt_summary *s, const struct gt_goroutine_node *g,
                                int64_t time, gt_summary_times *times, struct gt_timing *lists);

/* The goroutine's live part, made anew where it seemed to be over. NULL: no memory. */
struct gt_live *gt_goroutine_live(struct gt_summary *s, struct gt_goroutine_node *g);

/* It ends at `time`, by an event or, where that is NULL, with the trace. */
gt_status gt_goroutine_done(struct gt_summary *s, struct gt_goroutine_node *g, int64_t time,
                            const gt_event *event);
void gt_goroutine_drop(struct gt_summary *s, struct gt_goroutine_node *g);
void gt_goroutine_free(struct gt_summary *s, struct gt_goroutine_node *g);

/* A goroutine that `creator` creates is in a region of the same task. */
gt_status gt_region_inherit(struct gt_summary *s, struct gt_goroutine_node *g,
                            const struct gt_goroutine_node *creator, int64_t time);

/* The regions that are open on a goroutine, whose times are done, end with it. */
gt_status gt_regions_done(struct gt_summary *s, struct gt_goroutine_node *g, const gt_event *event);

/* Puts the list of its regions in order, and shows it. */
void gt_regions_publish(struct gt_goroutine_node *g);

/* The task of this id, made where it was not seen before. NULL: no memory. */
struct gt_task_node *gt_summary_get_task(struct gt_summary *s, uint64_t id);
gt_status gt_task_add_goroutine(struct gt_summary *s, struct gt_task_node *task, int64_t id);
gt_status gt_task_add_region(struct gt_summary *s, struct gt_task_node *task,
                             struct gt_region_node *region);
/* Tells of it, and drops it where that is asked for. */
void gt_task_done(struct gt_summary *s, struct gt_task_node *task);
void gt_task_free(struct gt_summary *s, struct gt_task_node *task);

#endif
