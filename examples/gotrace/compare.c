/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between traces before and after a change. */
#include <string.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "comparetext.h"
#include "input.h"
#include "interrupt.h"
#include "terminal.h"

enum {
    TRACES_MOST = 200,
    /* A condition of --fail-if holds. */
    COMMAND_FAILED = 3
};

struct compare_command {
    struct input in;
    const char *fail_if;
    bool all;
    bool json;
    const char *names[2][TRACES_MOST];
    size_t counts[2];
    gt_compare *compare;
};

static const struct option compare_options[] = {
    {OPTION_FLAG(struct compare_command, all, "all",
                 "also print the differences that may be noise or are too small to matter")},
    {OPTION_FLAG(struct compare_command, json, "json",
                 "as one JSON object; times are in nanoseconds")},
    {OPTION_VALUE(struct compare_command, fail_if, "fail-if", "CONDITIONS",
                  "end with exit code 3 if one of these, with semicolons in between, holds and is "
                  "not noise, as in 'task:checkout p99 > +10%'; --all shows what can be named"),
     .summary = "end with exit code 3 if a condition holds"},
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
    return COMMAND_GO_ON;
}

static int compare_check_conditions(const struct compare_command *c, const struct command *self)
{
    const char *text = c->fail_if ? c->fail_if : "";
    while (*text != '\0') {
        size_t size = strcspn(text, ";");
        if (!comparetext_is_condition(text, size))
            return command_misused(self,
                                   "not conditions such as 'task:name p99 > +10%':", c->fail_if);
        text += size + (text[size] == ';');
    }
    return COMMAND_GO_ON;
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

/* Says which conditions hold or cannot be checked. Returns the exit code of the program. */
static int compare_judge(const struct compare_command *c, struct output *out, int code)
{
    const char *text = c->fail_if ? c->fail_if : "";
    output_flush(out);
    while (*text != '\0') {
        int size = (int) strcspn(text, ";");
        enum comparetext_result result = comparetext_check(c->compare, text, (size_t) size);
        if (result == COMPARETEXT_UNKNOWN)
            terminal_report("--fail-if: too little data for '%.*s'", size, text);
        if (result == COMPARETEXT_HOLDS) {
            terminal_report("--fail-if: '%.*s' holds", size, text);
            code = code == COMMAND_GOOD ? COMMAND_FAILED : code;
        }
        text += size + (text[size] == ';');
    }
    return code;
}

static int compare_run_traces(struct compare_command *c, struct output *out)
{
    int code = COMMAND_GOOD;
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
    if (status == GT_OK && c->json)
        comparetext_write_json(out, c->compare, c->all, c->fail_if);
    else if (status == GT_OK && !comparetext_write(out, c->compare, c->all))
        status = GT_ERR_NO_MEMORY;
    if (status != GT_OK) {
        terminal_report("%s", gt_status_text(status));
        return COMMAND_BAD;
    }
    return compare_judge(c, out, code);
}

static int compare_run(const struct command *self, struct output *out, char **arguments)
{
    struct compare_command c = {.all = false};
    int code = compare_parse(&c, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = compare_check_conditions(&c, self);
    if (code != COMMAND_GO_ON)
        return code;
    if (gt_compare_open(&c.compare, NULL, &c.in.failure) != GT_OK) {
        terminal_report("%s", gt_status_text(c.in.failure.status));
        return COMMAND_BAD;
    }
    code = compare_run_traces(&c, out);
    gt_compare_close(&c.compare);
    return code;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "compare [OPTION...] BEFORE AFTER | BEFORE... -- AFTER...",
    .summary = "print what differs between traces, the worst first",
    .help = "Compares traces before a change with traces after it: goroutines by their start\n"
            "function, tasks and regions by type, the garbage collector and the heap. What may\n"
            "be noise is not printed. One trace on each side shows changes of about a fifth;\n"
            "three or more on each side show smaller ones.\n",
    COMMAND_OPTIONS(compare_options),
    .shared = input_options,
    .run = compare_run,
};
