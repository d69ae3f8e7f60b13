/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/fit.h"

#include "base/bisect.h"
#include "base/varint.h"
#include "source/header.h"

enum {
    /* The first byte of a batch, which has one number more than its argument code says. */
    BATCH_START = GT_V1_BATCH | 1 << 6,

    /* A proc of a greater number is not looked for behind damage. */
    FIT_PROCS = 1 << 16,

    /* The limits of a frequency that is looked for behind damage, in ticks a second. */
    FIT_LEAST_FREQUENCY = 100000,
    FIT_MOST_FREQUENCY = 2000000000,

    /* The least bytes of the time of a batch behind damage: the clock runs since the start. */
    FIT_TICKS = 4,

    /* How many bytes behind the header of a batch must be text, too, if all of it is. */
    FIT_BEHIND = 8
};

/*
 * How much earlier and later than all others a batch behind damage may be, in ticks. A second has
 * 15 to 80 million of them. A batch has the time of its first event but is written when it is full,
 * so that it may be as old as the trace.
 */
#define FIT_SPAN (UINT64_C(1) << 40)

/* No batch is earlier, less than a millisecond after the machine's start. */
#define FIT_EARLY (UINT64_C(1) << 14)

/* The header of a batch. */
struct header {
    const uint8_t *end;
    uint64_t proc;
    uint64_t ticks;
    unsigned ticks_size; /* the bytes of `ticks` */
    bool is_text;        /* all of its bytes may be text, and the next ones, too */
};

/* Whether the bytes may be a part of a text. The last character may be incomplete. */
static bool fit_may_be_text(const uint8_t *data, const uint8_t *end)
{
    struct gt_prints_run run;
    gt_prints_run_begin(&run, 0);
    for (; data != end && run.is_text; data++)
        gt_prints_run_add(&run, *data);
    return run.is_text;
}

/* Reads the header of a batch. Returns false if there is none. */
static bool fit_header_read(const struct gt_v1 *v1, const uint8_t *data, struct header *header)
{
    size_t size = (size_t) (v1->input.end - data);
    struct gt_cursor cursor = gt_cursor_make(data + 1, size - 1);
    if (*data != BATCH_START)
        return false;
    header->proc = gt_cursor_varint(&cursor);
    if (v1->version < 7)
        gt_cursor_varint(&cursor);
    const uint8_t *ticks = cursor.p;
    header->ticks = gt_cursor_varint(&cursor);
    header->end = cursor.p;
    header->ticks_size = (unsigned) (cursor.p - ticks);
    if (cursor.fault != GT_VARINT_OK || (header->proc > INT32_MAX && header->proc != UINT64_MAX))
        return false;
    bool is_short = v1->input.end - header->end < FIT_BEHIND;
    header->is_text = fit_may_be_text(data, is_short ? v1->input.end : header->end + FIT_BEHIND);
    return true;
}

static unsigned fit_varint_size(uint64_t value)
{
    uint8_t bytes[GT_VARINT_MAX];
    return (unsigned) (gt_varint_put(bytes, value) - bytes);
}

/* Whether a batch behind damage may be of the trace by its time. */
static bool fit_is_near(const struct gt_v1 *v1, const struct header *header)
{
    const struct gt_v1_gaps *gaps = &v1->input.gaps;
    uint64_t least = gaps->is_closing ? gaps->most : gaps->least;
    uint64_t earlier = gaps->is_closing ? 0 : FIT_SPAN;
    if (!gaps->has_batches)
        return true;
    if (header->ticks_size + 1 < fit_varint_size(gaps->least))
        return false;
    if (header->ticks < least)
        return least - header->ticks <= earlier;
    return header->ticks <= gaps->most || header->ticks - gaps->most <= FIT_SPAN;
}

/*
 * Whether a batch is distinct enough to be one although nothing says that a record begins there:
 * arbitrary bytes may look like a batch, but hardly like one with a time so far from 0.
 */
