/* SPDX-License-Identifier: BSD-3-Clause */

/* Declares madvise. posix_madvise is no substitute: it may ignore the advice, as glibc's does. */
#define _DEFAULT_SOURCE

#include "web/sourcefile.h"

/* This file is for systems that map files. For WASI, which does not, see web/sourceload.c. */
#ifndef __wasi__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    /* The number of bytes that are copied at a time. */
    SOURCE_COPY_SIZE = 64 * 1024,
    /* The number of events after which the memory pages that were read are released to the
     * system. */
    SOURCE_FORGET = 500000
};

static bool source_write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            data += written;
            size -= (size_t) written;
        }
    }
    return true;
}

/* Copies everything that can still be read from `from`. */
static bool source_copy_all(int to, int from)
{
    char buffer[SOURCE_COPY_SIZE];
    ssize_t size;
    while ((size = read(from, buffer, sizeof(buffer))) != 0) {
        if (size < 0 && errno != EINTR)
            return false;
        if (size > 0 && !source_write_all(to, buffer, (size_t) size))
            return false;
    }
    return true;
}

/*
 * Copies a source that can be read only once to an unnamed temporary file. Returns the file's
 * descriptor, or -1.
 */
static int source_copy_to_temporary(int from)
{
    FILE *file = tmpfile();
    int fd = file ? dup(fileno(file)) : -1;
    bool is_good = fd >= 0 && source_copy_all(fd, from);
    int why = errno;
    if (file)
        fclose(file);
    if (!is_good && fd >= 0) {
        close(fd);
        fd = -1;
    }
    errno = why;
    return fd;
}

static gt_status source_map(struct gt_web_source *source, gt_error *error)
{
    if ((uintmax_t) source->about.st_size > SIZE_MAX) {
        errno = EFBIG;
        return gt_web_source_fail(error, "cannot map the file");
    }
    size_t size = (size_t) source->about.st_size;
    /* mmap does not accept a size of 0. */
    void *data = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd, 0) : NULL;
    if (data == MAP_FAILED)
        return gt_web_source_fail(error, "cannot map the file");
    source->data = data;
    source->size = size;
    source->total = size;
    return GT_OK;
}

/* Maps the file of source->fd. If the file cannot be read, the error message is `what`. */
static gt_status source_map_fd(struct gt_web_source *source, const char *what, gt_error *error)
{
    bool is_good =
        fcntl(source->fd, F_SETFD, FD_CLOEXEC) == 0 && fstat(source->fd, &source->about) == 0;
    gt_status status = is_good ? source_map(source, error) : gt_web_source_fail(error, what);
    if (status != GT_OK)
        gt_web_source_close(source);
    return status;
}

gt_status gt_web_source_from_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    source->fd = source_copy_to_temporary(fd);
    if (source->fd < 0)
        return gt_web_source_fail(error, "cannot copy it to a temporary file");
    return source_map_fd(source, "cannot read the temporary file", error);
}

gt_status gt_web_source_from_mapped_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    source->fd = dup(fd);
    if (source->fd < 0)
        return gt_web_source_fail(error, "cannot read the file");
    return source_map_fd(source, "cannot read the file", error);
}

gt_status gt_web_source_from_file(struct gt_web_source *source, const char *path, gt_error *error)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return gt_web_source_fail(error, "cannot open the file");
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fstat(fd, &source->about) == 0 &&
        !S_ISREG(source->about.st_mode)) {
        gt_status status = gt_web_source_from_fd(source, fd, error);
        close(fd);
        return status;
    }
    source->fd = fd;
    return source_map_fd(source, "cannot read the file", error);
}

void gt_web_source_forget(const struct gt_web_source *source, const gt_reader_info *info,
                          uint64_t *forgotten)
{
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    if (source->fd < 0 || info->events - *forgotten < SOURCE_FORGET)
        return;
    *forgotten = info->events;
    madvise((void *) (uintptr_t) source->data, (size_t) (info->bytes - info->bytes % page),
            MADV_DONTNEED);
}

void gt_web_source_file_close(struct gt_web_source *source)
{
    if (source->fd < 0)
        return;
    if (source->data)
        munmap((void *) (uintptr_t) source->data, source->size);
    source->data = NULL;
    close(source->fd);
    source->fd = -1;
}

/*
 * If another program truncates a mapped file, reading beyond the new end would kill the process.
 * So the file is checked each time before it is read.
 */
bool gt_web_source_file_is_unchanged(const struct gt_web_source *source)
{
    struct stat now;
    if (source->fd < 0)
        return true;
    return fstat(source->fd, &now) == 0 && now.st_size == source->about.st_size &&
           now.st_mtim.tv_sec == source->about.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == source->about.st_mtim.tv_nsec;
}

#endif
