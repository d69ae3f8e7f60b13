/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_LIST_H
#define GT_RECORDER_LIST_H

#include "recorder/inside.h"

static inline void gt_recorder_list_add(struct gt_recorder_list *list,
                                        struct gt_recorder_link *link)
{
    void *first = gt_atomic_pointer_get(&list->first);
    do
        link->next = first;
    while (!gt_atomic_pointer_swap(&list->first, &first, link));
}

static inline struct gt_recorder_link *gt_recorder_list_first(struct gt_recorder_list *list)
{
    return gt_atomic_pointer_get(&list->first);
}

/*
 * Removes the element after `before`, or the first one if `before` is NULL. The first one stays if
 * another was added before it meanwhile; then the result is false.
 */
static inline bool gt_recorder_list_remove(struct gt_recorder_list *list,
                                           struct gt_recorder_link *before,
                                           struct gt_recorder_link *link)
{
    if (before) {
        before->next = link->next;
        return true;
    }
    void *first = link;
    return gt_atomic_pointer_swap(&list->first, &first, link->next);
}

#endif
