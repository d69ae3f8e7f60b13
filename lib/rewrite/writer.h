/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_WRITER_H
#define GT_REWRITE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/writer.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/texts.h"
#include "model/table.h"
#include "rewrite/state.h"
#include "rewrite/taken.h"

/* The records of a table that are not written yet, as the content of a batch. */
struct gt_rewrite_table {
    GT_ARRAY(uint8_t) bytes;
};

enum {
    GT_REWRITE_RECENT = 64
};

/* A text of the input's generation, by its address, and its id in the output. */
struct gt_rewrite_recent {
    gt_string text;
    uint32_t id; /* 0: the entry is free */
};

/* The generation that is being written. */
struct gt_rewrite_generation {
    bool is_open;
    bool is_due; /* a Sync has been read, and it begins at `due_time` with the next event */
    int64_t due_time;
    uint64_t ordinal; /* that of all generations which the writer has begun */
    uint64_t number;
    int64_t time;                /* the time of its Sync */
    uint64_t begin;              /* the number of bytes before it, and of its first names */
    uint64_t table_bytes;        /* the number of bytes of its strings and stacks after these */
    struct gt_texts texts;       /* the texts in its table */
    bool has_texts;              /* `texts` is initialised */
    GT_ARRAY(uint32_t) text_ids; /* ids by number in `texts` */
    uint32_t short_id;           /* the last short id that was given to a text of events */
    uint32_t long_id;            /* the last other id that was given to a text */
    struct gt_rewrite_recent recent[GT_REWRITE_RECENT]; /* a cache of `text_ids` */
    uint32_t stack_table; /* the high half of the handles of its stacks */
    uint32_t stack_count;
    GT_ARRAY(uint32_t) stacks; /* ids by the low half of the handle; 0: none yet */
    struct gt_rewrite_table string_bytes;
    struct gt_rewrite_table stack_bytes;
    struct gt_rewrite_table sample_bytes;
};

enum {
    /*
     * The first version with more records than Go 1.22 has, whose last one is UserLog
     * (internal/trace/v2/event/go122 of Go 1.22).
     */
    GT_REWRITE_EXTENDED = 23
};

enum {
    GT_REWRITE_TEXT_KINDS = GT_TEXT_CAUSE + 1
};

/* The texts of a kind in the current generation, and those that are written instead of them. */
struct gt_rewrite_names {
    bool has_texts; /* both tables are initialised */
    struct gt_texts texts;
    struct gt_texts renamed;
    GT_ARRAY(gt_string) numbers; /* the texts in `renamed` by the numbers in `texts` */
};

/* A copy of a batch of an experiment; the writer owns the data. */
struct gt_rewrite_batch {
    uint64_t experiment;
    int64_t thread;
    char *data;
    size_t size;
    bool is_written; /* it is in the output */
};

/*
 * An event that may share a record with those that follow it, which the next event decides. Either
 * a thread has lost its own proc, possibly by a GoDestroySyscall, or a GoSwitch has unblocked a
 * goroutine, which two more events follow.
 */
struct gt_rewrite_held {
    uint32_t type;   /* GT_WIRE_PROC_STEAL, GT_WIRE_GO_SWITCH, GT_WIRE_GO_SWITCH_DESTROY; 0: none */
    bool is_skipped; /* the event precedes the output */
    bool has_second; /* the second event of a switch has been read */
    struct gt_rewrite_thread *thread;
    struct gt_rewrite_proc *proc; /* the proc of a ProcSteal */
    int64_t goroutine;            /* the goroutine that a switch starts */
    int64_t time;
    int64_t second_time;
};

/* How far the names at the beginning of a trace have been read that is joined: see join.c. */
enum gt_rewrite_join_stage {
    GT_JOIN_NONE = 0,
    GT_JOIN_BEGINS,    /* its Sync comes next */
    GT_JOIN_CONTINUES, /* it continues the open generation, and names what is known already */
    GT_JOIN_NAMES      /* it has begun a generation, and names what exists there */
};

/* The last trace that was joined to the output. */
struct gt_rewrite_join {
    enum gt_rewrite_join_stage stage;
    uint64_t count; /* the number of traces that were joined */
    int64_t time;   /* the time of the last event before it */
    /*
     * The time of the last event so far, not counting the names at the beginning of a trace that
     * was joined. `last_time` of the writer can be later than the events that follow, because the
     * names are delayed if they do not fit between the last event and the next one.
     */
    int64_t last_time;
};

