/* SPDX-License-Identifier: BSD-3-Clause */
/* Where goroutines spend their time, as a profile for pprof. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "duration.h"
#include "input.h"
#include "profiletext.h"

/* What is asked for. */
struct pprof_command {
    struct input in;
    uint32_t kind;
    bool text;
    const char *goroutine;
    const char *region;
    const char *latency_min;
    const char *latency_max;
    gt_profile_options options;
};

/* Takes the kind's name from the first argument. False where that is none. */
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
    if (!duration_parse(text, latency))
        return command_misused(self, "not a length of time such as 10ms:", text);
    c->options.flags |= GT_PROFILE_REGIONS;
    return COMMAND_GO_ON;
}

static int pprof_parse_options(struct pprof_command *c, const struct command *self)
{
    c->options = (gt_profile_options) GT_PROFILE_OPTIONS_INIT;
    c->options.kinds = GT_PROFILE_BIT(c->kind);
    if (c->region) {
        c->options.flags |= GT_PROFILE_REGIONS;
        c->options.region_type = (gt_string){c->region, strlen(c->region)};
    }
    int code = pprof_parse_latency(c, self, c->latency_min, &c->options.latency_min);
    if (code == COMMAND_GO_ON)
        code = pprof_parse_latency(c, self, c->latency_max, &c->options.latency_max);
    if (code != COMMAND_GO_ON || !c->goroutine)
        return code;
    if (c->options.flags & GT_PROFILE_REGIONS)
        return command_misused(self, "--goroutine does not go with regions", NULL);
    c->options.goroutine = (gt_string){c->goroutine, strlen(c->goroutine)};
    return COMMAND_GO_ON;
}

static int pprof_check_terminal(const struct pprof_command *c, const struct command *self,
                                const struct output *out)
{
    if (c->text || !isatty(out->fd))
        return COMMAND_GO_ON;
    return command_misused(
        self, "a profile is not for a terminal: give --text or send it elsewhere", NULL);
}

/* Reads to the end or to what is wrong; what is good before that counts. */
static gt_status pprof_read_events(gt_reader *reader, gt_profile *profile, gt_status *trouble)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        *trouble = gt_profile_event(profile, reader, event);
        if (*trouble != GT_OK)
            return status;
    }
    *trouble = gt_profile_finish(profile);
    return status;
}

static int pprof_write_bytes(void *user_data, const void *data, size_t size)
{
    output_bytes(user_data, data, size);
    return 0;
}

/* Go as well has nothing to say of no goroutine, other than of no region. */
static bool pprof_is_empty(const struct pprof_command *c, const gt_profile *profile)
{
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    gt_profile_get_info(profile, &info);
    return info.selected == 0 && !(c->options.flags & GT_PROFILE_REGIONS);
}

static int pprof_report_empty(const struct pprof_command *c)
{
    if (c->goroutine)
        fprintf(stderr, "gotrace: %s: no goroutine began in '%s'\n", c->in.name, c->goroutine);
    else
        fprintf(stderr, "gotrace: %s: no goroutine is in the trace\n", c->in.name);
    return COMMAND_BAD;
}

static int pprof_make_profile(struct pprof_command *c, struct output *out)
{
    gt_profile *profile;
    gt_status status = GT_END;
    bool nothing = false;
    gt_status trouble = gt_profile_open(&profile, &c->options);
    if (trouble == GT_OK)
        status = pprof_read_events(c->in.reader, profile, &trouble);
    if (trouble == GT_OK)
        nothing = pprof_is_empty(c, profile);
    if (trouble == GT_OK && !nothing)
        trouble = c->text ? profiletext_write(out, profile, c->kind)
                          : gt_profile_write_pprof(profile, c->kind, pprof_write_bytes, out);
    gt_profile_close(&profile);
    int code = input_close(&c->in, out, trouble != GT_OK ? trouble : status);
    return code == COMMAND_GOOD && nothing ? pprof_report_empty(c) : code;
}

static int pprof_run(const struct command *self, struct output *out, char **arguments)
{
    struct pprof_command c = {.kind = 0};
    const struct option own[] = {
        {.name = "text", .flag = &c.text},
        {.name = "goroutine", .value = &c.goroutine},
        {.name = "region", .value = &c.region},
        {.name = "latency-min", .value = &c.latency_min},
        {.name = "latency-max", .value = &c.latency_max},
    };
    bool has_kind = arguments[0] && arguments[0][0] != '-';
    if (has_kind && !pprof_parse_kind(&c, arguments[0]))
        return command_misused(self, "unknown kind of profile", arguments[0]);
    int code =
        input_parse(&c.in, self, out, arguments + has_kind, own, sizeof(own) / sizeof(own[0]));
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
    .summary = "profile what goroutines spend their time with",
    .help = "Writes a profile for pprof: how many times, and for how long, by stack. KIND is\n"
            "one of go tool trace's, which count waits that ended, by who began them:\n"
            "\n"
            "  net      waiting for the network\n"
            "  sync     waiting for other goroutines\n"
            "  syscall  in system calls and in C\n"
            "  sched    runnable, and waiting for a proc\n"
            "\n"
            "or one of all time that was recorded, by the goroutine's own stack:\n"
            "\n"
            "  cpu      samples of the CPU profiler, where it ran\n"
            "  offcpu   neither running nor in a system call\n"
            "  wall     all time, by state\n"
            "\n"
            "  --text             instead: lines 'COUNT NANOSECONDS FRAME;FRAME;...'\n"
            "  --goroutine NAME   only goroutines that began in the function NAME\n"
            "  --region TYPE      only what was in regions of this type\n"
            "  --latency-min TIME only what was in regions that lasted as long, ...\n"
            "  --latency-max TIME ... or at most as long\n" INPUT_HELP,
    .run = pprof_run,
};
