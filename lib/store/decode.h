/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_DECODE_H
#define GT_STORE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/emitter.h>

#include "base/texts.h"
#include "store/counter.h"
#include "store/op.h"

enum {
    GT_DECODE_RECENT = 256
};

/* An entry of the cache of strings: the address of the bytes, and the id of the text. */
struct gt_decode_recent {
    const char *data;
    uint32_t text;
};

/* Translates the events and frames of an emitter into operations on a store. */
struct gt_store_decoder {
    gt_op_fn *put;
    void *user_data;
    /* All texts that were sent. GT_OP_TEXT refers to their bytes. */
    struct gt_texts texts;
    struct gt_mem mem;
    /* A cache in front of `texts`. It is indexed by address, because most strings are passed
     * repeatedly from the same address. */
    struct gt_decode_recent recent[GT_DECODE_RECENT];
    /* The start and the end of a region are two events. This is the id of the region whose start
     * came last, 0 if it has ended, and its operation so far. */
    uint64_t region;
    struct gt_op region_op;
    /* The same pair of members for an arrow, whose start and end are two events as well, and the
     * task at its start. */
    uint64_t arrow;
    int64_t arrow_from;
    /* The last values of the counters. */
    uint64_t counted[GT_COUNTERS];
};

/* `put` receives the operations, together with `user_data`. False: out of memory. */
bool gt_decode_init(struct gt_store_decoder *decoder, const gt_allocator *allocator, gt_op_fn *put,
                    void *user_data);
void gt_decode_destroy(struct gt_store_decoder *decoder);

/* False: out of memory, or `put` returned false. */
bool gt_decode_event(struct gt_store_decoder *decoder, const gt_viewer_event *event);
bool gt_decode_frame(struct gt_store_decoder *decoder, const gt_viewer_frame *frame);

#endif
