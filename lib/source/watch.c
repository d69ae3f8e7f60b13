/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/watch.h"

#include <string.h>

_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "gt_reader_cancel may be called by signal handlers");

void gt_watch_init(struct gt_watch *watch, atomic_bool *is_cancelled)
{
    memset(watch, 0, sizeof(*watch));
    watch->is_cancelled = is_cancelled;
    watch->progress.size = sizeof(watch->progress);
}

bool gt_watch_pass(struct gt_watch *watch, uint64_t offset, uint64_t bytes)
{
    if (watch->on_progress) {
        if (offset > watch->progress.bytes_read)
            watch->progress.bytes_read = offset;
        watch->passed += bytes;
        if (watch->passed >= GT_WATCH_STEP && !gt_watch_is_cancelled(watch)) {
            watch->passed = 0;
            if (watch->on_progress(watch->user_data, &watch->progress) != 0)
                gt_watch_cancel(watch);
        }
    }
    return !gt_watch_is_cancelled(watch);
}
