/* SPDX-License-Identifier: BSD-3-Clause */
/* A profile, for pprof, of where goroutines spend their time. */
#include <string.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"
#include "profiletext.h"
#include "text.h"

struct pprof_command {
    struct input in;
    uint32_t kind;
    bool text;
    bool all;
    const char *goroutine;
    const char *region;
    const char *latency_min;
    const char *latency_max;
    gt_profile_options options;
    gt_profile *profile;
};

static const struct option pprof_options[] = {
    {OPTION_FLAG(struct pprof_command, text, "text",
                 "print lines 'COUNT NANOSECONDS FRAME;FRAME;...' instead"),
     .summary = "print lines of text instead"},
    {OPTION_FLAG(struct pprof_command, all, "all",
                 "count every wait: also before a goroutine first ran, without an "
                 "end, and, by the goroutine's own stack, without a waker's stack"),
     .summary = "count every wait, not only those that go tool trace counts"},
    {OPTION_VALUE(struct pprof_command, goroutine, "goroutine", "NAME",
                  "only goroutines whose start function is NAME"),
     .summary = "only goroutines with a start function"},
    {OPTION_VALUE(struct pprof_command, region, "region", "TYPE",
                  "only what happened in regions of this type"),
     .summary = "only what happened in regions of a type"},
    {OPTION_VALUE(struct pprof_command, latency_min, "latency-min", "TIME",
                  "only what happened in regions that lasted at least so long"),
     .summary = "only regions that lasted at least so long"},
    {OPTION_VALUE(struct pprof_command, latency_max, "latency-max", "TIME",
                  "only what happened in regions that lasted at most so long"),
     .summary = "only regions that lasted at most so long"},
};

/* Returns false if `name` is no kind of profile. */
static bool pprof_parse_kind(struct pprof_command *c, const char *name)
{
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        if (strcmp(gt_profile_kind_name(kind), name) == 0)
            c->kind = kind;
    }
    return c->kind != 0;
}

static int pprof_parse_latency(struct pprof_command *c, const struct command *self,
                               const char *text, int64_t *latency)
{
    if (!text)
        return COMMAND_GO_ON;
    if (gt_duration_parse(text, latency) != GT_OK)
        return command_misused(self, "not a length of time such as 10ms:", text);
    c->options.flags |= GT_PROFILE_REGIONS;
    return COMMAND_GO_ON;
}

static int pprof_parse_options(struct pprof_command *c, const struct command *self)
{
    c->options = (gt_profile_options) GT_PROFILE_OPTIONS_INIT;
    c->options.kinds = GT_PROFILE_BIT(c->kind);
    if (c->all)
        c->options.flags |= GT_PROFILE_ALL;
    if (c->region) {
        c->options.flags |= GT_PROFILE_REGIONS;
        c->options.region_type = text_of(c->region);
    }
    int code = pprof_parse_latency(c, self, c->latency_min, &c->options.latency_min);
    if (code == COMMAND_GO_ON)
        code = pprof_parse_latency(c, self, c->latency_max, &c->options.latency_max);
    if (code != COMMAND_GO_ON || !c->goroutine)
        return code;
    if (c->options.flags & GT_PROFILE_REGIONS)
        return command_misused(self, "--goroutine does not go with regions", NULL);
    c->options.goroutine = text_of(c->goroutine);
    return COMMAND_GO_ON;
}

static int pprof_check_terminal(const struct pprof_command *c, const struct command *self,
                                const struct output *out)
{
    if (c->text || !out->is_terminal)
        return COMMAND_GO_ON;
    return command_misused(
        self, "a profile is not for a terminal: give --text or send it elsewhere", NULL);
}

static gt_status pprof_events(void *user_data, const gt_event *const *events, size_t count)
{
    struct pprof_command *c = user_data;
    return gt_profile_events(c->profile, c->in.reader, events, count);
}

static int pprof_write_bytes(void *user_data, const void *data, size_t size)
{
    output_bytes(user_data, data, size);
    return 0;
}

/* Returns whether the profile is empty because no goroutine was selected. As in Go, this is an
 * error, whereas a selection of no region is not. */
static bool pprof_is_empty(const struct pprof_command *c)
{
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    gt_profile_get_info(c->profile, &info);
    return info.selected == 0 && !(c->options.flags & GT_PROFILE_REGIONS);
}

static int pprof_report_empty(const struct pprof_command *c)
{
    if (c->goroutine)
        terminal_report("%s: no goroutine began in '%s'", c->in.name, c->goroutine);
    else
        terminal_report("%s: no goroutine is in the trace", c->in.name);
    return COMMAND_BAD;
}

static int pprof_make_profile(struct pprof_command *c, struct output *out)
{
    gt_status reading = GT_END;
    bool is_empty = false;
    gt_status status = gt_profile_open(&c->profile, &c->options, &c->in.failure);
    if (status == GT_OK)
        status = input_for_each_batch(c->in.reader, pprof_events, c, &reading);
    if (status == GT_OK) {
        status = gt_profile_finish(c->profile);
        is_empty = status == GT_OK && pprof_is_empty(c);
    }
    if (status == GT_OK && !is_empty)
        status = c->text ? profiletext_write(out, c->profile, c->kind)
                         : gt_profile_write_pprof(c->profile, c->kind, pprof_write_bytes, out);
    gt_profile_close(&c->profile);
    int code = input_close(&c->in, out, status != GT_OK ? status : reading);
    return code == COMMAND_GOOD && is_empty ? pprof_report_empty(c) : code;
}

static int pprof_run(const struct command *self, struct output *out, char **arguments)
{
    struct pprof_command c = {.kind = 0};
    bool has_kind = arguments[0] && arguments[0][0] != '-';
    if (has_kind && !pprof_parse_kind(&c, arguments[0]))
        return command_misused(self, "unknown kind of profile", arguments[0]);
    int code = input_parse(&c.in, self, out, arguments + has_kind);
    if (code == COMMAND_GO_ON && !has_kind)
        code = command_misused(self, "the kind of profile comes first", NULL);
    if (code == COMMAND_GO_ON)
        code = pprof_parse_options(&c, self);
    if (code == COMMAND_GO_ON)
        code = pprof_check_terminal(&c, self, out);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    return code == COMMAND_GO_ON ? pprof_make_profile(&c, out) : code;
}

const struct command command_pprof = {
    .name = "pprof",
    .usage = "pprof KIND [OPTION...] FILE",
    .summary = "write a profile of where goroutines spend their time",
    .help = "Writes a profile for pprof: how many times, and for how long, by stack. KIND is\n"
            "one of those of go tool trace, which count waits that ended, by the stack that\n"
            "began them:\n"
            "\n"
            "  net      waiting for the network\n"
            "  sync     waiting for other goroutines\n"
            "  syscall  in system calls and in C\n"
            "  sched    runnable, and waiting for a proc\n"
            "\n"
            "or one of the whole recorded time, by the goroutine's own stack:\n"
            "\n"
            "  cpu      samples of the CPU profiler, where it ran\n"
            "  offcpu   neither running nor in a system call\n"
            "  wall     all time, by state\n",
    COMMAND_OPTIONS(pprof_options),
    .shared = input_options,
    .operand_words = "net sync syscall sched cpu offcpu wall",
    .run = pprof_run,
};
