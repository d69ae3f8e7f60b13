/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/batch.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"
#include "v2/spec.h"

/* A batch's header: internal/trace/batch.go, readBatch. */
struct header {
    uint64_t size;
    const char *field; /* the last one read */
    size_t length;
    enum gt_varint_fault fault;
};

static uint64_t field(struct gt_cursor *c, struct header *header, const char *name)
{
    if (c->fault != GT_VARINT_OK)
        return 0;
    header->field = name;
    return gt_cursor_varint(c);
}

static struct header parse(const struct gt_source *source, struct gt_v2_batch *batch)
{
    struct header header = {0, "type", 0, GT_VARINT_OK};
    struct gt_cursor c = gt_cursor_make(source->cur, gt_source_left(source));
    batch->experiment = 0;
    if (gt_cursor_byte(&c) == GT_WIRE_EXPERIMENTAL_BATCH) {
        header.field = "experiment";
        batch->experiment = gt_cursor_byte(&c);
    }
    batch->generation = field(&c, &header, "generation");
    batch->thread = field(&c, &header, "thread");
    batch->time = field(&c, &header, "time");
    header.size = field(&c, &header, "size");
    header.length = (size_t) (c.p - source->cur);
    header.fault = c.fault;
    return header;
}

/*
 * No more is asked of the source than the header needs: a pipe may hold the end
 * of a generation long before the start of the next.
 */
static gt_status read_header(struct gt_source *source, struct gt_v2_batch *batch,
                             struct header *header)
{
    for (;;) {
        *header = parse(source, batch);
        if (header->fault == GT_VARINT_OK)
            return GT_OK;
        if (header->fault == GT_VARINT_OVERFLOW)
            return gt_error_set(source->error, GT_ERR_BATCH, batch->offset, 0,
                                "malformed %s in a batch header", header->field);
        if (source->ended)
            return gt_error_set(source->error, GT_ERR_TRUNCATED, batch->offset, 0,
                                "batch header is cut off at its %s", header->field);
        gt_status status = gt_source_need(source, gt_source_left(source) + 1);
        if (status != GT_OK)
            return status;
    }
}

gt_status gt_v2_batch_peek(struct gt_source *source, struct gt_v2_batch *batch)
{
    memset(batch, 0, sizeof(*batch));
    gt_status status = gt_source_need(source, 1);
    if (status != GT_OK)
        return status;
    if (gt_source_left(source) == 0)
        return GT_END;
    batch->offset = gt_source_offset(source);
    uint8_t type = *source->cur;
    if (type == GT_WIRE_END_OF_GENERATION) {
        batch->end_of_generation = 1;
        return GT_OK;
    }
    if (type != GT_WIRE_EVENT_BATCH && type != GT_WIRE_EXPERIMENTAL_BATCH)
        return gt_error_set(source->error, GT_ERR_BATCH, batch->offset, 0,
                            "expected a batch, found byte %u", (uint64_t) type);
    struct header header;
    status = read_header(source, batch, &header);
    if (status != GT_OK)
        return status;
    if (header.size > GT_V2_MAX_BATCH)
        return gt_error_set(source->error, GT_ERR_BATCH, batch->offset, batch->generation,
                            "batch of %u bytes, more than %u", header.size,
                            (uint64_t) GT_V2_MAX_BATCH);
    status = gt_source_need(source, header.length + (size_t) header.size);
    if (status != GT_OK)
        return status;
    if (gt_source_left(source) - header.length < header.size)
        return gt_error_set(source->error, GT_ERR_TRUNCATED, batch->offset, batch->generation,
                            "batch is cut off: %u of %u bytes",
                            (uint64_t) (gt_source_left(source) - header.length), header.size);
    batch->data_offset = batch->offset + header.length;
    batch->data = source->cur + header.length;
    batch->size = (uint32_t) header.size;
    return GT_OK;
}

void gt_v2_batch_take(struct gt_source *source, const struct gt_v2_batch *batch)
{
    source->cur = batch->end_of_generation ? source->cur + 1 : batch->data + batch->size;
}
