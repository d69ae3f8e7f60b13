/* SPDX-License-Identifier: BSD-3-Clause */
#include "whyrows.h"

#include <stdlib.h>

#include <gotrace/summary.h>

#include "list.h"
#include "stacktext.h"
#include "text.h"

bool whyrows_describe(struct whyrows *rows, gt_string *text, const gt_path *path, size_t index,
                      whyrows_frames_fn *frames_of, bool by_stack)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    size_t count = 0;
    *text = text_of("");
    if (frames_of(path, index, frames, GT_STACK_MAX_FRAMES, &count) != GT_OK || count == 0)
        return true;
    *text = stacktext_outside_runtime(frames, count);
    if (!by_stack)
        return true;
    if (!list_reserve(&rows->texts, &rows->text_capacity, rows->text_count + 1,
                      sizeof(*rows->texts)))
        return false;
    char *joined = stacktext_join(text, frames, count);
    if (joined)
        rows->texts[rows->text_count++] = joined;
    return joined != NULL;
}

bool whyrows_add(struct whyrows *rows, const gt_path *path, size_t side, bool by_stack)
{
    size_t count = gt_path_row_count(path);
    if (!list_reserve(&rows->list, &rows->capacity, rows->count + count + 1, sizeof(*rows->list)))
        return false;
    for (size_t i = 0; i < count; i++) {
        gt_path_row from = GT_PATH_ROW_INIT;
        gt_path_get_row(path, i, &from);
        struct whyrow *row = &rows->list[rows->count++];
        *row = (struct whyrow){
            .group = from.group,
            .what = text_of(gt_path_state_name(from.state)),
            .reason = from.reason,
        };
        row->time[side] = from.time;
        if (!whyrows_describe(rows, &row->where, path, i, gt_path_row_frames, by_stack))
            return false;
    }
    return true;
}

static int whyrow_compare_by_text(const void *a, const void *b)
{
    const struct whyrow *left = a, *right = b;
    int order = text_compare(left->group, right->group);
    if (order == 0)
        order = text_compare(left->what, right->what);
    if (order == 0)
        order = text_compare(left->reason, right->reason);
    return order != 0 ? order : text_compare(left->where, right->where);
}

/* By how much longer the first side is, or how much shorter, so that both come before the rest. */
static uint64_t whyrow_rank(const struct whyrow *row)
{
    int64_t most = row->time[0] > row->time[1] ? row->time[0] : row->time[1];
    int64_t least = row->time[0] > row->time[1] ? row->time[1] : row->time[0];
    return (uint64_t) most - (uint64_t) least;
}

static int whyrow_compare_by_rank(const void *a, const void *b)
{
    uint64_t left = whyrow_rank(a), right = whyrow_rank(b);
    if (left != right)
        return left > right ? -1 : 1;
    return whyrow_compare_by_text(a, b);
}

void whyrows_merge(struct whyrows *rows, const size_t *counts, bool is_mean)
{
    size_t merged = 0;
    if (rows->count > 0)
        qsort(rows->list, rows->count, sizeof(*rows->list), whyrow_compare_by_text);
    for (size_t i = 0; i < rows->count; i++) {
        const struct whyrow *from = &rows->list[i];
        struct whyrow *last = merged > 0 ? &rows->list[merged - 1] : NULL;
        if (!last || whyrow_compare_by_text(last, from) != 0) {
            rows->list[merged++] = *from;
            continue;
        }
        for (size_t side = 0; side < WHYROWS_SIDES; side++)
            last->time[side] = gt_summary_time_sum(last->time[side], from->time[side]);
    }
    rows->count = merged;
    for (size_t i = 0; is_mean && i < rows->count; i++) {
        for (size_t side = 0; side < WHYROWS_SIDES; side++)
            rows->list[i].time[side] /= counts[side] == 0 ? 1 : (int64_t) counts[side];
    }
    if (rows->count > 0)
        qsort(rows->list, rows->count, sizeof(*rows->list), whyrow_compare_by_rank);
}

void whyrows_free(struct whyrows *rows)
{
    for (size_t i = 0; i < rows->text_count; i++)
        free(rows->texts[i]);
    free(rows->texts);
    free(rows->list);
}
