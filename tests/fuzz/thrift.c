/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/thrift.h"

#include <stdlib.h>

#include "support/test.h"

enum {
    /* The metadata of a file have 8 levels. */
    THRIFT_DEPTH = 10,
    /* A list with more elements has their number behind its first byte. */
    THRIFT_SHORT_LIST = 15
};

const uint8_t *bytes_take(struct bytes *from, uint64_t size)
{
    const uint8_t *data = from->at;

    if (from->failed || size > (uint64_t) (from->end - from->at)) {
        from->failed = true;
        return NULL;
    }
    from->at += size;
    return data;
}

uint64_t bytes_little(struct bytes *from, unsigned size)
{
    const uint8_t *data = bytes_take(from, size);
    uint64_t number = 0;

    for (unsigned i = 0; data && i < size; i++)
        number |= (uint64_t) data[i] << 8 * i;
    return number;
}

uint64_t bytes_varint(struct bytes *from)
{
    uint64_t number = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_little(from, 1);

        if (shift == 63 && byte > 1)
            break;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return from->failed ? 0 : number;
    }
    from->failed = true;
    return 0;
}

int64_t bytes_zigzag(struct bytes *from)
{
    uint64_t number = bytes_varint(from);

    return number & 1 ? -1 - (int64_t) (number >> 1) : (int64_t) (number >> 1);
}

/* Adds a node, and returns its index. */
static size_t thrift_add(struct thrift *thrift, uint32_t field, unsigned type)
{
    if (thrift->count == thrift->capacity) {
        thrift->capacity = 2 * thrift->capacity + 64;
        thrift->nodes = realloc(thrift->nodes, thrift->capacity * sizeof(*thrift->nodes));
        assert_non_null(thrift->nodes);
    }
    thrift->nodes[thrift->count] =
        (struct thrift_node){.field = field, .type = (enum thrift_type) type};
    return thrift->count++;
}

static bool thrift_value(struct thrift *thrift, struct bytes *from, size_t node, unsigned depth);

static bool thrift_fields(struct thrift *thrift, struct bytes *from, unsigned depth)
{
    uint32_t last = 0;

    for (;;) {
        uint64_t head = bytes_little(from, 1);

        if (from->failed || head == 0)
            return !from->failed;
        /* Fields that do not rise by 1 to 15 do not occur. */
        if (head >> 4 == 0)
            return false;
        last += (uint32_t) (head >> 4);
        size_t node = thrift_add(thrift, last, head & 15);
        if (!thrift_value(thrift, from, node, depth))
            return false;
    }
}

static bool thrift_elements(struct thrift *thrift, struct bytes *from, size_t list, unsigned depth)
{
    uint64_t head = bytes_little(from, 1), count = head >> 4;

    if (count == THRIFT_SHORT_LIST)
        count = bytes_varint(from);
    /* Each element takes at least a byte. */
    if (from->failed || count > (uint64_t) (from->end - from->at))
        return false;
    thrift->nodes[list].size = (size_t) count;
    for (; count > 0; count--) {
        size_t node = thrift_add(thrift, 0, head & 15);
        if (!thrift_value(thrift, from, node, depth))
            return false;
    }
    return true;
}

/* Reads the value of a node, which has its type. */
static bool thrift_value(struct thrift *thrift, struct bytes *from, size_t node, unsigned depth)
{
    struct thrift_node *about = &thrift->nodes[node];
    bool is_good = depth < THRIFT_DEPTH;

    switch (about->type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE:
        break;
    case THRIFT_I32:
        about->number = bytes_zigzag(from);
        is_good = is_good && about->number == (int32_t) about->number;
        break;
    case THRIFT_I64:
        about->number = bytes_zigzag(from);
        break;
    case THRIFT_BINARY:
        about->size = (size_t) bytes_varint(from);
        about->data = bytes_take(from, about->size);
        break;
    case THRIFT_LIST:
        is_good = is_good && thrift_elements(thrift, from, node, depth + 1);
        break;
    case THRIFT_STRUCT:
        is_good = is_good && thrift_fields(thrift, from, depth + 1);
        break;
    default:
        is_good = false;
    }
    thrift->nodes[node].next = thrift->count;
    return is_good && !from->failed;
}

bool thrift_read(struct thrift *thrift, struct bytes *from)
{
    thrift->count = 0;
    return thrift_value(thrift, from, thrift_add(thrift, 0, THRIFT_STRUCT), 0);
}

void thrift_free(struct thrift *thrift)
{
    free(thrift->nodes);
    *thrift = (struct thrift){0};
}

const struct thrift_node *thrift_first(const struct thrift *thrift, const struct thrift_node *list)
{
    size_t index = (size_t) (list - thrift->nodes) + 1;

    return index < list->next ? &thrift->nodes[index] : NULL;
}

const struct thrift_node *thrift_next(const struct thrift *thrift, const struct thrift_node *list,
                                      const struct thrift_node *node)
{
    return node->next < list->next ? &thrift->nodes[node->next] : NULL;
}

const struct thrift_node *thrift_field(const struct thrift *thrift, const struct thrift_node *node,
                                       uint32_t field, enum thrift_type type)
{
    const struct thrift_node *at = thrift_first(thrift, node);

    while (at && at->field != field)
        at = thrift_next(thrift, node, at);
    return at && at->type == type ? at : NULL;
}

int64_t thrift_number(const struct thrift *thrift, const struct thrift_node *node, uint32_t field,
                      int64_t otherwise)
{
    const struct thrift_node *found = thrift_field(thrift, node, field, THRIFT_I64);

    if (!found)
        found = thrift_field(thrift, node, field, THRIFT_I32);
    return found ? found->number : otherwise;
}

bool thrift_has_only(const struct thrift *thrift, const struct thrift_node *node, uint32_t fields)
{
    for (const struct thrift_node *at = thrift_first(thrift, node); at;
         at = thrift_next(thrift, node, at)) {
        if (at->field >= 32 || !(fields >> at->field & 1))
            return false;
    }
    return true;
}
