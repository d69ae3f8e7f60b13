/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PATH_HISTORY_H
#define GT_ANALYSIS_PATH_HISTORY_H

#include <stdint.h>

#include "base/array.h"

enum {
    GT_HISTORY_CHUNK = 4096,
    /* One chunk is filled while another one is dropped. */
    GT_HISTORY_MIN_CHUNKS = 2
};

/*
 * A change of the state of a goroutine. Records are numbered from 1 on in the order of events.
 * Other records are named by how many records before this one they are; 0 stands for none.
 */
struct gt_history_record {
    int64_t time;      /* when the state began */
    uint32_t previous; /* the change before of the same goroutine */
    /*
     * The state in which the goroutine was that caused this change, by ending a wait or by creating
     * the goroutine.
     */
    uint32_t cause;
    uint32_t goroutine; /* the number of the goroutine */
    uint32_t label;     /* the state with its reason, and the stack at which it began */
};

/* The records of the past, in chunks, of which the oldest are dropped. */
struct gt_history {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_history_record *) chunks; /* the last `live` of the trace's */
    uint64_t first;                              /* the number of the first record that is kept */
    uint64_t next;                               /* the number of the next record */
    uint64_t most;                               /* chunks that may be kept; 0: any number */
};

/* `bytes` is the most memory to use; 0: no bound. */
void gt_history_init(struct gt_history *history, struct gt_mem *mem, uint64_t bytes);
void gt_history_destroy(struct gt_history *history);

/* Returns the record, or NULL if it was dropped. The pointer is valid until the next
 * gt_history_add. */
static inline struct gt_history_record *gt_history_get(const struct gt_history *history,
                                                       uint64_t number)
{
    if (number < history->first)
        return NULL;
    uint64_t at = number - history->first;
    return &history->chunks.items[at / GT_HISTORY_CHUNK][at % GT_HISTORY_CHUNK];
}

/* Returns how far before the record `number` another one is, or 0 if that is too far or not known.
 */
static inline uint32_t gt_history_distance(uint64_t number, uint64_t other)
{
    return other == 0 || number - other > UINT32_MAX ? 0 : (uint32_t) (number - other);
}

/*
 * Returns the oldest chunk of GT_HISTORY_CHUNK records if it has to be dropped before a record can
 * be added, or else NULL.
 */
const struct gt_history_record *gt_history_oldest(const struct gt_history *history);

/* Appends a record, and drops the chunk that gt_history_oldest returns. */
gt_status gt_history_add(struct gt_history *history, const struct gt_history_record *record);

#endif
