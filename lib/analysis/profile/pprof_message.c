/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/profile/pprof_message.h"

#include <assert.h>
#include <string.h>

#include "base/proto.h"

/* Returns the end of the message, after which there is room for a field. */
static uint8_t *pprof_message_end(struct gt_pprof_message *message)
{
    assert(message->size + GT_PROTO_FIELD_MAX <= sizeof(message->bytes));
    return message->bytes + message->size;
}

static void pprof_message_set_end(struct gt_pprof_message *message, const uint8_t *end)
{
    message->size = (size_t) (end - message->bytes);
}

void gt_pprof_varint(struct gt_pprof_message *message, uint64_t value)
{
    pprof_message_set_end(message, gt_varint_put(pprof_message_end(message), value));
}

void gt_pprof_number(struct gt_pprof_message *message, uint32_t field, uint64_t value)
{
    if (value != 0)
        pprof_message_set_end(message,
                              gt_proto_put_number(pprof_message_end(message), field, value));
}

void gt_pprof_header(struct gt_pprof_message *message, uint32_t field, size_t size)
{
    pprof_message_set_end(message, gt_proto_put_header(pprof_message_end(message), field, size));
}

void gt_pprof_nested(struct gt_pprof_message *message, uint32_t field,
                     const struct gt_pprof_message *inner)
{
    gt_pprof_header(message, field, inner->size);
    assert(message->size + inner->size <= sizeof(message->bytes));
    memcpy(message->bytes + message->size, inner->bytes, inner->size);
    message->size += inner->size;
}
