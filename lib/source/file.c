/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "source/source.h"

enum {
    /* Files of this size or more are read with gt_source_reread. */
    LEAST_REREAD = 1 << 20
};

#ifdef __wasi__

/* WASI cannot map files. */
static void *file_map(int fd, size_t size)
{
    (void) fd;
    (void) size;
    return NULL;
}

static void file_unmap(void *data, size_t size)
{
    (void) data;
    (void) size;
}

bool gt_source_reread(const struct gt_source *source, const uint8_t *at, void *to, size_t size)
{
    (void) source;
    (void) at;
    (void) to;
    (void) size;
    return false;
}

#else

#include <sys/mman.h>

/* Maps the file, which will be read from its beginning to its end. NULL: that is not possible. */
static void *file_map(int fd, size_t size)
{
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return NULL;
    posix_madvise(data, size, POSIX_MADV_SEQUENTIAL);
    return data;
}

static void file_unmap(void *data, size_t size)
{
    munmap(data, size);
}

bool gt_source_reread(const struct gt_source *source, const uint8_t *at, void *to, size_t size)
{
    const uint8_t *start = source->mapping;
    size_t done = 0;
    if (source->mapped_fd < 0)
        return false;
    while (done < size) {
        off_t offset = (off_t) (at - start) + (off_t) done;
        ssize_t got = pread(source->mapped_fd, (uint8_t *) to + done, size - done, offset);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t) got : 0;
    }
    return true;
}

#endif

/*
 * A gt_read_fn for files. If a signal interrupts the wait for bytes and its handler has cancelled
 * reading, the wait ends. Some systems refuse to read more than INT_MAX bytes; chunks are far
 * smaller.
 */
static int64_t file_read(void *user_data, void *buffer, size_t capacity)
{
    const struct gt_source *source = user_data;
    ssize_t got;
    do
        got = read(source->fd, buffer, capacity);
    while (got < 0 && errno == EINTR && !gt_source_is_cancelled(source));
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return GT_READ_AGAIN;
    return got < 0 ? GT_READ_FAILED(errno) : (int64_t) got;
}

/* The number of bytes of a regular file from its position on; 0 if it is unknown. */
static uint64_t file_left(int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at >= 0 && at < info.st_size ? (uint64_t) (info.st_size - at) : 0;
}

void gt_source_open_fd(struct gt_source *source, int fd)
{
    source->fd = fd;
    source->total = file_left(fd);
    gt_source_open_callback(source, file_read, source);
}

/* Reports that a system call failed, with its errno. */
static gt_status file_fail(struct gt_source *source, const char *what)
{
    int code = errno;
    gt_error_set(source->error, GT_ERR_IO, GT_NO_OFFSET, 0, "%s", what);
    return gt_error_set_system(source->error, code);
}

gt_status gt_source_open_file(struct gt_source *source, const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return file_fail(source, "cannot open the file");
    if (fstat(fd, &info) != 0) {
        gt_status status = file_fail(source, "cannot examine the file");
        close(fd);
        return status;
    }
    if (S_ISREG(info.st_mode) && info.st_size > 0 && (uintmax_t) info.st_size <= SIZE_MAX) {
        size_t size = (size_t) info.st_size;
        void *data = file_map(fd, size);
        if (data) {
            if (size < LEAST_REREAD)
                close(fd);
            else
                source->mapped_fd = fd;
            source->mapping = data;
            source->mapping_size = size;
            gt_source_open_memory(source, data, size);
            return GT_OK;
        }
    }
    /*
     * It is not a regular file, or its file system or the whole system does not support mappings,
     * so it is read piece by piece.
     */
    gt_source_open_fd(source, fd);
    source->owns_fd = true;
    return GT_OK;
}

void gt_source_close(struct gt_source *source)
{
    gt_source_free_chunks(source);
    if (source->mapping)
        file_unmap(source->mapping, source->mapping_size);
    if (source->mapped_fd >= 0)
        close(source->mapped_fd);
    if (source->owns_fd)
        close(source->fd);
    gt_source_init(source, source->mem, source->error);
}