/* What the context of events of Go 1.21 and before depends on, besides the state. */
struct gt_rewrite_v1 {
    bool is_input;  /* the input is such a trace */
    bool is_listed; /* the statuses of all goroutines at the beginning have been read */
    GT_ARRAY(struct gt_rewrite_thread *) made_up; /* threads that the trace does not have */
    size_t next;                                  /* the one that was tried last */
    int64_t last_id;                              /* the number of ids that were tried */
    int64_t stopper;                              /* the goroutine that stopped the world last */
    size_t stops; /* the stops of the world in the input that have not ended */
};

struct gt_writer {
    struct gt_mem mem;
    gt_writer_options options;
    gt_error error;
    bool busy;
    bool is_finished;
    bool has_begun;   /* gt_writer_event was called */
    bool has_skipped; /* events before the output were skipped */
    bool is_late;     /* gt_writer_late was called */
    bool has_end;     /* the Sync at the end of the input is in the output */
    bool is_writing;  /* the current event is written and not skipped */
    bool is_bare;     /* only the state that it leaves is written: see gt_keep_fn */
    /* What is to be written before the next event of a running goroutine. */
    bool owes_procs;     /* GOMAXPROCS */
    bool owes_tasks;     /* the tasks that are open, which begin anew */
    bool owes_collector; /* that the garbage collector is active */
    struct gt_reader *reader;
    struct gt_rewrite_taken taken;
    gt_write_fn write;
    void *user_data;
    gt_writer_info info;
    uint32_t input_version; /* the N of the header; 0 before the first call */
    uint32_t version;       /* the same of the output */

    GT_ARRAY(uint8_t) piece;                   /* bytes that are not passed to `write` yet */
    GT_ARRAY(struct gt_rewrite_thread *) open; /* threads with an open batch */
    size_t open_bytes;                         /* the total capacity of these batches */
    size_t open_used;                          /* the number of bytes in them */
    struct gt_rewrite_generation generation;
    struct gt_rewrite_state state;
    struct gt_rewrite_held held;
    struct gt_rewrite_v1 v1;
    struct gt_rewrite_join join;
    struct gt_rewrite_names names[GT_REWRITE_TEXT_KINDS]; /* by gt_text_kind */
    struct gt_idmap pcs; /* the numbers of pcs, if the options ask for them */
    uint64_t pc_count;

    int64_t rest_time;          /* the time at which the output begins if it has no events */
    int64_t last_time;          /* the time of the last event that was written */
    int64_t first_time;         /* the time of the first Sync that was written */
    struct gt_clock last_clock; /* the last snapshot that was written */
    struct gt_clock cut_clock;  /* the same since a cut, behind which snapshots may go back */
    uint64_t input_count;       /* the number of generations of the input so far */
    uint64_t first_events;      /* the ordinal of the first generation with events of threads */
    uint64_t collector;         /* the sequence number of the collector */
    uint64_t procs;             /* GOMAXPROCS at this place of the input, or 0 */
    gt_sync sync;               /* the last Sync of the input */
    GT_ARRAY(struct gt_rewrite_batch)
    batches; /* batches of the last Sync, and that of the first one that explains them */
};

/* An event of the input that is being written. */
struct gt_rewrite_event {
    const gt_event *event;
    struct gt_rewrite_thread *thread; /* the thread of its context */
    int64_t time;                     /* the time in the output */
    uint32_t type;                    /* a gt_wire_type */
    uint32_t status;                  /* see gt_wire_event */
    int64_t proc;                     /* the proc of its context in the output */
};

/*
 * A rule that writes an event of one type, and changes the state as the event does. If is_writing
 * is false, the functions that write do nothing, so that only the state changes.
 */
typedef gt_status gt_rewrite_rule(struct gt_writer *writer, const struct gt_rewrite_event *e);

gt_rewrite_rule gt_rewrite_plain;      /* for events that change no state */
gt_rewrite_rule gt_rewrite_range;      /* for the beginning and the end of ranges */
gt_rewrite_rule gt_rewrite_transition; /* for transitions of procs and goroutines */

/*
 * Sets the thread and the proc of an event of Go 1.21 or before, according to the states of the
 * output so far: see v1context.h. Before the event a proc may have to change its thread, which
 * takes 2 ns. If the event cannot be in the output, sets `*is_left_out`, and the event changes no
 * state.
 */
