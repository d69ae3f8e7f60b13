/* SPDX-License-Identifier: BSD-3-Clause */
#include "rawinput.h"

#include "problem.h"

static gt_status rawinput_open_reader(struct rawinput *in, gt_error *error)
{
    if (!intake_open(&in->intake, in->name, error))
        return GT_ERR_IO;
    if (in->intake.is_plain_file) {
        intake_close(&in->intake);
        return gt_raw_reader_open_file(&in->reader, in->name, NULL, error);
    }
    gt_status status =
        gt_raw_reader_open_callback(&in->reader, intake_read, &in->intake, NULL, error);
    intake_explain(&in->intake, error);
    return status;
}

int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments)
{
    const struct operands operands = {.list = &in->name, .min = 1, .max = 1};
    gt_error error = GT_ERROR_INIT;
    int code = options_parse(self, out, arguments, in, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    if (rawinput_open_reader(in, &error) == GT_OK)
        return COMMAND_GO_ON;
    problem_report(in->name, "", &error);
    intake_close(&in->intake);
    return COMMAND_BAD;
}

int rawinput_close(struct rawinput *in, struct output *out, gt_status status)
{
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader_error(in->reader, &error);
    gt_raw_reader_close(&in->reader);
    intake_explain(&in->intake, &error);
    intake_close(&in->intake);
    if (error.status == GT_OK && status < 0)
        problem_set_status(&error, status);
    if (error.status == GT_OK)
        return COMMAND_GOOD;
    if (!output_flush(out))
        return COMMAND_BAD;
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}
