/* SPDX-License-Identifier: BSD-3-Clause */
#include "findingtext.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/time.h>

#include "quote.h"
#include "text.h"

enum {
    /* Enough for any figure with its unit, and for a line with some of them and static texts. */
    FIGURE_MAX = 64,
    LINE_MAX_SIZE = 400,
    LINE_COLUMNS = 96,
    INDENT = 3
};

bool findingtext_parse(const char *text, gt_report_unit unit, double *value)
{
    int64_t duration;
    char *end;
    if (unit == GT_REPORT_NANOSECONDS) {
        if (gt_duration_parse(text, &duration) != GT_OK)
            return false;
        *value = (double) duration;
        return true;
    }
    if (!isdigit((unsigned char) *text))
        return false;
    *value = strtod(text, &end);
    return *end == '\0' || strcmp(end, gt_report_unit_name(unit)) == 0;
}

/* Rounds a duration to three digits after the point. */
static int64_t duration_round(double nanoseconds)
{
    const int64_t most = INT64_C(1) << 62;
    double unit = nanoseconds >= 1e9 ? 1e6 : nanoseconds >= 1e6 ? 1e3 : 1;
    double rounded = (nanoseconds + unit / 2) / unit;
    return nanoseconds < (double) most ? (int64_t) rounded * (int64_t) unit : most;
}

/* Writes a figure with its unit to `to`, where there must be room for FIGURE_MAX bytes. */
static const char *figure_format(char *to, double figure, gt_report_unit unit)
{
    if (unit == GT_REPORT_NANOSECONDS)
        gt_duration_format(duration_round(figure), to, FIGURE_MAX);
    else if (unit == GT_REPORT_PERCENT)
        snprintf(to, FIGURE_MAX, "%.1f %%", figure);
    else
        snprintf(to, FIGURE_MAX, figure < 1000 ? "%.4g" : "%.0f", figure);
    return to;
}

static void findingtext_indent(struct output *out)
{
    for (int i = 0; i < INDENT; i++)
        output_text(out, " ");
}

/* Writes a text that is the program's own, broken into lines. */
static void findingtext_wrap(struct output *out, gt_string text)
{
    size_t column = INDENT;
    findingtext_indent(out);
    while (text.size > 0) {
        const char *space = memchr(text.data, ' ', text.size);
        size_t word = space ? (size_t) (space - text.data) : text.size;
        if (column > INDENT && column + 1 + word > LINE_COLUMNS) {
            output_text(out, "\n");
            findingtext_indent(out);
            column = INDENT;
        } else if (column > INDENT) {
            output_text(out, " ");
            column++;
        }
        output_bytes(out, text.data, word);
        column += word;
        text.data += word + (space != NULL);
        text.size -= word + (space != NULL);
    }
    output_text(out, "\n");
}

/* Whether a function is one by which programs wait, so that its caller tells more. */
static bool frame_is_inner(gt_string function)
{
    static const char *const prefixes[] = {"runtime.", "sync.", "internal/", "syscall.", "time.",
                                           "os.",      "net.",  "io.",       "bufio."};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t size = strlen(prefixes[i]);
        if (function.size >= size && memcmp(function.data, prefixes[i], size) == 0)
            return true;
    }
    return false;
}

/* Writes where a stack is: its innermost function that is not of the runtime or package sync. */
static bool findingtext_place(struct output *out, const char *word, const gt_report *report,
                              size_t finding, size_t subject, uint32_t which)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    char line[FIGURE_MAX];
    size_t count = 0, place = 0;
    if (gt_report_subject_frames(report, finding, subject, which, frames, GT_STACK_MAX_FRAMES,
                                 &count) != GT_OK ||
        count == 0)
        return false;
    while (place + 1 < count && frame_is_inner(frames[place].function))
        place++;
    if (frame_is_inner(frames[place].function))
        place = 0;
    output_text(out, word);
    quote_write_inner(out, frames[place].function);
    snprintf(line, sizeof(line), ":%" PRIu64, frames[place].line);
    output_text(out, line);
    return true;
}

