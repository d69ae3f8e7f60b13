/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/pprofile.h"

#include <string.h>

#include "base/pprof.h"
#include "base/proto.h"
#include "base/utf8.h"

enum {
    /* Large enough for every message except a sample, which is written in parts. */
    MESSAGE_MAX = 128
};

struct message {
    uint8_t bytes[MESSAGE_MAX];
    size_t size;
};

static void pprofile_put_varint(struct message *message, uint64_t value)
{
    message->size =
        (size_t) (gt_varint_put(message->bytes + message->size, value) - message->bytes);
}

static void pprofile_put_number(struct message *message, uint32_t field, uint64_t value)
{
    uint8_t *end = message->bytes + message->size;
    message->size = (size_t) (gt_proto_put_number(end, field, value) - message->bytes);
}

static void pprofile_put_header(struct message *message, uint32_t field, size_t size)
{
    uint8_t *end = message->bytes + message->size;
    message->size = (size_t) (gt_proto_put_header(end, field, size) - message->bytes);
}

static void pprofile_put_message(struct message *message, uint32_t field,
                                 const struct message *inner)
{
    pprofile_put_header(message, field, inner->size);
    memcpy(message->bytes + message->size, inner->bytes, inner->size);
    message->size += inner->size;
}

static void pprofile_write_message(struct gt_pprofile *profile, const struct message *message)
{
    gt_response_bytes(profile->out, message->bytes, message->size);
}

static void pprofile_write_nested(struct gt_pprofile *profile, uint32_t field,
                                  const struct message *inner)
{
    struct message message = {.size = 0};
    pprofile_put_message(&message, field, inner);
    pprofile_write_message(profile, &message);
}

void gt_pprofile_sample_type(struct gt_pprofile *profile, uint64_t type, uint64_t unit)
{
    struct message message = {.size = 0};
    pprofile_put_number(&message, GT_PPROF_VALUE_TYPE_TYPE, type);
    pprofile_put_number(&message, GT_PPROF_VALUE_TYPE_UNIT, unit);
    pprofile_write_nested(profile, GT_PPROF_SAMPLE_TYPE, &message);
}

void gt_pprofile_duration(struct gt_pprofile *profile, int64_t nanoseconds)
{
    struct message message = {.size = 0};
    pprofile_put_number(&message, GT_PPROF_DURATION_NANOS, (uint64_t) nanoseconds);
    pprofile_write_message(profile, &message);
}

void gt_pprofile_string(struct gt_pprofile *profile, gt_string text)
{
    struct message message = {.size = 0};
    pprofile_put_header(&message, GT_PPROF_STRING_TABLE, gt_utf8_mended_size(text));
    pprofile_write_message(profile, &message);
    while (text.size > 0) {
        gt_string piece = gt_utf8_take(&text);
        gt_response_bytes(profile->out, piece.data, piece.size);
    }
}

void gt_pprofile_function(struct gt_pprofile *profile, uint64_t id, uint64_t name, uint64_t file)
{
    struct message message = {.size = 0};
    pprofile_put_number(&message, GT_PPROF_FUNCTION_ID, id);
    pprofile_put_number(&message, GT_PPROF_FUNCTION_NAME, name);
    pprofile_put_number(&message, GT_PPROF_FUNCTION_SYSTEM_NAME, name);
    pprofile_put_number(&message, GT_PPROF_FUNCTION_FILENAME, file);
    pprofile_write_nested(profile, GT_PPROF_FUNCTION, &message);
}

void gt_pprofile_location(struct gt_pprofile *profile, uint64_t id, uint64_t address,
                          uint64_t function, uint64_t line)
{
    struct message message = {.size = 0}, inner = {.size = 0};
    pprofile_put_number(&inner, GT_PPROF_LINE_FUNCTION_ID, function);
    pprofile_put_number(&inner, GT_PPROF_LINE_LINE, line);
    pprofile_put_number(&message, GT_PPROF_LOCATION_ID, id);
    pprofile_put_number(&message, GT_PPROF_LOCATION_ADDRESS, address);
    pprofile_put_message(&message, GT_PPROF_LOCATION_LINE, &inner);
    pprofile_write_nested(profile, GT_PPROF_LOCATION, &message);
}

void gt_pprofile_sample(struct gt_pprofile *profile, const uint64_t *locations, size_t count,
                        int64_t value, uint64_t label_key, uint64_t label)
{
    struct message head = {.size = 0}, ids = {.size = 0}, tail = {.size = 0}, text = {.size = 0};
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[GT_VARINT_MAX];
        size += (size_t) (gt_varint_put(bytes, locations[i]) - bytes);
    }
    pprofile_put_number(&tail, GT_PPROF_SAMPLE_VALUE, (uint64_t) value);
    if (label_key != 0) {
        pprofile_put_number(&text, GT_PPROF_LABEL_KEY, label_key);
        pprofile_put_number(&text, GT_PPROF_LABEL_STR, label);
        pprofile_put_message(&tail, GT_PPROF_SAMPLE_LABEL, &text);
    }
    if (count > 0)
        pprofile_put_header(&ids, GT_PPROF_SAMPLE_LOCATION_ID, size);
    pprofile_put_header(&head, GT_PPROF_SAMPLE, ids.size + size + tail.size);
    pprofile_write_message(profile, &head);
    pprofile_write_message(profile, &ids);
    for (size_t i = 0; i < count; i++) {
        struct message id = {.size = 0};
        pprofile_put_varint(&id, locations[i]);
        pprofile_write_message(profile, &id);
    }
    pprofile_write_message(profile, &tail);
}
