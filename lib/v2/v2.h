/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_V2_H
#define GT_V2_V2_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "merge/frontier.h"
#include "model/event.h"
#include "model/names.h"
#include "model/table.h"
#include "source/source.h"
#include "v2/generation.h"
#include "v2/repair.h"
#include "v2/state.h"

enum gt_v2_stage {
    GT_V2_EVENTS,       /* events of a generation may be left */
    GT_V2_FAILED_AFTER, /* the same; then comes the error, which is set */
    GT_V2_FAILED,       /* the Sync before the error was given */
    GT_V2_DONE          /* the last Sync was given */
};

enum gt_v2_gc {
    GT_V2_GC_UNDETERMINED,
    GT_V2_GC_OFF,
    GT_V2_GC_ON
};

/*
 * Reads the current format: generations from the source, their batches merged
 * by thread and time through the ordering rules.
 */
struct gt_v2 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    uint32_t version; /* of the rules to read by: at most GT_NEWEST */
    int keep;         /* tables stay until the end */
    struct gt_repair repair;
    struct gt_v2_damage damage;

    enum gt_v2_stage stage;
    struct gt_v2_generation generation;
    struct gt_table *table;   /* of the generation; NULL before the first */
    struct gt_table **tables; /* all of them, by ordinal - 1; with keep */
    size_t tables_capacity;
    uint32_t generations; /* begun so far */
    struct gt_names names;

    /* The merge. */
    struct gt_frontier frontier;
    int64_t sample_time; /* of the next sample, INT64_MAX where there is none */
    size_t next_sample;
    struct gt_event_data
        queue[2];      /* no longer used; removed separately, as a reader's size shows */
    unsigned queued;   /* the same */
    int64_t last_time; /* of the last event */
    gt_status after;   /* what comes after the events that were given */
    uint64_t syncs;

    /* The state that orders events. */
    struct gt_idmap threads;
    struct gt_idmap procs;
    struct gt_idmap goroutines;
    struct gt_idmap tasks;
    struct gt_pool thread_pool;
    struct gt_pool proc_pool;
    struct gt_pool goroutine_pool;
    struct gt_pool task_pool;
    struct gt_pool open_pool;
    enum gt_v2_gc gc;
    uint64_t gc_seq;
    uint64_t initial_generation; /* the number of the first one with events; 0 before */
};

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error);
void gt_v2_destroy(struct gt_v2 *v2);

/*
 * Decodes the next events to `*events`. GT_OK with at least one, GT_END, or an
 * error that is set with its place. The same `*events` must be used each time,
 * and those of the last call are over.
 */
gt_status gt_v2_fill(struct gt_v2 *v2, struct gt_events *events);

/*
 * The same, also to other `*events`, of which the first was given a table or NULL; but 0 with none
 * where only gt_v2_fill can go on: it then has the error, or the next generation.
 */
int gt_v2_more(struct gt_v2 *v2, struct gt_events *events);

/* The table with this ordinal, NULL where it is gone. */
static inline struct gt_table *gt_v2_table(const struct gt_v2 *v2, uint32_t ordinal)
{
    if (v2->keep)
        return ordinal - 1 < v2->generations ? v2->tables[ordinal - 1] : NULL;
    return v2->table && v2->table->ordinal == ordinal ? v2->table : NULL;
}

/* Forgets the table of the generation that is over, or keeps it for the caller. */
void gt_v2_table_retire(struct gt_v2 *v2);

/* A table for the next generation in v2->table. */
gt_status gt_v2_table_start(struct gt_v2 *v2);

void gt_v2_tables_destroy(struct gt_v2 *v2);

/* The thread's state, made if need be; NULL where there is no memory. */
struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id);

#endif
