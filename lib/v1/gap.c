/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/gap.h"

#include "base/error.h"
#include "merge/other.h"
#include "source/header.h"
#include "v1/decode.h"
#include "v1/fit.h"
#include "v1/repair.h"

/* A gap that is being passed. */
struct gap {
    struct gt_v1 *v1;
    struct gt_v1_fit fit;
    const uint8_t *start;     /* a batch, or the end of a gap, behind which the gap is */
    const uint8_t *begin;     /* the last end of a record before the fault and before `end` */
    const uint8_t *text;      /* the first end of a record behind which all is text; may be NULL */
    struct gt_prints_run run; /* the bytes from `text` on */
    const uint8_t *end;       /* a batch of the trace, the header of another trace, or the end */
    bool is_trace;            /* the header of another trace follows */
};

/* Sets where the gap ends. */
static void gap_end_find(struct gap *gap)
{
    const struct gt_v1 *v1 = gap->v1;
    const uint8_t *first = v1->input.gaps.has_batches ? gap->start + 1 : gap->start;
    gap->end = gt_v1_fit_find(&gap->fit, first, v1->input.end);
    const uint8_t *header = gt_header_find(first, gap->end);
    gap->is_trace = header != gap->end;
    gap->end = header;
}

/* Adds bytes to the text that the gap may consist of. `next` is the first byte behind them. */
static void gap_text_extend(struct gap *gap, const uint8_t *data, const uint8_t *next)
{
    if (!gap->text) {
        gap->text = data;
        gt_prints_run_begin(&gap->run, 0);
    }
    for (; data != next && gap->run.is_text; data++)
        gt_prints_run_add(&gap->run, *data);
    if (!gap->run.is_text)
        gap->text = NULL;
}

/* Whether a record is a string of the trace, all bytes of which may be text. */
static bool gap_is_string(const uint8_t *record)
{
    return *record == GT_V1_STRING;
}

/*
 * Whether the bytes from gap->text on are text, and not bytes of the trace that look so by chance:
 * a record that the end of the input cuts off may have no byte that text has not.
 */
static bool gap_is_text(const struct gap *gap)
{
    const struct gt_v1 *v1 = gap->v1;
    bool is_cut = gap->end == v1->input.end && v1->error->status == GT_ERR_TRUNCATED;
    if (is_cut && (!gt_prints_run_is_lines(&gap->run) || gap_is_string(gap->fit.fault)))
        return false;
    return gt_prints_run_is_likely(&gap->run);
}

/* Sets where the gap begins, and where the text begins if it is nothing else. */
static void gap_begin_find(struct gap *gap)
{
    const uint8_t *limit = gap->fit.fault < gap->end ? gap->fit.fault : gap->end;
    const uint8_t *next = gap->start;
    while (next < limit) {
        gap->begin = next;
        next = gt_v1_skip_any(gap->v1, next);
        if (gap_is_string(gap->begin))
            gap->text = NULL;
        else if (next <= limit)
            gap_text_extend(gap, gap->begin, next);
    }
    if (next == limit)
        gap->begin = limit;
    gap_text_extend(gap, gap->begin, gap->end);
    if (!gap_is_text(gap))
        gap->text = NULL;
}

static bool gap_is_zero(const uint8_t *data, const uint8_t *end)
{
    while (data != end && *data == 0)
        data++;
    return data == end;
}

/* Whether the batch that the gap follows has events, and is the last in the list. */
static bool gap_has_batch(const struct gap *gap)
{
    const struct gt_v1_input *input = &gap->v1->input;
    size_t count = input->batches.count;
    return count != 0 && input->batches.items[count - 1].start == gap->start;
}

/* Notes the gap, and ends the batch that it follows where it begins. */
static gt_status gap_add(struct gap *gap)
{
    struct gt_v1_input *input = &gap->v1->input;
    int32_t batch = gap_has_batch(gap) ? (int32_t) input->batches.count - 1 : -1;
    const uint8_t *first = gap->text ? gap->text : gap->begin;
    struct gt_v1_gap passed = {first, gap->begin, gap->end, batch, gap->text != NULL};
    if (batch >= 0)
        input->batches.items[batch].end = first;
    return gt_array_add(gap->v1->mem, &input->gaps.passed, passed);
}

