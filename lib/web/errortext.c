/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/errortext.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void gt_web_error_describe(const gt_error *error, char text[GT_WEB_ERROR_TEXT_MAX])
{
    size_t used = (size_t) snprintf(text, GT_WEB_ERROR_TEXT_MAX, "%s", error->message);
    size_t room = GT_WEB_ERROR_TEXT_MAX - used;
    if (error->offset != GT_NO_OFFSET && error->generation != 0)
        snprintf(text + used, room, " (offset %" PRIu64 ", generation %" PRIu64 ")", error->offset,
                 error->generation);
    else if (error->offset != GT_NO_OFFSET)
        snprintf(text + used, room, " (offset %" PRIu64 ")", error->offset);
    else if (error->generation != 0)
        snprintf(text + used, room, " (generation %" PRIu64 ")", error->generation);
}

void gt_web_error_add_errno(gt_error *error)
{
    size_t used = strlen(error->message);
    if (error->system_error != 0)
        snprintf(error->message + used, sizeof(error->message) - used, ": %s",
                 strerror(error->system_error));
}

void gt_web_error_set_status(gt_error *error, gt_status status)
{
    error->status = status;
    snprintf(error->message, sizeof(error->message), "%s", gt_status_text(status));
}
