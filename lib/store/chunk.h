/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_CHUNK_H
#define GT_STORE_CHUNK_H

/*
 * A chunk: 64 consecutive spans of a track as records of one size. Each field has as many bits as
 * its largest value in the chunk needs. While the chunk has fewer than 64 spans, it grows, and
 * its fields have whole bytes. When it is full it is sealed: fields have bits, and one that repeats
 * a few values has their numbers in a dictionary, which follows the records.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/le64.h"
#include "base/wraps.h"
#include "store/pool.h"
#include "store/span.h"

#define GT_CHUNK_SPANS 64

/* Set in the width of a field that has a dictionary. Time fields never have one. */
#define GT_CHUNK_CODED      0x80
#define GT_CHUNK_WIDTH_MASK 0x7f

#define GT_CHUNK_CLASS_BITS 4
#define GT_CHUNK_CLASS_MASK ((1u << GT_CHUNK_CLASS_BITS) - 1)

/* The fields before GT_TIME_FIELDS are stored apart from the others, so that a scan of times and
 * classes touches less memory. */
enum gt_chunk_field {
    GT_FIELD_END,   /* the end, in ns since the chunk's base */
    GT_FIELD_GAP,   /* from the end of the span before to the start; 0 for the chunk's first */
    GT_FIELD_CLASS, /* the class in the low 4 bits, the proc above these */
    GT_TIME_FIELDS,
    GT_FIELD_NAME = GT_TIME_FIELDS,
    GT_FIELD_GOROUTINE,
    GT_FIELD_BY,
    GT_FIELD_THREAD,
    GT_FIELD_STACK,
    GT_FIELD_END_STACK,
    GT_FIELDS
};

struct gt_chunk_record {
    uint64_t values[GT_FIELDS];
};

struct gt_chunk_tally {
    uint64_t time;  /* in ns, modulo 2^64, so that differences of sums are exact */
    uint64_t count; /* of spans */
};

/* All members are bytes, so that a chunk needs no alignment. Numbers are little-endian. */
struct gt_track_chunk {
    uint8_t base[8];           /* the start of the first span, in ns since the trace's start */
    uint8_t widths[GT_FIELDS]; /* in bits, and perhaps GT_CHUNK_CODED */
    /* The size of a record's time fields, in bytes. It is rounded up to whole bytes in a full
     * chunk, too, because this makes scans faster. */
    uint8_t time_size;
    uint8_t room; /* the number of records that fit into the memory */
    /* A set of bits: the classes of which the track has spans before the chunk. Their tallies
     * take `before` bytes. */
    uint8_t classes[2];
    uint8_t before;
    /* The time fields of all records; then the tallies of the spans before the chunk; then the
     * other fields of all records; then the dictionaries of the fields that have one, in the order
     * of the fields. Each is the number of its values, the number of bytes of each, and these. */
    uint8_t times[];
};

/* The offset of the widths of the fields other than the time fields. */
#define GT_CHUNK_REST_WIDTHS (offsetof(struct gt_track_chunk, widths) + GT_TIME_FIELDS)

_Static_assert(GT_FIELDS - GT_TIME_FIELDS == 6, "gt_chunk_rest_bits adds six widths");

/* The bits that a load of eight bytes always contains, whichever bit of the first byte they start
 * at. Only times can need more; if one does, all time fields have whole bytes. */
#define GT_CHUNK_LOAD_BITS 56

/* For each width in bits, the mask of as many low bits. */
extern const uint64_t gt_chunk_masks[65];

/* Returns at least GT_CHUNK_LOAD_BITS bits from bit `bit` on. The caller masks the bits that it
 * needs. */
static inline uint64_t gt_chunk_bits(const uint8_t *bytes, uint32_t bit)
{
    return gt_le64_load(bytes + bit / 8) >> bit % 8;
}

static inline int64_t gt_chunk_base(const struct gt_track_chunk *chunk)
{
    return (int64_t) gt_le64_load(chunk->base);
}

