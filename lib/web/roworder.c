/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/roworder.h"

#include "web/answer.h"
#include "web/tasklines.h"
#include "web/totals_page.h"

/*
 * The names of enum gt_listing_sort. The names of the classes, which come first, are not repeated
 * here.
 */
static const char *const sorts[GT_LISTING_SORTS - GT_STORE_CLASSES] = {
    "start", "id", "name", "duration", "waiting", "parent"};

bool gt_row_order_tree(struct gt_query *query, struct gt_web *web, bool *has_task, uint64_t *task,
                       struct gt_tasktree_maker *maker)
{
    *has_task = gt_query_has(query, "tree");
    gt_query_uint(query, "tree", 0, UINT64_MAX, task);
    if (query->failed || !*has_task)
        return !query->failed;
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    *maker = (struct gt_tasktree_maker){gt_tasklines_make, totals};
    if (totals && gt_idmap_get_number(&totals->task_ids, *task) == 0) {
        gt_response_error(query->response, 404, "no such task");
        return false;
    }
    return totals != NULL;
}

/* A tree has an order of its own, so that all orders of one tree are equal. */
static void row_order_become_tree(struct gt_listing_order *order)
{
    order->view = GT_VIEW_TASK;
    order->sort = GT_SORT_PARENT;
    order->descending = false;
    order->grouped = false;
}

bool gt_row_order_take(struct gt_query *query, struct gt_web *web, struct gt_listing_order *order,
                       struct gt_tasktree_maker *maker)
{
    const char *words[GT_LISTING_SORTS];
    struct gt_query_range range;
    gt_string filter = {"", 0};
    uint32_t kind = GT_STORE_VIEW_PROC;
    gt_query_view(query, &kind);
    gt_listing_order_init(order, kind);
    for (size_t i = 0; i < GT_LISTING_SORTS; i++)
        words[i] = i < GT_STORE_CLASSES ? gt_answer_classes[i] : sorts[i - GT_STORE_CLASSES];
    gt_query_word(query, "sort", words, GT_LISTING_SORTS, &order->sort);
    gt_query_bool(query, "desc", &order->descending);
    gt_query_bool(query, "group", &order->grouped);
    gt_query_bool(query, "hide_idle", &order->hide_idle);
    gt_query_text(query, "filter", &filter);
    gt_listing_order_filter(order, filter);
    gt_query_whole(query, web->store, &range);
    if (order->hide_idle) {
        order->start = range.start;
        order->end = range.end;
    }
    if (query->failed || !maker)
        return !query->failed;
    if (!gt_row_order_tree(query, web, &order->has_task, &order->task, maker))
        return false;
    if (order->has_task)
        row_order_become_tree(order);
    return true;
}
