/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "generations.h"
#include "tracefile.h"

/*
 * A trace that is put together of parts of files, without being decoded: a list of spans, each of
 * which is a few bytes of its own and then a range of a file. It begins as zeros.
 */
struct span {
    uint8_t head[BATCH_HEAD_MAX];
    size_t head_size;
    int fd; /* Borrowed. */
    uint64_t offset;
    uint64_t size;
};

struct spans {
    struct span *list;
    size_t count;
    size_t capacity;
    uint64_t bytes;  /* the total size */
    bool has_failed; /* there was no memory for a span */
    /* How far spans_read has come. */
    size_t next;
    uint64_t taken;
    int system_error; /* the errno of reading, or 0 */
};

/* Appends a range of a file. */
void spans_add(struct spans *spans, int fd, uint64_t offset, uint64_t size);

/* Appends a batch of a file, with the header `batch`, which may differ from that in the file. */
void spans_add_batch(struct spans *spans, int fd, const struct batch *batch, size_t old_head_size);

/*
 * Adds a generation of a trace, after the header of the trace if it is the first. The first one
 * gets the batch that says how to read those of AllocFree, which is only in the first generation of
 * the input. It stands after the first batch, because newer traces begin with the one of the clock,
 * and has its time, because the earliest batch tells when a generation begins.
 */
void spans_add_generation(struct spans *spans, const struct generations *input, size_t number);

/*
 * Adds what is behind the last generation of a trace, if the program ended while it was recorded.
 * There it gets the number `number`.
 */
void spans_add_tail(struct spans *spans, const struct generations *input, uint64_t number);

/* Lets spans_read begin from the start. */
void spans_rewind(struct spans *spans);

/* A gt_read_fn, whose user data are the spans. */
int64_t spans_read(void *user_data, void *buffer, size_t capacity);

/*
 * Writes everything. Returns GT_OK, GT_CANCELLED after an interrupt, GT_ERR_IO if reading or
 * writing fails, or GT_ERR_NO_MEMORY.
 */
gt_status spans_write(struct spans *spans, struct tracefile *file);

/* Removes all spans. */
void spans_clear(struct spans *spans);

void spans_free(struct spans *spans);

#endif
