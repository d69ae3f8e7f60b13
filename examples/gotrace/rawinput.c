/* SPDX-License-Identifier: BSD-3-Clause */
#include "rawinput.h"

#include <string.h>

#include "problem.h"
#include "standard.h"

int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments)
{
    const struct operands operands = {.list = &in->name, .min = 1, .max = 1};
    gt_error error = GT_ERROR_INIT;
    gt_status status;
    int code = options_parse(self, out, arguments, in, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    if (strcmp(in->name, "-") == 0)
        status = gt_raw_reader_open_callback(&in->reader, standard_read, NULL, NULL, &error);
    else
        status = gt_raw_reader_open_file(&in->reader, in->name, NULL, &error);
    if (status == GT_OK)
        return COMMAND_GO_ON;
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}

int rawinput_close(struct rawinput *in, struct output *out, gt_status status)
{
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader_error(in->reader, &error);
    gt_raw_reader_close(&in->reader);
    if (error.status == GT_OK && status < 0)
        problem_set_status(&error, status);
    if (error.status == GT_OK)
        return COMMAND_GOOD;
    if (!output_flush(out))
        return COMMAND_BAD;
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}
