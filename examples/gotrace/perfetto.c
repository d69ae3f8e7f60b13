/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes traces in Perfetto's own format. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "pftrace.h"
#include "rewrite.h"

enum {
    /* The most traces in one file. */
    PERFETTO_MOST = 64
};

static_assert(sizeof(((struct pfshared *) NULL)->pids) / sizeof(uint32_t) == PERFETTO_MOST,
              "each trace has a pid");

/* The values of the options, as text. */
struct perfetto_texts {
    const char *goroutine;
    const char *task;
    const char *pid;
    const char *samples;
    const char *start;
    const char *end;
};

struct perfetto {
    struct input in;
    const char *names[PERFETTO_MOST + 1];
    const char *output;
    struct perfetto_texts texts;
    struct pfsettings settings;
    struct selection selection;
    struct pfshared shared;
    struct tracefile file;
    bool has_events; /* one of the traces has */
};

static const struct option perfetto_options[] = {
    {OPTION_FLAG(struct perfetto, settings.procs, "procs",
                 "draw also procs, with what ran on them")},
    {OPTION_FLAG(struct perfetto, settings.threads, "threads",
                 "draw also threads, by the system's ids, so that they line up with those of a "
                 "trace of the system"),
     .summary = "draw also threads, by the system's ids"},
    {OPTION_FLAG(struct perfetto, settings.no_wakes, "no-wakes",
                 "leave out which goroutine woke or created which")},
    {OPTION_VALUE(struct perfetto, texts.samples, "samples", "HOW",
                  "write CPU samples as instants of goroutines, which is the default, as stack "
                  "samples for flame graphs of CPU time, which need Perfetto 58, or as both"),
     .summary = "how CPU samples are written", .words = "instant stack both"},
    {OPTION_FLAG(struct perfetto, settings.no_clock, "no-clock",
                 "leave out the clocks, for a file that is appended to one which has them"),
     .summary = "leave out the clocks"},
    {OPTION_VALUE(struct perfetto, texts.pid, "pid", "N",
                  "the id of the process; the default is the lowest id of its threads"),
     .summary = "the id of the process"},
    {OPTION_VALUE(struct perfetto, settings.name, "name", "NAME",
                  "the name of the process; the default is that of the file"),
     .summary = "the name of the process"},
    {OPTION_VALUE(struct perfetto, texts.start, "start", "TIME",
                  "the first time to draw, as of 'gotrace cut': +1.5s after the beginning, -1.5s "
                  "before the end, or a time that 'gotrace dump' prints"),
     .summary = "the first time to draw"},
    {OPTION_VALUE(struct perfetto, texts.end, "end", "TIME", "the last time to draw")},
    {OPTION_VALUE(struct perfetto, texts.goroutine, "goid", "N",
                  "only goroutine N and those that unblocked it, while it ran"),
     .summary = "a goroutine and those that unblocked it", .excludes = "--taskid"},
    {OPTION_VALUE(struct perfetto, texts.task, "taskid", "N",
                  "only task N, its subtasks and their goroutines"),
     .summary = "a task, its subtasks and their goroutines", .excludes = "--goid"},
    REWRITE_OUTPUT_OPTION(struct perfetto, output),
};

/* Parses --samples. */
static int perfetto_parse_samples(struct perfetto *c, const struct command *self)
{
    static const char *const words[] = {
        [PFTRACE_INSTANTS] = "instant",
        [PFTRACE_STACKS] = "stack",
        [PFTRACE_INSTANTS | PFTRACE_STACKS] = "both",
    };
    const char *text = c->texts.samples ? c->texts.samples : words[PFTRACE_INSTANTS];
    for (uint32_t i = 1; i < sizeof(words) / sizeof(words[0]); i++) {
        c->settings.samples = i;
        if (strcmp(text, words[i]) == 0)
            return COMMAND_GO_ON;
    }
    return command_misused(self, "not a way to write samples:", text);
}

/* Parses --start or --end. */
static int perfetto_parse_time(const char *text, const struct command *self, bool *has_moment,
                               struct moment *moment)
{
    *has_moment = text != NULL;
    return moment_take(moment, text, self);
}

