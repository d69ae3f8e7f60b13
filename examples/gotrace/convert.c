/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace in another version of the format. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/event.h>
#include <gotrace/wire.h>

#include "command.h"
#include "input.h"
#include "rewrite.h"
#include "terminal.h"
#include "walltime.h"

struct convert {
    struct input in;
    const char *go;
    const char *wall;
    const char *output;
    /* What the input has that older versions lack. */
    uint64_t clocks;
    uint64_t experiments;
    uint64_t stacks;
    uint64_t coroutines;
    struct rewrite rewrite;
};

static const struct option convert_options[] = {
    {OPTION_VALUE(struct convert, go, "go", "VERSION",
                  "write a trace that the tools of this version of Go read: 1.22 to 1.27; the "
                  "default is the version of the input, 1.23 for one of Go 1.21 and before, and "
                  "the newest with --wall"),
     .summary = "the version of Go whose tools read it", .words = "1.22 1.23 1.24 1.25 1.26 1.27"},
    {OPTION_VALUE(struct convert, wall, "wall", "TIME",
                  "when the trace began, as 2026-11-23T14:30:00Z or in seconds since 1970, if the "
                  "input does not say it; with --go 1.25 and later the default is one second after "
                  "1970"),
     .summary = "when the trace began"},
    REWRITE_OUTPUT_OPTION(struct convert, output),
};

/* A version of Go, and that of the format that its tools read best. */
struct convert_version {
    const char *go;
    uint32_t format;
};

static const struct convert_version convert_versions[] = {
    {"1.22", 22}, {"1.23", 23}, {"1.24", 23}, {"1.25", 25}, {"1.26", 26}, {"1.27", 26},
};

enum {
    /* What writers take for the version of the input. */
    CONVERT_KEPT = 0,
    CONVERT_NEWEST = 26,
    /* The first version of the format with clock snapshots. */
    CONVERT_CLOCKED = 25,
    /* The first one with experiments, stacks of statuses, and goroutines that begin by waiting. */
    CONVERT_EXTENDED = 23
};

/* Returns the version of the format for the tools of a version of Go, or 0 if that is unknown. */
static uint32_t convert_format(const char *go)
{
    for (size_t i = 0; i < sizeof(convert_versions) / sizeof(*convert_versions); i++) {
        if (strcmp(convert_versions[i].go, go) == 0)
            return convert_versions[i].format;
    }
    return 0;
}

/* Returns whether the output lacks what the input may have, because it is for Go 1.22. */
static bool convert_is_old(const struct convert *convert)
{
    uint32_t version = convert->rewrite.options.version;
    return version != CONVERT_KEPT && version < CONVERT_EXTENDED;
}

/* Counts what an event has that no trace of Go 1.22 can have. */
static void convert_count(struct convert *convert, const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    convert->experiments += event->kind == GT_EVENT_EXPERIMENTAL;
    if (event->kind != GT_EVENT_STATE_TRANSITION || gt_event_wire(event, &wire) != GT_OK)
        return;
    convert->stacks +=
        wire.type == GT_WIRE_GO_STATUS_STACK && gt_event_stack(event) != GT_STACK_NONE;
    convert->coroutines += wire.type == GT_WIRE_GO_CREATE_BLOCKED;
}

static gt_status convert_event(void *user_data, const gt_event *event)
{
    struct convert *convert = user_data;
    struct rewrite *rewrite = &convert->rewrite;
    gt_sync sync = GT_SYNC_INIT;
    if (event->kind == GT_EVENT_SYNC && gt_event_sync(event, &sync) == GT_OK) {
        convert->clocks += sync.has_clock;
        convert->experiments += sync.batch_count;
    }
    if (!convert_is_old(convert))
        return gt_writer_event(rewrite->writer, event);
    convert_count(convert, event);
    return event->kind == GT_EVENT_EXPERIMENTAL ? gt_writer_skip(rewrite->writer, event)
                                                : gt_writer_event(rewrite->writer, event);
}

