/* SPDX-License-Identifier: BSD-3-Clause */
/* How much CPU time the garbage collector leaves to the program. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/mmu.h>

#include "command.h"
#include "formats.h"
#include "input.h"

enum {
    CURVES = 4,
    QUANTILES = 3,
    WORST = 10,
    WINDOWS_MAX = 1000,
    NAME_MAX_SIZE = 64,
    LINE_MAX_SIZE = 512
};

/* A curve: what counts as time of the collector, and the measurement. */
struct curve {
    uint64_t flags;
    char name[NAME_MAX_SIZE];
    gt_mmu *mmu;
};

struct mmu_command {
    struct input in;
    const char *flags;
    const char *windows;
    const char *worst;
    bool quantiles;
    struct formats formats;
    enum table_format format;
    /* The number that --windows asks for; 0 means that the windows are powers of ten. */
    int64_t window_count;
    int64_t worst_window;
    struct curve curves[CURVES];
    size_t curve_count;
    struct output *out;
    bool has_events;
    /* An object of the JSON array was written. */
    bool has_objects;
};

static const struct option mmu_options[] = {
    {OPTION_VALUE(
         struct mmu_command, flags, "flags", "LIST",
         "what counts as time of the collector: stw, background, assist, sweep, with commas "
         "in between; also perproc, for each proc by itself; and exact, to count a worker "
         "only while it works, unlike Go; the default is four such lists, as in Go"),
     .summary = "what counts as time of the collector",
     .words = "stw background assist sweep perproc exact", .is_list = true},
    {OPTION_VALUE(struct mmu_command, windows, "windows", "N",
                  "N window lengths from 1us to that of the trace; the default is powers of ten"),
     .summary = "how many window lengths"},
    {OPTION_FLAG(struct mmu_command, quantiles, "quantiles",
                 "also the utilisation of the worst 0.1, 1 and 5 % of all windows"),
     .summary = "also the worst 0.1, 1 and 5 % of all windows"},
    {OPTION_VALUE(struct mmu_command, worst, "worst", "LENGTH",
                  "print when the ten worst windows of that length begin instead"),
     .summary = "when the ten worst windows of a length begin"},
    FORMATS_JSON(struct mmu_command, formats, "as an array of JSON objects"),
    FORMATS_CSV(struct mmu_command, formats, "as CSV"),
};

/* The shares of the worst windows that Go's viewer shows, in ascending order. */
static const double mmu_quantiles[QUANTILES] = {0.001, 0.01, 0.05};

/*
 * Returns the window length number `i` of `count` (at least 2); they form a geometric sequence
 * from 1 us to `longest`.
 */
static int64_t mmu_window(int64_t longest, int64_t i, int64_t count)
{
    const double shortest = 1000;
    double ratio = fmax(shortest, (double) longest) / shortest;
    double part = (double) i / (double) (count - 1);
    return (int64_t) (shortest * pow(ratio, part) + 0.5);
}

