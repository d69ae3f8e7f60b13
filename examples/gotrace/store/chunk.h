/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORE_CHUNK_H
#define STORE_CHUNK_H

/*
 * 64 neighbouring spans of a track as records of one size, in which each field is as wide as
 * its largest value needs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "span.h"

#define CHUNK_SPANS 64

#define CHUNK_CLASS_BITS 4
#define CHUNK_CLASS_MASK ((1u << CHUNK_CLASS_BITS) - 1)

/* The first are for walks over times, and lie apart, so that these touch less memory. */
enum chunk_field {
    FIELD_END,   /* since the chunk's base */
    FIELD_GAP,   /* from the last span's end to its start; 0 of the first */
    FIELD_CLASS, /* the class in the low 4 bits, the proc above */
    TIME_FIELDS,
    FIELD_NAME = TIME_FIELDS,
    FIELD_GOROUTINE,
    FIELD_BY,
    FIELD_THREAD,
    FIELD_STACK,
    FIELD_END_STACK,
    FIELDS
};

struct chunk_record {
    uint64_t values[FIELDS];
};

struct chunk_tally {
    uint64_t time; /* modulo 2^64, so that differences of sums are right */
    uint64_t count;
};

struct track_chunk {
    int64_t base;     /* where its first span starts */
    uint16_t classes; /* a bit for each class of which there was a span before it */
    uint8_t class_count;
    uint8_t room;      /* for records */
    uint8_t time_size; /* of a record: its first fields, */
    uint8_t size;      /* and the others */
    uint8_t widths[FIELDS];
    uint8_t times[]; /* the first fields of all records; then come what was of `classes`, as
                      * tallies, and the other fields */
};

/* A load or store of eight bytes may go that far past what it is for. */
#define CHUNK_SLACK 8

/* What a field may be with a width of so many bytes. */
extern const uint64_t chunk_masks[9];

/* Compilers make these two one instruction each. */
static inline uint64_t chunk_load(const uint8_t *p)
{
    return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24 |
           (uint64_t) p[4] << 32 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48 |
           (uint64_t) p[7] << 56;
}

static inline void chunk_store(uint8_t *p, uint64_t value)
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

static inline size_t chunk_before_at(const struct track_chunk *chunk)
{
    size_t past = sizeof(*chunk) + (size_t) chunk->room * chunk->time_size + CHUNK_SLACK;

    return (past + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

static inline size_t chunk_rest_at(const struct track_chunk *chunk)
{
    return chunk_before_at(chunk) + chunk->class_count * sizeof(struct chunk_tally);
}

static inline const uint8_t *chunk_times(const struct track_chunk *chunk, uint32_t i)
{
    return chunk->times + (size_t) i * chunk->time_size;
}

static inline const uint8_t *chunk_rest(const struct track_chunk *chunk, uint32_t i)
{
    return (const uint8_t *) chunk + chunk_rest_at(chunk) + (size_t) i * chunk->size;
}

static inline uint64_t chunk_end(const struct track_chunk *chunk, uint32_t i)
{
    return chunk_load(chunk_times(chunk, i)) & chunk_masks[chunk->widths[FIELD_END]];
}

static inline uint32_t chunk_class(const struct track_chunk *chunk, uint32_t i)
{
    const uint8_t *at = chunk_times(chunk, i) + chunk->widths[FIELD_END] + chunk->widths[FIELD_GAP];

    return (uint32_t) (*at & chunk_masks[chunk->widths[FIELD_CLASS]] & CHUNK_CLASS_MASK);
}

static inline bool chunk_fits(const struct track_chunk *chunk, const struct chunk_record *record)
{
    uint64_t excess = 0;

    for (int field = 0; field < FIELDS; field++)
        excess |= record->values[field] & ~chunk_masks[chunk->widths[field]];
    return excess == 0;
}

/* The record must fit, and those after it are overwritten in part. */
static inline void chunk_write(struct track_chunk *chunk, uint32_t i,
                               const struct chunk_record *record)
{
    uint8_t *at = chunk->times + (size_t) i * chunk->time_size;

    /* Of each only its width stays: the next is stored over what is past that. */
    for (int field = 0; field < TIME_FIELDS; field++) {
        chunk_store(at, record->values[field]);
        at += chunk->widths[field];
    }
    at = (uint8_t *) chunk + chunk_rest_at(chunk) + (size_t) i * chunk->size;
    for (int field = TIME_FIELDS; field < FIELDS; field++) {
        chunk_store(at, record->values[field]);
        at += chunk->widths[field];
    }
}

/* A chunk without records, but room for `room` that are as wide as `widths` says. NULL: out of
 * memory. `before` has all classes. */
struct track_chunk *chunk_new(int64_t base, const struct chunk_tally *before, const uint8_t *widths,
                              uint32_t room);
/* A copy of a chunk of `count` records with other widths, which must be enough, and room. */
struct track_chunk *chunk_copy(const struct track_chunk *chunk, uint32_t count,
                               const uint8_t *widths, uint32_t room);
size_t chunk_bytes(const struct track_chunk *chunk);

void chunk_read(const struct track_chunk *chunk, uint32_t i, struct chunk_record *record);

/* Makes `widths` enough for the record. */
void chunk_widen(uint8_t *widths, const struct chunk_record *record);
/* The widths that all of a full chunk's records need. */
void chunk_narrow(const struct track_chunk *chunk, uint8_t *widths);

/* Both add to the tallies of all classes, `sign` times: 1, or UINT64_MAX to take away. */
/* Records `from` to `to` - 1. */
void chunk_tally(const struct track_chunk *chunk, uint32_t from, uint32_t to, uint64_t sign,
                 struct chunk_tally *tallies);
/* What was before the chunk. */
void chunk_tally_before(const struct track_chunk *chunk, uint64_t sign,
                        struct chunk_tally *tallies);

#endif
