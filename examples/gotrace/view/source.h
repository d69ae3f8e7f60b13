/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_SOURCE_H
#define VIEW_SOURCE_H

/*
 * The trace that is viewed, which is read several times, by several threads at once: for
 * the timeline, and for each analysis.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <gotrace/reader.h>

struct view_symbols;

struct view_source {
    /* As the user gave it; "-" is standard input. These five are set by the caller. Borrowed. */
    const char *name;
    bool lenient;
    bool as_recorded;
    bool reads_ahead;
    const char *program;
    /* Its bytes, mapped. */
    const void *data;
    size_t size;
    /* Its file, or one with a copy of what can be read only once; and as it was at first. */
    int fd;
    struct stat about;
    /* Names found for addresses; NULL without a program. */
    struct view_symbols *symbols;
};

/*
 * Of the trace's first bytes none need be in memory; those that are read again come from the
 * file.
 */
void view_source_forget(const struct view_source *source, uint64_t bytes);

/*
 * Makes it ready to be opened; copies it if it is no regular file. False where that fails,
 * and for what is no trace, with the reason in `*error`; there is nothing to close then.
 */
bool view_source_prepare(struct view_source *source, gt_error *error);
void view_source_close(struct view_source *source);

/*
 * Opens the trace from its start. Goes from any thread, any number of times. A file that
 * was written to since the first time does not go with the timeline: that is GT_ERR_IO.
 */
gt_status view_source_open(const struct view_source *source, gt_reader **reader, gt_error *error);

/* The same, with repairs told of; see gt_reader_options.on_repair. */
gt_status view_source_open_told(const struct view_source *source, gt_repair_fn on_repair,
                                void *repair_data, gt_reader **reader, gt_error *error);

/*
 * Fills `*error` with what ended the reading with `status`; where `status` is none, its
 * status is GT_OK.
 */
void view_source_error(const struct view_source *source, const gt_reader *reader, gt_status status,
                       gt_error *error);

#endif
