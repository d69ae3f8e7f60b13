/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_SOURCE_H
#define GT_SOURCE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>
#include <gotrace/status.h>

#include "base/mem.h"

/*
 * How many bytes behind the last one of a source that is read in pieces can be
 * read, as zeros or garbage, without harm. See gt_source_slack.
 */
enum {
    GT_SOURCE_SLACK = 64
};

struct gt_source_chunk;

/*
 * The bytes of a trace, as a window [cur, end) that moves on. Bytes stay where
 * they are, also behind the window, until gt_source_release: memory and mapped
 * files are used where they lie, and what is read in pieces goes to chunks that
 * are kept for as long.
 */
struct gt_source {
    const uint8_t *cur;
    const uint8_t *end;
    int ended; /* nothing comes after `end` */
    gt_error *error;
    struct gt_mem *mem;
    uint64_t base_offset; /* of `base` in the input */
    const uint8_t *base;

    /* Memory and mapped files. */
    void *mapping;
    size_t mapping_size;

    /* Files and callbacks. */
    gt_read_fn read;
    void *user_data;
    int fd; /* with read_fd */
    int owns_fd;
    struct gt_source_chunk *chunk; /* the one of the window; older ones behind it */
    struct gt_source_chunk *spare; /* to be used again */
};

void gt_source_init(struct gt_source *source, struct gt_mem *mem, gt_error *error);
void gt_source_open_memory(struct gt_source *source, const void *data, size_t size);
gt_status gt_source_open_file(struct gt_source *source, const char *path);
void gt_source_open_fd(struct gt_source *source, int fd);
void gt_source_open_callback(struct gt_source *source, gt_read_fn read, void *user_data);
void gt_source_close(struct gt_source *source);

gt_status gt_source_fill(struct gt_source *source, size_t size);

static inline size_t gt_source_left(const struct gt_source *source)
{
    return (size_t) (source->end - source->cur);
}

/* Makes the window at least `size` bytes long, or as long as the rest of the input is. */
static inline gt_status gt_source_need(struct gt_source *source, size_t size)
{
    if (gt_source_left(source) >= size || source->ended)
        return GT_OK;
    return gt_source_fill(source, size);
}

/* Makes the window the whole rest of the input. */
gt_status gt_source_fill_all(struct gt_source *source);

/* Where `cur` is in the input. */
static inline uint64_t gt_source_offset(const struct gt_source *source)
{
    return source->base_offset + (uint64_t) (source->cur - source->base);
}

/* Whether GT_SOURCE_SLACK bytes after `p`, which is in the window, can be read. */
static inline int gt_source_slack(const struct gt_source *source, const uint8_t *p)
{
    return source->chunk || source->end - p >= GT_SOURCE_SLACK;
}

/* For gt_source_close. */
void gt_source_free_chunks(struct gt_source *source);

/* The bytes before the window are not needed any more. */
void gt_source_drop(struct gt_source *source);

/* The same, and those in the window may move to make room. */
void gt_source_release(struct gt_source *source);

#endif
