/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the processor the garbage collector leaves to the program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/mmu.h>

#include "command.h"
#include "duration.h"
#include "input.h"
#include "mmucurve.h"

enum {
    CURVES = 4,
    QUANTILES = MMUCURVE_QUANTILES,
    WORST = 10,
    WINDOWS_MAX = 1000,
    NAME_MAX_SIZE = 64,
    LINE_MAX_SIZE = 512
};

/* One curve: what counts, and what came of it. */
struct curve {
    uint64_t flags;
    char name[NAME_MAX_SIZE];
    gt_mmu *mmu;
};

/* What is asked for. */
struct request {
    const char *flags;
    const char *windows;
    const char *worst;
    bool quantiles;
    bool json;
    bool csv;
    int64_t window_count; /* of `windows`, 0 for powers of ten */
    int64_t worst_window;
};

struct mmu_command {
    struct input in;
    struct request request;
    struct curve curves[CURVES];
    size_t curve_count;
    struct output *out;
    bool has_events;
    bool begun; /* an object of JSON was written */
};

/* "perproc stw+background", as it is written in front of each line. */
static void mmu_name_curve(struct curve *curve)
{
    char *to = curve->name;
    if (curve->flags & GT_MMU_PER_PROC)
        to = put_text(to, "perproc ");
    const char *separator = "";
    for (size_t i = 0; i + 1 < MMUCURVE_FLAGS; i++) {
        if (curve->flags & mmucurve_flags[i].flag) {
            to = put_text(put_text(to, separator), mmucurve_flags[i].name);
            separator = "+";
        }
    }
    *to = '\0';
}

static bool mmu_parse_flags(const char *text, uint64_t *flags)
{
    *flags = 0;
    while (*text != '\0') {
        size_t size = strcspn(text, ",+");
        uint64_t flag = mmucurve_find_flag(text, size);
        if (flag == 0)
            return false;
        *flags |= flag;
        text += size;
        text += *text != '\0';
    }
    return (*flags & ~(uint64_t) (GT_MMU_PER_PROC | GT_MMU_EXACT)) != 0;
}

static void mmu_choose_curves(struct mmu_command *c)
{
    static const uint64_t usual[CURVES] = {
        GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST,
        GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_SWEEP,
        GT_MMU_STW,
        GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST | GT_MMU_PER_PROC,
    };
    if (!c->request.flags) {
        c->curve_count = CURVES;
        for (size_t i = 0; i < CURVES; i++)
            c->curves[i].flags = usual[i];
    }
    for (size_t i = 0; i < c->curve_count; i++)
        mmu_name_curve(&c->curves[i]);
}

static int mmu_check_request(struct mmu_command *c, const struct command *self)
{
    struct request *r = &c->request;
    if (r->flags) {
        c->curve_count = 1;
        if (!mmu_parse_flags(r->flags, &c->curves[0].flags))
            return command_misused(self, "not a list of what counts:", r->flags);
    }
    if (r->windows) {
        char *end;
        r->window_count = strtol(r->windows, &end, 10);
        if (*end != '\0' || r->window_count < 2 || r->window_count > WINDOWS_MAX)
            return command_misused(self, "not a number from 2 to 1000:", r->windows);
    }
    if (r->worst && (!duration_parse(r->worst, &r->worst_window) || r->worst_window == 0))
        return command_misused(self, "not a length of time such as 10ms:", r->worst);
    if (r->json && r->csv)
        return command_misused(self, "--json and --csv do not go together", NULL);
    return COMMAND_GO_ON;
}

static void mmu_write_line(struct mmu_command *c, const char *text)
{
    if (c->request.json)
        output_text(c->out, c->begun ? ",\n" : "\n");
    c->begun = true;
    output_text(c->out, text);
    if (!c->request.json)
        output_text(c->out, "\n");
}

static gt_status mmu_write_window(struct mmu_command *c, const struct curve *curve, int64_t window)
{
    double minimum, values[QUANTILES] = {0, 0, 0};
    char line[LINE_MAX_SIZE], length[DURATION_MAX];
    gt_status status = gt_mmu_minimum(curve->mmu, window, &minimum);
    if (status == GT_OK && c->request.quantiles)
        status = gt_mmu_quantiles(curve->mmu, window, mmucurve_quantiles, QUANTILES, values);
    if (status != GT_OK)
        return status;
    *duration_put(length, window) = '\0';
    const char *format = c->request.json ? "{\"flags\":\"%s\",\"window_ns\":%" PRId64
                                           ",\"mmu\":%.9f"
                         : c->request.csv ? "%s,%" PRId64 ",%.9f"
                                          : "%s window=";
    int used = snprintf(line, sizeof(line), format, curve->name, window, minimum);
    char *to = line + used;
    if (!c->request.json && !c->request.csv)
        to += snprintf(to, sizeof(line) - (size_t) used, "%s mmu=%.9f", length, minimum);
    if (c->request.quantiles) {
        format = c->request.json  ? ",\"p0.1\":%.9f,\"p1\":%.9f,\"p5\":%.9f"
                 : c->request.csv ? ",%.9f,%.9f,%.9f"
                                  : " p0.1=%.9f p1=%.9f p5=%.9f";
        to += snprintf(to, sizeof(line) - (size_t) (to - line), format, values[0], values[1],
                       values[2]);
    }
    put_text(to, c->request.json ? "}" : "")[0] = '\0';
    mmu_write_line(c, line);
    return GT_OK;
}

