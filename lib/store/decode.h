/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_DECODE_H
#define GT_STORE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/emitter.h>

#include "store/counter.h"
#include "store/op.h"
#include "store/texts.h"

/* Makes ops of an emitter's events and frames. */
struct gt_store_decoder {
    gt_op_fn *put;
    void *user_data;
    /* All that were told; their bytes are the ones that GT_OP_TEXT hands on. */
    struct gt_store_texts texts;
    /* A region that has begun, the ends of which come in two events, */
    uint64_t region;
    struct gt_op region_op;
    /* and an arrow. */
    uint64_t arrow;
    int64_t arrow_from;
    /* The last values of counters. */
    uint64_t counted[GT_COUNTERS];
};

/* False: out of memory. */
bool gt_decode_init(struct gt_store_decoder *d, gt_op_fn *put, void *user_data);
void gt_decode_destroy(struct gt_store_decoder *d);

/* False: out of memory, or `put` said so. */
bool gt_decode_event(struct gt_store_decoder *d, const gt_viewer_event *event);
bool gt_decode_frame(struct gt_store_decoder *d, const gt_viewer_frame *frame);

#endif
