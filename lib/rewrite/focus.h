/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_FOCUS_H
#define GT_REWRITE_FOCUS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/focus.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/shared_text.h"

enum gt_focus_kind {
    GT_FOCUS_GOROUTINE,
    GT_FOCUS_TASK,
    GT_FOCUS_REGION
};

/* A goroutine, a task or a type of regions that was added to a focus. */
struct gt_focus_item {
    enum gt_focus_kind kind;
    bool is_found;
    uint64_t id; /* of a goroutine or a task */
    char *type;  /* of regions; owned */
    size_t type_size;
    int64_t start; /* see gt_focus_get_span */
    int64_t end;
    bool is_open;                /* a task has begun and not ended */
    size_t open_count;           /* the regions that have begun and not ended */
    struct gt_focus_item *outer; /* the item to which the parent of a task belongs, or NULL */
    struct gt_idmap goroutines;  /* those that take part in a task, as numbers that are not 0 */
};

/* A region that is open, if there are items that are types of regions. */
struct gt_focus_region {
    struct gt_focus_region *outer;
    struct gt_shared_text *type;
    uint64_t task;
    struct gt_focus_item *item; /* the item that it is of, or NULL */
    bool belongs;
};

/* A goroutine that has such a region, or has had one that began before the trace. */
struct gt_focus_goroutine {
    struct gt_focus_region *innermost;
    size_t count; /* the open regions that are of an item */
    bool has_early;
    int64_t early_end; /* when the last region ended that began before the trace */
};

struct gt_focus {
    struct gt_mem mem;
    gt_focus_options options;
    gt_status status;
    bool has_begun;   /* gt_focus_event or gt_focus_finish was called */
    bool is_finished; /* the first reading has ended */
    bool has_tasks;
    bool has_regions;
    GT_ARRAY(struct gt_focus_item *) items;
    struct gt_idmap family; /* the items by the tasks that belong to them */
    struct gt_idmap named;  /* the tasks that what belongs to other items names, as numbers */
    struct gt_idmap goroutines;
    struct gt_pool regions;
    struct gt_shared_texts types;
};

/* What an event is about. */
struct gt_focus_look {
    const gt_event *event;
    int64_t subject; /* the goroutine that a transition or a range is of, or GT_NO_GOROUTINE */
    bool ends;       /* it is a transition by which the subject ends */
    uint64_t task;   /* of a task, a log or a region, or GT_NO_TASK */
    uint64_t parent; /* of a task, or GT_NO_TASK */
    gt_string type;  /* of a region */
};

/*
 * These functions take an event, and set `*belongs` to true if it belongs to an item of their kind.
 * The tasks and the goroutines that take part in them are noted in the first reading.
 */
gt_status gt_focus_take_task(struct gt_focus *focus, const struct gt_focus_look *look,
                             bool *belongs);
gt_status gt_focus_take_region(struct gt_focus *focus, const struct gt_focus_look *look,
                               bool *belongs);

/* Forgets which regions are open. */
void gt_focus_drop_regions(struct gt_focus *focus);

#endif
