/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/chunk.h"

#include <string.h>

#include "base/le64.h"

/* The halves of the first byte of the tallies: the size of each time and of each count, in
 * bytes. */
#define BEFORE_TIME(sizes)  ((sizes) &15)
#define BEFORE_COUNT(sizes) ((sizes) >> 4)

_Static_assert(sizeof(struct gt_track_chunk) + 1 + GT_STORE_CLASSES * 12 +
                       GT_CHUNK_SPANS * (8 + 8 + 5 + 6 * 4) <=
                   GT_POOL_MOST,
               "the pool has blocks for the largest chunk");

#define MASK(bits) (UINT64_C(1) << (bits)) - 1
#define MASKS(bits)                                                                                \
    MASK(bits), MASK(bits + 1), MASK(bits + 2), MASK(bits + 3), MASK(bits + 4), MASK(bits + 5),    \
        MASK(bits + 6), MASK(bits + 7)

const uint64_t gt_chunk_masks[65] = {
    MASKS(0),  MASKS(8),  MASKS(16), MASKS(24),  MASKS(32),
    MASKS(40), MASKS(48), MASKS(56), UINT64_MAX,
};

static uint8_t chunk_round_up(uint8_t width)
{
    return (uint8_t) ((width + 7) / 8 * 8);
}

/* The number of bits that a value needs. The function has no branches, because the values vary so
 * much that branches would be mispredicted. */
static uint8_t chunk_width_of(uint64_t value)
{
    uint32_t width = 0;

    for (uint32_t more = 32; more != 0; more /= 2) {
        uint32_t by = (value >> more != 0) * more;

        value >>= by;
        width += by;
    }
    return (uint8_t) (width + (uint32_t) value);
}

/* The number of bytes that a value needs. */
static uint8_t chunk_bytes_for(uint64_t value)
{
    uint8_t bytes = 0;

    while (value > gt_chunk_masks[8 * bytes])
        bytes++;
    return bytes;
}

/* Rounds the widths of the time fields up to whole bytes if a load of eight bytes might not contain
 * all of one. */
static void chunk_align_times(uint8_t *widths)
{
    if (widths[GT_FIELD_END] <= GT_CHUNK_LOAD_BITS && widths[GT_FIELD_GAP] <= GT_CHUNK_LOAD_BITS)
        return;
    for (int field = 0; field < GT_TIME_FIELDS; field++)
        widths[field] = chunk_round_up(widths[field]);
}

void gt_chunk_set_layout(struct gt_track_chunk *chunk, const uint8_t *widths, uint32_t room)
{
    uint32_t bits = (uint32_t) widths[GT_FIELD_END] + widths[GT_FIELD_GAP] + widths[GT_FIELD_CLASS];

    memcpy(chunk->widths, widths, GT_FIELDS);
    chunk->time_size = (uint8_t) ((bits + 7) / 8);
    chunk->room = (uint8_t) room;
}

size_t gt_chunk_bytes(const struct gt_track_chunk *chunk)
{
    size_t rest = (chunk->room * gt_chunk_rest_bits(chunk) + 7) / 8;

    return sizeof(*chunk) + gt_chunk_before_at(chunk) + chunk->before + rest;
}

void gt_chunk_free(struct gt_store_pool *pool, struct gt_track_chunk *chunk)
{
    gt_store_pool_give(pool, chunk, gt_chunk_bytes(chunk));
}

/* The encoded tallies of the spans before a chunk. The first byte has the sizes, see BEFORE_TIME;
 * then come the time and the count of each class in `classes`. If there are no such spans, the
 * encoding is empty. */
struct before {
    uint8_t bytes[1 + GT_STORE_CLASSES * 12 + 8];
    uint32_t size, classes;
};

static uint8_t chunk_before_sizes(const struct gt_chunk_tally *tallies)
{
    uint64_t times = 0, counts = 0;

    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        times |= tallies[cls].time;
        counts |= tallies[cls].count;
    }
    return (uint8_t) (chunk_bytes_for(times) | chunk_bytes_for(counts) << 4);
}

