/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void problem_report(const char *name, const char *what, const gt_error *error)
{
    fprintf(stderr, "gotrace: %s: %s%s", name, what, error->message);
    if (error->offset != GT_NO_OFFSET && error->generation != 0)
        fprintf(stderr, " (offset %" PRIu64 ", generation %" PRIu64 ")", error->offset,
                error->generation);
    else if (error->offset != GT_NO_OFFSET)
        fprintf(stderr, " (offset %" PRIu64 ")", error->offset);
    else if (error->generation != 0)
        fprintf(stderr, " (generation %" PRIu64 ")", error->generation);
    fputc('\n', stderr);
}

void problem_add_system_error(gt_error *error)
{
    size_t used = strlen(error->message);
    if (error->system_error != 0)
        snprintf(error->message + used, sizeof(error->message) - used, ": %s",
                 strerror(error->system_error));
}

void problem_set_status(gt_error *error, gt_status status)
{
    error->status = status;
    snprintf(error->message, sizeof(error->message), "%s", gt_status_text(status));
}