static int perfetto_parse_selection(struct perfetto *c, const struct command *self)
{
    static const char only_one[] = "only one of --goid and --taskid";
    int code =
        selection_parse(&c->selection, GT_SELECT_GOROUTINE, c->texts.goroutine, self, only_one);
    if (code == COMMAND_GO_ON)
        code = selection_parse(&c->selection, GT_SELECT_TASK, c->texts.task, self, only_one);
    if (code == COMMAND_GO_ON && c->selection.kind != 0 &&
        (c->settings.procs || c->settings.threads))
        code = command_misused(self, "--goid and --taskid show goroutines only", NULL);
    return code;
}

static int perfetto_check(struct perfetto *c, const struct command *self, const struct output *out)
{
    struct pfsettings *settings = &c->settings;
    int code = selection_parse_number(c->texts.pid, self, &settings->pid);
    if (code == COMMAND_GO_ON && settings->pid > INT32_MAX)
        code = command_misused(self, "no id of a process:", c->texts.pid);
    if (code == COMMAND_GO_ON)
        code = perfetto_parse_samples(c, self);
    if (code == COMMAND_GO_ON)
        code = perfetto_parse_time(c->texts.start, self, &settings->has_start, &settings->start);
    if (code == COMMAND_GO_ON)
        code = perfetto_parse_time(c->texts.end, self, &settings->has_end, &settings->end);
    if (code == COMMAND_GO_ON)
        code = perfetto_parse_selection(c, self);
    bool is_of_one = c->texts.pid || settings->name || c->selection.kind != 0 ||
                     settings->has_start || settings->has_end;
    if (code == COMMAND_GO_ON && c->names[1] && is_of_one)
        code = command_misused(self,
                               "--pid, --name, --start, --end, --goid and --taskid are for "
                               "a single FILE",
                               NULL);
    return code == COMMAND_GO_ON ? rewrite_check(&c->output, self, out) : code;
}

/* Draws one of the traces. Returns the exit code of the program. */
static int perfetto_draw(struct perfetto *c, const char *name, struct output *out,
                         bool *is_complete)
{
    struct pftrace trace = {
        .in = c->in,
        .settings = &c->settings,
        .shared = &c->shared,
        .file = &c->file,
        .selection = c->selection,
    };
    trace.in.name = name;
    int code = pftrace_run(&trace, out);
    selection_close(&trace.selection);
    *is_complete &= trace.is_complete;
    c->has_events |= trace.has_events;
    return code;
}

static int perfetto_convert(struct perfetto *c, struct output *out)
{
    int code = COMMAND_GOOD;
    bool is_complete = true;
    for (size_t i = 0; c->names[i]; i++) {
        if (!tracefile_is_free(c->output, c->names[i]))
            return COMMAND_BAD;
    }
    if (!tracefile_open(&c->file, c->output, c->names[0], out))
        return COMMAND_BAD;
    for (size_t i = 0; c->names[i] && is_complete; i++) {
        int drawn = perfetto_draw(c, c->names[i], out, &is_complete);
        if (drawn != COMMAND_GOOD)
            code = drawn;
    }
    return tracefile_close(&c->file, is_complete && c->has_events) ? code : COMMAND_BAD;
}

static int perfetto_run(const struct command *self, struct output *out, char **arguments)
{
    struct perfetto c = {.output = NULL};
    const struct operands operands = {.list = c.names, .min = 1, .max = PERFETTO_MOST};
    int code = input_parse_operands(&c.in, self, out, arguments, &operands);
    if (code == COMMAND_GO_ON)
        code = perfetto_check(&c, self, out);
    return code == COMMAND_GO_ON ? perfetto_convert(&c, out) : code;
}

const struct command command_perfetto = {
    .name = "perfetto",
    .usage = "perfetto [OPTION...] FILE...",
    .summary = "convert traces for Perfetto, with stacks",
    .help = "Writes traces in the format of Perfetto, for ui.perfetto.dev and the Trace\n"
            "Processor: the states of all goroutines, their stacks and regions, who woke\n"
            "whom, tasks, logs, garbage collections and counters. Several traces become\n"
            "processes of one file, on one clock. See docs/perfetto.md for what one sees.\n",
    COMMAND_OPTIONS(perfetto_options),
    .notes = "With --goid, --taskid and times before the end the trace is read twice, and a\n"
             "pipe is copied to a temporary file.\n",
    .shared = input_perfetto_options,
    .run = perfetto_run,
};