static bool fit_is_distinct(const struct header *header)
{
    return !header->is_text && (header->proc < FIT_PROCS || header->proc == UINT64_MAX) &&
           header->ticks_size >= FIT_TICKS;
}

/* Whether a record may begin here, or the input ends. */
static bool fit_is_followed(const struct gt_v1 *v1, const uint8_t *data)
{
    return data == v1->input.end || v1->input.numbers[*data & 0x3f] != 0;
}

void gt_v1_fit_note_batch(struct gt_v1 *v1, uint64_t ticks)
{
    struct gt_v1_gaps *gaps = &v1->input.gaps;
    if (!gaps->has_batches || ticks < gaps->least)
        gaps->least = ticks;
    if (!gaps->has_batches || ticks > gaps->most)
        gaps->most = ticks;
    gaps->has_batches = true;
}

bool gt_v1_fit_is_batch(const struct gt_v1 *v1, const uint8_t *batch)
{
    const struct gt_v1_gaps *gaps = &v1->input.gaps;
    struct header header;
    if (!fit_header_read(v1, batch, &header) || (gaps->is_closing && header.ticks < gaps->most))
        return false;
    bool is_early = !gaps->has_batches || header.ticks < gaps->least;
    bool is_far = gaps->least >= FIT_EARLY && header.ticks < FIT_EARLY;
    return !is_early || (!header.is_text && !is_far);
}

/* Whether a batch of the trace begins here, behind a gap. */
static bool fit_is_batch(struct gt_v1_fit *fit, const uint8_t *data)
{
    const struct gt_v1 *v1 = fit->v1;
    struct header header;
    if (!fit_header_read(v1, data, &header) || !fit_is_distinct(&header) ||
        !fit_is_followed(v1, header.end))
        return false;
    if (fit_is_near(v1, &header))
        return true;
    fit->has_others = true;
    fit->is_older |= header.ticks < v1->input.gaps.least;
    return false;
}

/*
 * Returns where a text ends that begins here, or NULL if it goes up to where `is_over` says that
 * the trace goes on, or to the end of the input.
 */
static const uint8_t *fit_text_end(struct gt_v1_fit *fit, const uint8_t *data,
                                   bool (*is_over)(struct gt_v1_fit *, const uint8_t *))
{
    const uint8_t *end = fit->v1->input.end;
    struct gt_prints_run run;
    gt_prints_run_begin(&run, 0);
    for (; data != end && run.is_text; data++) {
        if (run.size != 0 && run.more == 0 && is_over(fit, data))
            return NULL;
        gt_prints_run_add(&run, *data);
    }
    return run.is_text && gt_prints_run_is_lines(&run) ? NULL : data;
}

static bool fit_is_text(struct gt_v1_fit *fit, const uint8_t *data)
{
    return !fit_text_end(fit, data, fit_is_batch);
}

/*
 * Whether the frequency is here, which early versions write by itself, and not a number of an event
 * that looks so. What follows it are timers, in some of them, and batches.
 */
static bool fit_is_frequency(struct gt_v1_fit *fit, const uint8_t *data)
{
    const struct gt_v1 *v1 = fit->v1;
    bool is_behind_line = data != v1->input.data && data[-1] == '\n';
    struct gt_cursor cursor = gt_cursor_make(data, (size_t) (v1->input.end - data));
    unsigned type = gt_cursor_byte(&cursor);
    if (type != GT_V1_FREQUENCY || v1->input.frequency != 0 ||
        (data <= fit->fault && !is_behind_line))
        return false;
    uint64_t frequency = gt_cursor_varint(&cursor);
    if (frequency < FIT_LEAST_FREQUENCY || frequency > FIT_MOST_FREQUENCY)
        return false;
    while (type == GT_V1_FREQUENCY || type == GT_V1_TIMER_GOROUTINE) {
        if (v1->version < 7)
            gt_cursor_varint(&cursor);
        data = cursor.p;
        type = gt_cursor_byte(&cursor);
        if (type == GT_V1_TIMER_GOROUTINE)
            gt_cursor_varint(&cursor);
    }
    return data == v1->input.end || fit_is_batch(fit, data) || fit_is_text(fit, data);
}

