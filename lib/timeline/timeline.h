/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_TIMELINE_H
#define GT_TIMELINE_TIMELINE_H

#include <stdint.h>

#include <gotrace/timeline.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/wraps.h"
#include "timeline/goroutine.h"
#include "timeline/name.h"
#include "timeline/proc.h"
#include "timeline/ranges.h"
#include "timeline/stacks.h"
#include "timeline/tasks.h"
#include "timeline/texts.h"

/*
 * A row that is none. Go's viewer draws arrows from it all the same, in a row of
 * that number.
 */
#define GT_TL_NOWHERE INT64_C(-1)

struct gt_timeline {
    struct gt_mem mem;
    gt_reader *reader;
    gt_emitter *emitter;
    const gt_selector *selector;
    uint32_t view;
    int exact;
    int states;
    int busy;
    int finished;
    /* What went wrong first. What is done after that comes to nothing. */
    gt_status status;
    uint64_t events;
    uint64_t syncs;
    int64_t start;
    int64_t now;    /* the last event's time */
    uint32_t stack; /* of the event at hand, in the emitter */
    struct gt_tl_texts texts;
    struct gt_tl_stacks stacks;
    struct gt_tl_name name;
    struct gt_tl_goroutines goroutines;
    struct gt_tl_procs procs;
    struct gt_tl_ranges ranges;
    struct gt_tl_range *global;
    struct gt_tl_tasks tasks;
};

/* Notes a failure unless there was one before. */
static inline void gt_tl_note(struct gt_timeline *timeline, gt_status status)
{
    if (timeline->status == GT_OK)
        timeline->status = status;
}

/* Nanoseconds since the beginning. Times of a hostile trace lie as far apart as they like. */
static inline int64_t gt_tl_elapsed(const struct gt_timeline *timeline, int64_t time)
{
    return gt_time_minus(time, timeline->start);
}

/* The row that the event happened in, by the view. */
static inline int64_t gt_tl_row(const struct gt_timeline *timeline, const gt_event *event)
{
    if (timeline->view == GT_VIEW_PROC)
        return event->proc;
    return timeline->view == GT_VIEW_THREAD ? event->thread : event->goroutine;
}

/* The emitter's id of a stack, which may be GT_STACK_NONE. */
uint32_t gt_tl_stack(struct gt_timeline *timeline, gt_stack stack);

/* A slice that shows nothing yet but when it is. */
gt_slice gt_tl_slice(const struct gt_timeline *timeline, int64_t row, int64_t from, int64_t to);

/* An instant at the event at hand, with its stack. */
void gt_tl_instant(struct gt_timeline *timeline, int64_t time, int64_t row, gt_string name,
                   gt_string category);

/* A literal as a string. */
#define GT_TL_STRING(literal) ((gt_string){(literal), sizeof(literal) - 1})

#endif
