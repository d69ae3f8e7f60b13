/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/parquet_values.h"

#include <string.h>

enum {
    /* A literal with more bytes has its size behind its tag. */
    SNAPPY_SHORT = 60,
    DELTA_BLOCK = 128,
    DELTA_MINIBLOCKS = 4
};

uint32_t parquet_crc(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

/* Where decompressed bytes go. */
struct target {
    uint8_t *start;
    uint8_t *at;
    uint8_t *end;
};

static bool snappy_literal(struct target *to, struct bytes *from, unsigned code)
{
    uint64_t size = code + 1;

    if (code >= SNAPPY_SHORT)
        size = bytes_little(from, code - SNAPPY_SHORT + 1) + 1;
    const uint8_t *data = bytes_take(from, size);
    if (!data || size > (uint64_t) (to->end - to->at))
        return false;
    memcpy(to->at, data, size);
    to->at += size;
    return true;
}

static bool snappy_copy(struct target *to, uint64_t offset, size_t size)
{
    if (offset == 0 || offset > (uint64_t) (to->at - to->start) ||
        size > (size_t) (to->end - to->at))
        return false;
    for (; size > 0; size--, to->at++)
        *to->at = *(to->at - offset);
    return true;
}

static bool snappy_element(struct target *to, struct bytes *from)
{
    unsigned tag = (unsigned) bytes_little(from, 1);

    switch (tag & 3) {
    case 0:
        return snappy_literal(to, from, tag >> 2);
    case 1:
        return snappy_copy(to, (uint64_t) (tag >> 5) << 8 | bytes_little(from, 1),
                           (tag >> 2 & 7) + 4);
    case 2:
        return snappy_copy(to, bytes_little(from, 2), (tag >> 2) + 1);
    default:
        return false;
    }
}

bool parquet_unpack(uint8_t *to, size_t size, const uint8_t *from, size_t from_size, bool packed)
{
    struct target target = {to, to, to + size};
    struct bytes bytes = {from, from + from_size, false};

    if (!packed) {
        memcpy(to, from, size < from_size ? size : from_size);
        return size == from_size;
    }
    if (bytes_varint(&bytes) != size)
        return false;
    while (bytes.at < bytes.end && !bytes.failed) {
        if (!snappy_element(&target, &bytes))
            return false;
    }
    return !bytes.failed && target.at == target.end;
}

/* How many bytes the character has that begins at `text`, or 0 if it is none of UTF-8. */
static size_t text_character(const uint8_t *text, size_t size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *text < 0x80 ? 1 : *text < 0xc0 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? *text : *text & (0x7fu >> length);

    if (length == 0 || length > size || *text >= 0xf8)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    return code >= least[length] && code <= 0x10ffff && code >> 11 != 0xd800 >> 11 ? length : 0;
}

bool parquet_text_is_good(const uint8_t *text, size_t size)
{
    for (size_t length; size > 0; text += length, size -= length) {
        length = text_character(text, size);
        if (length == 0)
            return false;
    }
    return true;
}

static bool plain_text(struct bytes *from, struct parquet_value *value)
{
    value->size = (size_t) bytes_little(from, 4);
    value->text = bytes_take(from, value->size);
    return value->text && parquet_text_is_good(value->text, value->size);
}

/* Booleans are bits, of which those behind the last one are zeros. */
static bool plain_booleans(struct parquet_encoded *page, struct parquet_value *values)
{
    const uint8_t *bits = bytes_take(&page->bytes, (page->count + 7) / 8);
    bool is_good = bits != NULL;

    for (size_t i = 0; is_good && i < page->count; i++)
        values[i].number = bits[i / 8] >> i % 8 & 1;
    if (is_good && page->count % 8 != 0)
        is_good = bits[page->count / 8] >> page->count % 8 == 0;
    return is_good;
}

bool parquet_plain(struct parquet_encoded *page, struct parquet_value *values)
{
    if (page->kind == PARQUET_BOOLEAN)
        return plain_booleans(page, values);
    for (size_t i = 0; i < page->count; i++) {
        values[i] = (struct parquet_value){.is_null = false};
        if (page->kind == PARQUET_STRING && !plain_text(&page->bytes, &values[i]))
            return false;
        if (page->kind == PARQUET_INT32)
            values[i].number = (int32_t) (uint32_t) bytes_little(&page->bytes, 4);
        else if (page->kind != PARQUET_STRING)
            values[i].number = (int64_t) bytes_little(&page->bytes, 8);
    }
    return !page->bytes.failed;
}

/* The number of `width` bits that begins at bit `at`, the lowest bit first. */
static uint64_t bits_get(const uint8_t *data, size_t at, unsigned width)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < width; i++)
        number |= (uint64_t) (data[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return number;
}

static bool hybrid_packed(struct bytes *from, uint32_t *numbers, uint64_t groups, size_t left,
                          unsigned width)
{
    /* The last group alone may have more numbers than are left, which are zeros. */
    if (groups == 0 || (groups - 1) * 8 >= left)
        return false;
    const uint8_t *data = bytes_take(from, groups * width);
    for (size_t i = 0; data && i < groups * 8; i++) {
        uint64_t number = bits_get(data, i * width, width);
        if (i < left)
            numbers[i] = (uint32_t) number;
        else if (number != 0)
            return false;
    }
    return data;
}

bool parquet_hybrid(struct bytes *from, uint32_t *numbers, size_t count, unsigned width)
{
    for (size_t at = 0; at < count && !from->failed;) {
        uint64_t head = bytes_varint(from), run = head >> 1;
        if (head & 1) {
            if (!hybrid_packed(from, numbers + at, run, count - at, width))
                return false;
            run = run * 8 < count - at ? run * 8 : count - at;
        } else {
            uint64_t number = bytes_little(from, (width + 7) / 8);
            if (run == 0 || run > count - at || number >> width != 0)
                return false;
            for (size_t i = 0; i < run; i++)
                numbers[at + i] = (uint32_t) number;
        }
        at += run;
    }
    return !from->failed && from->at == from->end;
}

/* Adds as the type of the column does, in which sums wrap. */
static int64_t delta_add(int64_t value, int64_t least, uint64_t above, unsigned bits)
{
    uint64_t sum = 0;

    /* Modulo 2^64, without an overflow that a sanitizer would report. */
    __builtin_add_overflow((uint64_t) value, (uint64_t) least, &sum);
    __builtin_add_overflow(sum, above, &sum);
    return bits == 32 ? (int32_t) (uint32_t) sum : (int64_t) sum;
}

/* Decodes a block of up to 128 values behind `value`. */
static bool delta_block(struct bytes *from, int64_t value, struct parquet_value *values,
                        size_t count, unsigned bits)
{
    const size_t mini = DELTA_BLOCK / DELTA_MINIBLOCKS;
    int64_t least = bytes_zigzag(from);
    const uint8_t *widths = bytes_take(from, DELTA_MINIBLOCKS);

    for (size_t at = 0; widths && at < count; at += mini) {
        unsigned width = widths[at / mini];
        const uint8_t *data = width <= 64 ? bytes_take(from, mini * width / 8) : NULL;
        if (!data)
            return false;
        for (size_t i = 0; i < mini && at + i < count; i++) {
            value = delta_add(value, least, bits_get(data, i * width, width), bits);
            values[at + i] = (struct parquet_value){.number = value};
        }
    }
    return widths;
}

bool parquet_delta(struct parquet_encoded *page, unsigned bits, struct parquet_value *values)
{
    struct bytes *from = &page->bytes;

    if (bytes_varint(from) != DELTA_BLOCK || bytes_varint(from) != DELTA_MINIBLOCKS ||
        bytes_varint(from) != page->count)
        return false;
    values[0] = (struct parquet_value){.number = bytes_zigzag(from)};
    for (size_t at = 1; at < page->count; at += DELTA_BLOCK) {
        size_t left = page->count - at;
        if (!delta_block(from, values[at - 1].number, values + at,
                         left < DELTA_BLOCK ? left : DELTA_BLOCK, bits))
            return false;
    }
    return !from->failed;
}

int parquet_compare(const void *a, const void *b)
{
    const struct parquet_value *one = a, *other = b;
    size_t size = one->size < other->size ? one->size : other->size;
    int order = size > 0 ? memcmp(one->text, other->text, size) : 0;

    if (order != 0)
        return order;
    if (one->size != other->size)
        return one->size < other->size ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}
