/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/source.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"

/* A chunk of bytes, which follow the structure. */
struct gt_source_chunk {
    struct gt_source_chunk *next;
    size_t capacity;
};

enum {
    /*
     * Sizes of chunks. A batch has up to 64 KiB and must be contiguous, so the end of a chunk is
     * wasted if the next batch does not fit. Larger chunks waste less.
     */
    FIRST_CHUNK = 128 << 10,
    MAX_CHUNK = 1 << 20
};

static uint8_t *chunk_bytes(struct gt_source_chunk *chunk)
{
    return (uint8_t *) (chunk + 1);
}

static size_t chunk_size(const struct gt_source_chunk *chunk)
{
    return sizeof(*chunk) + chunk->capacity + GT_SOURCE_SLACK;
}

void gt_source_init(struct gt_source *source, struct gt_mem *mem, gt_error *error)
{
    static const uint8_t nothing[1];
    memset(source, 0, sizeof(*source));
    source->mem = mem;
    source->error = error;
    source->cur = source->end = source->base = nothing;
    source->ended = true;
    source->fd = source->mapped_fd = -1;
}

void gt_source_open_memory(struct gt_source *source, const void *data, size_t size)
{
    if (size == 0)
        return;
    source->base = data;
    source->cur = data;
    source->total = size;
    source->end = source->cur + size;
}

void gt_source_open_callback(struct gt_source *source, gt_read_fn read, void *user_data)
{
    source->read = read;
    source->user_data = user_data;
    source->ended = false;
}

void gt_source_open_fed(struct gt_source *source)
{
    source->is_fed = true;
    source->ended = false;
}

static struct gt_source_chunk *source_new_chunk(struct gt_source *source, size_t least)
{
    size_t capacity = FIRST_CHUNK;
    if (source->chunk) {
        capacity = source->chunk->capacity;
        if (capacity < MAX_CHUNK)
            capacity *= 2;
    }
    if (capacity < least)
        capacity = least;
    struct gt_source_chunk *chunk = source->spare;
    if (chunk && chunk->capacity >= capacity) {
        source->spare = chunk->next;
        return chunk;
    }
    size_t bytes = sizeof(*chunk) + capacity + GT_SOURCE_SLACK;
    chunk = gt_mem_alloc(source->mem, bytes);
    if (!chunk)
        return NULL;
    chunk->capacity = capacity;
    memset(chunk_bytes(chunk), 0, capacity + GT_SOURCE_SLACK);
    return chunk;
}

/* Moves the window to the start of a chunk, which may be its current one. */
static void source_move_window(struct gt_source *source, struct gt_source_chunk *chunk)
{
    size_t left = gt_source_left(source);
    uint8_t *bytes = chunk_bytes(chunk);
    if (source->cur == bytes)
        return;
    source->base_offset = gt_source_offset(source);
    memmove(bytes, source->cur, left);
    source->base = source->cur = bytes;
    source->end = bytes + left;
}

/*
 * Adds a chunk in which the window has room for `size` bytes, and moves the window there. Returns
 * false if there is no memory for it.
 */
static bool source_start_chunk(struct gt_source *source, size_t size)
{
    struct gt_source_chunk *chunk = source_new_chunk(source, size);
    if (!chunk)
        return false;
    source_move_window(source, chunk);
    chunk->next = source->chunk;
    source->chunk = chunk;
    return true;
}

/* Reports that reading at `offset` has failed; `got` is what the callback returned. */
static gt_status source_fail_read(struct gt_source *source, uint64_t offset, int64_t got)
{
    gt_error_set(source->error, GT_ERR_IO, offset, 0, "%s",
                 got < 0 ? "reading failed" : "the read callback gave more than was asked for");
    /* Decodes the errno that GT_READ_FAILED has encoded. */
    int64_t code = got < 0 ? -1 - got : 0;
    return gt_error_set_system(source->error, code <= INT_MAX ? (int) code : 0);
}

gt_status gt_source_fail_cancelled(struct gt_source *source)
{
    return gt_error_plain(source->error, GT_CANCELLED);
}

gt_status gt_source_pass(struct gt_source *source, uint64_t offset, uint64_t bytes)
{
    if (!source->watch || gt_watch_pass(source->watch, offset, bytes))
        return GT_OK;
    return gt_source_fail_cancelled(source);
}

/*
 * Reads once into the free part of the window's chunk, which must not be full. The size is limited
 * to a megabyte, so that reading can be cancelled in between.
 */
static gt_status source_read_more(struct gt_source *source)
{
    assert(source->chunk);
    uint8_t *bytes = chunk_bytes(source->chunk);
    size_t used = (size_t) (source->end - source->base);
    size_t room = source->chunk->capacity - used;
    if (room > MAX_CHUNK)
        room = MAX_CHUNK;
    int64_t got = source->read(source->user_data, bytes + used, room);
    /* Cancelling a reader may also interrupt its callback, which then fails. */
    if (got < 0 && gt_source_is_cancelled(source))
        return gt_source_fail_cancelled(source);
    if (got == GT_READ_AGAIN)
        return GT_AGAIN;
    if (got < 0 || (uint64_t) got > room)
        return source_fail_read(source, source->base_offset + used, got);
    source->end += got;
    source->ended = got == 0;
    return GT_OK;
}