/* The number of bits of a record's fields other than the time fields. */
GT_WRAPS static inline uint32_t gt_chunk_rest_bits(const struct gt_track_chunk *chunk)
{
    /* The six widths are added by a multiplication: their sum, which is at most 192, comes to the
     * highest byte. */
    uint64_t widths = gt_le64_load((const uint8_t *) chunk + GT_CHUNK_REST_WIDTHS);

    return (uint32_t) ((widths & UINT64_C(0x7f7f7f7f7f7f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* The offset of the tallies in `times`. */
static inline uint32_t gt_chunk_before_at(const struct gt_track_chunk *chunk)
{
    return (uint32_t) chunk->room * chunk->time_size;
}

/* The time fields of record `i`. */
static inline const uint8_t *gt_chunk_times(const struct gt_track_chunk *chunk, uint32_t i)
{
    return chunk->times + i * chunk->time_size;
}

/* The other fields of the first record. */
static inline const uint8_t *gt_chunk_rest(const struct gt_track_chunk *chunk)
{
    return chunk->times + gt_chunk_before_at(chunk) + chunk->before;
}

/* The end of span `i`, in ns since the chunk's base. */
static inline uint64_t gt_chunk_end(const struct gt_track_chunk *chunk, uint32_t i)
{
    return gt_le64_load(gt_chunk_times(chunk, i)) & gt_chunk_masks[chunk->widths[GT_FIELD_END]];
}

static inline uint64_t gt_chunk_gap(const struct gt_track_chunk *chunk, uint32_t i)
{
    return gt_chunk_bits(gt_chunk_times(chunk, i), chunk->widths[GT_FIELD_END]) &
           gt_chunk_masks[chunk->widths[GT_FIELD_GAP]];
}

static inline uint32_t gt_chunk_class(const struct gt_track_chunk *chunk, uint32_t i)
{
    uint32_t at = (uint32_t) chunk->widths[GT_FIELD_END] + chunk->widths[GT_FIELD_GAP];

    return (uint32_t) (gt_chunk_bits(gt_chunk_times(chunk, i), at) &
                       gt_chunk_masks[chunk->widths[GT_FIELD_CLASS]]) &
           GT_CHUNK_CLASS_MASK;
}

/* The values that the numbers in a field stand for. If `values` is NULL, the field has no
 * dictionary. */
struct gt_chunk_dictionary {
    const uint8_t *values;
    uint32_t size; /* of each value, in bytes */
    uint64_t mask;
};

/* Skips the dictionary of `field`, if it has one, at `*at`, and returns it. */
static inline struct gt_chunk_dictionary
gt_chunk_next_dictionary(const struct gt_track_chunk *chunk, int field, const uint8_t **at)
{
    struct gt_chunk_dictionary dictionary = {.values = NULL};

    if (chunk->widths[field] & GT_CHUNK_CODED) {
        uint32_t count = (*at)[0], size = (*at)[1];

        dictionary = (struct gt_chunk_dictionary){*at + 2, size, gt_chunk_masks[8 * size]};
        *at += 2 + count * size;
    }
    return dictionary;
}

/* The end of the records, where the dictionaries of a sealed chunk begin. */
static inline const uint8_t *gt_chunk_dictionaries(const struct gt_track_chunk *chunk)
{
    return gt_chunk_rest(chunk) + (chunk->room * gt_chunk_rest_bits(chunk) + 7) / 8;
}

/* The value of a field in which a record has `number`. */
static inline uint64_t gt_chunk_value(const struct gt_chunk_dictionary *dictionary, uint64_t number)
{
    if (!dictionary->values)
        return number;
    return gt_le64_load(dictionary->values + number * dictionary->size) & dictionary->mask;
}

/* An iteration over the time fields of consecutive records. */
struct gt_chunk_walk {
    const uint8_t *at;
    uint64_t end_mask, gap_mask, class_mask;
    uint32_t size;             /* of the time fields, in bytes */
    uint32_t gap_at, class_at; /* the positions of these fields, in bits */
    uint64_t last;             /* the end of the current span */
    uint64_t length;           /* the length of the current span */
    uint32_t cls;              /* the class of the current span */
};

/* Begins before record `from`. */
static inline void gt_chunk_walk_begin(struct gt_chunk_walk *walk,
                                       const struct gt_track_chunk *chunk, uint32_t from)
{
    walk->at = gt_chunk_times(chunk, from);
    walk->end_mask = gt_chunk_masks[chunk->widths[GT_FIELD_END]];
    walk->gap_mask = gt_chunk_masks[chunk->widths[GT_FIELD_GAP]];
    walk->class_mask = gt_chunk_masks[chunk->widths[GT_FIELD_CLASS]] & GT_CHUNK_CLASS_MASK;
    walk->size = chunk->time_size;
    walk->gap_at = chunk->widths[GT_FIELD_END];
    walk->class_at = walk->gap_at + chunk->widths[GT_FIELD_GAP];
    walk->last = from == 0 ? 0 : gt_chunk_end(chunk, from - 1);
}

/* Moves to the next record, which must exist. */
static inline void gt_chunk_walk_on(struct gt_chunk_walk *walk)
{
    uint64_t word = gt_le64_load(walk->at), end = word & walk->end_mask, gap, cls;

    if (walk->size <= sizeof(word)) {
        gap = word >> walk->gap_at % 64;
        cls = word >> walk->class_at % 64;
    } else {
        gap = gt_chunk_bits(walk->at, walk->gap_at);
        cls = gt_chunk_bits(walk->at, walk->class_at);
    }
    walk->length = end - walk->last - (gap & walk->gap_mask);
    walk->cls = (uint32_t) (cls & walk->class_mask);
    walk->last = end;
    walk->at += walk->size;
}

/* Whether all values of the record fit into the chunk's widths. */
static inline bool gt_chunk_fits(const struct gt_track_chunk *chunk,
                                 const struct gt_chunk_record *record)
{
    uint64_t excess = 0;

    for (int field = 0; field < GT_FIELDS; field++)
        excess |= record->values[field] & ~gt_chunk_masks[chunk->widths[field]];
    return excess == 0;
}

/* Writes fields, whose widths are whole bytes. Each is stored as eight bytes, and the next field
 * overwrites those beyond its width. The bytes after the last field are restored. */
static inline void gt_chunk_write_fields(uint8_t *at, uint32_t size, const uint8_t *widths,
                                         int from, int to, const struct gt_chunk_record *record)
{
    uint64_t following = gt_le64_load(at + size);

    for (int field = from; field < to; field++) {
        gt_le64_store(at, record->values[field]);
        at += widths[field] / 8;
    }
    gt_le64_store(at, following);
}

/* Writes record `i`, which must fit. The chunk must not be sealed. */
static inline void gt_chunk_write(struct gt_track_chunk *chunk, uint32_t i,
                                  const struct gt_chunk_record *record)
{
    uint32_t time_size = chunk->time_size, size = gt_chunk_rest_bits(chunk) / 8;
    uint8_t *rest = chunk->times + chunk->room * time_size + chunk->before;

    gt_chunk_write_fields(chunk->times + i * time_size, time_size, chunk->widths, 0, GT_TIME_FIELDS,
                          record);
    gt_chunk_write_fields(rest + i * size, size, chunk->widths, GT_TIME_FIELDS, GT_FIELDS, record);
}

/* Creates a chunk without records, with room for `room` records of the given widths. `before` has a
 * tally for each class of the spans before the chunk, and is NULL if there are none. NULL: out of
 * memory. */
struct gt_track_chunk *gt_chunk_new(struct gt_store_pool *pool, int64_t base,
                                    const struct gt_chunk_tally *before, const uint8_t *widths,
                                    uint32_t room);
/* Replaces a chunk that has `count` records by a copy with other widths and room, which must
 * suffice. False: out of memory, and nothing changes. */
bool gt_chunk_grow(struct gt_store_pool *pool, struct gt_track_chunk **chunk, uint32_t count,
                   const uint8_t *widths, uint32_t room);
/* Replaces a full chunk by its final copy, with widths that gt_chunk_narrow found, or dictionaries.
 * False: out of memory, and nothing changes. */
bool gt_chunk_seal(struct gt_store_pool *pool, struct gt_track_chunk **chunk,
                   const uint8_t *widths);
/* Gives the chunk, which must not be sealed, back to the pool. */
void gt_chunk_free(struct gt_store_pool *pool, struct gt_track_chunk *chunk);
/* The bytes of a chunk without its dictionaries. */
size_t gt_chunk_bytes(const struct gt_track_chunk *chunk);
/* Sets the members that follow from the widths and the room. */
void gt_chunk_set_layout(struct gt_track_chunk *chunk, const uint8_t *widths, uint32_t room);

/* Reads all fields of record `i`. */
void gt_chunk_read(const struct gt_track_chunk *chunk, uint32_t i, struct gt_chunk_record *record);

/* Widens `widths` so that the record fits, and rounds them up to whole bytes. */
void gt_chunk_widen(uint8_t *widths, const struct gt_chunk_record *record);
/* Sets `widths` to the smallest widths that suffice for all records of a chunk that is full but not
 * sealed. */
void gt_chunk_narrow(const struct gt_track_chunk *chunk, uint8_t *widths);

/* Adds records `from` to `to` - 1 to the tallies, which are indexed by class, multiplied by `sign`:
 * 1 to add, UINT64_MAX to subtract. */
void gt_chunk_tally(const struct gt_track_chunk *chunk, uint32_t from, uint32_t to, uint64_t sign,
                    struct gt_chunk_tally *tallies);
/* Adds the tallies of all spans of the track that come before the chunk, likewise multiplied by
 * `sign`. */
void gt_chunk_tally_before(const struct gt_track_chunk *chunk, uint64_t sign,
                           struct gt_chunk_tally *tallies);

#endif
