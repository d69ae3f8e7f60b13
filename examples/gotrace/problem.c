/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"

enum {
    /* Enough for a message, a place and a NUL. */
    PROBLEM_TEXT_MAX = GT_ERROR_MESSAGE_SIZE + 100
};

/* Formats the error as "MESSAGE (place)". */
static void problem_describe(const gt_error *error, char text[PROBLEM_TEXT_MAX])
{
    size_t used = (size_t) snprintf(text, PROBLEM_TEXT_MAX, "%s", error->message);
    size_t room = PROBLEM_TEXT_MAX - used;
    if (error->offset != GT_NO_OFFSET && error->generation != 0)
        snprintf(text + used, room, " (offset %" PRIu64 ", generation %" PRIu64 ")", error->offset,
                 error->generation);
    else if (error->offset != GT_NO_OFFSET)
        snprintf(text + used, room, " (offset %" PRIu64 ")", error->offset);
    else if (error->generation != 0)
        snprintf(text + used, room, " (generation %" PRIu64 ")", error->generation);
}

void problem_report(const char *name, const char *what, const gt_error *error)
{
    char text[PROBLEM_TEXT_MAX];
    problem_describe(error, text);
    terminal_report("%s: %s%s", name, what, text);
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
