/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_CHUNK_H
#define GT_STORE_CHUNK_H

/*
 * 64 neighbouring spans of a track as records of one size, in which each field has as many bits
 * as its largest value needs; whole bytes, as long as there are fewer.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/pool.h"
#include "store/span.h"

#define GT_CHUNK_SPANS 64

#define GT_CHUNK_CLASS_BITS 4
#define GT_CHUNK_CLASS_MASK ((1u << GT_CHUNK_CLASS_BITS) - 1)

/* The first are for walks over times, and lie apart, so that these touch less memory. */
enum gt_chunk_field {
    GT_FIELD_END,   /* since the chunk's base */
    GT_FIELD_GAP,   /* from the last span's end to its start; 0 of the first */
    GT_FIELD_CLASS, /* the class in the low 4 bits, the proc above */
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
    uint64_t time; /* modulo 2^64, so that differences of sums are right */
    uint64_t count;
};

/* All of it is bytes, so that chunks may lie anywhere. */
struct gt_track_chunk {
    uint8_t base[8];           /* where its first span starts */
    uint8_t widths[GT_FIELDS]; /* in bits */
    uint8_t time_size;  /* of a record's first fields, whole bytes, as it is walked over most */
    uint8_t room;       /* for records */
    uint8_t classes[2]; /* a bit for each class of which there was a span before it */
    uint8_t before;     /* bytes for what there was of these */
    uint8_t times[];    /* the first fields of all records; then come what was before the
                         * chunk, and the other fields */
};

/* So many bits are in a load of eight bytes, whichever of the first byte's bits is the first.
 * Only times can need more; if one does, all time fields are whole bytes. */
#define GT_CHUNK_LOAD_BITS 56

/* What a field may be with a width of so many bits. */
extern const uint64_t gt_chunk_masks[65];

/* Compilers make these two one instruction each. */
static inline uint64_t gt_chunk_load(const uint8_t *p)
{
    return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24 |
           (uint64_t) p[4] << 32 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48 |
           (uint64_t) p[7] << 56;
}

static inline void gt_chunk_store(uint8_t *p, uint64_t value)
{
    p[0] = (uint8_t) value;
    p[1] = (uint8_t) (value >> 8);
    p[2] = (uint8_t) (value >> 16);
    p[3] = (uint8_t) (value >> 24);
    p[4] = (uint8_t) (value >> 32);
    p[5] = (uint8_t) (value >> 40);
    p[6] = (uint8_t) (value >> 48);
    p[7] = (uint8_t) (value >> 56);
}

/* What begins with that bit, and more. */
static inline uint64_t gt_chunk_bits(const uint8_t *bytes, uint32_t bit)
{
    return gt_chunk_load(bytes + bit / 8) >> bit % 8;
}

static inline int64_t gt_chunk_base(const struct gt_track_chunk *chunk)
{
    return (int64_t) gt_chunk_load(chunk->base);
}

/* The bits of a record's other fields. */
static inline uint32_t gt_chunk_rest_bits(const struct gt_track_chunk *chunk)
{
    uint32_t bits = 0;

    for (int field = GT_TIME_FIELDS; field < GT_FIELDS; field++)
        bits += chunk->widths[field];
    return bits;
}

static inline uint32_t gt_chunk_before_at(const struct gt_track_chunk *chunk)
{
    return (uint32_t) chunk->room * chunk->time_size;
}

static inline const uint8_t *gt_chunk_times(const struct gt_track_chunk *chunk, uint32_t i)
{
    return chunk->times + i * chunk->time_size;
}

static inline const uint8_t *gt_chunk_rest(const struct gt_track_chunk *chunk)
{
    return chunk->times + gt_chunk_before_at(chunk) + chunk->before;
}

