/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/input.h"

#include <assert.h>
#include <stddef.h>

#include "base/error.h"

enum {
    /* Of which one is tried, to find out if smaller pieces of the input help. */
    INPUT_PIECES = 16
};

static struct gt_input *input_create(const struct gt_opening *opening, gt_error *failure)
{
    gt_status status;
    struct gt_input *input = gt_mem_create(opening->size, offsetof(struct gt_input, mem),
                                           opening->allocator, opening->memory_limit, &status);
    if (!input) {
        gt_error_plain(failure, status);
        return NULL;
    }
    input->fault.size = input->error.size = sizeof(gt_error);
    input->error.offset = GT_NO_OFFSET;
    gt_watch_init(&input->watch, &input->is_cancelled);
    gt_source_init(&input->source, &input->mem, &input->fault);
    input->source.watch = &input->watch;
    return input;
}

static struct gt_input *input_start(const struct gt_opening *opening, gt_error *failure)
{
    struct gt_input *input = input_create(opening, failure);
    if (!input)
        return NULL;
    input->busy = true;
    opening->prepare(input, opening->options);
    gt_status status = gt_origin_open(opening->origin, &input->source);
    input->watch.progress.bytes_total = input->source.total;
    if (status == GT_OK)
        status = opening->start(input);
    input->busy = false;
    if (status == GT_OK || status == GT_AGAIN)
        return input;
    *failure = input->fault;
    opening->close(input);
    return NULL;
}

gt_status gt_input_open(struct gt_input **input, const struct gt_opening *opening,
                        gt_error *failure, gt_error *error)
{
    const char *fault = gt_origin_fault(opening->origin);
    *input = NULL;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (failure->status == GT_OK && fault)
        gt_error_refuse(failure, fault);
    if (failure->status == GT_OK)
        *input = input_start(opening, failure);
    assert(*input || failure->status != GT_OK);
    return gt_error_report(error, failure);
}

void gt_input_close(struct gt_input *input, size_t size)
{
    gt_source_close(&input->source);
    struct gt_mem mem = input->mem;
    gt_mem_free(&mem, input, size);
}

/*
 * Sets input->error and not input->fault, because the worker thread of read-ahead may still be
 * decoding and use the fault.
 */
gt_status gt_input_end_cancelled(struct gt_input *input)
{
    input->status = GT_CANCELLED;
    return gt_error_plain(&input->error, GT_CANCELLED);
}

void gt_input_note_failure(struct gt_input *input, gt_status status)
{
    const struct gt_mem *mem = &input->mem;
    uint64_t needed = gt_mem_needed(mem);
    gt_error *error = &input->error;
    *error = input->fault;
    if (status == GT_ERR_LIMIT && needed > mem->limit)
        gt_error_set(error, GT_ERR_LIMIT, error->offset, error->generation,
                     "memory limit reached: the reader takes %u bytes at least, and the limit is "
                     "%u; raise it",
                     needed, mem->limit);
}

/* Ends reading, because `size` more bytes do not fit, and nothing will make room for them. */
static gt_status input_fail_too_large(struct gt_input *input, size_t size)
{
    struct gt_source *source = &input->source;
    uint64_t left = gt_source_left(source), used, peak, needed = gt_mem_needed(&input->mem);
    gt_mem_count(&input->mem, &used, &peak);
    bool is_divisible = gt_source_has_room(source, size / INPUT_PIECES);
    input->status = GT_ERR_LIMIT;
    gt_error_set(
        &input->error, GT_ERR_LIMIT, gt_source_offset(source), 0,
        "%u bytes more do not fit into the limit of %u bytes: %u are held, %u of them input "
        "that is incomplete, and %u are needed at least; raise it%s",
        (uint64_t) size, input->mem.limit, used, left, needed,
        is_divisible ? ", or feed smaller pieces" : "");
    input->fault = input->error;
    return GT_ERR_LIMIT;
}

gt_status gt_input_feed(struct gt_input *input, const void *data, size_t size)
{
    if (!input || input->busy || !input->source.is_fed || (!data && size != 0))
        return GT_ERR_INVALID_ARGUMENT;
    if (input->status < 0 || input->status == GT_CANCELLED)
        return input->status;
    if (gt_watch_is_cancelled(&input->watch))
        return GT_CANCELLED;
    if (input->source.ended)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_source_feed(&input->source, data, size);
    if (status == GT_ERR_LIMIT && input->is_starved)
        return input_fail_too_large(input, size);
    input->is_starved &= status != GT_OK || size == 0;
    return status;
}

gt_status gt_input_finish(struct gt_input *input)
{
    if (!input || input->busy || !input->source.is_fed)
        return GT_ERR_INVALID_ARGUMENT;
    gt_source_finish(&input->source);
    return GT_OK;
}

gt_status gt_input_error(const struct gt_input *input, gt_error *error)
{
    return input && !input->busy ? gt_error_give(error, &input->error) : GT_ERR_INVALID_ARGUMENT;
}
