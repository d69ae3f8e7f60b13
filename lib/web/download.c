/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/download.h"

#include "web/web.h"

enum {
    /* The number of events between two checks of whether to continue. */
    DOWNLOAD_EVENTS_AT_ONCE = 4096
};

gt_status gt_download_open(const struct gt_download *download, gt_reader **reader)
{
    return gt_download_open_told(download, NULL, NULL, reader);
}

/* Answers with the error with which the trace could not be opened, and returns the status. */
static gt_status download_opened(const struct gt_download *download, gt_status status,
                                 const gt_error *error)
{
    if (status != GT_OK)
        gt_response_error(download->response, status == GT_ERR_NO_MEMORY ? 503 : 500,
                          error->message);
    return status;
}

gt_status gt_download_open_told(const struct gt_download *download, gt_repair_fn on_repair,
                                void *repair_data, gt_reader **reader)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status =
        gt_web_source_open_told(&download->web->source, on_repair, repair_data, reader, &error);
    return download_opened(download, status, &error);
}

gt_status gt_download_open_as(const struct gt_download *download, uint64_t reader_flags,
                              gt_reader **reader)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_web_source_open_as(&download->web->source, reader_flags, reader, &error);
    return download_opened(download, status, &error);
}

/* Releases the pages of the trace that were read. Returns whether the client still waits for the
 * answer. */
static bool download_goes_on(const struct gt_download *download, const gt_reader *reader,
                             uint64_t *forgotten)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(reader, &info);
    gt_web_source_forget(&download->web->source, &info, forgotten);
    return !gt_response_is_over(download->response) && !atomic_load(&download->web->stopping);
}

gt_status gt_download_read(const struct gt_download *download, gt_reader *reader,
                           gt_download_fn *take, void *user_data, gt_status *reading)
{
    const gt_event *event;
    gt_status status = GT_OK, read = GT_OK;
    uint64_t forgotten = 0;
    for (uint64_t count = 1; status == GT_OK; count++) {
        read = gt_reader_next_event(reader, &event);
        if (read != GT_OK)
            break;
        status = take(user_data, event);
        if (count % DOWNLOAD_EVENTS_AT_ONCE == 0 && status == GT_OK &&
            !download_goes_on(download, reader, &forgotten))
            status = GT_ERR_CALLBACK;
    }
    *reading = gt_web_load_is_failure(download->web, read) ? read : GT_OK;
    return status;
}

int gt_download_write(void *user_data, const void *data, size_t size)
{
    const struct gt_download *download = user_data;
    gt_response_bytes(download->response, data, size);
    return gt_response_is_over(download->response);
}

bool gt_download_check(const struct gt_download *download, gt_status status)
{
    if (status != GT_OK)
        gt_response_error(download->response, status == GT_ERR_NO_MEMORY ? 503 : 500,
                          gt_status_text(status));
    return status == GT_OK;
}

void gt_download_end(const struct gt_download *download, gt_status status)
{
    if (!gt_response_is_over(download->response))
        gt_download_check(download, status);
}
