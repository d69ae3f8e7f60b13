/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace in the format of Go 1.21. */
#include <gotrace/downgrade.h>

#include "command.h"
#include "input.h"
#include "rewrite.h"

struct downgrade {
    struct input in;
    const char *output;
    struct rewrite rewrite;
};

static const struct option downgrade_options[] = {
    REWRITE_OUTPUT_OPTION(struct downgrade, output),
};

static gt_status downgrade_event(void *user_data, const gt_event *event)
{
    struct downgrade *downgrade = user_data;
    return gt_downgrader_event(downgrade->rewrite.downgrader, event);
}

/* Reports on standard error what the output does not have. */
static void downgrade_report(void *user_data, const gt_writer_info *written)
{
    const struct downgrade *downgrade = user_data;
    gt_downgrader_info info = GT_DOWNGRADER_INFO_INIT;
    (void) written;
    gt_downgrader_get_info(downgrade->rewrite.downgrader, &info);

    const struct {
        uint64_t count;
        const char *what;
        const char *one, *things;
    } losses[] = {
        {info.clocks, "left out", "clock snapshot", "clock snapshots"},
        {info.experiments, "left out", "event or batch of experiments",
         "events and batches of experiments"},
        {info.labels, "left out", "label of a goroutine that does not just start",
         "labels of goroutines that do not just start"},
        {info.ranges, "left out", "beginning or end of a range or region",
         "beginnings and ends of ranges or regions"},
        {info.stacks, "left out", "stack of a status or of a stop of the world",
         "stacks of statuses and of stops of the world"},
        {info.frames, "left out", "frame of a stack that is too large",
         "frames of stacks that are too large"},
        {info.reasons, "changed", "reason of a goroutine that stops, to none",
         "reasons of goroutines that stop, to none"},
        {info.causes, "changed", "cause of a stop of the world, to none",
         "causes of stops of the world, to none"},
        {info.samples, "changed", "CPU sample, to one without a goroutine",
         "CPU samples, to ones without a goroutine"},
        {info.callbacks, "left out", "end of a goroutine in a system call",
         "ends of goroutines in system calls"},
        {info.renamed, "changed", "id of a goroutine, which had been in use before",
         "ids of goroutines, which had been in use before"},
    };

    for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
        rewrite_report_count(&downgrade->in, losses[i].what, losses[i].count, losses[i].one,
                             losses[i].things);
}

static int downgrade_run(const struct command *self, struct output *out, char **arguments)
{
    struct downgrade downgrade = {.output = NULL};
    int code = input_parse(&downgrade.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = rewrite_check(&downgrade.output, self, out);
    if (code == COMMAND_GO_ON)
        code = rewrite_start(&downgrade.in);
    if (code != COMMAND_GO_ON)
        return code;
    downgrade.rewrite = (struct rewrite){.in = &downgrade.in,
                                         .output = downgrade.output,
                                         .downgrades = true,
                                         .options = GT_WRITER_OPTIONS_INIT,
                                         .take = downgrade_event,
                                         .report = downgrade_report,
                                         .user_data = &downgrade};
    return rewrite_run(&downgrade.rewrite, out);
}

const struct command command_downgrade = {
    .name = "downgrade",
    .usage = "downgrade [OPTION...] FILE",
    .summary = "write a trace in the format of Go 1.21",
    .help = "Writes a trace of Go 1.22 or later as one that the tools of Go 1.21 and 1.22\n"
            "read, with the same goroutines, states and times. What that format cannot hold\n"
            "is counted on standard error: clocks, experiments, labels, and some reasons why\n"
            "goroutines wait. System calls that do not block last no time there.\n",
    COMMAND_OPTIONS(downgrade_options),
    .shared = rewrite_lenient_shared,
    .run = downgrade_run,
};