/* Reports what the output has of clocks that the input has not, or the other way round. */
static void convert_report_clocks(const struct convert *convert, const gt_writer_info *info)
{
    const char *name = convert->in.name;
    bool has_clocks = info->version >= CONVERT_CLOCKED;
    if (convert->clocks != 0 && !has_clocks)
        rewrite_report_count(&convert->in, "left out", convert->clocks,
                             "clock snapshot, which traces of Go 1.24 and before cannot have",
                             "clock snapshots, which traces of Go 1.24 and before cannot have");
    else if (convert->clocks == 0 && has_clocks && !convert->wall)
        terminal_report("%s: made up: the wall clock, which begins one second after 1970; --wall "
                        "sets it",
                        name);
    else if (convert->clocks != 0 && convert->wall)
        terminal_report("%s: --wall is not used, because the trace has a wall clock", name);
}

static void convert_reset(void *user_data)
{
    struct convert *convert = user_data;
    convert->clocks = 0;
}

static void convert_report(void *user_data, const gt_writer_info *info)
{
    const struct convert *convert = user_data;
    convert_report_clocks(convert, info);
    if (info->version >= CONVERT_EXTENDED)
        return;
    rewrite_report_count(&convert->in, "left out", convert->experiments,
                         "event or batch of experiments, which traces of Go 1.22 cannot have",
                         "events and batches of experiments, which traces of Go 1.22 cannot have");
    rewrite_report_count(&convert->in, "left out", convert->stacks,
                         "stack of a goroutine at first, which traces of Go 1.22 cannot have",
                         "stacks of goroutines at first, which traces of Go 1.22 cannot have");
    rewrite_report_count(&convert->in, "changed", convert->coroutines,
                         "creation of a goroutine that waits, which runs for 1 ns before",
                         "creations of goroutines that wait, which run for 1 ns before");
}

static int convert_check(struct convert *convert, const struct command *self,
                         const struct output *out, gt_writer_options *options)
{
    if (convert->go)
        options->version = convert_format(convert->go);
    else
        options->version = convert->wall ? CONVERT_NEWEST : CONVERT_KEPT;
    if (convert->go && options->version == 0)
        return command_misused(self, "no version of Go that can be written:", convert->go);
    if (convert->wall && options->version < CONVERT_CLOCKED)
        return command_misused(self, "--wall needs Go 1.25 or later, and --go is", convert->go);
    if (convert->wall && !walltime_parse(convert->wall, &options->wall_seconds))
        return command_misused(self, "not a time:", convert->wall);
    return rewrite_check(&convert->output, self, out);
}

static int convert_run(const struct command *self, struct output *out, char **arguments)
{
    struct convert convert = {.go = NULL};
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    int code = input_parse(&convert.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = convert_check(&convert, self, out, &options);
    if (code == COMMAND_GO_ON)
        code = rewrite_start(&convert.in);
    if (code != COMMAND_GO_ON)
        return code;
    convert.rewrite = (struct rewrite){.in = &convert.in,
                                       .output = convert.output,
                                       .options = options,
                                       .take = convert_event,
                                       .reset = convert_reset,
                                       .report = convert_report,
                                       .user_data = &convert};
    return rewrite_run(&convert.rewrite, out);
}

const struct command command_convert = {
    .name = "convert",
    .usage = "convert [OPTION...] FILE",
    .summary = "write a trace for another version of Go",
    .help = "Writes all events of a trace in another version of the format: a trace of an\n"
            "older Go for newer tools, or that of a newer Go for older tools. The events and\n"
            "their times stay as they are, but for traces of Go 1.21 and before, to whose\n"
            "times about a millisecond is added. What the version cannot hold is left out,\n"
            "and reported on standard error.\n",
    COMMAND_OPTIONS(convert_options),
    .shared = rewrite_lenient_shared,
    .run = convert_run,
};
