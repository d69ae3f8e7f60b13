/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_AREAPROOF_H
#define GT_WEB_AREAPROOF_H

/*
 * Reads a trace strictly while it is being written. What is written of a trace that was repaired
 * needs that, because not everything that a lenient reader delivers can be in a trace.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/reader.h>

#include "base/mem.h"

/* The caller sets `mem`, and all other bytes to 0. */
struct gt_area_proof {
    struct gt_mem *mem;
    gt_reader *reader; /* opened by what is written first */
    bool is_refuted;
    /*
     * If it is refuted: GT_ERR_NOT_AVAILABLE with the generation in which that was found, or what
     * has kept the output from being read.
     */
    gt_error fault;
};

/* Reads further bytes. Returns false if no reader reads the trace any further. */
bool gt_area_proof_take(struct gt_area_proof *proof, const void *data, size_t size);

/* Reads the rest, because no more bytes come. Returns whether the trace was read to its end. */
bool gt_area_proof_end(struct gt_area_proof *proof);

void gt_area_proof_close(struct gt_area_proof *proof);

#endif
