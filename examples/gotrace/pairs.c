/* SPDX-License-Identifier: BSD-3-Clause */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include <gotrace/summary.h>

#include "stacktext.h"
#include "text.h"

/* The columns. */
enum {
    COUNT,
    TIME,
    WAITER,
    UNBLOCKER
};

/* Sets `*text` to the functions of all frames, with semicolons in between. */
static bool pair_join_stack(struct pairs *pairs, gt_string *text, const gt_frame *frames,
                            size_t count)
{
    char *joined = stacktext_join(text, frames, count);
    if (joined)
        pairs->texts[pairs->text_count++] = joined;
    return joined != NULL;
}

static bool pair_describe(struct pairs *pairs, gt_string *text, const gt_latency *latency,
                          size_t index, uint32_t side, bool by_stack)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    size_t count;
    gt_latency_pair_frames(latency, index, side, frames, GT_STACK_MAX_FRAMES, &count);
    if (count == 0) {
        *text = text_of("(no stack)");
        return true;
    }
    if (by_stack)
        return pair_join_stack(pairs, text, frames, count);
    *text = stacktext_outside_runtime(frames, count);
    return true;
}

static int pair_compare_by_text(const void *a, const void *b)
{
    const struct table_cell *left = a, *right = b;
    int order = text_compare(left[WAITER].text, right[WAITER].text);
    return order != 0 ? order : text_compare(left[UNBLOCKER].text, right[UNBLOCKER].text);
}

static int pair_compare_by_count(const void *a, const void *b)
{
    const struct table_cell *left = a, *right = b;
    for (int i = COUNT; i <= TIME; i++) {
        if (left[i].number != right[i].number)
            return left[i].number > right[i].number ? -1 : 1;
    }
    return pair_compare_by_text(a, b);
}

/* Merges rows that have the same texts, and sorts by count. */
static void pairs_merge(struct pairs *pairs)
{
    size_t row = PAIR_COLUMNS * sizeof(*pairs->cells), merged = 0;
    qsort(pairs->cells, pairs->count, row, pair_compare_by_text);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct table_cell *from = pairs->cells + i * PAIR_COLUMNS;
        struct table_cell *last = merged > 0 ? pairs->cells + (merged - 1) * PAIR_COLUMNS : NULL;
        if (last && pair_compare_by_text(last, from) == 0) {
            last[COUNT].number += from[COUNT].number;
            last[TIME].number = gt_summary_time_sum(last[TIME].number, from[TIME].number);
        } else {
            memmove(pairs->cells + merged++ * PAIR_COLUMNS, from, row);
        }
    }
    pairs->count = merged;
    qsort(pairs->cells, pairs->count, row, pair_compare_by_count);
}

bool pairs_collect(struct pairs *pairs, const gt_latency *latency, bool by_stack)
{
    size_t count = gt_latency_pair_count(latency);
    pairs->cells = calloc(count + 1, PAIR_COLUMNS * sizeof(*pairs->cells));
    pairs->texts = calloc(2 * count + 1, sizeof(*pairs->texts));
    if (!pairs->cells || !pairs->texts)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct table_cell *cells = pairs->cells + pairs->count++ * PAIR_COLUMNS;
        gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
        gt_latency_get_pair(latency, i, &pair);
        cells[COUNT].number = (int64_t) pair.count;
        cells[TIME].number = pair.time;
        if (!pair_describe(pairs, &cells[WAITER].text, latency, i, GT_LATENCY_WAITER, by_stack) ||
            !pair_describe(pairs, &cells[UNBLOCKER].text, latency, i, GT_LATENCY_UNBLOCKER,
                           by_stack))
            return false;
    }
    pairs_merge(pairs);
    return true;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->text_count; i++)
        free(pairs->texts[i]);
    free(pairs->texts);
    free(pairs->cells);
}
