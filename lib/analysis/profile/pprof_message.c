/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/pprof_message.h"

#include <assert.h>
#include <string.h>

#include "base/pprof.h"
#include "base/varint.h"

void gt_pprof_varint(struct gt_pprof_message *message, uint64_t value)
{
    assert(message->size + GT_VARINT_MAX <= sizeof(message->bytes));
    message->size =
        (size_t) (gt_varint_put(message->bytes + message->size, value) - message->bytes);
}

void gt_pprof_number(struct gt_pprof_message *message, uint32_t field, uint64_t value)
{
    if (value == 0)
        return;
    gt_pprof_varint(message, field << GT_PPROF_WIRE_BITS | GT_PPROF_WIRE_VARINT);
    gt_pprof_varint(message, value);
}

void gt_pprof_header(struct gt_pprof_message *message, uint32_t field, size_t size)
{
    gt_pprof_varint(message, field << GT_PPROF_WIRE_BITS | GT_PPROF_WIRE_BYTES);
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
