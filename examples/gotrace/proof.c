/* SPDX-License-Identifier: BSD-3-Clause */
#include "proof.h"

#include <stdio.h>

bool proof_open(struct proof *proof, gt_error *error)
{
    return gt_reader_open_push(&proof->reader, NULL, error) == GT_OK;
}

/* Reads what there is. Returns how that ended: GT_AGAIN, GT_END or an error. */
static gt_status proof_read(struct proof *proof)
{
    const gt_event *const *events;
    size_t count;
    gt_status status;
    while ((status = gt_reader_next_events(proof->reader, &events, &count)) == GT_OK)
        continue;
    return status;
}

bool proof_take(struct proof *proof, const void *data, size_t size)
{
    return gt_reader_feed(proof->reader, data, size) == GT_OK && proof_read(proof) >= GT_OK;
}

bool proof_end(struct proof *proof)
{
    gt_reader_finish(proof->reader);
    return proof_read(proof) == GT_END;
}

void proof_explain(gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    error->status = GT_ERR_NOT_AVAILABLE;
    snprintf(error->message, sizeof(error->message), "what was repaired cannot be in a trace");
}

void proof_close(struct proof *proof)
{
    gt_reader_close(&proof->reader);
}
