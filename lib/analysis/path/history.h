/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PATH_HISTORY_H
#define GT_ANALYSIS_PATH_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

enum {
    /* The bytes of a chunk. */
    GT_HISTORY_CHUNK = 1 << 16,
    /* The most chunks that are allocated together: 16 MiB. */
    GT_HISTORY_BLOCK_CHUNKS = 256,
    /* One chunk is filled while another one is dropped. */
    GT_HISTORY_MIN_CHUNKS = 2
};

/*
 * A change of the state of a goroutine. Its number says where it lies, so that numbers rise in the
 * order of events, with gaps. 0 stands for no record.
 */
struct gt_history_record {
    int64_t time;      /* when the state began */
    uint64_t previous; /* the change before of the same goroutine */
    /*
     * The state in which the goroutine was that caused this change, by ending a wait or by creating
     * the goroutine.
     */
    uint64_t cause;
    uint32_t goroutine; /* the number of the goroutine */
    uint32_t label;     /* the state with its reason, and the stack at which it began */
    bool is_busy;       /* see gt_history_set_busy */
};

/* Records one after the other, each of as many bytes as its values need. */
struct gt_history_chunk {
    int64_t base;   /* the time of the first record */
    uint32_t count; /* records */
    uint8_t bytes[];
};

/* Chunks that were allocated together, at most a quarter of those that there were before. */
struct gt_history_block {
    uint8_t *memory;
    size_t chunks;
};

/* The records of the past, in chunks, of which the oldest are dropped. */
struct gt_history {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_history_block) blocks;
    size_t spare; /* chunks of the last block that are not in use yet */
    GT_ARRAY(struct gt_history_chunk *) chunks; /* in the order of time */
    uint64_t first;                             /* the number of the begin of the oldest chunk */
    uint64_t next;                              /* the number of the next record */
    uint64_t forgotten;                         /* the number of records that were dropped */
    uint64_t most;                              /* chunks that may be kept; 0: any number */
};

/* `bytes` is the most memory to use; 0: no bound. */
void gt_history_init(struct gt_history *history, struct gt_mem *mem, uint64_t bytes);
void gt_history_destroy(struct gt_history *history);

/* Sets `*record` to a record, and returns the number that one right after it has. Returns 0 if the
 * record was dropped or `number` is 0. */
uint64_t gt_history_get(const struct gt_history *history, uint64_t number,
                        struct gt_history_record *record);

/* Marks a record, or does nothing if the record was dropped. The record of a state in which a
 * goroutine was runnable is marked if the procs were busy meanwhile. */
void gt_history_set_busy(struct gt_history *history, uint64_t number);

/*
 * Returns the oldest chunk if gt_history_reserve is going to drop it, or else NULL. Its first
 * record has the number gt_history_oldest_number.
 */
const struct gt_history_chunk *gt_history_oldest(const struct gt_history *history);
uint64_t gt_history_oldest_number(const struct gt_history *history);

/* Makes room for a record. Nothing changes on failure. */
gt_status gt_history_reserve(struct gt_history *history);

/* Appends a record, for which gt_history_reserve has made room, and returns its number. The records
 * that it names, which may have been dropped, come before it. */
uint64_t gt_history_add(struct gt_history *history, const struct gt_history_record *record);

#endif
