/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/state.h"

#include <string.h>

#include "v2/v2.h"

struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id)
{
    struct gt_v2_thread *thread = gt_idmap_get(&v2->threads, (uint64_t) id);
    if (thread)
        return thread;
    thread = gt_pool_take(&v2->thread_pool);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof(*thread));
    thread->id = id;
    thread->proc_id = GT_NO_PROC;
    thread->goroutine_id = GT_NO_GOROUTINE;
    if (gt_idmap_put(&v2->threads, (uint64_t) id, thread) != GT_OK) {
        gt_pool_give(&v2->thread_pool, thread);
        return NULL;
    }
    return thread;
}
