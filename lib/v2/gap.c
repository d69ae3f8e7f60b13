/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/gap.h"

#include <string.h>

#include "base/error.h"
#include "merge/other.h"
#include "source/header.h"
#include "v2/batch.h"
#include "v2/fit.h"
#include "v2/repair.h"
#include "v2/spec.h"
#include "v2/tables.h"
#include "v2/v2.h"

enum {
    /* As many digits 4 in a row, which each look like the end marker, are text. */
    GAP_ENDS = 64
};

/* Sets the error that the next batch is missing. */
static void gap_fail(struct gt_v2 *v2, uint64_t offset, uint8_t found)
{
    gt_error_set(v2->error, GT_ERR_BATCH, offset, v2->generation.number,
                 "expected a batch, found byte %u", (uint64_t) found);
}

void gt_v2_gap_open(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    memset(gap, 0, sizeof(*gap));
    gap->is_open = gap->is_zero = true;
    gap->cause = *v2->error;
    gt_prints_run_begin(&gap->run, gt_source_offset(v2->source));
}

/* Notes a batch in the gap that is not of the trace. */
static void gap_refuse(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    v2->gap.has_batches |= batch->is_padded && batch->generation != 0;
    v2->gap.is_older |= batch->is_padded && batch->time < v2->fit.least;
}

void gt_v2_gap_open_here(struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    gap_fail(v2, gt_source_offset(v2->source), *v2->source->cur);
    gt_v2_gap_open(v2);
    gap_refuse(v2, batch);
}

static void gap_pass(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    uint8_t byte = *v2->source->cur++;
    if (gap->run.size == 0)
        gap->begins_with_end = v2->version >= 26 && byte == GT_WIRE_END_OF_GENERATION;
    if (gap->run.size == 1)
        gap->second = byte;
    gap->is_zero &= byte == 0;
    gap->has_end |= byte == GT_WIRE_END_OF_GENERATION;
    gt_prints_run_add(&gap->run, byte);
}

/* Whether a batch is of the generation after this one. */
static bool gap_is_next(uint64_t generation, const struct gt_v2_batch *batch)
{
    return batch->generation > generation && batch->generation - generation == 1;
}

/*
 * Sets `*is` to whether a batch whose size is not padded is followed by something: arbitrary bytes
 * may look like one header by chance, but hardly like two.
 */
static gt_status gap_is_followed(struct gt_v2 *v2, const struct gt_v2_batch *batch, size_t end,
                                 bool *is)
{
    struct gt_source *source = v2->source;
    struct gt_v2_batch next;
    size_t next_end;
    gt_status status = gt_v2_batch_look(source, end, &next, &next_end);
    *is = false;
    if (status != GT_OK)
        return status;
    size_t left = gt_source_left(source);
    if (next_end != 0)
        *is = next.generation == batch->generation ||
              (v2->fit.generation != 0 && gap_is_next(batch->generation, &next));
    else
        *is = left == end ||
              (left > end && v2->version >= 26 && source->cur[end] == GT_WIRE_END_OF_GENERATION);
    return GT_OK;
}

/*
 * Sets `*is` to whether one of the batches that follow each other from here on is written at the
 * end of the generation, and not before its events.
 */
static gt_status gap_is_confirmed(struct gt_v2 *v2, bool *is)
{
    struct gt_v2_gap *gap = &v2->gap;
    struct gt_source *source = v2->source;
    uint64_t offset = gt_source_offset(source);
    *is = false;
    if (offset < gap->chain_start || offset >= gap->chain_end)
        gap->chain_start = gap->chain_end = offset;
    for (;;) {
        struct gt_v2_batch batch;
        size_t end;
        gt_status status =
            gt_v2_batch_look(source, (size_t) (gap->chain_end - offset), &batch, &end);
        if (status != GT_OK || end == 0 || batch.generation == 0)
            return status;
        *is = gt_v2_fit_is_late(v2, &batch);
        if (*is || batch.generation < v2->fit.generation)
            return GT_OK;
        gap->chain_end = offset + end;
        if (gt_source_is_cancelled(source))
            return gt_source_fail_cancelled(source);
    }
}

/*
 * Sets `*is` to whether a batch of the newest generation, from the distance `at` to `end`, has
 * strings, stacks or a frequency that the generation has already.
 */
static gt_status gap_is_known(struct gt_v2 *v2, size_t at, const struct gt_v2_batch *batch,
                              size_t end, bool *is)
{
    struct gt_source *source = v2->source;
    uint8_t clock = v2->version < 25 ? GT_WIRE_FREQUENCY : GT_WIRE_SYNC;
    size_t start = at + (size_t) (batch->data_offset - batch->offset);
    size_t size = end - start < GT_V2_MAX_HEADER ? end - start : GT_V2_MAX_HEADER;
    gt_status status = gt_source_need(source, start + size);
    *is = false;
    if (status != GT_OK || batch->generation != v2->generation.number)
        return status;
    if (size > gt_source_left(source) - start)
        size = gt_source_left(source) - start;
    *is = batch->first == clock ? v2->generation.has_frequency
                                : gt_v2_table_has(v2, source->cur + start, size);
    return GT_OK;
}

