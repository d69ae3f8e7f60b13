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
struct decoder {
    op_fn *put;
    void *user_data;
    /* All that were told; their bytes are the ones that OP_TEXT hands on. */
    struct texts texts;
    /* A region that has begun, the ends of which come in two events, */
    uint64_t region;
    struct op region_op;
    /* and an arrow. */
    uint64_t arrow;
    int64_t arrow_from;
    /* The last values of counters. */
    uint64_t counted[COUNTERS];
};

/* False: out of memory. */
bool decode_init(struct decoder *d, op_fn *put, void *user_data);
void decode_destroy(struct decoder *d);

/* False: out of memory, or `put` said so. */
bool decode_event(struct decoder *d, const gt_viewer_event *event);
bool decode_frame(struct decoder *d, const gt_viewer_frame *frame);

#endif
