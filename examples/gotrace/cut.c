/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what happened in a stretch of time as a trace of its own. */
#include <stdio.h>

#include <gotrace/writer.h>

#include "command.h"
#include "cutfocus.h"
#include "input.h"
#include "lead.h"
#include "moment.h"
#include "rewrite.h"

enum {
    /* The newest version whose traces begin with the states of everything. */
    CUT_OLD = 21
};

struct cut {
    struct input in;
    const char *start;
    const char *end;
    const char *output;
    bool tasks;
    struct focus focus;
    struct moment moments[2];
    struct moment_base base;
    struct lead lead;
    bool has_first;
    bool has_events; /* an event that is not a Sync was read */
    bool knows_all;  /* a generation with events is over, so the trace has named everything */
    bool has_passed; /* an event came before what is to be written */
    bool has_states; /* an event has told what exists there */
    bool has_begun;
    bool has_written; /* an event is written that is not a Sync */
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
    {OPTION_VALUE(
         struct cut, focus.goroutines, "goroutine", "N[,N...]",
         "write logs, regions, tasks, CPU samples and stacks only of these goroutines, and "
         "only the states of all others; the default times are then those from the first "
         "event of the goroutines to their end"),
     .summary = "details of these goroutines only"},
    {OPTION_VALUE(struct cut, focus.tasks, "task", "ID[,ID...]",
                  "the same of these tasks, their subtasks, and the goroutines that take part in "
                  "them while they are open"),
     .summary = "details of these tasks only"},
    {OPTION_VALUE(struct cut, focus.region, "region", "TYPE",
                  "the same of what happens in regions of this type"),
     .summary = "details of regions of this type only"},
    {OPTION_FLAG(struct cut, tasks, "tasks",
                 "begin tasks anew that began before, so that their ends have a type"),
     .summary = "begin tasks anew that began before"},
    REWRITE_OUTPUT_OPTION(struct cut, output),
};

/* Takes an event of the first reading. */
static gt_status cut_look(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    cut->base.last = event->time;
    return cut->focus.chosen ? gt_focus_event(cut->focus.chosen, event) : GT_OK;
}

static bool cut_counts_from(const struct cut *cut, enum moment_origin origin)
{
    return cut->moments[0].origin == origin || cut->moments[1].origin == origin;
}

/*
 * Reads the whole trace before it is cut, if a time counts from its end that is not known, or if
 * there is something to look for.
 */
static int cut_look_first(struct cut *cut, struct output *out)
{
    gt_status reading = GT_OK;
    if (!cut->in.twice)
        return COMMAND_GO_ON;
    gt_status status = input_for_each_event(cut->in.reader, cut_look, cut, &reading);
    if (status == GT_OK && input_is_in_trouble(&cut->in, reading))
        return input_close(&cut->in, out, reading);
    if (status == GT_OK && cut->focus.chosen)
        status = focus_finish(&cut->focus, &cut->in);
    if (status == GT_ERR_NOT_AVAILABLE) {
        input_close(&cut->in, out, reading);
        return COMMAND_BAD;
    }
    return status == GT_OK ? input_restart(&cut->in) : input_close(&cut->in, out, status);
}

static void cut_find_times(struct cut *cut)
{
    cut->from = INT64_MIN;
    cut->to = INT64_MAX;
    if (cut->focus.chosen)
        gt_focus_get_span(cut->focus.chosen, &cut->from, &cut->to);
    if (cut->start)
        cut->from = moment_time(&cut->moments[0], &cut->base);
    if (cut->end)
        cut->to = moment_time(&cut->moments[1], &cut->base);
}

/* Finds out what to write when the first event tells when the trace begins. */
static gt_status cut_begin(struct cut *cut, const gt_event *event)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(cut->in.reader, &info);
    cut->has_first = true;
    cut->knows_all = info.version <= CUT_OLD;
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

/* Ends what is written. If everything sleeps from the one time to the other, writes that. */
static gt_status cut_end(struct cut *cut)
{
    gt_status status = GT_OK;
    if (!cut->has_begun && cut->has_states && cut->from <= cut->to)
        status = gt_writer_states(cut->rewrite.writer, cut->from, cut->to);
    return status == GT_OK ? GT_END : status;
}

/*
 * Takes an event after what is to be written. What sleeps from before the trace on is not named
 * before the end of the first generation that has events. If events were written, that matters only
 * if the states are what was asked for; otherwise the output has no event that comes later, so that
 * outputs that follow each other can be joined.
 */
static gt_status cut_go_on(struct cut *cut, const gt_event *event)
{
    bool is_enough = cut->has_written && !cut->focus.chosen;
    if (cut->knows_all || is_enough || (!cut->has_begun && !cut->has_passed))
        return cut_end(cut);
    cut->has_states = true;
    return gt_writer_late(cut->rewrite.writer, event);
}

