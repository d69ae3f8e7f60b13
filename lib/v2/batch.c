/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/batch.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"
#include "v2/spec.h"

/* The header of a batch: internal/trace/batch.go, readBatch. */
struct header {
    uint64_t size;
    const char *field; /* the name of the last field that was read */
    size_t length;
    enum gt_varint_fault fault;
    bool is_copied; /* the header and the byte behind it are in `copy` */
    uint8_t copy[GT_V2_MAX_HEADER + 1];
};

static uint64_t v2_header_field(struct gt_cursor *cursor, struct header *header, const char *name)
{
    if (cursor->fault != GT_VARINT_OK)
        return 0;
    header->field = name;
    return gt_cursor_varint(cursor);
}

/* Finds the bytes of a header, of which there is at least one. */
static struct gt_cursor v2_header_start(const struct gt_source *source, struct header *header)
{
    struct gt_cursor cursor = gt_source_peek(source, header->copy, sizeof(header->copy));
    header->is_copied = cursor.p == header->copy;
    header->field = "type";
    return cursor;
}

static void v2_header_parse(struct header *header, struct gt_cursor cursor,
                            struct gt_v2_batch *batch)
{
    const uint8_t *start = cursor.p;
    batch->experiment = 0;
    if (gt_cursor_byte(&cursor) == GT_WIRE_EXPERIMENTAL_BATCH) {
        header->field = "experiment";
        batch->experiment = gt_cursor_byte(&cursor);
    }
    batch->generation = v2_header_field(&cursor, header, "generation");
    batch->thread = v2_header_field(&cursor, header, "thread");
    batch->time = v2_header_field(&cursor, header, "time");
    const uint8_t *size = cursor.p;
    header->size = v2_header_field(&cursor, header, "size");
    batch->is_padded = cursor.p - size == GT_VARINT_MAX;
    header->length = (size_t) (cursor.p - start);
    header->fault = cursor.fault;
}

/*
 * Reads the header of a batch. Requests only as many bytes from the source as the header needs,
 * because a pipe may deliver the end of a generation long before the start of the next one.
 */
static gt_status v2_header_read(struct gt_source *source, struct gt_cursor cursor,
                                struct gt_v2_batch *batch, struct header *header)
{
    for (;; cursor = v2_header_start(source, header)) {
        v2_header_parse(header, cursor, batch);
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

bool gt_v2_batch_may_start(uint8_t byte)
{
    return byte == GT_WIRE_EVENT_BATCH || byte == GT_WIRE_EXPERIMENTAL_BATCH;
}

/* Sets where the data of the batch are, which are in the window up to its end. */
static void v2_batch_place(const struct gt_source *source, const struct header *header,
                           struct gt_v2_batch *batch)
{
    size_t left = gt_source_left(source) - header->length;
    batch->data_offset = batch->offset + header->length;
    batch->data = source->cur + header->length;
    batch->size = (uint32_t) (left < header->size ? left : header->size);
    batch->first = GT_WIRE_NONE;
    if (batch->size != 0)
        batch->first = header->is_copied ? header->copy[header->length] : *batch->data;
}

gt_status gt_v2_batch_peek(struct gt_source *source, struct gt_v2_batch *batch)
{
    struct header header;
    memset(batch, 0, sizeof(*batch));
    gt_status status = gt_source_need(source, 1);
    if (status != GT_OK)
        return status;
    if (gt_source_left(source) == 0)
        return GT_END;
    batch->offset = gt_source_offset(source);
    struct gt_cursor cursor = v2_header_start(source, &header);
    uint8_t type = *cursor.p;
    if (type == GT_WIRE_END_OF_GENERATION) {
        batch->end_of_generation = true;
        return GT_OK;
    }
    if (!gt_v2_batch_may_start(type))
        return gt_error_set(source->error, GT_ERR_BATCH, batch->offset, 0,
                            "expected a batch, found byte %u", (uint64_t) type);
    status = v2_header_read(source, cursor, batch, &header);
    if (status != GT_OK)
        return status;
    if (header.size > GT_V2_MAX_BATCH)
        return gt_error_set(source->error, GT_ERR_BATCH, batch->offset, batch->generation,
                            "batch of %u bytes, more than %u", header.size,
                            (uint64_t) GT_V2_MAX_BATCH);
    status = gt_source_need(source, header.length + (size_t) header.size);
    if (status != GT_OK)
        return status;
    v2_batch_place(source, &header, batch);
    if (batch->size < header.size)
        return gt_error_set(source->error, GT_ERR_TRUNCATED, batch->offset, batch->generation,
                            "batch is cut off: %u of %u bytes", (uint64_t) batch->size,
                            header.size);
    return GT_OK;
}

gt_status gt_v2_batch_look(struct gt_source *source, size_t at, struct gt_v2_batch *batch,
                           size_t *end)
{
    struct header header;
    *end = 0;
    gt_status status = gt_source_need(source, at + sizeof(header.copy));
    if (status != GT_OK || gt_source_left(source) <= at || !gt_v2_batch_may_start(source->cur[at]))
        return status;
    struct gt_source ahead = *source;
    ahead.cur += at;
    memset(batch, 0, sizeof(*batch));
    batch->offset = gt_source_offset(&ahead);
    v2_header_parse(&header, v2_header_start(&ahead, &header), batch);
    if (header.fault != GT_VARINT_OK || header.size > GT_V2_MAX_BATCH)
        return GT_OK;
    v2_batch_place(&ahead, &header, batch);
    *end = at + header.length + (size_t) header.size;
    return GT_OK;
}

void gt_v2_batch_take(struct gt_source *source, const struct gt_v2_batch *batch)
{
    source->cur = batch->end_of_generation ? source->cur + 1 : batch->data + batch->size;
}
