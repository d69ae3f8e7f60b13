/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static void report(const char *name, const gt_error *error)
{
    fprintf(stderr, "gotrace: %s: %s", name, error->message);
    if (error->offset != GT_NO_OFFSET && error->generation != 0)
        fprintf(stderr, " (offset %" PRIu64 ", generation %" PRIu64 ")", error->offset,
                error->generation);
    else if (error->offset != GT_NO_OFFSET)
        fprintf(stderr, " (offset %" PRIu64 ")", error->offset);
    else if (error->generation != 0)
        fprintf(stderr, " (generation %" PRIu64 ")", error->generation);
    fputc('\n', stderr);
}

/* Says why the system would not read, which the library leaves to a number. */
static void add_system_error(gt_error *error)
{
    size_t used = strlen(error->message);
    if (error->system_error != 0)
        snprintf(error->message + used, sizeof(error->message) - used, ": %s",
                 strerror(error->system_error));
}

bool input_open(struct input *in, const char *name)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status;
    in->name = name;
    if (strcmp(name, "-") == 0)
        status = gt_reader_open_fd(&in->reader, STDIN_FILENO, NULL, &error);
    else
        status = gt_reader_open_file(&in->reader, name, NULL, &error);
    if (status == GT_OK)
        return true;
    add_system_error(&error);
    report(name, &error);
    return false;
}

void input_error(const struct input *in, gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(in->reader, error);
    add_system_error(error);
    /* Calls other than gt_reader_next_event, and the program itself, leave no error there. */
    if (error->status == GT_OK && status < 0) {
        error->status = status;
        snprintf(error->message, sizeof(error->message), "%s", gt_status_text(status));
    }
}

int input_close(struct input *in, struct output *out, gt_status status)
{
    gt_error error;
    input_error(in, status, &error);
    gt_reader_close(&in->reader);
    if (error.status == GT_OK)
        return COMMAND_GOOD;
    output_flush(out);
    report(in->name, &error);
    return COMMAND_BAD;
}
