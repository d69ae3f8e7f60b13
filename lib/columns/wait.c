/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"
#include "columns/state.h"

static bool wait_stacks_equal(struct gt_stack_ref a, struct gt_stack_ref b)
{
    return a.is_known == b.is_known && (!a.is_known || a.id == b.id);
}

static bool wait_is_same(const struct gt_wait *a, const struct gt_wait *b)
{
    return a->function == b->function && a->state == b->state && a->reason == b->reason &&
           a->region_type == b->region_type && a->task_type == b->task_type &&
           wait_stacks_equal(a->stack, b->stack) && wait_stacks_equal(a->unblocker, b->unblocker);
}

static uint64_t wait_hash(const struct gt_columns *columns, const struct gt_wait *wait)
{
    uint64_t stacks =
        gt_hash_pair((uint64_t) wait->stack.id, (uint64_t) wait->unblocker.id, columns->secret);
    uint64_t texts = gt_hash_pair((uint64_t) wait->function << 32 | wait->reason,
                                  (uint64_t) wait->region_type << 32 | wait->task_type, stacks);
    return texts ^ wait->state;
}

static void wait_put(struct gt_columns *columns, const struct gt_wait *wait)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_WAITS);
    if (!rows)
        return;
    gt_row_unless(rows, GT_COLUMN_WAITS_function, wait->function, GT_NO_TEXT);
    gt_row_set(rows, GT_COLUMN_WAITS_state, columns->state_texts[wait->state]);
    gt_row_unless(rows, GT_COLUMN_WAITS_reason, wait->reason, GT_NO_TEXT);
    gt_row_unless(rows, GT_COLUMN_WAITS_region_type, wait->region_type, GT_NO_TEXT);
    gt_row_unless(rows, GT_COLUMN_WAITS_task_type, wait->task_type, GT_NO_TEXT);
    gt_row_stack(rows, GT_COLUMN_WAITS_stack_id, wait->stack);
    gt_row_stack(rows, GT_COLUMN_WAITS_unblocker_stack, wait->unblocker);
    gt_row_set(rows, GT_COLUMN_WAITS_count, wait->count);
    gt_row_set(rows, GT_COLUMN_WAITS_sum_ns, wait->sum);
    gt_row_set(rows, GT_COLUMN_WAITS_min_ns, wait->minimum);
    gt_row_set(rows, GT_COLUMN_WAITS_max_ns, wait->maximum);
    gt_row_end(columns, GT_TABLE_WAITS);
}

void gt_columns_waits_finish(struct gt_columns *columns)
{
    for (size_t i = 0; i < columns->waits.count; i++)
        wait_put(columns, &columns->waits.items[i]);
    columns->waits.count = 0;
    gt_index_clear(&columns->wait_index);
}

/* Finds the sums of what is like this by the index, or begins them with zeros. */
static struct gt_wait *wait_find(struct gt_columns *columns, const struct gt_wait *like)
{
    uint64_t hash = wait_hash(columns, like);
    struct gt_wait *wait;
    GT_INDEX_FIND(wait, &columns->waits, &columns->wait_index, hash, wait_is_same(wait, like));
    if (wait)
        return wait;
    /* Rows of sums add up, so that there is no need to keep more. */
    if (columns->waits.count == GT_PQ_ROWS_MAX)
        gt_columns_waits_finish(columns);
    gt_columns_note(columns, gt_index_append(&columns->wait_index, &columns->waits, &columns->mem,
                                             hash, *like));
    return columns->status == GT_OK ? &columns->waits.items[columns->waits.count - 1] : NULL;
}

/* The place of the sums in the cache. The ids of stacks are hashes. */
static uint32_t *wait_place(struct gt_columns *columns, const struct gt_wait *like)
{
    uint64_t texts = (uint64_t) like->function << 32 | like->reason << 3 | like->state;
    uint64_t stacks = (uint64_t) like->stack.id ^ (uint64_t) like->unblocker.id >> 1;
    return gt_recent_place(&columns->recent_waits, texts ^ stacks);
}

static struct gt_wait *wait_get(struct gt_columns *columns, const struct gt_wait *like)
{
    uint32_t *place = wait_place(columns, like);
    struct gt_wait *wait;
    GT_RECENT_FIND(wait, &columns->waits, place, wait_is_same(wait, like));
    if (wait)
        return wait;
    wait = wait_find(columns, like);
    if (wait)
        *place = (uint32_t) (wait - columns->waits.items);
    return wait;
}

void gt_columns_wait_add(struct gt_columns *columns, const struct gt_wait *like, int64_t duration)
{
    struct gt_wait *wait = wait_get(columns, like);
    if (!wait)
        return;
    if (wait->count == 0 || duration < wait->minimum)
        wait->minimum = duration;
    if (wait->count == 0 || duration > wait->maximum)
        wait->maximum = duration;
    wait->count++;
    gt_time_add_to(&wait->sum, duration);
}

void gt_columns_waits_clear(struct gt_columns *columns)
{
    gt_array_free(&columns->mem, &columns->waits);
    gt_index_free(&columns->wait_index, &columns->mem);
}
