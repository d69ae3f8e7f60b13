/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SOURCE_H
#define GT_WEB_SOURCE_H

/*
 * The trace that is viewed, which is read several times, by several threads at once: for
 * the timeline, and for each analysis.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <gotrace/web.h>

struct gt_web_symbols;

struct gt_web_source {
    /* The GT_READER_ bits to read it with. */
    uint64_t reader_flags;
    /* The bytes of the trace, or 0 where that is not known. */
    uint64_t total;
    /* A function of the host that opens the trace; or NULL, and the trace is in memory. */
    gt_web_open_fn open;
    void *open_data;
    const void *data;
    size_t size;
    /* The file that is mapped at `data`, and as it was at first; -1 where there is none. */
    int fd;
    struct stat about;
    /* Names found for addresses; NULL where the host finds none. */
    struct gt_web_symbols *symbols;
};

/*
 * Each makes the trace ready to be opened. They fail with the reason in `*error`; there is
 * nothing to close then.
 */

/* Maps the file, or copies it first if it is no regular one. */
gt_status gt_web_source_from_file(struct gt_web_source *source, const char *path, gt_error *error);
/* Maps a copy of what can still be read from `fd`. */
gt_status gt_web_source_from_fd(struct gt_web_source *source, int fd, gt_error *error);
void gt_web_source_from_memory(struct gt_web_source *source, const void *data, size_t size);
void gt_web_source_from_callback(struct gt_web_source *source, gt_web_open_fn open, void *open_data,
                                 uint64_t total);

void gt_web_source_close(struct gt_web_source *source);

/*
 * The first `bytes` of a mapped trace need not be in memory any more; those that are read
 * again come from the file.
 */
void gt_web_source_forget(const struct gt_web_source *source, uint64_t bytes);

/*
 * Opens the trace from its start. May be called by any thread, any number of times. A file that
 * was written to since the first time does not go with the timeline: that is GT_ERR_IO.
 */
gt_status gt_web_source_open(const struct gt_web_source *source, gt_reader **reader,
                             gt_error *error);

/* The same, with repairs told to `on_repair`; see gt_reader_options.on_repair. */
gt_status gt_web_source_open_told(const struct gt_web_source *source, gt_repair_fn on_repair,
                                  void *repair_data, gt_reader **reader, gt_error *error);

/*
 * Fills `*error` with what ended the reading with `status`; where `status` is no error, the
 * status of `*error` is GT_OK.
 */
void gt_web_source_error(const struct gt_web_source *source, const gt_reader *reader,
                         gt_status status, gt_error *error);

#endif
