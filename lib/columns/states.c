/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/state.h"

/* Notes that the row that is being added is one of a goroutine. */
static void order_add(struct gt_columns *columns, struct gt_column_goroutine *goroutine)
{
    struct gt_row_order *order = &columns->order;
    if (goroutine->group != order->group) {
        goroutine->group = order->group;
        goroutine->place = (uint32_t) order->counts.count;
        gt_columns_note(columns, gt_array_add(&columns->mem, &order->counts, 0));
    }
    if (order->places.count == order->places.capacity)
        gt_columns_note(columns, gt_array_reserve(&columns->mem, &order->places, 1));
    if (columns->status != GT_OK)
        return;
    order->places.items[order->places.count++] = goroutine->place;
    order->counts.items[goroutine->place]++;
}

/*
 * Rows of one goroutine resemble each other, so that they are kept together: a counting sort by the
 * order in which goroutines appear, in which rows of one keep their order.
 */
const uint32_t *gt_columns_order(struct gt_columns *columns)
{
    struct gt_row_order *order = &columns->order;
    uint32_t from = 0;
    gt_columns_note(columns, gt_array_extend(&columns->mem, &order->order, order->places.count));
    if (columns->status != GT_OK)
        return NULL;
    for (size_t i = 0; i < order->counts.count; i++) {
        uint32_t count = order->counts.items[i];
        order->counts.items[i] = from;
        from += count;
    }
    for (uint32_t row = 0; row < order->places.count; row++)
        order->order.items[order->counts.items[order->places.items[row]]++] = row;
    order->group++;
    order->counts.count = order->places.count = 0;
    return order->order.items;
}

/* What ended a wait. */
static struct gt_stack_ref state_unblocker(struct gt_columns *columns,
                                           const struct gt_column_goroutine *goroutine,
                                           const gt_event *event)
{
    if (goroutine->state != GT_GO_WAITING || !event)
        return (struct gt_stack_ref){.is_known = false};
    return gt_columns_stack(columns, gt_event_stack(event));
}

static void state_row_put(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                          int64_t duration, const gt_event *event, struct gt_stack_ref unblocker)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_GOROUTINE_STATES);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_GOROUTINE_STATES_goroutine, goroutine->id);
    gt_row_unless(rows, GT_COLUMN_GOROUTINE_STATES_function, goroutine->function, GT_NO_TEXT);
    gt_row_set(rows, GT_COLUMN_GOROUTINE_STATES_state, columns->state_texts[goroutine->state]);
    gt_row_unless(rows, GT_COLUMN_GOROUTINE_STATES_reason, goroutine->reason, GT_NO_TEXT);
    gt_row_set(rows, GT_COLUMN_GOROUTINE_STATES_start_ns, goroutine->since);
    gt_row_set(rows, GT_COLUMN_GOROUTINE_STATES_duration_ns, duration);
    gt_row_set(rows, GT_COLUMN_GOROUTINE_STATES_cut, goroutine->cut);
    if (goroutine->proc != GT_NO_PROC)
        gt_row_set_optional(rows, GT_COLUMN_GOROUTINE_STATES_proc,
                            gt_columns_proc_number(columns, goroutine->proc));
    gt_row_unless(rows, GT_COLUMN_GOROUTINE_STATES_thread, goroutine->thread, GT_NO_THREAD);
    gt_row_stack(rows, GT_COLUMN_GOROUTINE_STATES_stack_id, goroutine->stack);
    gt_row_unless(rows, GT_COLUMN_GOROUTINE_STATES_region_id, goroutine->region, 0);
    if (goroutine->task != GT_BACKGROUND_TASK)
        gt_row_set_optional(rows, GT_COLUMN_GOROUTINE_STATES_task_id,
                            gt_int64_of_id(goroutine->task));
    if (goroutine->state == GT_GO_SYSCALL)
        gt_row_set_optional(rows, GT_COLUMN_GOROUTINE_STATES_lost_proc_ns, goroutine->lost);
    if (goroutine->state == GT_GO_WAITING && event)
        gt_row_unless(rows, GT_COLUMN_GOROUTINE_STATES_unblocked_by, event->goroutine,
                      GT_NO_GOROUTINE);
    gt_row_stack(rows, GT_COLUMN_GOROUTINE_STATES_unblocker_stack, unblocker);
    order_add(columns, goroutine);
    gt_row_end(columns, GT_TABLE_GOROUTINE_STATES);
}

void gt_columns_state_put(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                          int64_t end, const gt_event *event)
{
    if (goroutine->state <= GT_GO_NOT_EXIST || goroutine->state > GT_GO_SYSCALL)
        return;
    int64_t duration = gt_time_minus(end, goroutine->since);
    struct gt_stack_ref unblocker = state_unblocker(columns, goroutine, event);
    state_row_put(columns, goroutine, duration, event, unblocker);
    if (!columns->rows[GT_TABLE_WAITS].is_wanted || goroutine->cut != 0)
        return;
    const struct gt_wait like = {
        .function = goroutine->function,
        .state = goroutine->state,
        .reason = goroutine->reason,
        .region_type = goroutine->region_type,
        .task_type = goroutine->task_type,
        .stack = goroutine->stack,
        .unblocker = unblocker,
    };
    gt_columns_wait_add(columns, &like, duration);
}