/* Sets `*is` to whether a batch of the trace begins with the next byte, behind damage. */
static gt_status gap_is_over(struct gt_v2 *v2, bool *is)
{
    const struct gt_v2_fit *fit = &v2->fit;
    struct gt_v2_batch batch;
    size_t end;
    *is = false;
    gt_status status = gt_v2_batch_look(v2->source, 0, &batch, &end);
    if (status != GT_OK || end == 0)
        return status;
    enum gt_v2_fits fits = gt_v2_fits(v2, &batch);
    bool is_near = batch.generation == fit->generation ||
                   (fit->generation != 0 && gap_is_next(fit->generation, &batch));
    /* The batch is then where it should be. */
    bool is_behind_text =
        gt_prints_run_is_likely(&v2->gap.run) && (batch.is_padded || batch.experiment == 0);
    bool is_known = false;
    *is = fits != GT_V2_FITS_NOT;
    if (*is && !(batch.is_padded && is_near) && !is_behind_text)
        status = gap_is_followed(v2, &batch, end, is);
    if (status == GT_OK && *is)
        status = gap_is_known(v2, 0, &batch, end, &is_known);
    *is &= !is_known;
    if (status == GT_OK && *is && fits == GT_V2_FITS_EARLY && !is_behind_text)
        status = gap_is_confirmed(v2, is);
    if (status == GT_OK && !*is)
        gap_refuse(v2, &batch);
    return status;
}

gt_status gt_v2_gap_skip(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    struct gt_source *source = v2->source;
    for (;;) {
        bool is_over = false;
        gt_status status = gt_source_need(source, 1);
        if (status != GT_OK)
            return status;
        gap->is_last = gt_source_left(source) == 0;
        if (gap->is_last)
            return GT_OK;
        status = gt_header_is_at(source, 0, &gap->is_trace);
        if (status == GT_OK && gap->run.size != 0 && gt_v2_batch_may_start(*source->cur))
            status = gap_is_over(v2, &is_over);
        if (status != GT_OK || is_over || gap->is_trace)
            return status;
        gap_pass(v2);
        if (gap->run.size % GT_WATCH_STEP == 0 && gt_source_is_cancelled(source))
            return gt_source_fail_cancelled(source);
    }
}

/* Takes the end marker with which a gap begins that is not text. */
static void gap_take_end(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    gap->run.offset++;
    gap->run.size--;
    gap_fail(v2, gap->run.offset, gap->second);
    gap->cause = *v2->error;
}

/* Reports that the rest of the input is not of this trace. */
static void gap_end_trace(struct gt_v2 *v2)
{
    const struct gt_v2_gap *gap = &v2->gap;
    if (gap->is_trace)
        gt_other_trace_begins(&v2->repair, v2->error, gt_source_offset(v2->source));
    else
        gt_other_trace_rest(&v2->repair, v2->error, gap->run.offset, gap->run.size, gap->is_older);
}

/* Whether all of the newest generation has come, as far as that is known before Go 1.26. */
static bool gap_is_complete(const struct gt_v2 *v2)
{
    const struct gt_v2_fit *fit = &v2->fit;
    return v2->version >= 26 ? fit->has_ended : fit->has_stacks && fit->has_strings;
}

/* Reports bytes of the trace that cannot be read. */
static void gap_forgive(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    v2->is_torn = true;
    *v2->error = gap->cause;
    if (gap->is_zero && gap->is_last)
        gt_error_append(v2->error, ": writing has stopped here");
    gt_v2_forgive_bytes(v2, gap->run.size);
}

bool gt_v2_gap_close(struct gt_v2 *v2)
{
    struct gt_v2_gap *gap = &v2->gap;
    bool is_rest = gap->is_last && gap->has_batches;
    gap->is_open = false;
    if (gap->begins_with_end && !gt_prints_run_is_text(&gap->run))
        gap_take_end(v2);
    if (gt_prints_run_is_text(&gap->run))
        gt_prints_add(&v2->prints, &gap->run);
    else if (gap->run.size != 0 && !is_rest &&
             !(gap->is_zero && gap->is_last && gap_is_complete(v2)))
        gap_forgive(v2);
    if (is_rest || gap->is_trace)
        gap_end_trace(v2);
    return !is_rest && !gap->is_trace;
}

bool gt_v2_gap_has_end(const struct gt_v2 *v2, const struct gt_v2_batch *next)
{
    const struct gt_v2_gap *gap = &v2->gap;
    if (v2->version < 26 || v2->generation.number == 0)
        return false;
    if (next)
        return gap->has_end && next->generation > v2->generation.number;
    bool is_likely = gt_prints_run_is_text(&gap->run) || v2->fit.is_closed;
    return is_likely ? gap->has_end : gap->begins_with_end;
}

