/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what happened in a stretch of time as a trace of its own. */
#include <stdio.h>

#include <gotrace/writer.h>

#include "command.h"
#include "input.h"
#include "lead.h"
#include "moment.h"
#include "rewrite.h"

struct cut {
    struct input in;
    const char *start;
    const char *end;
    const char *output;
    bool tasks;
    struct moment moments[2];
    struct moment_base base;
    struct lead lead;
    bool has_first;
    bool has_begun;
    /* What to write. */
    int64_t from;
    int64_t to;
    struct rewrite rewrite;
};

static const struct option cut_options[] = {
    {OPTION_VALUE(struct cut, start, "start", "TIME",
                  "the first time to write; +1.5s is 1.5 seconds after the beginning of the trace, "
                  "-1.5s as long before its end, a number without a sign is a time that 'gotrace "
                  "dump' prints, and 2026-11-23T14:30:00.5Z is one of the wall clock, which traces "
                  "have since Go 1.25; the default is the beginning"),
     .summary = "the first time to write"},
    {OPTION_VALUE(struct cut, end, "end", "TIME", "the last time to write; the default is the end"),
     .summary = "the last time to write"},
    {OPTION_FLAG(struct cut, tasks, "tasks",
                 "begin tasks anew that began before, so that their ends have a type"),
     .summary = "begin tasks anew that began before"},
    REWRITE_OUTPUT_OPTION(struct cut, output),
};

/*
 * Reads the whole trace before it is cut, if a time counts from its end that is not known.
 */
static gt_status cut_note_last(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    cut->base.last = event->time;
    return GT_OK;
}

static bool cut_counts_from(const struct cut *cut, enum moment_origin origin)
{
    return cut->moments[0].origin == origin || cut->moments[1].origin == origin;
}

static int cut_find_end(struct cut *cut, struct output *out)
{
    gt_status reading;
    if (!cut->in.twice)
        return COMMAND_GO_ON;
    input_for_each_event(cut->in.reader, cut_note_last, cut, &reading);
    if (input_is_in_trouble(&cut->in, reading))
        return input_close(&cut->in, out, reading);
    return input_restart(&cut->in);
}

static void cut_find_times(struct cut *cut)
{
    cut->from = cut->start ? moment_time(&cut->moments[0], &cut->base) : INT64_MIN;
    cut->to = cut->end ? moment_time(&cut->moments[1], &cut->base) : INT64_MAX;
}

/* Finds out what to write when the first event tells when the trace begins. */
static gt_status cut_begin(struct cut *cut, const gt_event *event)
{
    cut->has_first = true;
    if (!cut->lead.is_open)
        cut->base.first = event->time;
    cut_find_times(cut);
    if (!cut_counts_from(cut, MOMENT_WALL_CLOCK) || cut->base.sync.has_clock)
        return GT_OK;
    cut->in.failure.status = GT_ERR_NOT_AVAILABLE;
    snprintf(cut->in.failure.message, sizeof(cut->in.failure.message),
             "it does not have the wall clock, which traces have since Go 1.25");
    return GT_ERR_NOT_AVAILABLE;
}

/* Notes the clock of a generation, which is the best one for its times. */
static gt_status cut_note_clock(struct cut *cut, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_status status = gt_event_sync(event, &sync);
    if (status == GT_OK && sync.has_clock) {
        cut->base.sync = sync;
        cut_find_times(cut);
    }
    return status;
}

static gt_status cut_event(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    gt_status status = event->kind == GT_EVENT_SYNC ? cut_note_clock(cut, event) : GT_OK;
    if (status == GT_OK && !cut->has_first)
        status = cut_begin(cut, event);
    if (status != GT_OK)
        return status;
    if (event->time > cut->to)
        return GT_END;
    cut->has_begun |= event->time >= cut->from;
    return cut->has_begun ? gt_writer_event(cut->rewrite.writer, event)
                          : gt_writer_skip(cut->rewrite.writer, event);
}

static void cut_reset(void *user_data)
{
    struct cut *cut = user_data;
    cut->has_first = cut->has_begun = false;
    cut->base.sync = (gt_sync){.has_clock = 0};
}

static int cut_check(struct cut *cut, const struct command *self, const struct output *out)
{
    int code = moment_take(&cut->moments[0], cut->start, self);
    if (code == COMMAND_GO_ON)
        code = moment_take(&cut->moments[1], cut->end, self);
    return code == COMMAND_GO_ON ? rewrite_check(&cut->output, self, out) : code;
}

/*
 * Leaves out the generations before the cut that tell nothing about it, if the trace is a file in
 * which they can be found. Tasks that are open may have begun in any of them, and what is repaired
 * may change everything after it.
 */
static void cut_lead(struct cut *cut)
{
    bool needs_last = cut_counts_from(cut, MOMENT_END);
    bool needs_all = cut->tasks || cut->in.lenient || cut_counts_from(cut, MOMENT_WALL_CLOCK);
    cut->in.twice = needs_last;
    if (!cut->start || needs_all || !lead_open(&cut->lead, cut->in.name))
        return;
    cut->base.first = cut->lead.first;
    cut->in.twice = needs_last && !lead_last(&cut->lead, &cut->base.last);
    if (cut->in.twice || !lead_begin(&cut->lead, moment_time(&cut->moments[0], &cut->base)))
        return;
    cut->in.read = spans_read;
    cut->in.read_data = &cut->lead.spans;
}

static int cut_run(const struct command *self, struct output *out, char **arguments)
{
    struct cut cut = {.start = NULL};
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    int code = input_parse(&cut.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = cut_check(&cut, self, out);
    if (code == COMMAND_GO_ON) {
        cut_lead(&cut);
        code = rewrite_start(&cut.in);
    }
    if (code == COMMAND_GO_ON)
        code = cut_find_end(&cut, out);
    if (code != COMMAND_GO_ON) {
        lead_close(&cut.lead);
        return code;
    }
    if (cut.tasks)
        options.flags |= GT_WRITER_TASKS;
    cut.rewrite = (struct rewrite){.in = &cut.in,
                                   .output = cut.output,
                                   .options = options,
                                   .take = cut_event,
                                   .reset = cut_reset,
                                   .user_data = &cut};
    code = rewrite_run(&cut.rewrite, out);
    lead_close(&cut.lead);
    return code;
}

const struct command command_cut = {
    .name = "cut",
    .usage = "cut [OPTION...] FILE",
    .summary = "write a stretch of a trace as a trace",
    .help = "Writes the events from one time to another, both included, as a trace that every\n"
            "tool reads, Go's own included, from the version of Go on that has recorded it;\n"
            "for traces of Go 1.21 and before, from Go 1.23 on. It begins with the states of\n"
            "all goroutines and procs at that time. What could not be written, or has another\n"
            "time, is reported on standard error.\n",
    COMMAND_OPTIONS(cut_options),
    .shared = rewrite_lenient_shared,
    .run = cut_run,
};
