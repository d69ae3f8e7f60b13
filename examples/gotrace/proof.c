/* SPDX-License-Identifier: BSD-3-Clause */
#include "proof.h"

#include <stdio.h>

bool proof_open(struct proof *proof, gt_error *error)
{
    return gt_reader_open_push(&proof->reader, NULL, error) == GT_OK;
}

/* Reads what there is. The status becomes how that ended: GT_AGAIN, GT_END or an error. */
static void proof_read(struct proof *proof)
{
    const gt_event *const *events;
    size_t count;
    do
        proof->status = gt_reader_next_events(proof->reader, &events, &count);
    while (proof->status == GT_OK);
}

bool proof_take(struct proof *proof, const void *data, size_t size)
{
    proof->status = gt_reader_feed(proof->reader, data, size);
    if (proof->status == GT_OK)
        proof_read(proof);
    return proof->status >= GT_OK;
}

bool proof_end(struct proof *proof)
{
    gt_reader_finish(proof->reader);
    proof_read(proof);
    return proof->status == GT_END;
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
