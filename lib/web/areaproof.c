/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/areaproof.h"

#include "base/error.h"

static bool areaproof_refute(struct gt_area_proof *proof, gt_status status)
{
    gt_error why = GT_ERROR_INIT;
    gt_reader_error(proof->reader, &why);
    proof->is_refuted = true;
    proof->fault = (gt_error) GT_ERROR_INIT;
    if (status == GT_ERR_NO_MEMORY)
        gt_error_plain(&proof->fault, status);
    else
        gt_error_set(&proof->fault, GT_ERR_NOT_AVAILABLE, GT_NO_OFFSET, why.generation,
                     "what was repaired cannot be in a trace");
    return false;
}

/* Reads what there is. Returns how that ended: GT_AGAIN, GT_END or an error. */
static gt_status areaproof_read(struct gt_area_proof *proof)
{
    const gt_event *const *events;
    size_t count;
    gt_status status;
    do
        status = gt_reader_next_events(proof->reader, &events, &count);
    while (status == GT_OK);
    return status;
}

static gt_status areaproof_open(struct gt_area_proof *proof)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.allocator = &proof->mem->allocator;
    return gt_reader_open_push(&proof->reader, &options, NULL);
}

bool gt_area_proof_take(struct gt_area_proof *proof, const void *data, size_t size)
{
    gt_status status = proof->reader ? GT_OK : areaproof_open(proof);
    if (status == GT_OK)
        status = gt_reader_feed(proof->reader, data, size);
    if (status == GT_OK)
        status = areaproof_read(proof);
    return status >= GT_OK || areaproof_refute(proof, status);
}

bool gt_area_proof_end(struct gt_area_proof *proof)
{
    gt_status status = gt_reader_finish(proof->reader);
    if (status == GT_OK)
        status = areaproof_read(proof);
    return status == GT_END || areaproof_refute(proof, status);
}

void gt_area_proof_close(struct gt_area_proof *proof)
{
    gt_reader_close(&proof->reader);
}
