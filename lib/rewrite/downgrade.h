/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_DOWNGRADE_H
#define GT_REWRITE_DOWNGRADE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/downgrade.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/texts.h"
#include "base/varint.h"
#include "rewrite/regions.h"
#include "rewrite/taken.h"

/*
 * Writing a trace in the format of Go 1.21. There each proc has a sequence of records, and a reader
 * merges the sequences by time and by the numbers that goroutines hand on. The times of the
 * events of a reader are distinct and in order, so the merge gives the order back.
 *
 * Go's tracer stops the world at first and records all goroutines. Here they are known only when
 * the first generation has ended. Therefore these records are written then, in front of the others
 * that belong to no proc, which wait until then. The procs and goroutines that ran at first get
 * their records at once, with times just before those of the events.
 */

enum {
    /* The time of the first event of the input in the output; the times before it are made up. */
    GT_DOWNGRADE_TIMES = 1024,
    /* Of these, the number that is for procs and for goroutines that run at first. */
    GT_DOWNGRADE_RUN_TIMES = 512
};

/* The time in the output that the first event of the input has. */
#define GT_DOWNGRADE_FIRST_TIME (INT64_C(1) << 32)

/* The records of a proc that are not written yet, without the header of their batch. */
struct gt_downgrade_stream {
    int64_t id;
    GT_ARRAY(uint8_t) bytes;
    int64_t base; /* the time of the batch */
    int64_t time; /* the time of the last record */
    bool is_kept; /* it must not be written yet */
};

struct gt_downgrade_goroutine;

enum {
    /* Ids of ended goroutines share blocks of this many bits. */
    GT_DOWNGRADE_ENDED_BITS = 9
};

struct gt_downgrade_ended {
    uint64_t bits[(1 << GT_DOWNGRADE_ENDED_BITS) / 64];
};

struct gt_downgrade_proc {
    struct gt_downgrade_stream stream;
    struct gt_downgrade_goroutine *goroutine; /* the one that runs on it, also in a system call */
    bool is_running;
    bool is_sweeping;
    bool has_begun; /* it has records of events, not only those that are made up */
    /* The start of `goroutine`, which is written when it is known whether a label follows. */
    bool has_start;
    bool start_is_local;
    int64_t start_time;
    uint64_t start_sequence;
};

/* The states of goroutines in the format of Go 1.21. */
enum gt_downgrade_state {
    GT_DOWNGRADE_RUNNABLE,
    GT_DOWNGRADE_RUNNING,
    GT_DOWNGRADE_WAITING,
    GT_DOWNGRADE_OVER /* it waits for ever, and can have no more events */
};

struct gt_downgrade_goroutine {
    int64_t id;
    uint64_t number;   /* its id in the output, which differs if `id` was in use before */
    uint64_t sequence; /* the number that its next start, unblocking, or end of a call has */
    enum gt_downgrade_state state;
    bool is_in_syscall;
    bool is_due;       /* it ran when the trace began, and its proc is not known yet */
    bool is_gone;      /* it has ended in a system call, which the output cannot say */
    bool is_assisting; /* it has begun a mark assist, which the output has or will have */
    bool owes_assist;  /* that has to be written when it runs */
    struct gt_rewrite_region *regions; /* those that are open, the innermost first */
    size_t first; /* the index in `firsts` plus 1 while that lacks a stack; or 0 */
    struct gt_downgrade_proc *proc; /* where it runs */
    struct gt_downgrade_proc *last; /* where its last record with a number is; NULL: elsewhere */
};

/* A goroutine that existed when the trace began. */
struct gt_downgrade_first {
    uint64_t number;
    uint32_t type;  /* GT_V1_GO_WAITING, GT_V1_GO_IN_SYSCALL, or 0 */
    uint32_t stack; /* the stack with which it began, as far as is known */
};

enum {
    /*
     * The most bytes of a stack: the number of its frames, and the frames. Readers since Go 1.23
     * refuse records with more than 2048 bytes of arguments, of which one more is the stack's id.
     */
    GT_DOWNGRADE_STACK_MAX = 2048 - GT_VARINT_MAX
};

struct gt_downgrader {
    struct gt_mem mem;
    gt_downgrader_options options;
    gt_error error;
    bool busy;
    bool is_finished;
    bool has_begun;
    bool is_started; /* what existed at first is written */
    gt_reader *reader;
    struct gt_rewrite_taken taken;
    gt_write_fn write;
    void *user_data;
    gt_downgrader_info info;
    int64_t origin; /* the time of the first event in the input */

