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

/* A table of the generation, as far as it is not written yet: the content of a batch. */
struct gt_rewrite_table {
    GT_ARRAY(uint8_t) bytes;
};

/* The generation that is being written. */
struct gt_rewrite_generation {
    bool is_open;
    uint64_t number;
    int64_t time;          /* of its Sync */
    struct gt_texts texts; /* those that are in its table, by id */
    bool has_texts;        /* `texts` is initialised */
    uint32_t stack_table;  /* the high half of the handles of its stacks */
    uint32_t stack_count;
    GT_ARRAY(uint32_t) stacks; /* the ids of stacks by the low half of the handle; 0: none yet */
    struct gt_rewrite_table string_bytes;
    struct gt_rewrite_table stack_bytes;
    struct gt_rewrite_table sample_bytes;
};

/* A copy of a batch of an experiment; the writer owns the data. */
struct gt_rewrite_batch {
    uint64_t experiment;
    int64_t thread;
    char *data;
    size_t size;
};

/*
 * An event that the trace may have together with those that follow it: the next one decides. Either
 * a thread has lost its own proc, perhaps by a GoDestroySyscall, or a GoSwitch has unblocked a
 * goroutine, which is followed by two more events.
 */
struct gt_rewrite_held {
    uint32_t type;   /* GT_WIRE_PROC_STEAL, GT_WIRE_GO_SWITCH, GT_WIRE_GO_SWITCH_DESTROY; 0: none */
    bool is_skipped; /* it was before the output */
    bool has_second; /* of a switch, the second event has come */
    struct gt_rewrite_thread *thread;
    struct gt_rewrite_proc *proc; /* of a ProcSteal */
    int64_t goroutine;            /* of a switch: the one that starts */
    int64_t time;
    int64_t second_time;
};

struct gt_writer {
    struct gt_mem mem;
    gt_writer_options options;
    gt_error error;
    bool busy;
    bool is_finished;
    bool has_begun;   /* gt_writer_event was called */
    bool has_skipped; /* events before the output were left out */
    bool is_writing;  /* the current event is written and not skipped */
    struct gt_reader *reader;
    gt_write_fn write;
    void *user_data;
    gt_writer_info info;
    uint32_t input_version; /* the N of the header; 0 before the first call */

    GT_ARRAY(uint8_t) piece;                   /* bytes that are not passed to `write` yet */
    GT_ARRAY(struct gt_rewrite_thread *) open; /* threads that have had a batch */
    size_t open_bytes;                         /* that these batches take */
    struct gt_rewrite_generation generation;
    struct gt_rewrite_state state;
    struct gt_rewrite_held held;

    int64_t sync_time;         /* of the Sync at which the output begins, if it does at one */
    int64_t last_time;         /* of the last event that was written */
    int64_t first_time;        /* of the first Sync that was written */
    struct gt_clock cut_clock; /* after a cut, the last snapshot that was written */
    uint64_t first_events;     /* the ordinal of the generation with the first event of a thread */
    uint64_t collector;        /* the sequence number of the collector */
    gt_sync sync;              /* the last Sync of the input */
    GT_ARRAY(struct gt_rewrite_batch) batches; /* of Syncs that were skipped */
};

/* An event of the input that is being written. */
struct gt_rewrite_event {
    const gt_event *event;
    struct gt_rewrite_thread *thread; /* of its context */
    int64_t time;                     /* in the output */
    uint32_t type;                    /* a gt_wire_type */
    uint32_t status;                  /* see gt_wire_event */
};

/*
 * Writes an event of one type, and changes the state as it does. If is_writing is false, the
 * functions that write do nothing, and only the state changes.
 */
typedef gt_status gt_rewrite_rule(struct gt_writer *writer, const struct gt_rewrite_event *e);

gt_rewrite_rule gt_rewrite_plain;      /* what changes no state */
gt_rewrite_rule gt_rewrite_range;      /* ranges */
gt_rewrite_rule gt_rewrite_transition; /* of procs and goroutines */

/* Sets the error, which the writer keeps. Returns the status. */
gt_status gt_rewrite_fail(struct gt_writer *writer, gt_status status, const char *text);

/* The same for memory that could not be had. */
gt_status gt_rewrite_no_memory(struct gt_writer *writer);

/* The same for a thread that has two procs or goroutines, or a proc or goroutine on two threads. */
gt_status gt_rewrite_contradiction(struct gt_writer *writer);

/* Whether the generation is the first one of the output that has events of threads. */
bool gt_rewrite_is_first(const struct gt_writer *writer);

#endif
