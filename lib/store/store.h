/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_STORE_H
#define GT_STORE_STORE_H

/*
 * Everything a viewer shows of a trace, made in one pass and asked while it is being made:
 * rows with tracks of spans, counters, marks, texts and frames. Times are nanoseconds since
 * the trace's start.
 *
 * One thread builds, with the lock held for writing, or two do, see gt_store_start. Any number
 * ask, each of which holds it for reading as long as it uses what it was given.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/types.h>

#include "store/counter.h"
#include "store/span.h"
#include "store/track.h"

struct gt_store;

/* NULL where there is no memory. With `is_alone` those who ask start no threads either. */
struct gt_store *gt_store_new(bool is_alone);
bool gt_store_allows_threads(const struct gt_store *s);
void gt_store_free(struct gt_store *s);

/*
 * Sets what to open an emitter with; the store must stay until that is closed. The
 * consumer's functions are to be called by one thread, with the lock held for writing. They
 * return 1 when memory ran out; what is there then stays good.
 */
void gt_store_consumer(struct gt_store *s, gt_consumer *consumer);
/*
 * From now on the consumer only hands on what it is given, without the lock, and another
 * thread, which takes the lock, puts it into the store somewhat later. False: there is no
 * memory for that.
 */
bool gt_store_start(struct gt_store *s);
/* Waits until all is in the store, and ends the thread, if there is one. */
void gt_store_finish(struct gt_store *s);
/* Whether memory ran out. With the lock, or after gt_store_finish. */
bool gt_store_failed(const struct gt_store *s);

void gt_store_lock_read(struct gt_store *s);
void gt_store_lock_write(struct gt_store *s);
void gt_store_unlock(struct gt_store *s);

enum gt_store_view {
    GT_STORE_VIEW_PROC,
    GT_STORE_VIEW_THREAD,
    GT_STORE_VIEW_GOROUTINE,
    GT_VIEW_TASK,
    GT_STORE_VIEWS
};

enum gt_store_lane_kind {
    /* States of a goroutine; who ran on a proc or a thread. */
    GT_LANE_STATE,
    /* Regions, and ranges such as assists: one lane for each depth of nesting. */
    GT_LANE_REGION,
    GT_LANE_RANGE,
    GT_LANE_TASK,
};

struct gt_store_lane {
    uint32_t track;
    uint32_t kind;
};

struct gt_store_row {
    /* A goroutine's, proc's, thread's or task's number. */
    int64_t id;
    uint32_t view;
    /* From 0 in order of first appearance. */
    uint32_t ordinal;
    /* The start function or the task's name; empty where it is not known. */
    gt_string name;
    gt_string label;
    /* The text that the name is. */
    uint32_t name_text;
    int64_t start, end;
    /* The ordinal of the creator or of the parent task; GT_STORE_NONE. */
    uint32_t parent;
    /* Where it was created; 0 for none. */
    uint32_t stack;
    /* The first is GT_LANE_STATE, or GT_LANE_TASK; then regions, then ranges, each by depth. */
    const struct gt_store_lane *lanes;
    size_t lane_count;
    /* Of the first lane. */
    int64_t time[GT_STORE_CLASSES];
};

uint32_t gt_store_row_count(const struct gt_store *s, uint32_t view);
/* `row->lanes` is good as long as the lock is held and `*row` itself. */
bool gt_store_get_row(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                      struct gt_store_row *row);
/* The same, but leaves `row->time` as it is, which costs most. */
bool gt_store_get_row_brief(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                            struct gt_store_row *row);

/* What a row has without its tracks. */
struct gt_store_head {
    int64_t id;
    /* Texts. */
    uint32_t name, label;
    uint32_t parent;
};

/* Costs less still. */
bool gt_store_get_head(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                       struct gt_store_head *head);
bool gt_store_find_row(const struct gt_store *s, uint32_t view, int64_t id, uint32_t *ordinal);

/* Tracks have ids from 0 on, without gaps. NULL where there is no such. */
const struct gt_track *gt_store_track(const struct gt_store *s, uint32_t track);
uint32_t gt_store_track_count(const struct gt_store *s);
bool gt_store_track_row(const struct gt_store *s, uint32_t track, uint32_t *view,
                        uint32_t *ordinal);

/* A name and a class that spans of goroutines, in any lane, have together, and how many do. */
struct gt_store_use {
    uint32_t name, cls;
    uint64_t count;
    /* One bit, which others may share. */
    uint32_t mask;
};

/* Uses have numbers from 0 on. */
uint32_t gt_store_use_count(const struct gt_store *s);
bool gt_store_get_use(const struct gt_store *s, uint32_t number, struct gt_store_use *use);
/* The masks of all uses that spans of a goroutine's track have; 0 of other tracks. */
uint32_t gt_store_track_uses(const struct gt_store *s, uint32_t track);

/* Those of the garbage collector, which have no ids and no rows. */
const struct gt_track *gt_store_gc(const struct gt_store *s);
const struct gt_track *gt_store_stw(const struct gt_store *s);

/* Functions, files, reasons and names have ids from 0 on, which is "". */
gt_string gt_store_text(const struct gt_store *s, uint32_t id);
uint32_t gt_store_text_count(const struct gt_store *s);
/* Whether there is such a text, and its id. */
bool gt_store_find_text(const struct gt_store *s, gt_string text, uint32_t *id);

struct gt_store_frame {
    /* The caller's; 0 for none. */
    uint32_t parent;
    /* Texts. */
    uint32_t function, file;
    uint64_t line, pc;
};

/* Frames have ids from 1 on. */
bool gt_store_frame(const struct gt_store *s, uint32_t id, struct gt_store_frame *frame);
uint32_t gt_store_frame_count(const struct gt_store *s);

enum gt_mark_kind {
    GT_MARK_LOG,
    GT_MARK_SAMPLE,
    GT_MARK_KINDS
};

struct gt_mark {
    int64_t time;
    /* The goroutine's ordinal; GT_STORE_NONE. */
    uint32_t goroutine;
    uint32_t kind;
    uint32_t stack;
    /* Of a log: "[category] message", and which text that is. */
    gt_string text;
    uint32_t text_id;
};

/* Marks of all goroutines, in order of time. */
uint64_t gt_store_mark_count(const struct gt_store *s);
/* The first mark at `time` or later; gt_store_mark_count() if none. */
uint64_t gt_store_mark_find(const struct gt_store *s, int64_t time);
bool gt_store_get_mark(const struct gt_store *s, uint64_t index, struct gt_mark *mark);

/* One goroutine made another runnable, or created it. */
struct gt_wake {
    int64_t time;
    /* The ordinal of the one that was woken. */
    uint32_t goroutine;
};

/*
 * Whom goroutine `by` woke in [start, end), in order of time. Gives the first `max`; sets
 * `*total`, which may be NULL, to how many there are in all.
 */
size_t gt_store_wakes(const struct gt_store *s, uint32_t by, int64_t start, int64_t end,
                      struct gt_wake *out, size_t max, uint64_t *total);

const struct gt_store_counter *gt_store_counter(const struct gt_store *s, uint32_t which);

struct gt_store_counts {
    uint64_t regions, logs, samples;
};

void gt_store_get_counts(const struct gt_store *s, struct gt_store_counts *counts);

/* The last time seen. */
int64_t gt_store_end(const struct gt_store *s);
/* Bytes held. */
size_t gt_store_memory(const struct gt_store *s);

#endif