    GT_ARRAY(uint8_t) piece; /* bytes that are not passed to `write` yet */
    size_t open_bytes;       /* the memory of all streams */
    struct gt_idmap proc_map;
    struct gt_idmap goroutine_map;
    struct gt_idmap ended; /* a bit for each id that was in use, in blocks */
    GT_ARRAY(struct gt_downgrade_proc *) procs;
    struct gt_downgrade_proc none; /* for events on no proc */
    struct gt_downgrade_stream samples;
    GT_ARRAY(struct gt_downgrade_first) firsts;
    unsigned run_times;   /* how many of GT_DOWNGRADE_RUN_TIMES are in use */
    uint64_t procs_first; /* the first value of GOMAXPROCS; 0: not known */
    uint64_t procs_last;  /* the last one */
    int64_t last_event;   /* the time of the last event in the output, even if it has no record */
    int64_t last_record;  /* the time of the last record */
    uint64_t names;       /* the number of ids that were made up */

    bool gc_is_on;
    bool gc_was_on;       /* it was on when the trace began */
    uint64_t gc_sequence; /* the number of its next start */
    bool is_stopped;      /* the world is, by the goroutine `stopper` */
    int64_t stopper;
    /* Which procs have the records of the start of the collection and of the stop. */
    struct gt_downgrade_proc *gc_proc;
    struct gt_downgrade_proc *stop_proc;

    struct gt_rewrite_regions regions;
    struct gt_texts texts;
    struct gt_texts stacks;       /* the frames of each stack, as in its record */
    uint32_t stack_table;         /* the high half of the handles in `stack_ids` */
    GT_ARRAY(uint32_t) stack_ids; /* ids by the low half of the handle, plus 1; 0: none yet */
    /* The frames of the stack that is being added, which are too large for the program's stack. */
    uint8_t stack_record[GT_DOWNGRADE_STACK_MAX];
};

/* An event of the input that is being written. */
struct gt_downgrade_event {
    const gt_event *event;
    struct gt_downgrade_proc *proc; /* of its context; `none` if it has none */
    int64_t time;                   /* the time in the output */
    uint32_t type;                  /* a gt_wire_type */
    uint64_t stack;                 /* the id of its stack */
};

/* A rule that writes an event, and changes the state as the event does. */
typedef gt_status gt_downgrade_rule(struct gt_downgrader *d, const struct gt_downgrade_event *e);

gt_downgrade_rule gt_downgrade_plain;      /* for events that change no state */
gt_downgrade_rule gt_downgrade_range;      /* for the beginning and the end of ranges */
gt_downgrade_rule gt_downgrade_label;      /* for labels of goroutines */
gt_downgrade_rule gt_downgrade_transition; /* for transitions of procs and goroutines */

/* Each of these sets the error of the downgrader and returns its status. */
gt_status gt_downgrade_fail(struct gt_downgrader *d, gt_status status, const char *text);
gt_status gt_downgrade_no_memory(struct gt_downgrader *d);
gt_status gt_downgrade_contradiction(struct gt_downgrader *d);

/*
 * The proc with an id, which is made if need be. On failure the result is NULL, and the error of
 * the downgrader is set.
 */
struct gt_downgrade_proc *gt_downgrade_proc_get(struct gt_downgrader *d, int64_t id);

/* Handles a transition of a proc. */
gt_status gt_downgrade_proc_change(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                   const gt_transition *transition);

/* Handles a transition of a goroutine. */
gt_status gt_downgrade_goroutine_change(struct gt_downgrader *d, const struct gt_downgrade_event *e,
                                        const gt_transition *transition);

/* Lets a goroutine run that ran when the trace began, on a proc that has become known. */
gt_status gt_downgrade_run_due(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                               struct gt_downgrade_goroutine *goroutine, int64_t time);

/* Ends the part in a system call of a goroutine that loses its proc. */
gt_status gt_downgrade_leave_proc(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                  int64_t time);

/* Ends the ranges of a proc, and those of all procs, that last until the end of the trace. */
gt_status gt_downgrade_end_sweep(struct gt_downgrader *d, struct gt_downgrade_proc *proc);
gt_status gt_downgrade_end_ranges(struct gt_downgrader *d);

/* Returns whether an id was in use by a goroutine that has ended. */
bool gt_downgrade_has_ended(const struct gt_downgrader *d, int64_t id);

/*
 * Returns the time of a record of `proc` about what already was when the trace began: one before
 * all events if possible, else `time`.
 */
int64_t gt_downgrade_run_time(struct gt_downgrader *d, const struct gt_downgrade_proc *proc,
                              int64_t time);

/*
 * Writes what existed when the trace began, and then what has happened on no proc until now. Does
 * nothing if that was done.
 */
gt_status gt_downgrade_start(struct gt_downgrader *d);

#endif