static void chunk_set_before(struct before *before, const struct gt_chunk_tally *tallies)
{
    uint8_t sizes = chunk_before_sizes(tallies);

    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        if (tallies[cls].count == 0)
            continue;
        before->bytes[0] = sizes;
        before->size += before->size == 0;
        before->classes |= 1u << cls;
        gt_le64_store(before->bytes + before->size, tallies[cls].time);
        before->size += BEFORE_TIME(sizes);
        gt_le64_store(before->bytes + before->size, tallies[cls].count);
        before->size += BEFORE_COUNT(sizes);
    }
}

struct gt_track_chunk *gt_chunk_new(struct gt_store_pool *pool, int64_t base,
                                    const struct gt_chunk_tally *before, const uint8_t *widths,
                                    uint32_t room)
{
    struct before had;
    struct gt_track_chunk header;

    had.size = had.classes = 0;
    if (before)
        chunk_set_before(&had, before);
    memset(&header, 0, sizeof(header));
    gt_le64_store(header.base, (uint64_t) base);
    gt_chunk_set_layout(&header, widths, room);
    header.classes[0] = (uint8_t) had.classes;
    header.classes[1] = (uint8_t) (had.classes >> 8);
    header.before = (uint8_t) had.size;
    struct gt_track_chunk *chunk = gt_store_pool_take(pool, gt_chunk_bytes(&header));
    if (!chunk)
        return NULL;
    *chunk = header;
    memcpy(chunk->times + gt_chunk_before_at(chunk), had.bytes, had.size);
    return chunk;
}

/* Extracts fields `from` to `to` - 1, which start at a bit. */
static void chunk_read_fields(const uint8_t *bytes, uint32_t bit, const uint8_t *widths, int from,
                              int to, struct gt_chunk_record *record)
{
    for (int field = from; field < to; field++) {
        record->values[field] = gt_chunk_bits(bytes, bit) & gt_chunk_masks[widths[field]];
        bit += widths[field];
    }
}

void gt_chunk_read(const struct gt_track_chunk *chunk, uint32_t i, struct gt_chunk_record *record)
{
    uint32_t bits = gt_chunk_rest_bits(chunk), bit = i * bits;
    const uint8_t *rest = gt_chunk_rest(chunk);
    const uint8_t *at = rest + (chunk->room * bits + 7) / 8;

    chunk_read_fields(gt_chunk_times(chunk, i), 0, chunk->widths, 0, GT_TIME_FIELDS, record);
    for (int field = GT_TIME_FIELDS; field < GT_FIELDS; field++) {
        uint32_t width = chunk->widths[field] & GT_CHUNK_WIDTH_MASK;
        uint64_t value = gt_chunk_bits(rest, bit) & gt_chunk_masks[width];

        if (chunk->widths[field] & GT_CHUNK_CODED) {
            struct gt_chunk_dictionary dictionary = gt_chunk_next_dictionary(chunk, field, &at);

            value = gt_chunk_value(&dictionary, value);
        }
        record->values[field] = value;
        bit += width;
    }
}

void gt_chunk_widen(uint8_t *widths, const struct gt_chunk_record *record)
{
    for (int field = 0; field < GT_FIELDS; field++) {
        uint8_t width = (uint8_t) (8 * chunk_bytes_for(record->values[field]));

        widths[field] = widths[field] < width ? width : chunk_round_up(widths[field]);
    }
}

/* Combines all records with a bitwise OR and extracts the fields of the result. In each field, the
 * highest bit that is set is that of the largest value, which is all that is needed to find the
 * width. */
static void chunk_join_records(const uint8_t *records, uint32_t size, const uint8_t *widths,
                               int from, int to, struct gt_chunk_record *record)
{
    uint64_t words[4] = {0};
    uint8_t bytes[sizeof(words)];

    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++, records += size) {
        for (uint32_t word = 0; 8 * word < size; word++)
            words[word] |= gt_le64_load(records + 8 * word);
    }
    for (uint32_t word = 0; word < sizeof(words) / 8; word++)
        gt_le64_store(bytes + 8 * word, words[word]);
    chunk_read_fields(bytes, 0, widths, from, to, record);
}