static void findingtext_subjects(struct output *out, const gt_report *report, size_t index,
                                 const gt_report_finding *finding, gt_report_unit unit)
{
    char line[LINE_MAX_SIZE], figure[FIGURE_MAX];
    for (size_t i = 0; i < finding->subject_count; i++) {
        gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
        gt_report_get_subject(report, index, i, &subject);
        snprintf(line, sizeof(line), "   %12s %8" PRIu64 " times  ",
                 figure_format(figure, subject.figure, unit), subject.count);
        output_text(out, line);
        quote_write_inner(out, subject.detail);
        if (subject.detail.size > 0 && subject.group.size > 0)
            output_text(out, " in ");
        quote_write_inner(out, subject.group);
        if (subject.detail.size == 0 && subject.group.size == 0)
            output_text(out, "not named");
        findingtext_place(out, ", at ", report, index, i, GT_REPORT_STACK_OWN);
        findingtext_place(out, ", ended by ", report, index, i, GT_REPORT_STACK_OTHER);
        output_text(out, "\n");
    }
}

static void findingtext_example(struct output *out, const gt_report_finding *finding, int64_t first)
{
    char line[LINE_MAX_SIZE], start[GT_DURATION_TEXT_SIZE], end[GT_DURATION_TEXT_SIZE],
        who[64] = "";
    if (finding->end < finding->start)
        return;
    gt_duration_format((int64_t) ((uint64_t) finding->start - (uint64_t) first), start,
                       sizeof(start));
    gt_duration_format((int64_t) ((uint64_t) finding->end - (uint64_t) first), end, sizeof(end));
    if (finding->goroutine != GT_NO_GOROUTINE)
        snprintf(who, sizeof(who), " goroutine %" PRId64, finding->goroutine);
    snprintf(line, sizeof(line), "   For example%s from +%s to +%s.\n", who, start, end);
    output_text(out, line);
}

/* Whether a finding says that something is wrong. The one about the trace is there always. */
static bool finding_is_fault(const gt_report_finding *finding)
{
    static const char always[] = "trace-health";
    return finding->excess >= 1 || finding->name.size != sizeof(always) - 1 ||
           memcmp(finding->name.data, always, finding->name.size) != 0;
}

static size_t findingtext_count(const gt_report *report)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    size_t count = 0;
    for (size_t i = 0; gt_report_get_finding(report, i, &finding) == GT_OK; i++)
        count += finding_is_fault(&finding);
    return count;
}

/* What there is to tell of a trace that has no fault. */
static void findingtext_trace(struct output *out, const gt_report_finding *finding,
                              const gt_report_kind *kind)
{
    char line[LINE_MAX_SIZE], figure[FIGURE_MAX];
    snprintf(line, sizeof(line), "\n%.*s: %s %.*s; %.1f %% %.*s\n", (int) kind->name.size,
             kind->name.data, figure_format(figure, finding->figure, kind->unit),
             (int) kind->measure.size, kind->measure.data, finding->share, (int) kind->whole.size,
             kind->whole.data);
    output_text(out, line);
}

static void findingtext_finding(struct output *out, const gt_report *report, size_t index,
                                int64_t first)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    char line[LINE_MAX_SIZE], figure[FIGURE_MAX];
    gt_report_get_finding(report, index, &finding);
    gt_report_get_kind((size_t) finding.kind, &kind);
    if (!finding_is_fault(&finding)) {
        findingtext_trace(out, &finding, &kind);
        return;
    }
    snprintf(line, sizeof(line), "\n%zu. %.*s: %.*s\n", index + 1, (int) kind.name.size,
             kind.name.data, (int) kind.sentence.size, kind.sentence.data);
    output_text(out, line);
    snprintf(line, sizeof(line), "   %s %.*s", figure_format(figure, finding.figure, kind.unit),
             (int) kind.measure.size, kind.measure.data);
    output_text(out, line);
    if (kind.whole.size > 0) {
        snprintf(line, sizeof(line), "; %.1f %% %.*s", finding.share, (int) kind.whole.size,
                 kind.whole.data);
        output_text(out, line);
    }
    output_text(out, "\n");
    findingtext_subjects(out, report, index, &finding, kind.unit);
    findingtext_example(out, &finding, first);
    findingtext_wrap(out, kind.advice);
}

