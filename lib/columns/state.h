/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_STATE_H
#define GT_COLUMNS_STATE_H

#include <gotrace/columns.h>
#include <gotrace/latency.h>
#include <gotrace/reader.h>
#include <gotrace/summary.h>

#include "base/idmap.h"
#include "base/recent.h"
#include "base/roster.h"
#include "base/switch.h"
#include "base/time.h"
#include "columns/inner.h"
#include "columns/rows.h"

enum {
    /* The values of the columns `cut`: bits. */
    GT_CUT_BEGIN = 1,
    GT_CUT_END = 2,
    GT_CACHED_TEXTS = 256,
    /* No text, where the number of one is expected. */
    GT_NO_TEXT = 0
};

/* The stack of an event, as its id in the tables. */
struct gt_stack_ref {
    int64_t id;
    bool is_known;
};

/* A region that a goroutine is in. */
struct gt_open_region {
    int64_t id;
    int64_t parent; /* the innermost one in which it began; 0: none */
    int64_t depth;  /* in how many it began */
    uint64_t task;
    uint32_t type; /* the numbers of texts */
    uint32_t task_type;
    int64_t begin;
    struct gt_stack_ref stack;
};

/* A proc whose id a column of 32 bits cannot hold. */
struct gt_odd_proc {
    int64_t number; /* what the columns have instead */
};

/* A task that has begun. */
struct gt_column_task {
    int64_t goroutine;
    uint32_t type; /* the number of its text */
};

/* A range that is active. The numbers are those of texts. */
struct gt_open_range {
    uint32_t name;
    uint32_t cause;
    gt_resource scope;
    uint32_t cut;
    int64_t since;
    int64_t goroutine;
    int64_t proc;
};

/* The last cycle of the collector that has begun. What is not known is -1. */
struct gt_cycle {
    int64_t number; /* 0: there was none */
    int64_t since;
    bool has_end;
    int64_t end;
    uint32_t cut;
    int64_t sweep_termination;
    int64_t mark_termination;
    int64_t assist;
    int64_t heap;
    int64_t goal;
};

/* States of goroutines that are alike, added up. The numbers are those of texts. */
struct gt_wait {
    uint32_t function;
    uint32_t state; /* a gt_go_state */
    uint32_t reason;
    uint32_t region_type;
    uint32_t task_type;
    struct gt_stack_ref stack;
    struct gt_stack_ref unblocker;
    int64_t count;
    int64_t sum;
    int64_t minimum;
    int64_t maximum;
};

/* The proc that a goroutine has in its system call. */
struct gt_column_proc {
    int64_t id;
    uint64_t number; /* in the roster */
    struct gt_column_goroutine *syscall;
    uint32_t state; /* a gt_proc_state, GT_PROC_UNDETERMINED at first */
    uint32_t cut;
    int64_t since;
    int64_t thread;
};

struct gt_column_goroutine {
    int64_t id;
    uint64_t number;   /* in the roster */
    uint32_t function; /* the number of its text, or GT_NO_TEXT */
    uint32_t reason;
    uint32_t state; /* a gt_go_state; GT_GO_NOT_EXIST: no interval is open */
    uint32_t cut;
    int64_t since;
    int64_t proc;
    int64_t thread;
    struct gt_stack_ref stack;
    int64_t region; /* of the interval; 0: none */
    uint64_t task;
    uint32_t region_type;
    uint32_t task_type;
    /* Of a system call: when it lost its proc, if it did, and how long it had none before. */
    struct gt_column_proc *syscall;
    int64_t lost_since;
    int64_t lost;
    bool existed;
    int64_t creator;
    struct gt_stack_ref creation;
    /* Where its rows come in the group. */
    uint64_t group;
    uint32_t place;
    GT_ARRAY(struct gt_open_region) regions;
};

/* A string of the current generation that was seen, and the number of its text. */
struct gt_cached_text {
    gt_string string;
    uint32_t number;
};

struct gt_stack_ids {
    uint64_t ordinal;                    /* of the generation of `known` */
    GT_ARRAY(struct gt_stack_ref) known; /* by the low half of the handle */
    GT_ARRAY(int64_t) listed;            /* those that are in the table of stacks */
    struct gt_index index;               /* of `listed` */
    GT_ARRAY(char) folded;
};