static inline uint64_t gt_chunk_end(const struct gt_track_chunk *chunk, uint32_t i)
{
    return gt_chunk_load(gt_chunk_times(chunk, i)) & gt_chunk_masks[chunk->widths[GT_FIELD_END]];
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

static inline uint64_t gt_chunk_name(const struct gt_track_chunk *chunk, uint32_t i)
{
    return gt_chunk_bits(gt_chunk_rest(chunk), i * gt_chunk_rest_bits(chunk)) &
           gt_chunk_masks[chunk->widths[GT_FIELD_NAME]];
}

/* From record to record. */
struct gt_chunk_walk {
    const uint8_t *at;
    uint64_t end_mask, gap_mask, class_mask;
    uint32_t size, gap_at, class_at; /* the latter in bits */
    uint64_t last;                   /* the end before */
    uint64_t length;                 /* of the record's span, */
    uint32_t cls;                    /* and its class */
};

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

/* Takes the next record. */
static inline void gt_chunk_walk_on(struct gt_chunk_walk *walk)
{
    uint64_t word = gt_chunk_load(walk->at), end = word & walk->end_mask, gap, cls;

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

static inline bool gt_chunk_fits(const struct gt_track_chunk *chunk,
                                 const struct gt_chunk_record *record)
{
    uint64_t excess = 0;

    for (int field = 0; field < GT_FIELDS; field++)
        excess |= record->values[field] & ~gt_chunk_masks[chunk->widths[field]];
    return excess == 0;
}

/* Of each field only its width stays: the next is stored over what is past that, and after the
 * last comes what was there. */
static inline void gt_chunk_write_fields(uint8_t *at, uint32_t size, const uint8_t *widths,
                                         int from, int to, const struct gt_chunk_record *record)
{
    uint64_t behind = gt_chunk_load(at + size);

    for (int field = from; field < to; field++) {
        gt_chunk_store(at, record->values[field]);
        at += widths[field] / 8;
    }
    gt_chunk_store(at, behind);
}

/* The record must fit, and the chunk not be sealed. */
static inline void gt_chunk_write(struct gt_track_chunk *chunk, uint32_t i,
                                  const struct gt_chunk_record *record)
{
    uint32_t time_size = chunk->time_size, size = gt_chunk_rest_bits(chunk) / 8;
    uint8_t *rest = chunk->times + chunk->room * time_size + chunk->before;

    gt_chunk_write_fields(chunk->times + i * time_size, time_size, chunk->widths, 0, GT_TIME_FIELDS,
                          record);
    gt_chunk_write_fields(rest + i * size, size, chunk->widths, GT_TIME_FIELDS, GT_FIELDS, record);
}

/* A chunk without records, but room for `room` that are as wide as `widths` says. NULL: out of
 * memory. `before` has all classes, or is NULL where there was nothing. */
struct gt_track_chunk *gt_chunk_new(struct gt_store_pool *pool, int64_t base,
                                    const struct gt_chunk_tally *before, const uint8_t *widths,
                                    uint32_t room);
/* Both put a copy of a chunk in its place. False: out of memory. */
/* One of `count` records with other widths, which must be enough, and room. */
bool gt_chunk_grow(struct gt_store_pool *pool, struct gt_track_chunk **chunk, uint32_t count,
                   const uint8_t *widths, uint32_t room);
/* A full one, to which no more comes, with those that it needs. */
bool gt_chunk_seal(struct gt_store_pool *pool, struct gt_track_chunk **chunk,
                   const uint8_t *widths);
void gt_chunk_free(struct gt_store_pool *pool, struct gt_track_chunk *chunk);

void gt_chunk_read(const struct gt_track_chunk *chunk, uint32_t i, struct gt_chunk_record *record);

/* Makes `widths` enough for the record, and whole bytes. */
void gt_chunk_widen(uint8_t *widths, const struct gt_chunk_record *record);
/* The widths that all records of a full chunk need, which is not sealed. */
void gt_chunk_narrow(const struct gt_track_chunk *chunk, uint8_t *widths);

/* Both add to the tallies of all classes, `sign` times: 1, or UINT64_MAX to take away. */
/* Records `from` to `to` - 1. */
void gt_chunk_tally(const struct gt_track_chunk *chunk, uint32_t from, uint32_t to, uint64_t sign,
                    struct gt_chunk_tally *tallies);
/* What was before the chunk. */
void gt_chunk_tally_before(const struct gt_track_chunk *chunk, uint64_t sign,
                           struct gt_chunk_tally *tallies);

#endif