/* Reports bytes of the trace that cannot be read. */
static void gap_report_damage(const struct gap *gap)
{
    struct gt_v1 *v1 = gap->v1;
    if (gap->end != v1->input.end) {
        gt_repair_append_size(v1->error, (uint64_t) (gap->end - gap->begin));
        gt_v1_forgive(v1, "");
        return;
    }
    if (gap_is_zero(gap->fit.fault, gap->end))
        gt_error_append(v1->error, ": writing has stopped here");
    gt_v1_forgive(v1, "; the rest of the input is left out");
}

/* Reports that what follows the gap, or the gap itself, is not of this trace. */
static void gap_report_other(const struct gap *gap)
{
    struct gt_v1 *v1 = gap->v1;
    if (gap->is_trace)
        gt_other_trace_begins(&v1->repair, v1->error, gt_v1_offset(v1, gap->end));
    else
        gt_other_trace_rest(&v1->repair, v1->error, gt_v1_offset(v1, gap->begin),
                            (uint64_t) (gap->end - gap->begin), gap->fit.is_older);
}

/*
 * Finds where the gap ends. The frequency may be among what was read since the last batch: then the
 * trace has ended, unless one of its batches is found before, so that the frequency is none.
 */
static void gap_end_find_anew(struct gap *gap)
{
    struct gt_v1_input *input = &gap->v1->input;
    struct gt_v1_gaps *gaps = &input->gaps;
    const struct gt_v1_gaps before = *gaps;
    uint64_t frequency = input->frequency;
    if (frequency != 0 && gaps->frequency > gap->start) {
        input->frequency = 0;
        gaps->is_closing = false;
        gap_end_find(gap);
        if (gap->end <= gaps->frequency)
            return;
        input->frequency = frequency;
        *gaps = before;
    }
    gap_end_find(gap);
}

/* Reports the gap, and what follows it if that is another trace. */
static void gap_report(const struct gap *gap)
{
    struct gt_v1 *v1 = gap->v1;
    uint64_t count = v1->repair.count;
    bool is_last = gap->end == v1->input.end;
    bool is_rest = is_last && gap->fit.has_others && !gap->text;
    bool is_cut = gap->is_trace && gap->fit.fault >= gap->end;
    bool is_zero = is_last && v1->input.gaps.is_closing && gap_is_zero(gap->fit.fault, gap->end);
    if (gap->text || is_zero)
        gt_repair_drop(v1->error);
    else if (!is_rest && !is_cut)
        gap_report_damage(gap);
    if (is_rest || gap->is_trace)
        gap_report_other(gap);
    /* No event is missing, as all of them come before. */
    if (v1->input.gaps.is_closing)
        v1->repair.unnested += v1->repair.count - count;
}

/* Where records begin that may belong to the gap: at the last batch, or behind the last gap. */
static const uint8_t *gap_start(const struct gt_v1 *v1, const uint8_t *batch)
{
    const struct gt_v1_gaps *gaps = &v1->input.gaps;
    const uint8_t *start = batch ? batch : v1->input.data;
    const uint8_t *last =
        gaps->passed.count == 0 ? start : gaps->passed.items[gaps->passed.count - 1].end;
    return last > start ? last : start;
}

gt_status gt_v1_gap_pass(struct gt_v1 *v1, const uint8_t *batch, const uint8_t *event,
                         const uint8_t **begin, const uint8_t **next)
{
    struct gap gap = {.v1 = v1, .fit = {v1, event, false, false}, .start = gap_start(v1, batch)};
    if (!v1->repair.lenient || gt_repair_is_trouble(v1->error->status))
        return (gt_status) v1->error->status;
    gap_end_find_anew(&gap);
    gap_begin_find(&gap);
    /* The frequency may be a number that the header of another trace has completed. */
    if (v1->input.frequency != 0 && v1->input.gaps.frequency >= gap.begin)
        v1->input.frequency = 0;
    gap_report(&gap);
    if (gap_add(&gap) != GT_OK)
        return gt_v1_no_memory(v1);
    *begin = gap.text ? gap.text : gap.begin;
    *next = gap.end;
    if (gap.is_trace || (gap.end == v1->input.end && gap.text))
        v1->input.end = gap.end;
    else if (gap.end == v1->input.end)
        *next = v1->input.end = gap.begin;
    return GT_OK;
}
