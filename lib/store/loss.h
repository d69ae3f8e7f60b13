/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_LOSS_H
#define GT_STORE_LOSS_H

#include <stdint.h>

/* A time in which it is not known what a goroutine did, because data of the trace was lost. */
struct gt_loss {
    int64_t start, end;
    /* The ordinals of the goroutine and of the proc and thread that it was last known to be on;
     * GT_STORE_NONE if there is none. */
    uint32_t goroutine, proc, thread;
};

#endif
