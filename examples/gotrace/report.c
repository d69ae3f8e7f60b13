/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include "quote.h"
#include "text.h"

enum {
    VALUE_COLUMN = 22,
    /* Enough for any number in any unit. */
    NUMBER_MAX = 64
};

void report_begin(struct report *report, struct output *out, bool json)
{
    *report = (struct report){.out = out, .json = json};
    if (json)
        report_object_begin(report, NULL);
}

void report_end(struct report *report)
{
    if (!report->json)
        return;
    report_object_end(report);
    output_text(report->out, "\n");
}

static void report_start_line(struct report *report)
{
    output_text(report->out, "\n");
    for (unsigned int i = 0; i < report->depth; i++)
        output_text(report->out, "  ");
}

static void report_write_key(struct report *report, const char *key)
{
    if (report->begun)
        output_text(report->out, ",");
    report->begun = true;
    report_start_line(report);
    output_text(report->out, "\"");
    output_text(report->out, key);
    output_text(report->out, "\": ");
}

static void report_write_label(struct report *report, const char *label)
{
    output_text(report->out, label);
    for (size_t column = strlen(label); column < VALUE_COLUMN; column++)
        output_text(report->out, " ");
}

void report_object_begin(struct report *report, const char *key)
{
    if (!report->json)
        return;
    if (key)
        report_write_key(report, key);
    output_text(report->out, "{");
    report->begun = false;
    report->depth++;
}

void report_object_end(struct report *report)
{
    if (!report->json)
        return;
    report->depth--;
    if (report->begun)
        report_start_line(report);
    output_text(report->out, "}");
    report->begun = true;
}

/* Writes `value` / `unit` with three rounded decimals; `unit` is at most 2^30. */
static char *report_put_decimal(char *to, uint64_t value, uint64_t unit)
{
    uint64_t whole = value / unit;
    uint64_t thousandths = (value % unit * 1000 + unit / 2) / unit;
    to = put_unsigned(to, whole + thousandths / 1000);
    *to++ = '.';
    return put_three(to, (uint32_t) (thousandths % 1000));
}

static char *report_put_duration(char *to, uint64_t nanoseconds)
{
    if (nanoseconds < 1000)
        return put_text(put_unsigned(to, nanoseconds), " ns");
    if (nanoseconds < 1000000)
        return put_text(report_put_decimal(to, nanoseconds, 1000), " us");
    if (nanoseconds < 1000000000)
        return put_text(report_put_decimal(to, nanoseconds, 1000000), " ms");
    return put_text(report_put_decimal(to, nanoseconds, 1000000000), " s");
}

static char *report_put_size(char *to, uint64_t bytes)
{
    to = put_unsigned(to, bytes);
    if (bytes < 1024)
        return to;
    to = put_text(to, " (");
    if (bytes < UINT64_C(1) << 20)
        to = put_text(report_put_decimal(to, bytes, UINT64_C(1) << 10), " KiB");
    else if (bytes < UINT64_C(1) << 30)
        to = put_text(report_put_decimal(to, bytes, UINT64_C(1) << 20), " MiB");
    else
        to = put_text(report_put_decimal(to, bytes, UINT64_C(1) << 30), " GiB");
    return put_text(to, ")");
}

static char *report_put_number(char *to, uint64_t value, enum report_unit unit)
{
    switch (unit) {
    case REPORT_BYTES:
        return report_put_size(to, value);
    case REPORT_NANOSECONDS:
        return report_put_duration(to, value);
    default:
        return put_unsigned(to, value);
    }
}

void report_number(struct report *report, const char *label, const char *key, uint64_t value,
                   enum report_unit unit)
{
    if (report->json && key) {
        report_write_key(report, key);
        output_unsigned(report->out, value);
    } else if (!report->json && label) {
        report_write_label(report, label);
        output_commit(report->out,
                      report_put_number(output_reserve(report->out, NUMBER_MAX), value, unit));
        output_text(report->out, "\n");
    }
}

void report_text(struct report *report, const char *label, const char *key, const char *value)
{
    if (report->json && key) {
        report_write_key(report, key);
        quote_write_json(report->out, text_of(value));
    } else if (!report->json && label) {
        report_write_label(report, label);
        output_text(report->out, value);
        output_text(report->out, "\n");
    }
}

void report_bool(struct report *report, const char *key, bool value)
{
    if (!report->json)
        return;
    report_write_key(report, key);
    output_text(report->out, value ? "true" : "false");
}

void report_null(struct report *report, const char *key)
{
    if (!report->json)
        return;
    report_write_key(report, key);
    output_text(report->out, "null");
}
