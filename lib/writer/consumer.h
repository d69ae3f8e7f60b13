/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_CONSUMER_H
#define GT_WRITER_CONSUMER_H

#include <gotrace/emitter.h>

#include "base/sized.h"

/* Fills in the consumer that the caller passed. */
static inline gt_status gt_consumer_give(gt_consumer *out, const gt_consumer *consumer)
{
    if (!gt_struct_fits(out, GT_UP_TO(gt_consumer, flush)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_struct_give(out, consumer, sizeof(*consumer));
    return GT_OK;
}

#endif