gt_status gt_v2_gap_is_end(struct gt_v2 *v2, bool *is)
{
    struct gt_source *source = v2->source;
    size_t at = 1;
    *is = true;
    if (v2->generation.number == 0 && v2->fit.has_ended) {
        *is = false;
        return GT_OK;
    }
    if (v2->fit.is_closed)
        return GT_OK;
    for (; at < GAP_ENDS; at++) {
        gt_status status = gt_source_need(source, at + 1);
        if (status != GT_OK || gt_source_left(source) == at)
            return status;
        if (source->cur[at] != GT_WIRE_END_OF_GENERATION)
            break;
    }
    struct gt_v2_batch batch;
    size_t end;
    gt_status status = gt_v2_batch_look(source, at, &batch, &end);
    *is = !gt_prints_may_have(source->cur[at]) ||
          (status == GT_OK && end != 0 && batch.generation > v2->generation.number &&
           gt_v2_fits(v2, &batch) != GT_V2_FITS_NOT);
    return status;
}

/* Whether all bytes of a header may be text, so that it says little. */
static bool gap_is_text_header(const struct gt_source *source, const struct gt_v2_batch *batch)
{
    size_t length = (size_t) (batch->data_offset - batch->offset);
    for (size_t i = 0; i < length; i++) {
        if (!gt_prints_may_have(source->cur[i]))
            return false;
    }
    return true;
}

bool gt_v2_gap_is_batch(const struct gt_v2 *v2, const struct gt_v2_batch *batch)
{
    const struct gt_v2_fit *fit = &v2->fit;
    bool is_text = batch->experiment != 0 && gap_is_text_header(v2->source, batch);
    if (fit->generation == 0)
        return !is_text;
    if (gt_v2_fit_is_other(v2, batch) || (batch->generation == v2->generation.number &&
                                          gt_v2_table_has(v2, batch->data, batch->size)))
        return false;
    if (!is_text && (batch->is_padded || !fit->is_padded))
        return true;
    return gt_v2_fits(v2, batch) != GT_V2_FITS_NOT &&
           (!is_text || batch->generation == fit->generation ||
            gap_is_next(fit->generation, batch));
}

/*
 * Sets `*is` to whether what follows a batch may be something else than the next one. That it may
 * be the end marker of a generation is not enough, but nothing behind that is waited for: a pipe
 * may deliver it much later.
 */
static gt_status gap_is_behind(struct gt_v2 *v2, const struct gt_v2_batch *batch, bool *is)
{
    struct gt_source *source = v2->source;
    size_t at = (size_t) (batch->data_offset - batch->offset) + batch->size, end;
    struct gt_v2_batch next;
    gt_status status = gt_source_need(source, at + 1);
    *is = false;
    if (status != GT_OK || gt_source_left(source) == at)
        return status;
    *is = true;
    if (source->cur[at] != GT_WIRE_EVENT_BATCH)
        return GT_OK;
    status = gt_v2_batch_look(source, at, &next, &end);
    if (status != GT_OK || end == 0 || gt_v2_fits(v2, &next) == GT_V2_FITS_NOT ||
        (next.thread == batch->thread && next.time < batch->time))
        return status;
    return gap_is_known(v2, at, &next, end, is);
}

/*
 * Sets `*found` to the distance of the header of another trace that begins before the distance
 * `end`, or to `end`. Waits for more bytes only where such a header seems to begin.
 */
static gt_status gap_header_find(struct gt_source *source, size_t end, size_t *found)
{
    static const char start[] = "go 1.";
    const size_t known = sizeof(start) - 1;
    for (size_t at = 0; at < end; at++) {
        const uint8_t *p = memchr(source->cur + at, 'g', end - at);
        if (!p)
            break;
        at = (size_t) (p - source->cur);
        size_t left = gt_source_left(source) - at;
        if (memcmp(p, start, left < known ? left : known) != 0)
            continue;
        gt_status status = gt_source_need(source, at + GT_HEADER_SIZE);
        if (status != GT_OK)
            return status;
        *found = at;
        if (gt_source_left(source) - at >= GT_HEADER_SIZE && gt_header_parse(source->cur + at) != 0)
            return GT_OK;
    }
    *found = end;
    return GT_OK;
}

gt_status gt_v2_gap_cut_batch(struct gt_v2 *v2, struct gt_v2_batch *batch, bool is_cut, bool *is)
{
    struct gt_source *source = v2->source;
    size_t start = (size_t) (batch->data_offset - batch->offset);
    bool is_doubtful = is_cut || v2->fit.generation == 0 || gt_v2_fits(v2, batch) != GT_V2_FITS;
    gt_status status = GT_OK;
    *is = true;
    if (!is_doubtful)
        status = gap_is_behind(v2, batch, &is_doubtful);
    size_t end = start + batch->size, found = end;
    if (status == GT_OK && is_doubtful)
        status = gap_header_find(source, end, &found);
    batch->data = source->cur + start;
    *is = found >= start;
    if (*is)
        batch->size = (uint32_t) (found - start);
    return status;
}
