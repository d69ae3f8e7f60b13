/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DOWNLOAD_H
#define GT_WEB_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/reader.h>

struct gt_response;
struct gt_web;

/*
 * A request that is answered by reading the trace again from its beginning, and by writing a part
 * of the answer for each event. The readable parts of a damaged trace are read, as in the timeline.
 */
struct gt_download {
    struct gt_web *web;
    struct gt_response *response;
};

/* Opens the trace. If that fails, answers with the error. */
gt_status gt_download_open(const struct gt_download *download, gt_reader **reader);

/* Opens the trace like gt_download_open, and reports repairs to `on_repair`. */
gt_status gt_download_open_told(const struct gt_download *download, gt_repair_fn on_repair,
                                void *repair_data, gt_reader **reader);

/* Opens the trace like gt_download_open, with other GT_READER_ bits. */
gt_status gt_download_open_as(const struct gt_download *download, uint64_t reader_flags,
                              gt_reader **reader);

/* Takes an event. Any other result than GT_OK ends the reading. */
typedef gt_status gt_download_fn(void *user_data, const gt_event *event);

/*
 * Passes each event to `take`. Returns the status of `take` that ended the reading, GT_OK after the
 * last event, or GT_ERR_CALLBACK if the client no longer waits for the answer. `*reading` becomes
 * the error of reading, unless it is a fault of the trace.
 */
gt_status gt_download_read(const struct gt_download *download, gt_reader *reader,
                           gt_download_fn *take, void *user_data, gt_status *reading);

/* A gt_write_fn that passes a piece of the answer to the client. `user_data` is the download. */
int gt_download_write(void *user_data, const void *data, size_t size);

/* Returns whether the status is GT_OK, and otherwise answers with its error. */
bool gt_download_check(const struct gt_download *download, gt_status status);

/*
 * Ends an answer with the status that making it ended with. A client that needs no more, as with
 * HEAD, or that is gone, ends it with an error that is no failure.
 */
void gt_download_end(const struct gt_download *download, gt_status status);

#endif
