/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TIMELINE_H
#define GT_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/timeline.h>

#include "base/mem.h"
#include "base/shared_text.h"
#include "base/switch.h"
#include "base/time.h"
#include "timeline/goroutine.h"
#include "timeline/name.h"
#include "timeline/proc.h"
#include "timeline/ranges.h"
#include "timeline/stacks.h"
#include "timeline/tasks.h"

/* The number that stands for no row. Go's viewer nevertheless treats it as a row, and draws arrows
 * from it. */
#define GT_TL_NO_ROW INT64_C(-1)

struct gt_timeline {
    struct gt_mem mem;
    gt_timeline_options options;
    gt_reader *reader;
    gt_emitter *emitter;
    const gt_selector *selector; /* NULL: everything is drawn */
    uint32_t view;
    bool exact;  /* GT_TIMELINE_EXACT */
    bool states; /* GT_TIMELINE_STATES */
    bool busy;   /* in a call that may call the caller back */
    bool finished;
    gt_status status; /* the first failure, after which nothing more is drawn */
    uint64_t events;
    uint64_t syncs;
    int64_t start;                /* the first event's time */
    int64_t now;                  /* the current event's time */
    uint32_t stack;               /* the current event's, as the emitter's id */
    struct gt_shared_texts texts; /* names, labels and reasons, which outlive their generations */
    struct gt_recent_texts recent_texts;
    struct gt_tl_stacks stacks;
    struct gt_tl_name name;
    struct gt_tl_goroutines goroutines;
    struct gt_switch switched; /* with GT_TIMELINE_STATES only */
    struct gt_tl_procs procs;
    struct gt_tl_ranges ranges;
    struct gt_tl_range *global; /* active ranges that belong to no resource */
    struct gt_tl_tasks tasks;
};

/* Notes the result of a step. The first failure becomes the timeline's status. */
static inline void gt_tl_note(struct gt_timeline *timeline, gt_status status)
{
    if (timeline->status == GT_OK)
        timeline->status = status;
}

/* Returns the name that was composed, and notes whether the memory for it was lacking. */
static inline gt_string gt_tl_name_end(struct gt_timeline *timeline)
{
    gt_tl_note(timeline, timeline->name.status);
    return gt_tl_name_take(&timeline->name);
}

/* Returns the text of a string of the current generation. NULL on failure, which is noted. */
static inline struct gt_shared_text *gt_tl_text_get(struct gt_timeline *timeline, gt_string string)
{
    struct gt_shared_text *text =
        gt_recent_text_get(&timeline->recent_texts, &timeline->texts, string);
    if (!text)
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
    return text;
}

/* Nanoseconds since the start. May wrap around, because a hostile trace can have any times. */
static inline int64_t gt_tl_elapsed(const struct gt_timeline *timeline, int64_t time)
{
    return gt_time_minus(time, timeline->start);
}

/* The row in which an event happened, which depends on the view. */
static inline int64_t gt_tl_row(const struct gt_timeline *timeline, const gt_event *event)
{
    if (timeline->view == GT_VIEW_PROC)
        return event->proc;
    return timeline->view == GT_VIEW_THREAD ? event->thread : event->goroutine;
}

/* The emitter's id of a stack, which may be GT_STACK_NONE; 0 on failure. */
uint32_t gt_tl_stack(struct gt_timeline *timeline, gt_stack stack);

/* A slice that has a row and times but nothing else. */
gt_slice gt_tl_slice(const struct gt_timeline *timeline, int64_t row, int64_t start, int64_t end);

/* The functions below draw nothing once the timeline has failed. */

void gt_tl_draw_slice(struct gt_timeline *timeline, const gt_slice *slice);
void gt_tl_draw_instant(struct gt_timeline *timeline, const gt_instant *instant);

/* Draws an instant with the current event's stack. */
void gt_tl_draw_point(struct gt_timeline *timeline, int64_t time, int64_t row, gt_string name,
                      gt_string category);

/* Names a row. */
void gt_tl_name_row(struct gt_timeline *timeline, int64_t row, gt_string name);

#endif