void gt_chunk_narrow(const struct gt_track_chunk *chunk, uint8_t *widths)
{
    struct gt_chunk_record record;

    chunk_join_records(chunk->times, chunk->time_size, chunk->widths, 0, GT_TIME_FIELDS, &record);
    chunk_join_records(gt_chunk_rest(chunk), gt_chunk_rest_bits(chunk) / 8, chunk->widths,
                       GT_TIME_FIELDS, GT_FIELDS, &record);
    for (int field = 0; field < GT_FIELDS; field++)
        widths[field] = chunk_width_of(record.values[field]);
    chunk_align_times(widths);
}

/* Allocates a chunk with another layout, and copies the header, but neither records nor tallies.
 * NULL: out of memory. */
static struct gt_track_chunk *chunk_new_like(struct gt_store_pool *pool,
                                             const struct gt_track_chunk *chunk,
                                             const uint8_t *widths, uint32_t room)
{
    struct gt_track_chunk header = *chunk;

    gt_chunk_set_layout(&header, widths, room);
    struct gt_track_chunk *copy = gt_store_pool_take(pool, gt_chunk_bytes(&header));
    if (copy)
        *copy = header;
    return copy;
}

bool gt_chunk_grow(struct gt_store_pool *pool, struct gt_track_chunk **chunk, uint32_t count,
                   const uint8_t *widths, uint32_t room)
{
    struct gt_track_chunk *old = *chunk;
    bool is_same = memcmp(widths, old->widths, GT_FIELDS) == 0;
    struct gt_track_chunk *copy = chunk_new_like(pool, old, widths, room);

    if (!copy)
        return false;
    memcpy(copy->times + gt_chunk_before_at(copy), old->times + gt_chunk_before_at(old),
           old->before);
    if (is_same) {
        memcpy(copy->times, old->times, count * old->time_size);
        memcpy(copy->times + gt_chunk_before_at(copy) + copy->before, gt_chunk_rest(old),
               count * (gt_chunk_rest_bits(old) / 8));
    }
    for (uint32_t i = 0; i < count && !is_same; i++) {
        struct gt_chunk_record record;

        gt_chunk_read(old, i, &record);
        gt_chunk_write(copy, i, &record);
    }
    gt_chunk_free(pool, old);
    *chunk = copy;
    return true;
}

GT_WRAPS void gt_chunk_tally(const struct gt_track_chunk *chunk, uint32_t from, uint32_t to,
                             uint64_t sign, struct gt_chunk_tally *tallies)
{
    struct gt_chunk_walk walk;

    gt_chunk_walk_begin(&walk, chunk, from);
    for (uint32_t i = from; i < to; i++) {
        gt_chunk_walk_on(&walk);
        tallies[walk.cls].time += sign * walk.length;
        tallies[walk.cls].count += sign;
    }
}

GT_WRAPS void gt_chunk_tally_before(const struct gt_track_chunk *chunk, uint64_t sign,
                                    struct gt_chunk_tally *tallies)
{
    uint32_t classes = chunk->classes[0] | (uint32_t) chunk->classes[1] << 8;
    const uint8_t *at = chunk->times + gt_chunk_before_at(chunk);

    if (classes == 0)
        return;
    uint32_t sizes = *at++;
    uint32_t time_size = BEFORE_TIME(sizes), count_size = BEFORE_COUNT(sizes);
    for (uint32_t cls = 0; classes >> cls != 0; cls++) {
        if (classes >> cls & 1) {
            tallies[cls].time += sign * (gt_le64_load(at) & gt_chunk_masks[8 * time_size]);
            tallies[cls].count +=
                sign * (gt_le64_load(at + time_size) & gt_chunk_masks[8 * count_size]);
            at += time_size + count_size;
        }
    }
}
