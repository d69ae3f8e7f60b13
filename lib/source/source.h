/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_SOURCE_H
#define GT_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>
#include <gotrace/status.h>

#include "base/mem.h"
#include "base/varint.h"
#include "source/watch.h"

enum {
    /*
     * The number of bytes that may be read beyond the end of a window in a chunk. They have no
     * meaning. See gt_source_slack.
     */
    GT_SOURCE_SLACK = 64
};

struct gt_source_chunk;

/*
 * The bytes of a trace, seen through a window [cur, end) that moves from its start to its end.
 * Memory and mapped files are used in place. Other inputs are read piece by piece into chunks.
 * Bytes keep their address, even after the window has passed them, until gt_source_drop or
 * gt_source_release.
 */
struct gt_source {
    const uint8_t *cur;
    const uint8_t *end;
    bool ended;  /* the input has no bytes after `end` */
    bool is_fed; /* its bytes come from gt_source_feed, until gt_source_finish */
    gt_error *error;
    struct gt_mem *mem;
    struct gt_watch *watch; /* NULL if the program does not watch reading */
    uint64_t total;         /* the size of the input; 0 if unknown */
    uint64_t base_offset;   /* the offset of `base` in the input */
    const uint8_t *base;    /* the start of the memory in which the window lies */

    /* Members for memory and mapped files. */
    void *mapping;
    size_t mapping_size;
    int mapped_fd; /* the mapped file, for gt_source_reread; -1: there is none */

    /* Members for files, callbacks and fed inputs. */
    gt_read_fn read;
    void *user_data;
    int fd;                        /* -1 if there is a callback */
    bool owns_fd;                  /* gt_source_close closes it */
    struct gt_source_chunk *chunk; /* the chunk of the window, linked to older chunks */
    struct gt_source_chunk *spare; /* chunks that can be reused */
};

/*
 * Initialises an empty source, which one of the open functions then opens. Faults are reported in
 * `*error`.
 */
void gt_source_init(struct gt_source *source, struct gt_mem *mem, gt_error *error);
void gt_source_open_memory(struct gt_source *source, const void *data, size_t size);
gt_status gt_source_open_file(struct gt_source *source, const char *path);
void gt_source_open_fd(struct gt_source *source, int fd);
void gt_source_open_callback(struct gt_source *source, gt_read_fn read, void *user_data);
void gt_source_open_fed(struct gt_source *source);
void gt_source_close(struct gt_source *source);

/*
 * Appends a copy of the bytes to a fed input. If there is no memory, appends nothing, and does not
 * report that in `*error`. Bytes before the window keep their address.
 */
gt_status gt_source_feed(struct gt_source *source, const void *data, size_t size);

/*
 * Returns whether a fed input for which there was no memory has some for a piece of `size` bytes,
 * and keeps it ready then.
 */
bool gt_source_has_room(struct gt_source *source, size_t size);

/* Ends a fed input. */
void gt_source_finish(struct gt_source *source);

/* The part of gt_source_need that is out of line, for a window that is too small. */
gt_status gt_source_fill(struct gt_source *source, size_t size);

/* Sets the error that reading was cancelled, and returns its status. */
gt_status gt_source_fail_cancelled(struct gt_source *source);

/* Returns whether reading was cancelled. May be called by any thread. */
static inline bool gt_source_is_cancelled(const struct gt_source *source)
{
    return source->watch && gt_watch_is_cancelled(source->watch);
}

/*
 * Reports to the program that the input was read up to `offset`, and that `bytes` more bytes were
 * processed in any way; see gt_watch_pass. Returns GT_CANCELLED if reading was cancelled. Must not
 * be called by the worker thread of read-ahead.
 */
gt_status gt_source_pass(struct gt_source *source, uint64_t offset, uint64_t bytes);

/* The size of the window. */
static inline size_t gt_source_left(const struct gt_source *source)
{
    return (size_t) (source->end - source->cur);
}

/*
 * Extends the window to at least `size` bytes, or to the end of the input if that comes first.
 * Returns GT_AGAIN if these bytes are not available yet. The window may then be longer than before;
 * it starts at the same byte of the input.
 */
static inline gt_status gt_source_need(struct gt_source *source, size_t size)
{
    if (gt_source_left(source) >= size || source->ended)
        return GT_OK;
    return gt_source_fill(source, size);
}

/*
 * Extends the window to the end of the input, in one contiguous piece of memory. Returns GT_AGAIN
 * if the end is not available yet.
 */
gt_status gt_source_fill_all(struct gt_source *source);

/* The offset of `cur` in the input. */
static inline uint64_t gt_source_offset(const struct gt_source *source)
{
    return source->base_offset + (uint64_t) (source->cur - source->base);
}

/* Returns whether GT_SOURCE_SLACK bytes can be read at `p`, which must be in the window. */
static inline bool gt_source_slack(const struct gt_source *source, const uint8_t *p)
{
    return source->chunk || source->end - p >= GT_SOURCE_SLACK;
}

/*
 * Returns whether all bytes keep their address until the source is closed, as those of a memory
 * input do.
 */
static inline bool gt_source_is_lasting(const struct gt_source *source)
{
    return !source->chunk;
}

/*
 * Copies `size` bytes of the input at `at`, which must be in the mapping, to `*to`. Returns false
 * if the source is no mapped file that is worth it, or reading failed; then the bytes must be taken
 * from where they are. Reading a page of a large file to a buffer that is in use already takes a
 * quarter of the time of touching the page for the first time if the system is a virtual one whose
 * page tables are kept by its host, and about as long elsewhere.
 */
bool gt_source_reread(const struct gt_source *source, const uint8_t *at, void *to, size_t size);

/*
 * Returns a cursor over at least the first `size` bytes of the window, or over all that it has. The
 * bytes are in the window or in `*copy`, which has room for `size` bytes.
 */
static inline struct gt_cursor gt_source_peek(const struct gt_source *source, uint8_t *copy,
                                              size_t size)
{
    size_t left = gt_source_left(source);
    if (gt_source_reread(source, source->cur, copy, left < size ? left : size))
        return gt_cursor_make(copy, left < size ? left : size);
    return gt_cursor_make(source->cur, left);
}

/* Frees all chunks, for gt_source_close. */
void gt_source_free_chunks(struct gt_source *source);

/* Frees or reuses the chunks before the chunk of the window. */
void gt_source_drop(struct gt_source *source);

/*
 * Frees or reuses the chunks before the chunk of the window, and moves the window to the start of
 * that chunk.
 */
void gt_source_release(struct gt_source *source);

#endif
