/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between traces before and after a change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "comparejson.h"
#include "comparetext.h"
#include "compareview.h"
#include "condition.h"
#include "input.h"
#include "interrupt.h"
#include "terminal.h"

enum {
    TRACES_MOST = 200,
    /* A condition of --fail-if holds. */
    COMMAND_FAILED = 3,
    /* The longest condition that is shown as wrong, with the NUL. */
    CONDITION_MAX = 200
};

struct compare_command {
    struct input in;
    const char *fail_if;
    bool all;
    bool stacks;
    bool json;
    bool http;
    bool no_open;
    const char *address;
    const char *names[2][TRACES_MOST];
    size_t counts[2];
    gt_compare *compare;
};

static const struct option compare_options[] = {
    {OPTION_FLAG(struct compare_command, all, "all",
                 "also print the differences that may be noise or are too small to matter")},
    {OPTION_FLAG(struct compare_command, stacks, "stacks",
                 "also compare by stack, without lines, so that stacks match across builds")},
    {OPTION_FLAG(struct compare_command, json, "json",
                 "as one JSON object; times are in nanoseconds")},
    {OPTION_VALUE(struct compare_command, fail_if, "fail-if", "CONDITIONS",
                  "end with exit code 3 if one of these, with semicolons in between, holds and is "
                  "not noise, as in 'task:checkout p99 > +10%', or is about what only the traces "
                  "before have; --all shows what can be named"),
     .summary = "end with exit code 3 if a condition holds"},
    {OPTION_FLAG(struct compare_command, http, "http",
                 "show the comparison in a browser, with the timelines of the traces"),
     .excludes = "--json --fail-if"},
    {OPTION_VALUE(struct compare_command, address, "address", "ADDR",
                  "with --http: listen at HOST:PORT; the default is a free port of 127.0.0.1. "
                  "Whoever can reach that address can read the traces"),
     .summary = "with --http: listen at HOST:PORT"},
    {OPTION_FLAG(struct compare_command, no_open, "no-open", "with --http: open no browser")},
};

/* Divides the arguments at the last "--", which is what separates several traces. */
static int compare_parse(struct compare_command *c, const struct command *self, struct output *out,
                         char **arguments)
{
    const struct operands operands = {c->names[0], 1, TRACES_MOST};
    char **divider = NULL;
    for (char **at = arguments; *at; at++) {
        if (strcmp(*at, "--") == 0)
            divider = at;
    }
    for (char **at = divider ? divider + 1 : NULL; at && *at; at++) {
        if (c->counts[1] == TRACES_MOST)
            return command_misused(self, "one argument too many", *at);
        c->names[1][c->counts[1]++] = *at;
    }
    if (divider)
        *divider = NULL;
    int code = input_parse_operands(&c->in, self, out, arguments, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    while (c->counts[0] < TRACES_MOST && c->names[0][c->counts[0]])
        c->counts[0]++;
    if (!divider && c->counts[0] == 2) {
        c->names[1][0] = c->names[0][1];
        c->counts[0] = c->counts[1] = 1;
    }
    if (c->counts[1] == 0)
        return command_misused(self,
                               c->counts[0] < 2 ? "too few arguments"
                                                : "several traces need a -- between the sides",
                               NULL);
    if (c->in.settings.keep)
        return command_misused(self, "--save keeps one trace only", NULL);
    if (c->http && (c->json || c->fail_if))
        return command_misused(self, "--http excludes --json and --fail-if", NULL);
    if (!c->http && (c->address || c->no_open))
        return command_misused(self, "--address and --no-open need --http", NULL);
    return COMMAND_GO_ON;
}

static int compare_check_conditions(const struct compare_command *c, const struct command *self)
{
    const char *text = c->fail_if ? c->fail_if : "";
    struct condition condition;
    enum condition_form form = condition_take(&condition, &text);
    if (c->fail_if && form == CONDITION_END)
        return command_misused(self, "--fail-if has no condition", NULL);
    while (form == CONDITION_GOOD) {
        if (!c->stacks && strncmp(condition.what.data, "stack:", strlen("stack:")) == 0)
            return command_misused(self, "without --stacks there is no", "stack:");
        form = condition_take(&condition, &text);
    }
    if (form == CONDITION_END)
        return COMMAND_GO_ON;
    char shown[CONDITION_MAX];
    snprintf(shown, sizeof(shown), "%.*s", (int) condition.text.size, condition.text.data);
    return command_misused(self, "not a condition such as 'task:name p99 > +10%':", shown);
}

/* A trace that is being read. */
struct compare_trace {
    struct input in;
    gt_compare *compare;
};

static gt_status compare_event(void *user_data, const gt_event *event)
{
    struct compare_trace *trace = user_data;
    return gt_compare_event(trace->compare, trace->in.reader, event);
}

/* Reads a trace up to its end, or up to a fault, which is reported. */
static int compare_read(const struct compare_command *c, struct output *out, uint32_t side,
                        const char *name)
{
    struct compare_trace trace = {.in = c->in, .compare = c->compare};
    gt_status reading = GT_OK;
    trace.in.name = name;
    int code = input_start(&trace.in);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = gt_compare_begin(c->compare, side);
    if (status == GT_OK)
        status = input_for_each_event(trace.in.reader, compare_event, &trace, &reading);
    return input_close(&trace.in, out, status == GT_OK ? reading : status);
}

static int compare_report(gt_status status)
{
    terminal_report("%s", gt_status_text(status));
    return COMMAND_BAD;
}

/* Says what there is instead of the figure that a condition is about. */
static int compare_report_unknown(const struct compare_command *c,
                                  const struct condition *condition)
{
    char *text = condition_explain(condition, c->compare);
    if (!text)
        return compare_report(GT_ERR_NO_MEMORY);
    terminal_report("--fail-if: '%.*s': %s", (int) condition->text.size, condition->text.data,
                    text);
    free(text);
    return COMMAND_MISUSED;
}

/* Says what became of a condition unless it has just failed. Returns the exit code for it. */
static int compare_report_condition(const struct compare_command *c,
                                    const struct condition *condition, enum condition_result result)
{
    static const char *const texts[] = {
        [CONDITION_HOLDS] = "--fail-if: '%.*s' holds",
        [CONDITION_TOO_FEW] = "--fail-if: too little data for '%.*s'",
        [CONDITION_REMOVED] = "--fail-if: '%.*s' is about what only the traces before have",
        [CONDITION_ADDED] = "--fail-if: '%.*s' is about what only the traces after have",
    };
    if (result == CONDITION_UNKNOWN)
        return compare_report_unknown(c, condition);
    if (result != CONDITION_FAILS)
        terminal_report(texts[result], (int) condition->text.size, condition->text.data);
    return result == CONDITION_HOLDS || result == CONDITION_REMOVED ? COMMAND_FAILED : COMMAND_GOOD;
}

/* Says which conditions hold or cannot be checked. Returns the exit code of the program: that of
 * reading, or else that of a wrong condition before that of one that holds. */
static int compare_judge(const struct compare_command *c, struct output *out, int code)
{
    const char *text = c->fail_if ? c->fail_if : "";
    struct condition condition;
    output_flush(out);
    while (condition_take(&condition, &text) == CONDITION_GOOD) {
        enum condition_result result;
        if (!condition_check(&condition, c->compare, &result))
            return compare_report(GT_ERR_NO_MEMORY);
        int found = compare_report_condition(c, &condition, result);
        if (code == COMMAND_GOOD || (code == COMMAND_FAILED && found != COMMAND_GOOD))
            code = found;
    }
    return code;
}

/* Takes in all traces, and computes the differences. Sets `*complete` if they can be shown. */
static int compare_read_all(struct compare_command *c, struct output *out, bool *complete)
{
    int code = COMMAND_GOOD;
    *complete = false;
    for (uint32_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->counts[side]; i++) {
            int read = compare_read(c, out, side, c->names[side][i]);
            /* What was read until the interrupt is no base for a comparison. */
            if (interrupt_has_come())
                return COMMAND_BAD;
            code = read == COMMAND_GOOD ? code : read;
        }
    }
    gt_status status = gt_compare_finish(c->compare);
    *complete = status == GT_OK;
    return *complete ? code : compare_report(status);
}

