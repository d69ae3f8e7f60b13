/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_STORE_H
#define GT_STORE_STORE_H

/*
 * Everything a viewer shows of a trace, made in one pass and asked while it is being made:
 * rows with tracks of spans, counters, marks, texts and frames. Times are nanoseconds since
 * the trace's start.
 *
 * One thread builds, with the lock held for writing, or two do, see store_start. Any number
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

struct store;

/* NULL where there is no memory. With `is_alone` those who ask start no threads either. */
struct store *store_new(bool is_alone);
bool store_allows_threads(const struct store *s);
void store_free(struct store *s);

/*
 * Sets what to open an emitter with; the store must stay until that is closed. The
 * consumer's functions are to be called by one thread, with the lock held for writing. They
 * return 1 when memory ran out; what is there then stays good.
 */
void store_consumer(struct store *s, gt_consumer *consumer);
/*
 * From now on the consumer only hands on what it is given, without the lock, and another
 * thread, which takes the lock, puts it into the store somewhat later. False: there is no
 * memory for that.
 */
bool store_start(struct store *s);
/* Waits until all is in the store, and ends the thread, if there is one. */
void store_finish(struct store *s);
/* Whether memory ran out. With the lock, or after store_finish. */
bool store_failed(const struct store *s);

void store_lock_read(struct store *s);
void store_lock_write(struct store *s);
void store_unlock(struct store *s);

enum store_view {
    VIEW_PROC,
    VIEW_THREAD,
    VIEW_GOROUTINE,
    VIEW_TASK,
    STORE_VIEWS
};

enum store_lane_kind {
    /* States of a goroutine; who ran on a proc or a thread. */
    LANE_STATE,
    /* Regions, and ranges such as assists: one lane for each depth of nesting. */
    LANE_REGION,
    LANE_RANGE,
    LANE_TASK,
};

struct store_lane {
    uint32_t track;
    uint32_t kind;
};

struct store_row {
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
    /* The ordinal of the creator or of the parent task; STORE_NONE. */
    uint32_t parent;
    /* Where it was created; 0 for none. */
    uint32_t stack;
    /* The first is LANE_STATE, or LANE_TASK; then regions, then ranges, each by depth. */
    const struct store_lane *lanes;
    size_t lane_count;
    /* Of the first lane. */
    int64_t time[STORE_CLASSES];
};

uint32_t store_row_count(const struct store *s, uint32_t view);
/* `row->lanes` is good as long as the lock is held and `*row` itself. */
bool store_get_row(const struct store *s, uint32_t view, uint32_t ordinal, struct store_row *row);
/* The same, but leaves `row->time` as it is, which costs most. */
bool store_get_row_brief(const struct store *s, uint32_t view, uint32_t ordinal,
                         struct store_row *row);

/* What a row has without its tracks. */
struct store_head {
    int64_t id;
    /* Texts. */
    uint32_t name, label;
    uint32_t parent;
};

/* Costs less still. */
bool store_get_head(const struct store *s, uint32_t view, uint32_t ordinal,
                    struct store_head *head);
bool store_find_row(const struct store *s, uint32_t view, int64_t id, uint32_t *ordinal);

/* Tracks have ids from 0 on, without gaps. NULL where there is no such. */
const struct track *store_track(const struct store *s, uint32_t track);
uint32_t store_track_count(const struct store *s);
bool store_track_row(const struct store *s, uint32_t track, uint32_t *view, uint32_t *ordinal);

/* A name and a class that spans of goroutines, in any lane, have together, and how many do. */
struct store_use {
    uint32_t name, cls;
    uint64_t count;
    /* One bit, which others may share. */
    uint32_t mask;
};

/* Uses have numbers from 0 on. */
uint32_t store_use_count(const struct store *s);
bool store_get_use(const struct store *s, uint32_t number, struct store_use *use);
/* The masks of all uses that spans of a goroutine's track have; 0 of other tracks. */
uint32_t store_track_uses(const struct store *s, uint32_t track);

/* Those of the garbage collector, which have no ids and no rows. */
const struct track *store_gc(const struct store *s);
const struct track *store_stw(const struct store *s);

/* Functions, files, reasons and names have ids from 0 on, which is "". */
gt_string store_text(const struct store *s, uint32_t id);
uint32_t store_text_count(const struct store *s);
/* Whether there is such a text, and its id. */
bool store_find_text(const struct store *s, gt_string text, uint32_t *id);

struct store_frame {
    /* The caller's; 0 for none. */
    uint32_t parent;
    /* Texts. */
    uint32_t function, file;
    uint64_t line, pc;
};

/* Frames have ids from 1 on. */
bool store_frame(const struct store *s, uint32_t id, struct store_frame *frame);
uint32_t store_frame_count(const struct store *s);

enum mark_kind {
    MARK_LOG,
    MARK_SAMPLE,
    MARK_KINDS
};

struct mark {
    int64_t time;
    /* The goroutine's ordinal; STORE_NONE. */
    uint32_t goroutine;
    uint32_t kind;
    uint32_t stack;
    /* Of a log: "[category] message", and which text that is. */
    gt_string text;
    uint32_t text_id;
};

/* Marks of all goroutines, in order of time. */
uint64_t store_mark_count(const struct store *s);
/* The first mark at `time` or later; store_mark_count() if none. */
uint64_t store_mark_find(const struct store *s, int64_t time);
bool store_get_mark(const struct store *s, uint64_t index, struct mark *mark);

/* One goroutine made another runnable, or created it. */
struct wake {
    int64_t time;
    /* The ordinal of the one that was woken. */
    uint32_t goroutine;
};

/*
 * Whom goroutine `by` woke in [start, end), in order of time. Gives the first `max`; sets
 * `*total`, which may be NULL, to how many there are in all.
 */
size_t store_wakes(const struct store *s, uint32_t by, int64_t start, int64_t end, struct wake *out,
                   size_t max, uint64_t *total);

const struct counter *store_counter(const struct store *s, uint32_t which);

struct store_counts {
    uint64_t regions, logs, samples;
};

void store_get_counts(const struct store *s, struct store_counts *counts);

/* The last time seen. */
int64_t store_end(const struct store *s);
/* Bytes held. */
size_t store_memory(const struct store *s);

#endif
