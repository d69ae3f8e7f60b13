/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/history.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "base/le64.h"
#include "base/pages.h"
#include "base/time.h"

/*
 * A record begins with two bytes: the sizes of its fields, of SIZE_BITS each, and RECORD_BUSY. The
 * bytes of the fields follow. Times are relative to that of the chunk's first record, and other
 * records are named by how many bytes before this one they begin, as such numbers are small.
 */
enum history_field {
    FIELD_TIME,
    FIELD_PREVIOUS,
    FIELD_CAUSE,
    FIELD_GOROUTINE,
    FIELD_LABEL,
    FIELDS
};

enum {
    HEAD_BYTES = 2,
    SIZE_BITS = 3,
    SIZE_MASK = (1 << SIZE_BITS) - 1,
    RECORD_BUSY = 1 << 15,
    /* The most that a record takes, and that reading or writing it touches. */
    RECORD_MAX = HEAD_BYTES + FIELDS * 8,
    CHUNK_FIRST = offsetof(struct gt_history_chunk, bytes)
};

_Static_assert(FIELDS *SIZE_BITS < 16, "the sizes and RECORD_BUSY take two bytes");

/* The numbers of bytes that sizes stand for: none has seven, so that one can have eight. */
static const uint8_t history_sizes[] = {0, 1, 2, 3, 4, 5, 6, 8};

void gt_history_init(struct gt_history *history, struct gt_mem *mem, uint64_t bytes)
{
    memset(history, 0, sizeof(*history));
    history->mem = mem;
    history->most = bytes / GT_HISTORY_CHUNK;
    if (bytes > 0 && history->most < GT_HISTORY_MIN_CHUNKS)
        history->most = GT_HISTORY_MIN_CHUNKS;
}

void gt_history_destroy(struct gt_history *history)
{
    for (size_t i = 0; i < history->blocks.count; i++)
        gt_mem_free(history->mem, history->blocks.items[i].memory,
                    history->blocks.items[i].chunks * GT_HISTORY_CHUNK);
    gt_array_free(history->mem, &history->blocks);
    gt_array_free(history->mem, &history->chunks);
}

/* Returns the chunk that has a record, or NULL if it was dropped. */
static struct gt_history_chunk *history_chunk_of(const struct gt_history *history, uint64_t number)
{
    /* No record is where a chunk begins. */
    if (number <= history->first)
        return NULL;
    return history->chunks.items[(size_t) ((number - history->first) / GT_HISTORY_CHUNK)];
}

static uint8_t *history_at(struct gt_history_chunk *chunk, uint64_t number)
{
    return (uint8_t *) chunk + (size_t) (number % GT_HISTORY_CHUNK);
}

static unsigned history_head_load(const uint8_t *record)
{
    return (unsigned) record[0] | (unsigned) record[1] << 8;
}

uint64_t gt_history_get(const struct gt_history *history, uint64_t number,
                        struct gt_history_record *record)
{
    struct gt_history_chunk *chunk = history_chunk_of(history, number);
    uint64_t values[FIELDS];
    if (!chunk)
        return 0;
    const uint8_t *from = history_at(chunk, number), *at = from + HEAD_BYTES;
    unsigned head = history_head_load(from), sizes = head;
    for (unsigned i = 0; i < FIELDS; i++, sizes >>= SIZE_BITS) {
        unsigned size = history_sizes[sizes & SIZE_MASK];
        values[i] = size == 0 ? 0 : gt_le64_load(at) & UINT64_MAX >> (64 - 8 * size);
        at += size;
    }
    record->time = gt_ticks_plus(chunk->base, (int64_t) values[FIELD_TIME]);
    record->previous = values[FIELD_PREVIOUS] == 0 ? 0 : number - values[FIELD_PREVIOUS];
    record->cause = values[FIELD_CAUSE] == 0 ? 0 : number - values[FIELD_CAUSE];
    record->goroutine = (uint32_t) values[FIELD_GOROUTINE];
    record->label = (uint32_t) values[FIELD_LABEL];
    record->is_busy = (head & RECORD_BUSY) != 0;
    return number + (uint64_t) (at - from);
}

void gt_history_set_busy(struct gt_history *history, uint64_t number)
{
    struct gt_history_chunk *chunk = history_chunk_of(history, number);
    if (chunk)
        history_at(chunk, number)[1] |= RECORD_BUSY >> 8;
}

/* Whether there is no chunk with enough room for a record. */
static bool history_is_full(const struct gt_history *history)
{
    return history->chunks.count == 0 ||
           history->first + history->chunks.count * GT_HISTORY_CHUNK - history->next < RECORD_MAX;
}

