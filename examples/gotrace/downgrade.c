/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace in the format of Go 1.21. */
#include <inttypes.h>

#include <gotrace/downgrade.h>

#include "command.h"
#include "input.h"
#include "rewrite.h"
#include "terminal.h"
#include "tracefile.h"

struct downgrade {
    struct input in;
    const char *output;
    struct tracefile file;
    gt_downgrader *downgrader;
    bool is_complete;
};

static const struct option downgrade_options[] = {
    REWRITE_OUTPUT_OPTION(struct downgrade, output),
};

static gt_status downgrade_event(void *user_data, const gt_event *event)
{
    struct downgrade *downgrade = user_data;
    return gt_downgrader_event(downgrade->downgrader, event);
}

/* Writes the events. Returns what the writing failed with, or else how the reading ended. */
static gt_status downgrade_copy(struct downgrade *downgrade)
{
    struct input *in = &downgrade->in;
    gt_status reading = GT_OK;
    gt_status status = gt_downgrader_open(&downgrade->downgrader, in->reader, tracefile_write,
                                          &downgrade->file, NULL, &in->failure);
    if (status != GT_OK)
        return status;
    status = input_for_each_event(in->reader, downgrade_event, downgrade, &reading);
    if (reading == GT_CANCELLED)
        return reading;
    if (status == GT_OK)
        status = gt_downgrader_finish(downgrade->downgrader);
    downgrade->is_complete = status == GT_OK;
    if (status != GT_OK)
        gt_downgrader_error(downgrade->downgrader, &in->failure);
    return status != GT_OK ? status : reading;
}

/* Reports on standard error what the output does not have. */
static void downgrade_report(const struct downgrade *downgrade)
{
    gt_downgrader_info info = GT_DOWNGRADER_INFO_INIT;
    gt_downgrader_get_info(downgrade->downgrader, &info);

    const struct {
        uint64_t count;
        const char *what;
    } losses[] = {
        {info.clocks, "left out: %" PRIu64 " clock snapshots"},
        {info.experiments, "left out: %" PRIu64 " events and batches of experiments"},
        {info.labels, "left out: %" PRIu64 " labels of goroutines that do not just start"},
        {info.ranges, "left out: %" PRIu64 " beginnings and ends of ranges"},
        {info.stacks, "left out: %" PRIu64 " stacks of statuses and of stops of the world"},
        {info.frames, "left out: %" PRIu64 " frames of stacks that are too large"},
        {info.reasons, "changed: %" PRIu64 " reasons of goroutines that stop, to none"},
        {info.causes, "changed: %" PRIu64 " causes of stops of the world, to none"},
        {info.samples, "changed: %" PRIu64 " CPU samples, to ones without a goroutine"},
        {info.callbacks, "left out: %" PRIu64 " ends of goroutines in system calls"},
        {info.renamed, "changed: %" PRIu64 " ids of goroutines, which had been in use before"},
    };

    for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
        char text[100];
        if (losses[i].count == 0)
            continue;
        snprintf(text, sizeof(text), losses[i].what, losses[i].count);
        terminal_report("%s: %s", downgrade->in.name, text);
    }
}

/* Reads the input and writes the output, and closes both. */
static int downgrade_write(struct downgrade *downgrade, struct output *out)
{
    struct input *in = &downgrade->in;
    if (!tracefile_open(&downgrade->file, downgrade->output, in->name, out)) {
        input_close(in, out, GT_OK);
        return COMMAND_BAD;
    }
    gt_status status = downgrade_copy(downgrade);
    if (downgrade->is_complete)
        downgrade_report(downgrade);
    gt_downgrader_close(&downgrade->downgrader);
    bool is_closed = tracefile_close(&downgrade->file, downgrade->is_complete);
    /* A failure to write has been reported, or will be by main. */
    bool has_written = downgrade->is_complete || in->failure.status != GT_ERR_IO;
    int code = input_close(in, out, has_written ? status : GT_OK);
    return is_closed && has_written ? code : COMMAND_BAD;
}

static int downgrade_run(const struct command *self, struct output *out, char **arguments)
{
    struct downgrade downgrade = {.output = NULL};
    int code = input_parse(&downgrade.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = rewrite_check(downgrade.output, self, out);
    if (code == COMMAND_GO_ON)
        code = input_start(&downgrade.in);
    return code == COMMAND_GO_ON ? downgrade_write(&downgrade, out) : code;
}

const struct command command_downgrade = {
    .name = "downgrade",
    .usage = "downgrade [OPTION...] FILE",
    .summary = "write a trace in the format of Go 1.21",
    .help = "Writes a trace of Go 1.22 or later as one that the tools of Go 1.21 and 1.22 read,\n"
            "with the same goroutines, states and times. What that format cannot hold is\n"
            "counted on standard error: clocks, experiments, labels, and some reasons why\n"
            "goroutines wait. System calls that do not block last no time there.\n",
    COMMAND_OPTIONS(downgrade_options),
    .shared = rewrite_shared,
    .run = downgrade_run,
};
