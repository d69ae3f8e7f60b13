/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/snappy.h"

#include "base/wraps.h"

enum {
    /* Blocks are compressed one by one, so that offsets have two bytes. */
    SNAPPY_BLOCK = 1 << 16,
    /* No match is looked for at the end of a block, where the last bytes are. */
    SNAPPY_MARGIN = 12,
    /* The tags: the low two bits of the first byte of an element. */
    SNAPPY_COPY_1 = 1,
    SNAPPY_COPY_2 = 2,
    /* The longest literal whose length is in its tag, and the longest copy. */
    SNAPPY_SHORT_LITERAL = 60,
    SNAPPY_COPY_MAX = 64,
    SNAPPY_COPY_MIN = 4,
    /* The longest copy, and the end of the offsets, of the form of two bytes. */
    SNAPPY_COPY_1_MAX = 11,
    SNAPPY_COPY_1_OFFSETS = 2048,
    /* A literal of a whole block has three bytes before it, and each 60 bytes of a copy three. */
    SNAPPY_HEAD = 3,
    SNAPPY_HASH_BITS_MIN = 8,
    /* After this many positions without a match, each step skips one more position. */
    SNAPPY_PATIENCE = 32
};

static uint32_t snappy_four(const uint8_t *from)
{
    uint32_t four;
    memcpy(&four, from, sizeof(four));
    return four;
}

/* A hash of so many bits less than 32. */
GT_WRAPS static uint32_t snappy_hash(uint32_t four, unsigned shift)
{
    return four * UINT32_C(0x1e35a7bd) >> shift;
}

/* How many bits the hashes of a block have: a small one needs no large table, which is cleared. */
static unsigned snappy_bits(size_t size)
{
    unsigned bits = SNAPPY_HASH_BITS_MIN;
    while (bits < GT_SNAPPY_HASH_BITS && (size_t) 1 << bits < size)
        bits++;
    return bits;
}

static uint8_t *snappy_literal_put(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size == 0)
        return to;
    if (size <= SNAPPY_SHORT_LITERAL) {
        *to++ = (uint8_t) ((size - 1) << 2);
    } else {
        unsigned bytes = size <= 256 ? 1 : 2;
        *to++ = (uint8_t) ((SNAPPY_SHORT_LITERAL - 1 + bytes) << 2);
        to = gt_pq_little_put(to, size - 1, bytes);
    }
    memcpy(to, from, size);
    return to + size;
}

static uint8_t *snappy_copy_put(uint8_t *to, size_t offset, size_t size)
{
    while (size > 0) {
        size_t part = size < SNAPPY_COPY_MAX ? size : SNAPPY_COPY_MAX;
        /* What is left must be long enough for a copy in the shorter form. */
        if (size > SNAPPY_COPY_MAX && size < SNAPPY_COPY_MAX + SNAPPY_COPY_MIN)
            part = SNAPPY_COPY_MAX - SNAPPY_COPY_MIN;
        if (part >= SNAPPY_COPY_MIN && part <= SNAPPY_COPY_1_MAX &&
            offset < SNAPPY_COPY_1_OFFSETS) {
            *to++ = (uint8_t) (SNAPPY_COPY_1 | (part - SNAPPY_COPY_MIN) << 2 | offset >> 8 << 5);
            *to++ = (uint8_t) offset;
        } else {
            *to++ = (uint8_t) (SNAPPY_COPY_2 | (part - 1) << 2);
            to = gt_pq_little_put(to, offset, 2);
        }
        size -= part;
    }
    return to;
}

/* How many bytes from `at` on are those from `before` on. */
static size_t snappy_match(const uint8_t *data, size_t before, size_t at, size_t size)
{
    size_t length = 0;
    uint64_t a, b;
    while (at + length + sizeof(a) <= size) {
        memcpy(&a, data + before + length, sizeof(a));
        memcpy(&b, data + at + length, sizeof(b));
        if (a != b)
            break;
        length += sizeof(a);
    }
    while (at + length < size && data[before + length] == data[at + length])
        length++;
    return length;
}

static uint8_t *snappy_block_put(struct gt_snappy *snappy, uint8_t *to, const uint8_t *data,
                                 size_t size)
{
    const unsigned bits = snappy_bits(size), shift = 32 - bits;
    size_t done = 0, tried = SNAPPY_PATIENCE;
    memset(snappy->seen, 0, sizeof(*snappy->seen) << bits);
    for (size_t at = 1; at + SNAPPY_MARGIN < size;) {
        uint32_t four = snappy_four(data + at);
        uint16_t *seen = &snappy->seen[snappy_hash(four, shift)];
        size_t before = *seen;
        *seen = (uint16_t) at;
        if (snappy_four(data + before) != four) {
            at += tried++ / SNAPPY_PATIENCE;
            continue;
        }
        to = snappy_literal_put(to, data + done, at - done);
        size_t length = snappy_match(data, before, at, size);
        to = snappy_copy_put(to, at - before, length);
        at += length;
        done = at;
        tried = SNAPPY_PATIENCE;
    }
    return snappy_literal_put(to, data + done, size - done);
}

void gt_snappy_put(struct gt_snappy *snappy, struct gt_pq_bytes *out, const uint8_t *data,
                   size_t size)
{
    gt_pq_put_varint(out, size);
    while (size > 0) {
        size_t block = size < SNAPPY_BLOCK ? size : SNAPPY_BLOCK;
        /* A copy never takes more bytes than it stands for. */
        uint8_t *to = gt_pq_bytes_room(out, block + block / SNAPPY_COPY_MIN + SNAPPY_HEAD);
        if (!to)
            return;
        gt_pq_bytes_commit(out, snappy_block_put(snappy, to, data, block));
        data += block;
        size -= block;
    }
}