/* The order of the rows of goroutine_states: by goroutine, then by time. */
struct gt_row_order {
    uint64_t group;            /* the number of the group, from 1 */
    GT_ARRAY(uint32_t) places; /* by row, that of its goroutine */
    GT_ARRAY(uint32_t) counts; /* by place, the rows */
    GT_ARRAY(uint32_t) order;
};

struct gt_columns {
    struct gt_mem mem;
    gt_columns_options options;
    gt_allocator inner; /* the memory of the analyses, which counts here */
    bool busy;
    gt_status status; /* the first failure */
    uint64_t row_count;
    uint64_t event_count;
    uint64_t secret;
    struct gt_texts texts; /* those that many rows share */
    struct gt_rowset rows[GT_TABLE_COUNT];
    struct gt_row_order order;
    /* Of the current trace. */
    gt_reader *reader; /* NULL: there is none */
    gt_columns_about about;
    GT_ARRAY(char) about_bytes;
    gt_summary *summary; /* NULL if no table needs it */
    gt_latency *latency; /* likewise */
    uint32_t id_number;  /* of about.id in `texts` */
    uint32_t state_texts[GT_GO_SYSCALL + 1];
    uint32_t proc_texts[GT_PROC_IDLE + 1];
    uint32_t scope_texts[GT_RESOURCE_THREAD + 1];
    uint32_t assist_text;
    uint32_t mark_text;
    uint32_t stop_text;
    uint32_t sweep_termination_text;
    uint32_t mark_termination_text;
    uint64_t events;
    int64_t first;
    int64_t now;
    int64_t sync_time;
    gt_sync sync;
    bool has_offset; /* of the current generation */
    int64_t offset;
    bool has_first_offset;
    int64_t first_offset;
    int64_t gomaxprocs; /* 0: not known */
    int64_t heap;       /* bytes of objects, and the goal; -1: not known */
    int64_t goal;
    uint64_t goroutine_count;
    int64_t regions;
    struct gt_cached_text cache[GT_CACHED_TEXTS];
    struct gt_stack_ids stacks;
    struct gt_idmap goroutines;
    struct gt_switch switched;
    struct gt_roster goroutine_list;
    struct gt_idmap procs;
    struct gt_roster proc_list;
    struct gt_idmap odd_procs;
    int64_t odd_proc_count;
    struct gt_idmap tasks;
    GT_ARRAY(struct gt_open_range) ranges;
    struct gt_index range_index;
    struct gt_cycle cycle;
    GT_ARRAY(struct gt_wait) waits;
    struct gt_index wait_index;
    struct gt_recent recent_waits;
};

/* Notes the result of a step. The first failure remains. */
static inline void gt_columns_note(struct gt_columns *columns, gt_status status)
{
    if (columns->status == GT_OK)
        columns->status = status;
}

/* Notes the result of a summary or the like, whose memory is of `inner`. */
static inline void gt_columns_note_inner(struct gt_columns *columns, gt_status status)
{
    gt_columns_note(columns, gt_inner_status(&columns->mem, status));
}

/*
 * Begins a row of a table, with its trace_id. Returns NULL if the table is not wanted or something
 * has failed. Otherwise the columns are set and gt_row_end is called.
 */
struct gt_rowset *gt_row_begin(struct gt_columns *columns, uint32_t table);
void gt_row_end(struct gt_columns *columns, uint32_t table);

/* Sets a text, and notes a failure. */
void gt_row_text(struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                 gt_string text);

/* Sets an optional column to the wall-clock time of a time, if that is known. */
void gt_row_wall(const struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                 int64_t time);

/* Sets an optional column to a value that is not known if it is `none`. */
static inline void gt_row_unless(struct gt_rowset *rows, unsigned column, int64_t value,
                                 int64_t none)
{
    if (value != none)
        gt_row_set_optional(rows, column, value);
}

/* Sets an optional column to a stack. */
static inline void gt_row_stack(struct gt_rowset *rows, unsigned column, struct gt_stack_ref stack)
{
    if (stack.is_known)
        gt_row_set_optional(rows, column, stack.id);
}

/* A number of 32 bits; one that has more becomes the nearest one. */
static inline int64_t gt_int32_of(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}