/* Says what a report has looked for, which matters most if it has found nothing. */
static void findingtext_kinds(struct output *out)
{
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    output_text(out, "\nLooked for:");
    for (size_t i = 0; gt_report_get_kind(i, &kind) == GT_OK; i++) {
        output_text(out, i == 0 ? " " : i % 5 == 0 ? ",\n  " : ", ");
        output_bytes(out, kind.name.data, kind.name.size);
    }
    output_text(out, "\n");
}

void findingtext_write(struct output *out, const gt_report *report)
{
    gt_report_info info = GT_REPORT_INFO_INIT;
    char line[LINE_MAX_SIZE], time[FIGURE_MAX];
    size_t count = findingtext_count(report);
    gt_report_get_info(report, &info);
    double duration = (double) info.end - (double) info.start;
    figure_format(time, duration, GT_REPORT_NANOSECONDS);
    snprintf(line, sizeof(line),
             "%zu finding%s in %" PRIu64 " events of %s (%.0f a second), %" PRIu64
             " goroutines, GOMAXPROCS %" PRIu64 "\n",
             count, count == 1 ? "" : "s", info.events, time,
             duration > 0 ? (double) info.events * 1e9 / duration : 0.0, info.goroutines,
             info.procs);
    output_text(out, line);
    for (size_t i = 0; i < gt_report_finding_count(report); i++)
        findingtext_finding(out, report, i, info.start);
    if (count == 0)
        findingtext_kinds(out);
}

static void json_put_text(struct output *out, const char *key, gt_string value)
{
    output_text(out, key);
    quote_write_json(out, value);
}

/* Writes a number, which is never infinite and never NaN. */
static void json_put_number(struct output *out, const char *key, double value)
{
    char line[FIGURE_MAX];
    snprintf(line, sizeof(line), "%.17g", value);
    output_text(out, key);
    output_text(out, line);
}

static void json_put_whole(struct output *out, const char *key, int64_t value)
{
    char line[FIGURE_MAX];
    snprintf(line, sizeof(line), "%" PRId64, value);
    output_text(out, key);
    output_text(out, line);
}

static void json_put_stack(struct output *out, const char *key, const gt_report *report,
                           size_t finding, size_t subject, uint32_t which)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    size_t count = 0;
    gt_report_subject_frames(report, finding, subject, which, frames, GT_STACK_MAX_FRAMES, &count);
    output_text(out, key);
    for (size_t i = 0; i < count; i++) {
        json_put_text(out, i == 0 ? "{\"function\": " : ", {\"function\": ", frames[i].function);
        json_put_text(out, ", \"file\": ", frames[i].file);
        json_put_whole(out, ", \"line\": ", (int64_t) frames[i].line);
        output_text(out, "}");
    }
    output_text(out, "]");
}

static void json_put_subjects(struct output *out, const gt_report *report, size_t index,
                              uint64_t count)
{
    output_text(out, ",\n   \"subjects\": [");
    for (size_t i = 0; i < count; i++) {
        gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
        gt_report_get_subject(report, index, i, &subject);
        json_put_text(out, i == 0 ? "\n    {\"group\": " : ",\n    {\"group\": ", subject.group);
        json_put_text(out, ", \"detail\": ", subject.detail);
        json_put_number(out, ", \"figure\": ", subject.figure);
        json_put_whole(out, ", \"count\": ", (int64_t) subject.count);
        json_put_stack(out, ",\n     \"stack\": [", report, index, i, GT_REPORT_STACK_OWN);
        json_put_stack(out, ",\n     \"ended_by\": [", report, index, i, GT_REPORT_STACK_OTHER);
        output_text(out, "}");
    }
    output_text(out, "]");
}