gt_status gt_rewrite_v1_context(struct gt_writer *writer, struct gt_rewrite_event *e,
                                bool *is_left_out);

/*
 * Handles a transition that a lenient reader has added to a trace of Go 1.21 or before, which is a
 * status of a goroutine that is known already: gives it the type and the thread of the event that
 * leads to that status, if there is one.
 */
void gt_rewrite_repair(struct gt_writer *writer, struct gt_rewrite_event *e);

/*
 * Makes up the events before an event of a lenient reader that lead from the state of the output to
 * the one that the event needs; it is delayed by 1 ns for each. If the event cannot be in the
 * output, or what was made up has its effect, sets and counts that it is left out. Only for traces
 * of Go 1.22 and later, whose events have threads.
 */
gt_status gt_rewrite_mend(struct gt_writer *writer, struct gt_rewrite_event *e, bool *is_left_out);

/*
 * Takes the beginning or the end of a region of a lenient reader; does nothing for other events. If
 * the event cannot be in the output, sets and counts that.
 */
gt_status gt_rewrite_nest_region(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 bool *is_left_out);

/*
 * Tasks that are open where the output begins, and begin anew there if the options ask for that.
 * The beginning of a task is an event of a goroutine that runs.
 */

/*
 * Notes that a task begins or ends, if it does by this event and the options ask for tasks. Tasks
 * whose events are left out are noted, too.
 */
gt_status gt_rewrite_task_note(struct gt_writer *writer, const struct gt_rewrite_event *e);

/* How many tasks are open, of those that were noted. */
size_t gt_rewrite_tasks_count(const struct gt_writer *writer);

/* Begins all of them on a thread, at `*time`, which becomes the time after the last one. */
gt_status gt_rewrite_tasks_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                               int64_t *time);

/*
 * Writes GOMAXPROCS and the open tasks where the output begins: at `*time`, which becomes the time
 * after the last event. If no goroutine runs, they are owed. Writes nothing if no events are
 * written.
 */
gt_status gt_rewrite_debts_begin(struct gt_writer *writer, int64_t *time);

/*
 * Writes what is owed before an event, if its goroutine runs. The event is delayed if there are not
 * enough nanoseconds before it.
 */
gt_status gt_rewrite_pay(struct gt_writer *writer, struct gt_rewrite_event *e);

/*
 * The events of another reader that continue the output: see join.c. This one lets those of
 * `reader` follow.
 */
gt_status gt_rewrite_join(struct gt_writer *writer, gt_reader *reader);

/*
 * Handles a Sync that begins a generation. Sets `*continues` to whether it is that of a part of the
 * generation that is open, so that it is left out.
 */
gt_status gt_rewrite_join_sync(struct gt_writer *writer, const gt_sync *sync, bool *continues);

/*
 * Sets `*is_repeated` to whether an event tells GOMAXPROCS only because the trace that is joined
 * would not tell it otherwise: it is known, and the event has no stack.
 */
gt_status gt_rewrite_join_repeats_procs(const struct gt_writer *writer, const gt_event *event,
                                        bool *is_repeated);

/*
 * Handles an event at the beginning of a trace that is joined. Sets `*is_dropped` to whether it
 * names what is known and is left out.
 */
gt_status gt_rewrite_join_event(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                bool *is_dropped);

/* Sets the error of the writer, which later calls return, too. Returns the status. */
gt_status gt_rewrite_fail(struct gt_writer *writer, gt_status status, const char *text);

/* Sets the error of the writer that there is no memory. Returns its status. */
gt_status gt_rewrite_no_memory(struct gt_writer *writer);

/*
 * Sets the error of the writer that a thread has two procs or goroutines, or that a proc or
 * goroutine is on two threads. Returns its status.
 */
gt_status gt_rewrite_contradiction(struct gt_writer *writer);

/*
 * Returns whether the output has only the records of Go 1.22. What Go 1.23 has added is then
 * written as other records, or left out.
 */
static inline bool gt_rewrite_is_older(const struct gt_writer *writer)
{
    return writer->version < GT_REWRITE_EXTENDED;
}

/* Returns whether the generation is the first one of the output that has events of threads. */
bool gt_rewrite_is_first(const struct gt_writer *writer);

#endif
