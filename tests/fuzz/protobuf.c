/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/protobuf.h"

#include <stdbool.h>
#include <stdint.h>

struct cursor {
    const uint8_t *at;
    const uint8_t *end;
};

enum {
    WIRE_VARINT = 0,
    WIRE_BYTES = 2
};

static int take_varint(struct cursor *cursor, uint64_t *value)
{
    unsigned shift;

    *value = 0;
    for (shift = 0; shift < 70 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;

        if (shift == 63 && byte > 1)
            return 0;
        *value |= (uint64_t) (byte & 0x7f) << shift;
        if (byte < 0x80)
            return 1;
    }
    return 0;
}

/* A field: its number, and its number or bytes. */
static int take_field(struct cursor *cursor, uint64_t *field, unsigned *type, struct cursor *bytes)
{
    uint64_t tag, value;

    if (!take_varint(cursor, &tag) || !take_varint(cursor, &value))
        return 0;
    *field = tag >> 3;
    *type = tag & 7;
    if (*type == WIRE_VARINT)
        return 1;
    if (*type != WIRE_BYTES || value > (uint64_t) (cursor->end - cursor->at))
        return 0;
    *bytes = (struct cursor){cursor->at, cursor->at + value};
    cursor->at += value;
    return 1;
}

/* The fields of a Profile by number: 'm' a message, 't' a text, 'n' a number, 'v' either form. */
static const char profile_fields[] = " mmmmmtnnnnmnvnn";
#define STRING_TABLE 6

static bool is_message(struct cursor message)
{
    struct cursor bytes;
    uint64_t field;
    unsigned type;

    while (message.at < message.end) {
        if (!take_field(&message, &field, &type, &bytes) || field == 0 || field > 16)
            return 0;
    }
    return 1;
}

int protobuf_is_good(const void *data, size_t size)
{
    struct cursor profile = {data, (const uint8_t *) data + size}, bytes = {NULL, NULL};
    size_t strings = 0;
    uint64_t field;
    unsigned type;

    while (profile.at < profile.end) {
        if (!take_field(&profile, &field, &type, &bytes) || field == 0 ||
            field + 1 >= sizeof(profile_fields))
            return 0;
        if ((profile_fields[field] == 'n') != (type == WIRE_VARINT) && profile_fields[field] != 'v')
            return 0;
        if (profile_fields[field] == 'm' && !is_message(bytes))
            return 0;
        /* The first string must be empty. */
        if (field == STRING_TABLE && strings++ == 0 && bytes.at != bytes.end)
            return 0;
    }
    return strings > 0;
}
