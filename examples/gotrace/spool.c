/* SPDX-License-Identifier: BSD-3-Clause */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gotrace/reader.h>

enum {
    /* The least size of a file after which another one begins. */
    SPOOL_PIECE_LEAST = 1 << 20,
    /* About how many files there are, if there are more bytes. */
    SPOOL_PIECES = 16
};

/* A file, with the bytes from `begin` to the begin of the next one. */
struct spool_piece {
    FILE *file;
    uint64_t begin;
    struct spool_piece *next;
};

/* Makes the file for what comes next. Returns false, with errno, on failure. */
static bool spool_begin_piece(struct spool *spool)
{
    struct spool_piece *piece = malloc(sizeof(*piece));
    FILE *file = piece ? tmpfile() : NULL;
    if (!file) {
        free(piece);
        return false;
    }
    /* The browser that the command starts must not keep the file. */
    fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    *piece = (struct spool_piece){.file = file, .begin = atomic_load(&spool->size)};
    pthread_mutex_lock(&spool->lock);
    if (spool->last)
        spool->last->next = piece;
    else
        spool->first = piece;
    spool->last = piece;
    pthread_mutex_unlock(&spool->lock);
    return true;
}

bool spool_open(struct spool *spool, bool is_divided)
{
    *spool = (struct spool){.is_divided = is_divided};
    atomic_init(&spool->size, 0);
    pthread_mutex_init(&spool->lock, NULL);
    if (spool_begin_piece(spool))
        return true;
    int code = errno;
    pthread_mutex_destroy(&spool->lock);
    errno = code;
    return false;
}

static void spool_close_first(struct spool *spool)
{
    struct spool_piece *piece = spool->first;
    spool->first = piece->next;
    fclose(piece->file);
    free(piece);
}

void spool_close(struct spool *spool)
{
    if (!spool->first)
        return;
    while (spool->first)
        spool_close_first(spool);
    spool->last = NULL;
    pthread_mutex_destroy(&spool->lock);
}

/* Whether the last file is large enough. */
static bool spool_is_full(struct spool *spool)
{
    uint64_t end = atomic_load(&spool->size);
    pthread_mutex_lock(&spool->lock);
    uint64_t held = end - spool->first->begin;
    uint64_t size = end - spool->last->begin;
    pthread_mutex_unlock(&spool->lock);
    return spool->is_divided && size >= SPOOL_PIECE_LEAST && size >= held / SPOOL_PIECES;
}

bool spool_append(struct spool *spool, const void *data, size_t size)
{
    const char *from = data;
    uint64_t end = atomic_load(&spool->size);
    if (spool_is_full(spool) && !spool_begin_piece(spool))
        return false;
    while (size > 0) {
        ssize_t wrote =
            pwrite(fileno(spool->last->file), from, size, (off_t) (end - spool->last->begin));
        if (wrote < 0 && errno != EINTR)
            return false;
        from += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t) wrote : 0;
        end += wrote > 0 ? (uint64_t) wrote : 0;
        atomic_store(&spool->size, end);
    }
    return true;
}

int64_t spool_read(struct spool *spool, uint64_t offset, void *buffer, size_t capacity)
{
    uint64_t end = atomic_load(&spool->size);
    pthread_mutex_lock(&spool->lock);
    const struct spool_piece *piece = spool->first;
    while (piece->next && piece->next->begin <= offset)
        piece = piece->next;
    if (piece->next)
        end = piece->next->begin;
    /* Nobody drops what is still read, so the file remains open without the lock. */
    int fd = fileno(piece->file);
    uint64_t begin = piece->begin;
    pthread_mutex_unlock(&spool->lock);
    uint64_t left = end > offset ? end - offset : 0;
    if (offset < begin)
        return GT_READ_FAILED(EINVAL);
    if (left == 0)
        return 0;
    ssize_t got =
        pread(fd, buffer, left < capacity ? (size_t) left : capacity, (off_t) (offset - begin));
    return got < 0 ? GT_READ_FAILED(errno) : got;
}

void spool_drop(struct spool *spool, uint64_t offset)
{
    pthread_mutex_lock(&spool->lock);
    while (spool->first->next && spool->first->next->begin <= offset)
        spool_close_first(spool);
    pthread_mutex_unlock(&spool->lock);
}
