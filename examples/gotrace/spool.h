/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPOOL_H
#define SPOOL_H

/*
 * Bytes that one thread appends to unnamed temporary files, and that any thread can read from any
 * place, until they are dropped from the front.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spool_piece;

struct spool {
    /* There are several files, so that the room of what is dropped is given back. */
    bool is_divided;
    /* The number of all bytes that were ever appended. */
    atomic_uint_least64_t size;
    /* Guards the list of files. */
    pthread_mutex_t lock;
    struct spool_piece *first, *last;
};

/* Makes an empty spool. Returns false, with errno, if there can be no temporary file. */
bool spool_open(struct spool *spool, bool is_divided);

/* Closes all files. Does nothing if the spool is all zeros. */
void spool_close(struct spool *spool);

/* Appends bytes, and then lets readers see them. Returns false, with errno, on failure. */
bool spool_append(struct spool *spool, const void *data, size_t size);

/*
 * Reads up to `capacity` bytes from `offset` on, which must not have been dropped. Returns their
 * number, which may be smaller; 0 if there are none yet; or GT_READ_FAILED.
 */
int64_t spool_read(struct spool *spool, uint64_t offset, void *buffer, size_t capacity);

/* Gives back the room of the bytes before `offset`, or of most of them. */
void spool_drop(struct spool *spool, uint64_t offset);

#endif
