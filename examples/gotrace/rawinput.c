/* SPDX-License-Identifier: BSD-3-Clause */
#include "rawinput.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "interrupt.h"
#include "problem.h"
#include "progress.h"

/* Opens the input, or the copy of it again. */
static gt_status rawinput_open_reader(struct rawinput *in, gt_error *error)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    options.on_progress = progress_report;
    if (!in->copy && !intake_open(&in->intake, in->name, NULL, error))
        return GT_ERR_IO;
    if (!in->copy && in->intake.is_plain_file) {
        intake_close(&in->intake);
        return gt_raw_reader_open_file(&in->reader, in->name, &options, error);
    }
    if (!in->copy && in->twice && !(in->copy = intake_save(&in->intake, UINT64_MAX, error)))
        return GT_ERR_IO;
    if (in->copy) {
        lseek(fileno(in->copy), 0, SEEK_SET);
        return gt_raw_reader_open_fd(&in->reader, fileno(in->copy), &options, error);
    }
    gt_status status =
        gt_raw_reader_open_callback(&in->reader, intake_read, &in->intake, &options, error);
    intake_explain(&in->intake, error);
    return status;
}

static void rawinput_close_copy(struct rawinput *in)
{
    if (in->copy)
        fclose(in->copy);
    in->copy = NULL;
}

static int rawinput_start(struct rawinput *in)
{
    gt_error error = GT_ERROR_INIT;
    if (rawinput_open_reader(in, &error) == GT_OK) {
        interrupt_arm(NULL, in->reader);
        return COMMAND_GO_ON;
    }
    progress_end();
    intake_note_cut(&in->intake, &error);
    problem_report(in->name, "", &error);
    intake_close(&in->intake);
    rawinput_close_copy(in);
    return COMMAND_BAD;
}

int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments)
{
    const struct operands operands = {.list = &in->name, .min = 1, .max = 1};
    int code = options_parse(self, out, arguments, in, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    progress_begin(in->name, output_progress_mode(out));
    return rawinput_start(in);
}

int rawinput_restart(struct rawinput *in)
{
    interrupt_disarm();
    gt_raw_reader_close(&in->reader);
    return rawinput_start(in);
}

int rawinput_close(struct rawinput *in, struct output *out, gt_status status)
{
    gt_error error = GT_ERROR_INIT;
    interrupt_disarm();
    progress_end();
    gt_raw_reader_error(in->reader, &error);
    gt_raw_reader_close(&in->reader);
    intake_explain(&in->intake, &error);
    intake_close(&in->intake);
    rawinput_close_copy(in);
    if (error.status == GT_OK && status < 0)
        problem_set_status(&error, status);
    intake_note_cut(&in->intake, &error);
    if (error.status == GT_OK)
        return COMMAND_GOOD;
    if (!output_flush(out))
        return COMMAND_BAD;
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}