/* A number that is unsigned in the trace. */
static inline int64_t gt_int64_of(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t) value;
}

/*
 * An id that is unsigned in the trace. Those of 2^63 and above become negative, as all ids do that
 * the reader delivers as signed numbers, so that no two become the same.
 */
static inline int64_t gt_int64_of_id(uint64_t id)
{
    return id <= INT64_MAX ? (int64_t) id : -1 - (int64_t) (UINT64_MAX - id);
}

/* The number of a text that many rows share; GT_NO_TEXT if it is empty. */
uint32_t gt_columns_text(struct gt_columns *columns, gt_string text);

/* The stack of a handle, which is listed in the tables of stacks and frames. */
struct gt_stack_ref gt_columns_stack(struct gt_columns *columns, gt_stack stack);
void gt_columns_stacks_clear(struct gt_columns *columns);

/* goroutine.c */
void gt_columns_goroutine_change(struct gt_columns *columns, const gt_event *event,
                                 const gt_transition *change);
struct gt_column_goroutine *gt_columns_goroutine(struct gt_columns *columns, int64_t id);
void gt_columns_goroutines_finish(struct gt_columns *columns);
void gt_columns_goroutines_clear(struct gt_columns *columns);

/* states.c: writes the interval that ends at a time, with what ended it, and orders rows. */
void gt_columns_state_put(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                          int64_t end, const gt_event *event);
const uint32_t *gt_columns_order(struct gt_columns *columns);

/* proc.c */
/* What the columns of procs have for an id; see the documentation of the tables. */
int64_t gt_columns_proc_number(struct gt_columns *columns, int64_t id);
void gt_columns_proc_change(struct gt_columns *columns, const gt_event *event,
                            const gt_transition *change);
void gt_columns_syscall_enter(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                              const gt_event *event);
void gt_columns_syscall_leave(struct gt_column_goroutine *goroutine, int64_t time);
void gt_columns_procs_finish(struct gt_columns *columns);
void gt_columns_procs_clear(struct gt_columns *columns);

/* region.c */
void gt_columns_region_begin(struct gt_columns *columns, const gt_event *event);
void gt_columns_region_end(struct gt_columns *columns, const gt_event *event);

/* range.c */
void gt_columns_range(struct gt_columns *columns, const gt_event *event);
void gt_columns_ranges_finish(struct gt_columns *columns);
void gt_columns_ranges_clear(struct gt_columns *columns);

/* cycle.c: what ranges tell of the cycles of the collector. */
void gt_columns_cycle_begin(struct gt_columns *columns, int64_t since, uint32_t cut);
void gt_columns_cycle_end(struct gt_columns *columns, int64_t end);
void gt_columns_cycle_assist(struct gt_columns *columns, int64_t duration);
void gt_columns_cycle_stop(struct gt_columns *columns, uint32_t cause, int64_t duration);
void gt_columns_cycle_finish(struct gt_columns *columns);

/* task.c */
struct gt_column_task *gt_columns_task(struct gt_columns *columns, uint64_t id);
void gt_columns_task_begin(struct gt_columns *columns, const gt_event *event);
void gt_columns_task_end(struct gt_columns *columns, const gt_event *event);

/* wait.c: adds a state that has lasted so long to those that are `like` it, whose sums are 0. */
void gt_columns_wait_add(struct gt_columns *columns, const struct gt_wait *like, int64_t duration);
void gt_columns_waits_finish(struct gt_columns *columns);
void gt_columns_waits_clear(struct gt_columns *columns);

/* latency.c */
gt_status gt_columns_latency_open(struct gt_columns *columns);
void gt_columns_latency_finish(struct gt_columns *columns);

/* event.c */
void gt_columns_event_put(struct gt_columns *columns, const gt_event *event);

/* summary.c: the tables that a gt_summary fills. */
gt_status gt_columns_summary_open(struct gt_columns *columns);

/* plain.c: events that are rows. */
void gt_columns_sync(struct gt_columns *columns, const gt_event *event);
void gt_columns_log(struct gt_columns *columns, const gt_event *event);
void gt_columns_metric(struct gt_columns *columns, const gt_event *event);
void gt_columns_sample(struct gt_columns *columns, const gt_event *event);
void gt_columns_trace(struct gt_columns *columns, gt_string error);

#endif
