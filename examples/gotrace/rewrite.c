/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite.h"

const struct option_group rewrite_shared[] = {
    {.list = output_options + 1, .count = 2, .is_of_output = true},
    {.count = 0},
};

int rewrite_check(const char *output, const struct command *self, const struct output *out)
{
    if (!output && out->is_terminal)
        return command_misused(self, "standard output is a terminal, and a trace is not text",
                               NULL);
    return COMMAND_GO_ON;
}

/* Writes the events. Returns what the writer failed with, or else how the reading ended. */
static gt_status rewrite_copy(struct rewrite *rewrite)
{
    struct input *in = rewrite->in;
    gt_status reading = GT_OK;
    gt_status status = gt_writer_open(&rewrite->writer, in->reader, tracefile_write, &rewrite->file,
                                      &rewrite->options, &in->failure);
    if (status != GT_OK)
        return status;
    status = input_for_each_event(in->reader, rewrite->take, rewrite->user_data, &reading);
    if (reading == GT_CANCELLED)
        return reading;
    if (status == GT_OK || status == GT_END)
        status = gt_writer_finish(rewrite->writer);
    rewrite->is_complete = status == GT_OK;
    if (status != GT_OK)
        gt_writer_error(rewrite->writer, &in->failure);
    return status != GT_OK ? status : reading;
}

static void rewrite_report(const struct rewrite *rewrite)
{
    gt_writer_info info = GT_WRITER_INFO_INIT;
    gt_writer_get_info(rewrite->writer, &info);
    if (rewrite->is_complete)
        rewrite->report(rewrite->user_data, &info);
}

int rewrite_run(struct rewrite *rewrite, struct output *out)
{
    struct input *in = rewrite->in;
    if (!tracefile_open(&rewrite->file, rewrite->output, in->name, out)) {
        input_close(in, out, GT_OK);
        return COMMAND_BAD;
    }
    gt_status status = rewrite_copy(rewrite);
    rewrite_report(rewrite);
    gt_writer_close(&rewrite->writer);
    bool is_closed = tracefile_close(&rewrite->file, rewrite->is_complete);
    /* A failure to write has been reported, or will be by main. */
    bool has_written = rewrite->is_complete || in->failure.status != GT_ERR_IO;
    int code = input_close(in, out, has_written ? status : GT_OK);
    return is_closed && has_written ? code : COMMAND_BAD;
}
