/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what happened in a stretch of time as a trace of its own. */
#include <inttypes.h>
#include <string.h>

#include <gotrace/time.h>
#include <gotrace/writer.h>

#include "command.h"
#include "input.h"
#include "rewrite.h"
#include "terminal.h"

/* What the user has given as a time. */
struct moment {
    /* '+' since the beginning of the trace, '-' before its end, '\0' on the trace's clock. */
    char from;
    int64_t nanoseconds;
};

struct cut {
    struct input in;
    const char *start;
    const char *end;
    const char *output;
    struct moment moments[2];
    /* The first and the last time of the trace, as far as they are needed. */
    int64_t first;
    int64_t last;
    bool has_first;
    /* What to write. */
    int64_t from;
    int64_t to;
    struct rewrite rewrite;
};

static const struct option cut_options[] = {
    {OPTION_VALUE(struct cut, start, "start", "TIME",
                  "the first time to write; +1.5s is 1.5 seconds after the beginning of the trace, "
                  "-1.5s as long before its end, and a number without a sign is a time that "
                  "'gotrace dump' prints; the default is the beginning"),
     .summary = "the first time to write"},
    {OPTION_VALUE(struct cut, end, "end", "TIME", "the last time to write; the default is the end"),
     .summary = "the last time to write"},
    REWRITE_OUTPUT_OPTION(struct cut, output),
};

static bool moment_parse(struct moment *moment, const char *text)
{
    bool is_relative = *text == '+' || *text == '-';
    moment->from = is_relative ? *text : '\0';
    text += is_relative;
    if (!is_relative && strspn(text, "0123456789") != strlen(text))
        return false;
    return gt_duration_parse(text, &moment->nanoseconds) == GT_OK && moment->nanoseconds >= 0;
}

/* Returns the time of a moment in the trace, or the nearest number that an int64_t can hold. */
static int64_t moment_time(const struct moment *moment, const struct cut *cut)
{
    int64_t distance = moment->nanoseconds;
    if (moment->from == '-')
        return cut->last < INT64_MIN + distance ? INT64_MIN : cut->last - distance;
    if (moment->from == '+')
        return cut->first > INT64_MAX - distance ? INT64_MAX : cut->first + distance;
    return distance;
}

/* Reads the whole trace before it is cut, if a time counts from its end. */
static gt_status cut_note_last(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    cut->last = event->time;
    return GT_OK;
}

static bool cut_counts_from_end(const struct cut *cut)
{
    return cut->moments[0].from == '-' || cut->moments[1].from == '-';
}

static int cut_find_end(struct cut *cut, struct output *out)
{
    gt_status reading;
    if (!cut_counts_from_end(cut))
        return COMMAND_GO_ON;
    input_for_each_event(cut->in.reader, cut_note_last, cut, &reading);
    if (reading == GT_CANCELLED)
        return input_close(&cut->in, out, reading);
    return input_restart(&cut->in);
}

/* Finds out what to write when the first event tells when the trace begins. */
static void cut_begin(struct cut *cut, const gt_event *event)
{
    cut->has_first = true;
    cut->first = event->time;
    cut->from = cut->start ? moment_time(&cut->moments[0], cut) : INT64_MIN;
    cut->to = cut->end ? moment_time(&cut->moments[1], cut) : INT64_MAX;
}

static gt_status cut_event(void *user_data, const gt_event *event)
{
    struct cut *cut = user_data;
    if (!cut->has_first)
        cut_begin(cut, event);
    if (event->time > cut->to)
        return GT_END;
    return event->time < cut->from ? gt_writer_skip(cut->rewrite.writer, event)
                                   : gt_writer_event(cut->rewrite.writer, event);
}

static void cut_report(void *user_data, const gt_writer_info *info)
{
    const struct cut *cut = user_data;
    if (info->left_out != 0)
        terminal_report("%s: left out: %" PRIu64
                        " ends of stops of the world that had begun before",
                        cut->in.name, info->left_out);
    if (info->delayed != 0)
        terminal_report("%s: delayed: %" PRIu64
                        " events, behind the names of what existed before them",
                        cut->in.name, info->delayed);
}

static int cut_check(struct cut *cut, const struct command *self, const struct output *out)
{
    if (cut->start && !moment_parse(&cut->moments[0], cut->start))
        return command_misused(self, "not a time:", cut->start);
    if (cut->end && !moment_parse(&cut->moments[1], cut->end))
        return command_misused(self, "not a time:", cut->end);
    return rewrite_check(cut->output, self, out);
}

static int cut_run(const struct command *self, struct output *out, char **arguments)
{
    struct cut cut = {.start = NULL};
    int code = input_parse(&cut.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = cut_check(&cut, self, out);
    if (code == COMMAND_GO_ON) {
        cut.in.twice = cut_counts_from_end(&cut);
        code = input_start(&cut.in);
    }
    if (code == COMMAND_GO_ON)
        code = cut_find_end(&cut, out);
    if (code != COMMAND_GO_ON)
        return code;
    cut.rewrite = (struct rewrite){.in = &cut.in,
                                   .output = cut.output,
                                   .options = GT_WRITER_OPTIONS_INIT,
                                   .take = cut_event,
                                   .report = cut_report,
                                   .user_data = &cut};
    return rewrite_run(&cut.rewrite, out);
}

const struct command command_cut = {
    .name = "cut",
    .usage = "cut [OPTION...] FILE",
    .summary = "write a stretch of a trace as a trace",
    .help = "Writes the events from one time to another, both included, as a trace that every\n"
            "tool reads, Go's own included. It begins with the states of all goroutines and\n"
            "procs at that time. What could not be written, or has another time, is reported\n"
            "on standard error.\n",
    COMMAND_OPTIONS(cut_options),
    .shared = rewrite_shared,
    .run = cut_run,
};
