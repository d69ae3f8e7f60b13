/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/sourcefile.h"

/* This file is for WASI, which cannot map files. For other systems see web/sourcefile.c. */
#ifdef __wasi__

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

enum {
    /* The number of bytes that are read at a time. */
    SOURCE_LOAD_SIZE = 1024 * 1024
};

/* Reads the next bytes of the file to the end of those that are loaded. The result is GT_END at the
 * end of the file. */
static gt_status source_load_more(struct gt_web_source *source, int fd, gt_error *error)
{
    gt_status status = gt_mem_reserve(source->mem, &source->loaded, &source->loaded_capacity,
                                      source->size + SOURCE_LOAD_SIZE, sizeof(*source->loaded));
    if (status != GT_OK)
        return gt_error_plain(error, status);
    ssize_t got = read(fd, source->loaded + source->size, SOURCE_LOAD_SIZE);
    if (got < 0)
        return errno == EINTR ? GT_OK : gt_web_source_fail(error, "cannot read the file");
    source->size += (size_t) got;
    return got == 0 ? GT_END : GT_OK;
}

/* Reads everything from the position of `fd` on. */
gt_status gt_web_source_from_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    gt_status status = GT_OK;
    source->fd = -1;
    source->size = 0;
    while (status == GT_OK)
        status = source_load_more(source, fd, error);
    source->data = source->loaded;
    source->total = source->size;
    if (status != GT_END)
        gt_web_source_file_close(source);
    return status == GT_END ? GT_OK : status;
}

gt_status gt_web_source_from_mapped_fd(struct gt_web_source *source, int fd, gt_error *error)
{
    if (lseek(fd, 0, SEEK_SET) < 0)
        return gt_web_source_fail(error, "cannot read the file");
    return gt_web_source_from_fd(source, fd, error);
}

gt_status gt_web_source_from_file(struct gt_web_source *source, const char *path, gt_error *error)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return gt_web_source_fail(error, "cannot open the file");
    gt_status status = gt_web_source_from_fd(source, fd, error);
    close(fd);
    return status;
}

/* The bytes of the file are the host's memory, which the system cannot read again. */
void gt_web_source_forget(const struct gt_web_source *source, const gt_reader_info *info,
                          uint64_t *forgotten)
{
    (void) source;
    (void) info;
    (void) forgotten;
}

void gt_web_source_file_close(struct gt_web_source *source)
{
    if (!source->loaded)
        return;
    gt_mem_free(source->mem, source->loaded, source->loaded_capacity);
    source->loaded = NULL;
    source->loaded_capacity = 0;
    source->data = NULL;
}

/* A change of the file does not change the bytes that were read from it. */
bool gt_web_source_file_is_unchanged(const struct gt_web_source *source)
{
    (void) source;
    return true;
}

#endif
