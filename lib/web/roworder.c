/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/roworder.h"

#include "web/answer.h"

/*
 * The names of enum gt_listing_sort. The names of the classes, which come first, are not repeated
 * here.
 */
static const char *const sorts[GT_LISTING_SORTS - GT_STORE_CLASSES] = {
    "start", "id", "name", "duration", "waiting", "parent"};

void gt_row_order_take(struct gt_query *query, struct gt_web *web, struct gt_listing_order *order)
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
}