const struct gt_history_chunk *gt_history_oldest(const struct gt_history *history)
{
    bool is_due =
        history->most > 0 && history->chunks.count == history->most && history_is_full(history);
    return is_due ? history->chunks.items[0] : NULL;
}

uint64_t gt_history_oldest_number(const struct gt_history *history)
{
    return history->first + CHUNK_FIRST;
}

/* Makes the oldest chunk the newest one. */
static void history_chunk_turn(struct gt_history *history)
{
    struct gt_history_chunk **chunks = history->chunks.items, *oldest = chunks[0];
    size_t others = history->chunks.count - 1;
    memmove(chunks, chunks + 1, others * sizeof(*chunks));
    chunks[others] = oldest;
    history->first += GT_HISTORY_CHUNK;
    history->forgotten += oldest->count;
}

/* The number of chunks to allocate next. The history has fewer chunks than it may have. */
static size_t history_block_chunks(const struct gt_history *history)
{
    size_t count = history->chunks.count / 4;
    count = count < 1 ? 1 : count < GT_HISTORY_BLOCK_CHUNKS ? count : GT_HISTORY_BLOCK_CHUNKS;
    if (history->most == 0)
        return count;
    uint64_t left = history->most - history->chunks.count;
    return count > left ? (size_t) left : count;
}

/* Allocates chunks: one where there is not enough memory for as many as usual. */
static gt_status history_block_add(struct gt_history *history)
{
    struct gt_history_block block = {NULL, history_block_chunks(history)};
    gt_status status = gt_array_reserve(history->mem, &history->blocks, 1);
    if (status != GT_OK)
        return status;
    block.memory = gt_mem_alloc(history->mem, block.chunks * GT_HISTORY_CHUNK);
    if (!block.memory && block.chunks > 1) {
        block.chunks = 1;
        block.memory = gt_mem_alloc(history->mem, GT_HISTORY_CHUNK);
    }
    if (!block.memory)
        return gt_mem_failure(history->mem);
    gt_pages_expect(block.memory, block.chunks * GT_HISTORY_CHUNK);
    history->blocks.items[history->blocks.count++] = block;
    history->spare = block.chunks;
    return GT_OK;
}

static gt_status history_chunk_add(struct gt_history *history)
{
    gt_status status = gt_array_reserve(history->mem, &history->chunks, 1);
    if (status == GT_OK && history->spare == 0)
        status = history_block_add(history);
    if (status != GT_OK)
        return status;
    const struct gt_history_block *block = &history->blocks.items[history->blocks.count - 1];
    void *chunk = block->memory + (block->chunks - history->spare) * GT_HISTORY_CHUNK;
    history->chunks.items[history->chunks.count++] = chunk;
    history->spare--;
    return GT_OK;
}

gt_status gt_history_reserve(struct gt_history *history)
{
    if (!history_is_full(history))
        return GT_OK;
    if (gt_history_oldest(history)) {
        history_chunk_turn(history);
    } else {
        gt_status status = history_chunk_add(history);
        if (status != GT_OK)
            return status;
    }
    uint64_t before = (history->chunks.count - 1) * GT_HISTORY_CHUNK;
    history->chunks.items[history->chunks.count - 1]->count = 0;
    history->next = history->first + before + CHUNK_FIRST;
    return GT_OK;
}

/* Returns the index in history_sizes of the fewest bytes that a value fits into. */
static unsigned history_size_of(uint64_t value)
{
    unsigned bytes = value == 0 ? 0 : gt_highest_bit(value) / 8 + 1;
    return bytes < SIZE_MASK ? bytes : SIZE_MASK;
}

uint64_t gt_history_add(struct gt_history *history, const struct gt_history_record *record)
{
    uint64_t number = history->next;
    struct gt_history_chunk *chunk = history->chunks.items[history->chunks.count - 1];
    uint8_t *to = history_at(chunk, number), *at = to + HEAD_BYTES;
    if (chunk->count++ == 0)
        chunk->base = record->time;
    const uint64_t values[FIELDS] = {
        [FIELD_TIME] = gt_time_span(chunk->base, record->time),
        [FIELD_PREVIOUS] = record->previous == 0 ? 0 : number - record->previous,
        [FIELD_CAUSE] = record->cause == 0 ? 0 : number - record->cause,
        [FIELD_GOROUTINE] = record->goroutine,
        [FIELD_LABEL] = record->label,
    };
    unsigned head = record->is_busy ? RECORD_BUSY : 0;
    for (unsigned i = 0; i < FIELDS; i++) {
        unsigned size = history_size_of(values[i]);
        gt_le64_store(at, values[i]);
        at += history_sizes[size];
        head |= size << SIZE_BITS * i;
    }
    to[0] = (uint8_t) head;
    to[1] = (uint8_t) (head >> 8);
    history->next += (uint64_t) (at - to);
    return number;
}
