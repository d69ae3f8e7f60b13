/* SPDX-License-Identifier: BSD-3-Clause */

/* Declares madvise. posix_madvise is no substitute: it may ignore the advice, as glibc's does. */
#define _DEFAULT_SOURCE

#include "web/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "web/symbolcache.h"

enum {
    /* The number of bytes that are copied at a time. */
    SOURCE_COPY_SIZE = 64 * 1024,
    /* The number of events after which the memory pages that were read are released to the
     * system. */
    SOURCE_FORGET = 500000
};

/* Fills `*error` from errno. `what` is the message: what could not be done. */
static gt_status source_fail(gt_error *error, const char *what)
{
    int code = errno;
    gt_error_set(error, GT_ERR_IO, GT_NO_OFFSET, 0, "%s", what);
    return gt_error_set_system(error, code);
}

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
        return source_fail(error, "cannot map the file");
    }
    size_t size = (size_t) source->about.st_size;
    /* mmap does not accept a size of 0. */
    void *data = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd, 0) : NULL;
    if (data == MAP_FAILED)
        return source_fail(error, "cannot map the file");
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
    gt_status status = is_good ? source_map(source, error) : source_fail(error, what);
    if (status != GT_OK)
        gt_web_source_close(source);
    return status;
}

gt_status gt_web_source_from_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    source->fd = source_copy_to_temporary(fd);
    if (source->fd < 0)
        return source_fail(error, "cannot copy it to a temporary file");
    return source_map_fd(source, "cannot read the temporary file", error);
}

gt_status gt_web_source_from_mapped_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    source->fd = dup(fd);
    if (source->fd < 0)
        return source_fail(error, "cannot read the file");
    return source_map_fd(source, "cannot read the file", error);
}

gt_status gt_web_source_from_file(struct gt_web_source *source, const char *path, gt_error *error)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return source_fail(error, "cannot open the file");
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fstat(fd, &source->about) == 0 &&
        !S_ISREG(source->about.st_mode)) {
        gt_status status = gt_web_source_from_fd(source, fd, error);
        close(fd);
        return status;
    }
    source->fd = fd;
    return source_map_fd(source, "cannot read the file", error);
}

void gt_web_source_from_memory(struct gt_web_source *source, const void *data, size_t size)
{
    source->fd = -1;
    source->data = data;
    source->size = size;
    source->total = size;
}

void gt_web_source_from_callback(struct gt_web_source *source, gt_web_open_fn open_fn,
                                 void *open_data, uint64_t total)
{
    source->fd = -1;
    source->open = open_fn;
    source->open_data = open_data;
    source->total = total;
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

void gt_web_source_close(struct gt_web_source *source)
{
    gt_web_symbols_free(source->symbols);
    source->symbols = NULL;
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
static bool source_is_unchanged(const struct gt_web_source *source)
{
    struct stat now;
    if (source->fd < 0)
        return true;
    return fstat(source->fd, &now) == 0 && now.st_size == source->about.st_size &&
           now.st_mtim.tv_sec == source->about.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == source->about.st_mtim.tv_nsec;
}

gt_status gt_web_source_open_told(const struct gt_web_source *source, gt_repair_fn on_repair,
                                  void *repair_data, gt_reader **reader, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = source->reader_flags;
    options.allocator = source->allocator;
    options.on_repair = on_repair;
    options.repair_data = repair_data;
    if (source->symbols) {
        options.symbolize = gt_web_symbols_find;
        options.symbolize_data = source->symbols;
    }
    *reader = NULL;
    if (source->open) {
        gt_status status = source->open(source->open_data, &options, reader, error);
        /* The host's function may not have filled the error. */
        if (status != GT_OK && error->status == GT_OK)
            gt_error_plain(error, status);
        return status;
    }
    if (source_is_unchanged(source))
        return gt_reader_open_memory(reader, source->data, source->size, &options, error);
    errno = 0;
    return source_fail(error, "the file has changed since it was opened");
}

gt_status gt_web_source_open(const struct gt_web_source *source, gt_reader **reader,
                             gt_error *error)
{
    return gt_web_source_open_told(source, NULL, NULL, reader, error);
}

void gt_web_source_error(const struct gt_web_source *source, const gt_reader *reader,
                         gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(reader, error);
    if (error->status == GT_ERR_SYMBOLS && source->symbols)
        gt_web_symbols_explain(source->symbols, error);
    /*
     * Only gt_reader_next_event stores its error in the reader; other calls only return a status.
     */
    if (error->status == GT_OK && status < 0)
        gt_error_plain(error, status);
}
