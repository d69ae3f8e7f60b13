/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PATH_H
#define GT_ANALYSIS_PATH_H

#include <stdbool.h>

#include <gotrace/path.h>

#include "analysis/path/history.h"
#include "analysis/path/intervals.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/pool.h"
#include "base/recent.h"
#include "base/switch.h"
#include "base/texts.h"

/* What is common to many records: a gt_path_state, the number of a text, and a stack. */
struct gt_path_label {
    uint32_t state;
    uint32_t reason;
    uint32_t stack;
};

/* A region that is open on a goroutine. */
struct gt_path_region {
    struct gt_path_region *outer;
    uint64_t task;
    int64_t begin;
    uint32_t type;
};

/*
 * A goroutine. It is kept after its end for as long as the history contains it. A goroutine whose
 * id was used before is another one.
 */
struct gt_path_goroutine {
    int64_t id;
    uint64_t last;                  /* the number of its last record */
    int64_t since;                  /* the time of that record */
    int64_t born;                   /* when it was created, if `has_birth` */
    int64_t busy;                   /* for a runnable one: for how long no proc was idle before */
    struct gt_path_region *regions; /* the innermost first */
    uint32_t name;                  /* the text of its start function */
    uint8_t state;                  /* the gt_path_state of its last record */
    bool has_birth;
    bool is_gone;
};

struct gt_path_task {
    int64_t begin;
    uint32_t type;
};

/* A part that gt_path_follow has found. It begins where the one after it in the list ends. */
struct gt_path_step {
    int64_t start;
    int64_t goroutine; /* its id */
    uint32_t group;    /* the text of its start function */
    uint32_t label;
};

/* A wait of which the path has gone on in another goroutine. */
struct gt_path_wait {
    uint64_t record; /* of the wait, which the path leaves next */
    int64_t limit;   /* up to which time it is followed then */
};

struct gt_path {
    struct gt_mem mem;
    gt_path_options options;
    gt_status failure; /* the first failure, which every later call returns as well */
    bool busy;         /* a call is in progress */
    bool finished;
    bool selects_name; /* only intervals of the name `name` count */
    uint32_t name;
    GT_ARRAY(uint64_t) name_counts; /* how many intervals have a name, by its text */
    GT_ARRAY(uint32_t) names;       /* those that some have, the most frequent first */
    const gt_event *event;          /* the current one */
    struct gt_reader *reader;       /* that it is of; NULL: of none */
    uint64_t events;
    uint64_t changes;
    uint64_t cut;
    uint64_t credit; /* the steps that paths of intervals may still take */
    int64_t start;   /* the time of the first event */
    int64_t now;
    struct gt_texts texts;
    struct gt_stackset stacks;
    GT_ARRAY(struct gt_path_label) labels;
    struct gt_index label_index;
    struct gt_recent recent_labels;
    uint64_t secret;
    struct gt_history history;
    GT_ARRAY(struct gt_path_goroutine) goroutines;
    GT_ARRAY(uint32_t) free; /* the numbers of goroutines that are not in use */
    struct gt_idmap numbers; /* the number of a goroutine plus 1, by its id */
    struct gt_switch switched;
    struct gt_pool region_pool;
    struct gt_idmap tasks;
    struct gt_intervals intervals;
    /* The number of procs, and of those that threads hold; since when, and for how long before, no
     * proc was idle. */
    struct gt_idmap proc_states;
    uint64_t procs;
    uint64_t procs_held;
    bool is_busy;
    int64_t busy_since;
    int64_t busy_before;
    /* The result of gt_path_follow. */
    GT_ARRAY(struct gt_path_step) steps; /* the last one first */
    int64_t steps_end;
    GT_ARRAY(struct gt_path_wait) waits; /* of the path that is being found */
};

/* Each of these takes in an event of its kind. */
gt_status gt_path_transition(struct gt_path *path, const gt_event *event);
gt_status gt_path_sample(struct gt_path *path, const gt_event *event);
void gt_path_metric(struct gt_path *path, const gt_event *event);
gt_status gt_path_task_event(struct gt_path *path, const gt_event *event);
gt_status gt_path_region_begin(struct gt_path *path, const gt_event *event);
gt_status gt_path_region_end(struct gt_path *path, const gt_event *event);

/* Ends the intervals that are the lives of goroutines that still exist. */
gt_status gt_path_goroutines_end(struct gt_path *path);

/* Returns the number of the goroutine with this id plus 1, or 0. */
static inline size_t gt_path_goroutine_number(const struct gt_path *path, int64_t id)
{
    return gt_idmap_get_number(&path->numbers, (uint64_t) id);
}

/* Returns the goroutine with this id, or NULL. It is valid until another one is added. */
static inline struct gt_path_goroutine *gt_path_goroutine_get(const struct gt_path *path,
                                                              int64_t id)
{
    size_t number = gt_path_goroutine_number(path, id);
    return number == 0 ? NULL : &path->goroutines.items[number - 1];
}

/* Sorts the names of intervals, of which no more will come. */
gt_status gt_path_names_sort(struct gt_path *path);

/* Sets `*number` to the number of a stack of the current event. */
gt_status gt_path_stack_number(struct gt_path *path, gt_stack stack, uint32_t *number);

/* Sets `*number` to the number of the label, which is added if it is new. */
gt_status gt_path_label_number(struct gt_path *path, struct gt_path_label label, uint32_t *number);

/* Closes all regions of a goroutine. */
void gt_path_regions_drop(struct gt_path *path, struct gt_path_goroutine *goroutine);

/*
 * Finds the path of an interval that ends now, and adds it to the intervals if its name is asked
 * for. `number_plus_1` is that of the goroutine in which it ends, or 0 if that is not known.
 * `stack` is that of the event at its end.
 */
gt_status gt_path_interval_end(struct gt_path *path, size_t number_plus_1,
                               const struct gt_path_found *found, uint32_t stack);

/* An interval of a goroutine whose path is to be found. */
struct gt_path_query {
    size_t goroutine; /* its number */
    int64_t start;
    int64_t end;
    uint32_t stack; /* where the goroutine was at the end, if that is now */
    bool keeps;     /* the parts go to path->steps; otherwise to the last interval */
    bool was_cut;   /* the result: there was no more credit */
};

gt_status gt_path_walk(struct gt_path *path, struct gt_path_query *query);

#endif
