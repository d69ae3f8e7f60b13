/* SPDX-License-Identifier: BSD-3-Clause */
/* The command report: what is wrong with the program of a trace. */
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "ending.h"
#include "findingtext.h"
#include "input.h"
#include "terminal.h"

struct findings_command {
    struct input in;
    const char *set;
    bool json;
    bool thresholds;
    struct output *out;
    gt_report *report;
};

static const struct option findings_options[] = {
    {OPTION_VALUE(struct findings_command, set, "set", "THRESHOLDS",
                  "change thresholds, as in lock-convoy.time=50ms,gc-cpu.share=30; --thresholds "
                  "lists them"),
     .summary = "change thresholds"},
    {OPTION_FLAG(struct findings_command, thresholds, "thresholds",
                 "print the thresholds as they apply, and do not read a trace; no FILE is needed"),
     .summary = "print the thresholds"},
    {OPTION_FLAG(struct findings_command, json, "json",
                 "as one JSON object; times are in nanoseconds, shares in percent"),
     .summary = "as JSON"},
};

/* Finds the threshold that is named by the first `size` bytes of `text`. */
static bool findings_threshold_find(const struct findings_command *c, const char *text, size_t size,
                                    gt_report_threshold *threshold)
{
    for (size_t i = 0; gt_report_get_threshold(c->report, i, threshold) == GT_OK; i++) {
        if (threshold->name.size == size && memcmp(threshold->name.data, text, size) == 0)
            return true;
    }
    return false;
}

/* Sets one threshold by a text NAME=VALUE, which is changed. */
static bool findings_set_one(struct findings_command *c, char *text)
{
    gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;
    char *value = strchr(text, '=');
    double number;
    return value && findings_threshold_find(c, text, (size_t) (value - text), &threshold) &&
           findingtext_parse(value + 1, threshold.unit, &number) &&
           gt_report_set(c->report, threshold.name, number) == GT_OK;
}

static int findings_set(struct findings_command *c, const struct command *self)
{
    int code = COMMAND_GO_ON;
    char *copy = strdup(c->set ? c->set : ""), *rest = copy;
    while (copy && code == COMMAND_GO_ON && *rest != '\0') {
        char *next = rest + strcspn(rest, ",");
        bool is_last = *next == '\0';
        *next = '\0';
        char *whole = strdup(rest);
        if (!whole || !findings_set_one(c, rest))
            code = command_misused(self, "not a threshold and its value:", whole ? whole : "");
        free(whole);
        rest = next + !is_last;
    }
    free(copy);
    return code;
}

static gt_status findings_event(void *user_data, const gt_event *event)
{
    struct findings_command *c = user_data;
    return gt_report_event(c->report, c->in.reader, event);
}

/* Returns the status that ended the reading, or that of another failure. */
static gt_status findings_read(struct findings_command *c)
{
    gt_status reading = GT_OK;
    gt_status status = input_for_each_event(c->in.reader, findings_event, c, &reading);
    if (status == GT_OK)
        status = gt_report_finish(c->report);
    if (status == GT_OK && c->json)
        findingtext_write_json(c->out, c->report, ending_word(gt_reader_get_ending(c->in.reader)));
    if (status == GT_OK && !c->json)
        findingtext_write(c->out, c->report);
    if (status == GT_OK && reading == GT_END && !c->json)
        ending_write(c->out, c->in.reader);
    return status == GT_OK ? reading : status;
}

static int findings_run_input(struct findings_command *c)
{
    int code = input_start(&c->in);
    return code == COMMAND_GO_ON ? input_close(&c->in, c->out, findings_read(c)) : code;
}

static int findings_run(const struct command *self, struct output *out, char **arguments)
{
    struct findings_command c = {.out = out};
    const struct operands operands = {&c.in.name, 0, 1};
    int code = input_parse_operands(&c.in, self, out, arguments, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    if (!c.in.name && !c.thresholds)
        return command_misused(self, "too few arguments", NULL);
    if (gt_report_open(&c.report, NULL, &c.in.failure) != GT_OK) {
        terminal_report("%s", gt_status_text(c.in.failure.status));
        return COMMAND_BAD;
    }
    code = findings_set(&c, self);
    if (code == COMMAND_GO_ON && c.thresholds) {
        findingtext_write_thresholds(out, c.report, c.json);
        code = COMMAND_GOOD;
    }
    if (code == COMMAND_GO_ON)
        code = findings_run_input(&c);
    gt_report_close(&c.report);
    return code;
}

const struct command command_report = {
    .name = "report",
    .usage = "report [OPTION...] FILE",
    .summary = "print what is wrong with the program, the worst first",
    .help = "Looks for faults such as goroutines that wait for locks, goroutines that never\n"
            "end and too much garbage collection. For each it prints how much time it takes,\n"
            "the goroutines and stacks that it is about, an example, and what people usually\n"
            "do about it. A healthy program has none.\n",
    COMMAND_OPTIONS(findings_options),
    .shared = input_options,
    .run = findings_run,
};