/* Notes how far an event is in the trace. */
static gt_status cut_note(struct cut *cut, const gt_event *event)
{
    gt_status status = GT_OK;
    if (event->kind == GT_EVENT_SYNC) {
        cut->knows_all = cut->has_events;
        status = cut_note_clock(cut, event);
    } else {
        cut->has_events = true;
    }
    return status == GT_OK && !cut->has_first ? cut_begin(cut, event) : status;
}

static gt_status cut_event(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    gt_status status = cut_note(cut, event);
    if (status != GT_OK)
        return status;
    if (event->time > cut->to)
        return cut_go_on(cut, event);
    cut->has_begun |= event->time >= cut->from;
    cut->has_passed |= !cut->has_begun;
    cut->has_states |= !cut->has_begun && event->kind != GT_EVENT_SYNC;
    cut->has_written |= cut->has_begun && event->kind != GT_EVENT_SYNC;
    return cut->has_begun ? gt_writer_event(cut->rewrite.writer, event)
                          : gt_writer_skip(cut->rewrite.writer, event);
}

static void cut_reset(void *user_data)
{
    struct cut *cut = user_data;
    cut->has_first = cut->has_events = cut->knows_all = false;
    cut->has_passed = cut->has_states = cut->has_begun = cut->has_written = false;
    if (cut->focus.chosen)
        gt_focus_rewind(cut->focus.chosen);
    cut->base.sync = (gt_sync){.has_clock = 0};
}

static int cut_check(struct cut *cut, const struct command *self, const struct output *out)
{
    int code = moment_take(&cut->moments[0], cut->start, self);
    if (code == COMMAND_GO_ON)
        code = moment_take(&cut->moments[1], cut->end, self);
    if (code == COMMAND_GO_ON)
        code = rewrite_check(&cut->output, self, out);
    return code == COMMAND_GO_ON ? focus_take(&cut->focus, self) : code;
}

/*
 * Leaves out the generations before the cut that tell nothing about it, if the trace is a file in
 * which they can be found. Tasks that are open may have begun in any of them, and what is looked
 * for may be there; and what is repaired may change everything after it.
 */
static void cut_lead(struct cut *cut)
{
    bool needs_last = cut_counts_from(cut, MOMENT_END);
    bool needs_all = cut->tasks || cut->focus.chosen || cut->in.lenient ||
                     cut_counts_from(cut, MOMENT_WALL_CLOCK);
    cut->in.twice = needs_last || cut->focus.chosen;
    if (!cut->start || needs_all || !lead_open(&cut->lead, cut->in.name))
        return;
    cut->base.first = cut->lead.first;
    cut->in.twice = needs_last && !lead_last(&cut->lead, &cut->base.last);
    if (cut->in.twice || !lead_begin(&cut->lead, moment_time(&cut->moments[0], &cut->base)))
        return;
    cut->in.read = spans_read;
    cut->in.read_data = &cut->lead.spans;
}

/* What the writer does besides cutting. */
static gt_writer_options cut_options_of_writer(const struct cut *cut)
{
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    if (cut->tasks || cut->focus.chosen)
        options.flags |= GT_WRITER_TASKS;
    if (cut->focus.chosen)
        gt_focus_apply(cut->focus.chosen, &options);
    return options;
}

/* Reads the trace, and writes a part of it. */
static int cut_write(struct cut *cut, struct output *out)
{
    cut_lead(cut);
    int code = rewrite_start(&cut->in);
    if (code == COMMAND_GO_ON)
        code = cut_look_first(cut, out);
    if (code == COMMAND_GO_ON) {
        cut->rewrite = (struct rewrite){.in = &cut->in,
                                        .output = cut->output,
                                        .options = cut_options_of_writer(cut),
                                        .take = cut_event,
                                        .reset = cut_reset,
                                        .user_data = cut};
        code = rewrite_run(&cut->rewrite, out);
    }
    lead_close(&cut->lead);
    return code;
}

static int cut_run(const struct command *self, struct output *out, char **arguments)
{
    struct cut cut = {.start = NULL};
    int code = input_parse(&cut.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = cut_check(&cut, self, out);
    if (code == COMMAND_GO_ON)
        code = cut_write(&cut, out);
    focus_close(&cut.focus);
    return code;
}

const struct command command_cut = {
    .name = "cut",
    .usage = "cut [OPTION...] FILE",
    .summary = "write a stretch of a trace as a trace",
    .help = "Writes the events from one time to another, both included, as a trace that every\n"
            "tool reads, Go's own included, from the version of Go on that has recorded it;\n"
            "for traces of Go 1.21 and before, from Go 1.23 on. It begins with the states of\n"
            "all goroutines and procs at that time; if nothing happens then, it has these\n"
            "alone. What could not be written, or has another time, is reported on standard\n"
            "error. With --goroutine, --task and --region, which add up, it has the states of\n"
            "all, but details only of what was asked for, for which the trace is read twice.\n",
    COMMAND_OPTIONS(cut_options),
    .shared = rewrite_lenient_shared,
    .run = cut_run,
};