static int compare_print(struct compare_command *c, struct output *out)
{
    bool complete;
    int code = compare_read_all(c, out, &complete);
    if (!complete)
        return code;
    bool is_good = c->json ? comparejson_write(out, c->compare, c->all, c->fail_if)
                           : comparetext_write(out, c->compare, c->all);
    return is_good ? compare_judge(c, out, code) : compare_report(GT_ERR_NO_MEMORY);
}

/* Shows the comparison in a browser. The traces are loaded for the timelines meanwhile. */
static int compare_show(struct compare_command *c, struct output *out)
{
    const struct compareview_options options = {
        .names = {c->names[0], c->names[1]},
        .counts = {c->counts[0], c->counts[1]},
        .address = c->address ? c->address : "127.0.0.1:0",
        .no_open = c->no_open,
        .reader_flags = (c->in.as_recorded ? GT_READER_AS_RECORDED : 0) |
                        (input_reads_ahead(&c->in) ? GT_READER_AHEAD : 0),
        .program = c->in.symbols.program,
        .intake = &c->in.settings,
    };
    bool complete;
    struct compareview *view = compareview_open(&options);
    if (!view)
        return COMMAND_BAD;
    int code = compare_read_all(c, out, &complete);
    if (complete) {
        int shown = compareview_run(view, c->compare, out);
        code = shown == COMMAND_GOOD ? code : shown;
    }
    compareview_close(view);
    return code;
}

static int compare_run(const struct command *self, struct output *out, char **arguments)
{
    struct compare_command c = {.all = false};
    int code = compare_parse(&c, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = compare_check_conditions(&c, self);
    if (code != COMMAND_GO_ON)
        return code;
    gt_compare_options options = GT_COMPARE_OPTIONS_INIT;
    options.flags = c.stacks || c.http ? GT_COMPARE_STACKS : 0;
    if (gt_compare_open(&c.compare, &options, &c.in.failure) != GT_OK)
        return compare_report(c.in.failure.status);
    code = c.http ? compare_show(&c, out) : compare_print(&c, out);
    gt_compare_close(&c.compare);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "compare [OPTION...] BEFORE AFTER | BEFORE... -- AFTER...",
    .summary = "print what differs between traces, the worst first",
    .help = "Compares traces before a change with traces after it: goroutines by their start\n"
            "function, tasks and regions by type, the garbage collector and the heap. What\n"
            "may be noise is not printed. One trace on each side shows changes of about a\n"
            "fifth; three or more on each side show smaller ones.\n",
    COMMAND_OPTIONS(compare_options),
    .shared = input_options,
    .run = compare_run,
};
