/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LASTSEEN_H
#define GT_WEB_LASTSEEN_H

/* When each thread of the trace had its last event. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/idmap.h"

struct gt_last_seen_thread {
    int64_t id, time;
};

struct gt_last_seen {
    struct gt_mem *mem;
    /* The positions in `list`, plus 1, by the ids. */
    struct gt_idmap ids;
    GT_ARRAY(struct gt_last_seen_thread) list;
};

void gt_last_seen_init(struct gt_last_seen *seen, struct gt_mem *mem);
void gt_last_seen_free(struct gt_last_seen *seen);

/* Sets the time of a thread's last event. Returns false if memory runs out. */
bool gt_last_seen_note(struct gt_last_seen *seen, int64_t id, int64_t time);

#endif