/* Makes the name that begins each line of the curve, such as "perproc stw+background". */
static void mmu_name_curve(struct curve *curve)
{
    char *to = curve->name;
    if (curve->flags & GT_MMU_PER_PROC)
        to = put_text(to, "perproc ");
    const char *separator = "";
    for (uint64_t flag = 1; flag <= GT_MMU_EXACT; flag <<= 1) {
        if (curve->flags & flag & ~(uint64_t) GT_MMU_PER_PROC) {
            to = put_text(put_text(to, separator), gt_mmu_flag_name(flag));
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
        uint64_t flag = gt_mmu_flag_find((gt_string){text, size});
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
    if (!c->flags) {
        c->curve_count = CURVES;
        for (size_t i = 0; i < CURVES; i++)
            c->curves[i].flags = usual[i];
    }
    for (size_t i = 0; i < c->curve_count; i++)
        mmu_name_curve(&c->curves[i]);
}

static int mmu_check_options(struct mmu_command *c, const struct command *self)
{
    if (c->flags) {
        c->curve_count = 1;
        if (!mmu_parse_flags(c->flags, &c->curves[0].flags))
            return command_misused(self, "not a list of what counts:", c->flags);
    }
    if (c->windows) {
        char *end;
        c->window_count = strtol(c->windows, &end, 10);
        if (*end != '\0' || c->window_count < 2 || c->window_count > WINDOWS_MAX)
            return command_misused(self, "not a number from 2 to 1000:", c->windows);
    }
    if (c->worst &&
        (gt_duration_parse(c->worst, &c->worst_window) != GT_OK || c->worst_window == 0))
        return command_misused(self, "not a length of time such as 10ms:", c->worst);
    c->format = formats_choose(&c->formats);
    return formats_check(&c->formats, self);
}

static void mmu_write_line(struct mmu_command *c, const char *text)
{
    if (c->format == TABLE_JSON)
        output_text(c->out, c->has_objects ? ",\n" : "\n");
    c->has_objects = true;
    output_text(c->out, text);
    if (c->format != TABLE_JSON)
        output_text(c->out, "\n");
}

static gt_status mmu_write_window(struct mmu_command *c, const struct curve *curve, int64_t window)
{
    double minimum, values[QUANTILES] = {0, 0, 0};
    char line[LINE_MAX_SIZE], length[GT_DURATION_TEXT_SIZE];
    gt_status status = gt_mmu_minimum(curve->mmu, window, &minimum);
    if (status == GT_OK && c->quantiles)
        status = gt_mmu_quantiles(curve->mmu, window, mmu_quantiles, QUANTILES, values);
    if (status != GT_OK)
        return status;
    gt_duration_format(window, length, sizeof(length));
    const char *format = c->format == TABLE_JSON ? "{\"flags\":\"%s\",\"window_ns\":%" PRId64
                                                   ",\"mmu\":%.9f"
                         : c->format == TABLE_CSV ? "%s,%" PRId64 ",%.9f"
                                                  : "%s window=";
    int used = snprintf(line, sizeof(line), format, curve->name, window, minimum);
    char *to = line + used;
    if (c->format == TABLE_COLUMNS)
        to += snprintf(to, sizeof(line) - (size_t) used, "%s mmu=%.9f", length, minimum);
    if (c->quantiles) {
        format = c->format == TABLE_JSON  ? ",\"p0.1\":%.9f,\"p1\":%.9f,\"p5\":%.9f"
                 : c->format == TABLE_CSV ? ",%.9f,%.9f,%.9f"
                                          : " p0.1=%.9f p1=%.9f p5=%.9f";
        to += snprintf(to, sizeof(line) - (size_t) (to - line), format, values[0], values[1],
                       values[2]);
    }
    put_text(to, c->format == TABLE_JSON ? "}" : "")[0] = '\0';
    mmu_write_line(c, line);
    return GT_OK;
}

/* Windows of powers of ten from 1 us to 1 s; or as many as --windows asks for, up to the
 * length of the trace. */
static gt_status mmu_write_curve(struct mmu_command *c, const struct curve *curve)
{
    int64_t start, end;
    gt_status status = GT_OK;
    if (c->window_count == 0) {
        for (int64_t window = 1000; window <= 1000000000 && status == GT_OK; window *= 10)
            status = mmu_write_window(c, curve, window);
        return status;
    }
    status = gt_mmu_range(curve->mmu, &start, &end);
    for (int64_t i = 0; i < c->window_count && status == GT_OK; i++)
        status = mmu_write_window(c, curve, mmu_window(end - start, i, c->window_count));
    return status;
}

static gt_status mmu_write_worst(struct mmu_command *c, const struct curve *curve)
{
    gt_utilization worst[WORST];
    size_t count = WORST;
    int64_t start, end;
    gt_status status = gt_mmu_range(curve->mmu, &start, &end);
    if (status == GT_OK)
        status = gt_mmu_worst(curve->mmu, c->worst_window, worst, &count);
    for (size_t i = 0; status == GT_OK && i < count; i++) {
        char line[LINE_MAX_SIZE], after[GT_DURATION_TEXT_SIZE];
        gt_duration_format(worst[i].time - start, after, sizeof(after));
        if (c->format == TABLE_JSON)
            snprintf(line, sizeof(line),
                     "{\"flags\":\"%s\",\"window_ns\":%" PRId64 ",\"time\":%" PRId64
                     ",\"utilization\":%.9f}",
                     curve->name, c->worst_window, worst[i].time, worst[i].value);
        else if (c->format == TABLE_CSV)
            snprintf(line, sizeof(line), "%s,%" PRId64 ",%" PRId64 ",%.9f", curve->name,
                     c->worst_window, worst[i].time, worst[i].value);
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
    if (c->format == TABLE_JSON)
        output_text(c->out, "[");
    if (c->format == TABLE_CSV)
        output_text(c->out, c->worst       ? "flags,window_ns,time,utilization\n"
                            : c->quantiles ? "flags,window_ns,mmu,p0.1,p1,p5\n"
                                           : "flags,window_ns,mmu\n");
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++)
        status = c->worst ? mmu_write_worst(c, &c->curves[i]) : mmu_write_curve(c, &c->curves[i]);
    if (c->format == TABLE_JSON)
        output_text(c->out, "\n]\n");
    return status;
}

static gt_status mmu_open_curves(struct mmu_command *c)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++) {
        gt_mmu_options options = GT_MMU_OPTIONS_INIT;
        options.flags = c->curves[i].flags;
        status = gt_mmu_open(&c->curves[i].mmu, &options, &c->in.failure);
    }
    return status;
}

static gt_status mmu_event(void *user_data, const gt_event *event)
{
    struct mmu_command *c = user_data;
    gt_status status = GT_OK;
    c->has_events = true;
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++)
        status = gt_mmu_event(c->curves[i].mmu, event);
    return status;
}

/* Measures up to the end of the trace or to an error, which is stored in `*reading`. Returns the
 * status of the measurement itself. */
static gt_status mmu_read_events(struct mmu_command *c, gt_status *reading)
{
    gt_status status = input_for_each_event(c->in.reader, mmu_event, c, reading);
    for (size_t i = 0; i < c->curve_count && status == GT_OK; i++)
        status = gt_mmu_finish(c->curves[i].mmu);
    return status;
}

static int mmu_run(const struct command *self, struct output *out, char **arguments)
{
    struct mmu_command c = {.out = out};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = mmu_check_options(&c, self);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    if (code != COMMAND_GO_ON)
        return code;
    mmu_choose_curves(&c);
    gt_status reading = GT_END;
    gt_status status = mmu_open_curves(&c);
    if (status == GT_OK)
        status = mmu_read_events(&c, &reading);
    if (status == GT_OK && c.has_events)
        status = mmu_write_curves(&c);
    for (size_t i = 0; i < c.curve_count; i++)
        gt_mmu_close(&c.curves[i].mmu);
    return input_close(&c.in, out, status != GT_OK ? status : reading);
}

const struct command command_mmu = {
    .name = "mmu",
    .usage = "mmu [OPTION...] FILE",
    .summary = "print how much CPU time garbage collection leaves to the program",
    .help = "Prints the minimum mutator utilisation: over all windows of a length, the\n"
            "smallest share of the CPU time that the program had in one of them.\n",
    COMMAND_OPTIONS(mmu_options),
    .shared = input_options,
    .run = mmu_run,
};
