/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SOURCE_H
#define GT_WEB_SOURCE_H

/*
 * The trace that is viewed. It is read several times, also by several threads at once: for the
 * timeline, and for each analysis.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <gotrace/web.h>

#include "base/mem.h"

struct gt_web_symbols;

struct gt_web_source {
    /* The memory of the viewer, whose allocator the readers use, too. */
    struct gt_mem *mem;
    /* The GT_READER_ bits that readers are opened with. */
    uint64_t reader_flags;
    /* The size of the trace in bytes, or 0 if it is unknown. */
    uint64_t total;
    /* The host's function that opens the trace, or NULL if the trace is in memory or mapped. */
    gt_web_open_fn open;
    void *open_data;
    const void *data;
    size_t size;
    /*
     * The descriptor of the file that is mapped at `data`, or -1 if there is none, and the file's
     * properties when it was mapped.
     */
    int fd;
    struct stat about;
    /* The bytes of the file at `data`, on a system that cannot map files; otherwise NULL. */
    uint8_t *loaded;
    size_t loaded_capacity;
    /* The cache of names for addresses, or NULL if the host resolves none. */
    struct gt_web_symbols *symbols;
};

/*
 * The functions below prepare the trace for being opened. On failure they set `*error`, and there
 * is nothing to close. A system that cannot map files, WASI, reads them into memory instead.
 */

/* Maps the file, or a copy if it is not a regular file. */
gt_status gt_web_source_from_file(struct gt_web_source *source, const char *path, gt_error *error);
/* Maps a copy of everything that can still be read from `fd`. */
gt_status gt_web_source_from_fd(struct gt_web_source *source, int fd, gt_error *error);
/* Maps the regular file of `fd`, which remains the caller's. */
gt_status gt_web_source_from_mapped_fd(struct gt_web_source *source, int fd, gt_error *error);
void gt_web_source_from_memory(struct gt_web_source *source, const void *data, size_t size);
void gt_web_source_from_callback(struct gt_web_source *source, gt_web_open_fn open, void *open_data,
                                 uint64_t total);

void gt_web_source_close(struct gt_web_source *source);

/*
 * Tells the system that what a reader of a mapped trace has read need not stay in memory, if the
 * reader has read enough since the last time for that to pay. What is read again comes from the
 * file. `*forgotten`, which is 0 at first, is the number of events at the last time.
 */
void gt_web_source_forget(const struct gt_web_source *source, const gt_reader_info *info,
                          uint64_t *forgotten);

/*
 * Opens the trace from its beginning. May be called any number of times, and by any thread. If
 * the file has been modified since it was mapped, it no longer matches the timeline, and the
 * result is GT_ERR_IO.
 */
gt_status gt_web_source_open(const struct gt_web_source *source, gt_reader **reader,
                             gt_error *error);

/* Opens the trace like gt_web_source_open, with other GT_READER_ bits. */
gt_status gt_web_source_open_as(const struct gt_web_source *source, uint64_t reader_flags,
                                gt_reader **reader, gt_error *error);

/* Opens the trace like gt_web_source_open, and reports repairs to `on_repair`; see
 * gt_reader_options.on_repair. */
gt_status gt_web_source_open_told(const struct gt_web_source *source, gt_repair_fn on_repair,
                                  void *repair_data, gt_reader **reader, gt_error *error);

/*
 * Fills `*error` with the reason why reading ended with `status`. If `status` is not an error,
 * the status in `*error` is GT_OK.
 */
void gt_web_source_error(const struct gt_web_source *source, const gt_reader *reader,
                         gt_status status, gt_error *error);

#endif