gt_status gt_source_fill(struct gt_source *source, size_t size)
{
    const struct gt_source_chunk *chunk = source->chunk;
    if (source->is_fed)
        return GT_AGAIN;
    /* The chunk gets more room than is needed now, so that a growing window is rarely moved. */
    if ((!chunk || size > chunk->capacity - (size_t) (source->cur - source->base)) &&
        !source_start_chunk(source, size + gt_source_left(source)))
        return gt_error_plain(source->error, gt_mem_failure(source->mem));
    while (gt_source_left(source) < size && !source->ended) {
        gt_status status = source_read_more(source);
        if (status == GT_OK && gt_source_is_cancelled(source))
            status = gt_source_fail_cancelled(source);
        if (status != GT_OK)
            return status;
    }
    return GT_OK;
}

/*
 * Enlarges the window's chunk by half, and at least to `least`, in place if possible. The window
 * must start where the chunk does, since all bytes of the chunk may move. Returns GT_OK or the
 * reason why there is no memory.
 */
static gt_status source_grow_chunk(struct gt_source *source, size_t least)
{
    struct gt_source_chunk *chunk = source->chunk;
    size_t capacity = chunk->capacity + chunk->capacity / 2;
    size_t cur = (size_t) (source->cur - source->base);
    size_t end = (size_t) (source->end - source->base);
    if (capacity < least)
        capacity = least;
    if (capacity < chunk->capacity || capacity > SIZE_MAX - sizeof(*chunk) - GT_SOURCE_SLACK)
        return GT_ERR_NO_MEMORY;
    chunk = gt_mem_realloc(source->mem, chunk, chunk_size(chunk),
                           sizeof(*chunk) + capacity + GT_SOURCE_SLACK);
    if (!chunk)
        return gt_mem_failure(source->mem);
    chunk->capacity = capacity;
    source->chunk = chunk;
    source->base = chunk_bytes(chunk);
    source->cur = source->base + cur;
    source->end = source->base + end;
    return GT_OK;
}

/*
 * Clears the bytes behind the window. They are read, although they have no meaning, and must not be
 * uninitialised.
 */
static void source_clear_slack(struct gt_source *source)
{
    memset(chunk_bytes(source->chunk) + (source->end - source->base), 0, GT_SOURCE_SLACK);
}

gt_status gt_source_fill_all(struct gt_source *source)
{
    gt_status status = source->chunk ? GT_OK : gt_source_need(source, gt_source_left(source) + 1);
    if (!source->chunk || status != GT_OK)
        return status;
    gt_source_release(source);
    if (source->is_fed && !source->ended)
        return GT_AGAIN;
    while (status == GT_OK && !source->ended) {
        size_t used = (size_t) (source->end - source->base);
        if (used < source->chunk->capacity) {
            status = source_read_more(source);
            if (status == GT_OK) {
                size_t now = (size_t) (source->end - source->base);
                status = gt_source_pass(source, source->base_offset + now, now - used);
            }
            continue;
        }
        status = source_grow_chunk(source, 0);
        if (status != GT_OK)
            return gt_error_plain(source->error, status);
    }
    if (status == GT_OK)
        source_clear_slack(source);
    return status;
}

/*
 * Makes room for `size` more bytes. If the window is a part of its chunk, the bytes before the
 * window may still be in use, so the window moves to a new chunk. The new chunk is twice as large
 * as the window, so that a growing window is rarely moved.
 */
static gt_status source_make_room(struct gt_source *source, size_t size)
{
    const struct gt_source_chunk *chunk = source->chunk;
    size_t left = gt_source_left(source);
    if (chunk && size <= chunk->capacity - (size_t) (source->end - source->base))
        return GT_OK;
    if (size > SIZE_MAX / 4 - left)
        return GT_ERR_NO_MEMORY;
    if (chunk && source->cur == source->base)
        return source_grow_chunk(source, left + size);
    size_t least = left + (size > left ? size : left);
    return source_start_chunk(source, least) ? GT_OK : gt_mem_failure(source->mem);
}

bool gt_source_has_room(struct gt_source *source, size_t size)
{
    return source_make_room(source, size) == GT_OK;
}

gt_status gt_source_feed(struct gt_source *source, const void *data, size_t size)
{
    if (size == 0)
        return GT_OK;
    gt_status status = source_make_room(source, size);
    if (status != GT_OK)
        return status;
    memcpy(chunk_bytes(source->chunk) + (source->end - source->base), data, size);
    source->end += size;
    source_clear_slack(source);
    return GT_OK;
}

void gt_source_finish(struct gt_source *source)
{
    source->ended = true;
}

void gt_source_drop(struct gt_source *source)
{
    while (source->chunk && source->chunk->next) {
        struct gt_source_chunk *old = source->chunk->next;
        source->chunk->next = old->next;
        if (old->capacity == MAX_CHUNK) {
            old->next = source->spare;
            source->spare = old;
        } else {
            gt_mem_free(source->mem, old, chunk_size(old));
        }
    }
}

void gt_source_release(struct gt_source *source)
{
    gt_source_drop(source);
    if (source->chunk)
        source_move_window(source, source->chunk);
}

static void chunk_free_list(struct gt_source *source, struct gt_source_chunk *chunk)
{
    while (chunk) {
        struct gt_source_chunk *next = chunk->next;
        gt_mem_free(source->mem, chunk, chunk_size(chunk));
        chunk = next;
    }
}

void gt_source_free_chunks(struct gt_source *source)
{
    chunk_free_list(source, source->chunk);
    chunk_free_list(source, source->spare);
    source->chunk = source->spare = NULL;
}
