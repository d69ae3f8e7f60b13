/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/lostrows.h"

uint32_t gt_lostrows_of(const struct gt_loss *loss, uint32_t view)
{
    if (view == GT_STORE_VIEW_GOROUTINE)
        return loss->goroutine;
    if (view == GT_STORE_VIEW_THREAD)
        return loss->thread;
    return view == GT_STORE_VIEW_PROC ? loss->proc : GT_STORE_NONE;
}

bool gt_lostrows_overlaps(const struct gt_loss *loss, int64_t start, int64_t end)
{
    return loss->start < end && loss->end > start;
}

bool gt_lostrows_find(struct gt_lostrows *rows, const struct gt_store *store, uint32_t view,
                      int64_t start, int64_t end)
{
    struct gt_loss loss;
    rows->view = view;
    for (size_t i = 0; gt_store_get_loss(store, i, &loss); i++) {
        uint32_t ordinal = gt_lostrows_of(&loss, view);
        if (ordinal == GT_STORE_NONE || !gt_lostrows_overlaps(&loss, start, end))
            continue;
        if (gt_array_extend(rows->mem, &rows->has, ordinal + (size_t) 1) != GT_OK)
            return false;
        rows->has.items[ordinal] = true;
    }
    return true;
}

bool gt_lostrows_has(const struct gt_lostrows *rows, uint32_t view, uint32_t ordinal)
{
    return view == rows->view && ordinal < rows->has.count && rows->has.items[ordinal];
}

void gt_lostrows_free(struct gt_lostrows *rows)
{
    gt_array_free(rows->mem, &rows->has);
}