/* Powers of ten from 1 us to 1 s; or as many as are asked for, up to the trace's length. */
static gt_status mmu_write_curve(struct mmu_command *c, const struct curve *curve)
{
    int64_t start, end;
    gt_status status = GT_OK;
    if (c->request.window_count == 0) {
        for (int64_t window = 1000; window <= 1000000000 && status == GT_OK; window *= 10)
            status = mmu_write_window(c, curve, window);
        return status;
    }
    status = gt_mmu_range(curve->mmu, &start, &end);
    for (int64_t i = 0; i < c->request.window_count && status == GT_OK; i++)
        status =
            mmu_write_window(c, curve, mmucurve_window(end - start, i, c->request.window_count));
    return status;
}

static gt_status mmu_write_worst(struct mmu_command *c, const struct curve *curve)
{
    gt_utilization worst[WORST];
    size_t count = WORST;
    int64_t start, end;
    gt_status status = gt_mmu_range(curve->mmu, &start, &end);
    if (status == GT_OK)
        status = gt_mmu_worst(curve->mmu, c->request.worst_window, worst, &count);
    for (size_t i = 0; status == GT_OK && i < count; i++) {
        char line[LINE_MAX_SIZE], after[DURATION_MAX];
        *duration_put(after, worst[i].time - start) = '\0';
        if (c->request.json)
            snprintf(line, sizeof(line),
                     "{\"flags\":\"%s\",\"window_ns\":%" PRId64 ",\"time\":%" PRId64
                     ",\"utilization\":%.9f}",
                     curve->name, c->request.worst_window, worst[i].time, worst[i].value);
        else if (c->request.csv)
            snprintf(line, sizeof(line), "%s,%" PRId64 ",%" PRId64 ",%.9f", curve->name,
                     c->request.worst_window, worst[i].time, worst[i].value);
        else
            snprintf(line, sizeof(line), "%s Time=%" PRId64 " after=%s utilization=%.9f",
                     curve->name, worst[i].time, after, worst[i].value);
        mmu_write_line(c, line);
    }
    return status;
}

static gt_status mmu_write_curves(struct mmu_command *c)
{
    gt_status status = GT_OK;
    if (c->request.json)
        output_text(c->out, "[");
    if (c->request.csv)
        output_text(c->out, c->request.worst       ? "flags,window_ns,time,utilization\n"
                            : c->request.quantiles ? "flags,window_ns,mmu,p0.1,p1,p5\n"
                                                   : "flags,window_ns,mmu\n");
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++)
        status = c->request.worst ? mmu_write_worst(c, &c->curves[i])
                                  : mmu_write_curve(c, &c->curves[i]);
    if (c->request.json)
        output_text(c->out, "\n]\n");
    return status;
}

static gt_status mmu_open_curves(struct mmu_command *c)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++) {
        gt_mmu_options options = GT_MMU_OPTIONS_INIT;
        options.flags = c->curves[i].flags;
        status = gt_mmu_open(&c->curves[i].mmu, &options);
    }
    return status;
}

/* Reads to the end or to what is wrong; what is good before that counts. */
static gt_status mmu_read_events(struct mmu_command *c, gt_status *trouble)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(c->in.reader, &event)) == GT_OK) {
        c->has_events = true;
        for (size_t i = 0; i < c->curve_count && *trouble == GT_OK; i++)
            *trouble = gt_mmu_event(c->curves[i].mmu, event);
        if (*trouble != GT_OK)
            return status;
    }
    for (size_t i = 0; i < c->curve_count && *trouble == GT_OK; i++)
        *trouble = gt_mmu_finish(c->curves[i].mmu);
    return status;
}

static int mmu_run(const struct command *self, struct output *out, char **arguments)
{
    struct mmu_command c = {.out = out};
    const struct option own[] = {
        {.name = "flags", .value = &c.request.flags},
        {.name = "windows", .value = &c.request.windows},
        {.name = "worst", .value = &c.request.worst},
        {.name = "quantiles", .flag = &c.request.quantiles},
        {.name = "json", .flag = &c.request.json},
        {.name = "csv", .flag = &c.request.csv},
    };
    int code = input_parse(&c.in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code == COMMAND_GO_ON)
        code = mmu_check_request(&c, self);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    if (code != COMMAND_GO_ON)
        return code;
    mmu_choose_curves(&c);
    gt_status status = GT_END;
    gt_status trouble = mmu_open_curves(&c);
    if (trouble == GT_OK)
        status = mmu_read_events(&c, &trouble);
    if (trouble == GT_OK && c.has_events)
        trouble = mmu_write_curves(&c);
    for (size_t i = 0; i < c.curve_count; i++)
        gt_mmu_close(&c.curves[i].mmu);
    return input_close(&c.in, out, trouble != GT_OK ? trouble : status);
}

const struct command command_mmu = {
    .name = "mmu",
    .usage = "mmu [OPTION...] FILE",
    .summary = "say how much the garbage collector leaves to the program",
    .help = "Prints the minimum mutator utilisation: of all windows of a length, in which the\n"
            "program had the smallest part of the processor, and how much that was.\n"
            "\n"
            "  --flags LIST    what counts: stw, background, assist, sweep; with commas.\n"
            "                  And perproc, for each proc by itself; and exact, to count a\n"
            "                  worker only while it works, not as Go does. Else four such\n"
            "                  lists, as Go does\n"
            "  --windows N     N lengths, from 1us to that of the trace; else powers of ten\n"
            "  --quantiles     the same of the worst 0.1, 1 and 5 % of all windows\n"
            "  --worst LENGTH  instead: when the ten worst windows of that length begin\n"
            "  --json          as an array of JSON objects\n"
            "  --csv           as lines with commas\n" INPUT_HELP,
    .run = mmu_run,
};