static void json_put_finding(struct output *out, const gt_report *report, size_t index)
{
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    gt_report_get_finding(report, index, &finding);
    gt_report_get_kind((size_t) finding.kind, &kind);
    json_put_text(out, index == 0 ? "\n  {\"name\": " : ",\n  {\"name\": ", finding.name);
    json_put_text(out, ", \"sentence\": ", kind.sentence);
    json_put_number(out, ",\n   \"figure\": ", finding.figure);
    json_put_text(out, ", \"unit\": ", text_of(gt_report_unit_name(kind.unit)));
    json_put_text(out, ", \"measure\": ", kind.measure);
    json_put_number(out, ",\n   \"share\": ", finding.share);
    json_put_text(out, ", \"whole\": ", kind.whole);
    json_put_number(out, ", \"excess\": ", finding.excess);
    json_put_subjects(out, report, index, finding.subject_count);
    if (finding.end >= finding.start) {
        json_put_whole(out, ",\n   \"example\": {\"goroutine\": ", finding.goroutine);
        json_put_whole(out, ", \"start\": ", finding.start);
        json_put_whole(out, ", \"end\": ", finding.end);
        output_text(out, "}");
    }
    json_put_text(out, ",\n   \"advice\": ", kind.advice);
    output_text(out, "}");
}

void findingtext_write_json(struct output *out, const gt_report *report, const char *ending)
{
    gt_report_info info = GT_REPORT_INFO_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    gt_report_get_info(report, &info);
    json_put_whole(out, "{\"events\": ", (int64_t) info.events);
    json_put_whole(out, ", \"goroutines\": ", (int64_t) info.goroutines);
    json_put_whole(out, ", \"procs\": ", (int64_t) info.procs);
    json_put_whole(out, ", \"start\": ", info.start);
    json_put_whole(out, ", \"end\": ", info.end);
    if (ending)
        json_put_text(out, ", \"ending\": ", text_of(ending));
    else
        output_text(out, ", \"ending\": null");
    output_text(out, ",\n \"looked_for\": [");
    for (size_t i = 0; gt_report_get_kind(i, &kind) == GT_OK; i++)
        json_put_text(out, i == 0 ? "" : ", ", kind.name);
    output_text(out, "],\n \"findings\": [");
    for (size_t i = 0; i < gt_report_finding_count(report); i++)
        json_put_finding(out, report, i);
    output_text(out, "]}\n");
}

void findingtext_write_thresholds(struct output *out, const gt_report *report, bool json)
{
    gt_report_threshold threshold = GT_REPORT_THRESHOLD_INIT;
    char line[LINE_MAX_SIZE], figure[FIGURE_MAX];
    for (size_t i = 0; gt_report_get_threshold(report, i, &threshold) == GT_OK; i++) {
        if (json) {
            json_put_text(out, "{\"name\": ", threshold.name);
            json_put_number(out, ", \"value\": ", threshold.value);
            json_put_number(out, ", \"usual\": ", threshold.usual);
            json_put_text(out, ", \"unit\": ", text_of(gt_report_unit_name(threshold.unit)));
            json_put_text(out, ", \"reason\": ", threshold.reason);
            output_text(out, "}\n");
            continue;
        }
        figure_format(figure, threshold.value, threshold.unit);
        snprintf(line, sizeof(line), "%-27s %10s%s  %.*s\n", threshold.name.data, figure,
                 threshold.unit == GT_REPORT_PER_SECOND ? "/s" : "", (int) threshold.reason.size,
                 threshold.reason.data);
        output_text(out, line);
    }
}