/* Whether the trace goes on here, behind a gap. */
static bool fit_is_over(struct gt_v1_fit *fit, const uint8_t *data)
{
    if (*data == BATCH_START)
        return fit_is_batch(fit, data);
    return *data == GT_V1_FREQUENCY && fit_is_frequency(fit, data);
}

/* Returns where the trace goes on, from `data` on and before `end`, or `end`. */
const uint8_t *gt_v1_fit_find(struct gt_v1_fit *fit, const uint8_t *data, const uint8_t *end)
{
    while (data != end && !fit_is_over(fit, data))
        data++;
    return data;
}

bool gt_v1_fit_is_text(struct gt_v1 *v1, const uint8_t *data)
{
    struct gt_v1_gaps *gaps = &v1->input.gaps;
    struct gt_v1_fit fit = {.v1 = v1};
    if (data < gaps->no_text)
        return false;
    const uint8_t *end = fit_text_end(&fit, data, fit_is_over);
    if (!end)
        return true;
    gaps->no_text = end;
    return false;
}

/* Whether records that follow the frequency, and no others, may begin here. */
static bool fit_is_closing(struct gt_v1_fit *fit, const uint8_t *data)
{
    unsigned type = data == fit->v1->input.end ? GT_V1_BATCH : *data & 0x3f;
    return type == GT_V1_BATCH || type == GT_V1_STACK || type == GT_V1_STRING ||
           type == GT_V1_TIMER_GOROUTINE || fit_is_text(fit, data);
}

void gt_v1_fit_note_frequency(struct gt_v1 *v1, const uint8_t *record, const uint8_t *next)
{
    struct gt_v1_gaps *gaps = &v1->input.gaps;
    struct gt_v1_fit fit = {.v1 = v1};
    gaps->frequency = record;
    gaps->is_closing = v1->input.batches.count != 0 && v1->input.frequency >= FIT_LEAST_FREQUENCY &&
                       v1->input.frequency <= FIT_MOST_FREQUENCY && fit_is_closing(&fit, next);
}

/* Whether the header of another trace begins in these bytes. */
static bool fit_has_header(const struct gt_v1 *v1, const uint8_t *data, const uint8_t *end)
{
    const uint8_t *last = v1->input.end;
    const uint8_t *to = last - end > GT_HEADER_SIZE ? end + GT_HEADER_SIZE - 1 : last;
    return gt_header_find(data, to) != to;
}

bool gt_v1_fit_is_left_out(const struct gt_v1 *v1, const void *data, const uint8_t *record)
{
    const struct gt_v1_gaps *gaps = &v1->input.gaps;
    const uint8_t *at = data;
    size_t found;
    if (at >= record)
        return true;
    GT_BISECT(found, 0, gaps->passed.count, gaps->passed.items[found].end <= at);
    return found < gaps->passed.count && gaps->passed.items[found].first <= at;
}

bool gt_v1_fit_is_stack(const struct gt_v1 *v1, uint64_t id, const uint8_t *data,
                        const uint8_t *end)
{
    const struct gt_stacks *stacks = &v1->table.stacks;
    uint32_t slot;
    if (gt_stacks_find(stacks, id, &slot) && slot != 0 &&
        !gt_v1_fit_is_left_out(v1, gt_stacks_data(stacks, slot), data))
        return false;
    return !fit_has_header(v1, data, end);
}

bool gt_v1_fit_is_string(struct gt_v1 *v1, const uint8_t *record, uint64_t id, const uint8_t *data,
                         size_t size)
{
    struct gt_v1_fit fit = {.v1 = v1};
    uint64_t last = v1->input.gaps.last_string;
    bool is_next = id > last && id - last == 1;
    if (gt_v1_fit_find(&fit, data, data + size) != data + size ||
        fit_has_header(v1, data, data + size))
        return false;
    return is_next || !gt_v1_fit_is_text(v1, record);
}
