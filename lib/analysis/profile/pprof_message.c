/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/pprof_message.h"

#include <assert.h>
#include <string.h>

/* The wire types of protocol buffers, in the low bits of a tag. */
enum {
    WIRE_VARINT = 0,
    WIRE_BYTES = 2,
    WIRE_BITS = 3
};

void gt_pprof_varint(struct gt_pprof_message *message, uint64_t value)
{
    assert(message->size + GT_PPROF_VARINT_MAX <= sizeof(message->bytes));
    for (; value >= 0x80; value >>= 7)
        message->bytes[message->size++] = (uint8_t) (value | 0x80);
    message->bytes[message->size++] = (uint8_t) value;
}

void gt_pprof_number(struct gt_pprof_message *message, uint32_t field, uint64_t value)
{
    if (value == 0)
        return;
    gt_pprof_varint(message, field << WIRE_BITS | WIRE_VARINT);
    gt_pprof_varint(message, value);
}

void gt_pprof_header(struct gt_pprof_message *message, uint32_t field, size_t size)
{
    gt_pprof_varint(message, field << WIRE_BITS | WIRE_BYTES);
    gt_pprof_varint(message, size);
}

void gt_pprof_nested(struct gt_pprof_message *message, uint32_t field,
                     const struct gt_pprof_message *inner)
{
    gt_pprof_header(message, field, inner->size);
    assert(message->size + inner->size <= sizeof(message->bytes));
    memcpy(message->bytes + message->size, inner->bytes, inner->size);
    message->size += inner->size;
}
