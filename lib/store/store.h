/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_STORE_H
#define GT_STORE_STORE_H

/*
 * The timeline of a trace in memory: rows with tracks of spans, counters, marks, texts and
 * frames. It is built in one pass over the trace and can be queried while it is being built.
 * All times are nanoseconds since the start of the trace.
 *
 * Threads: a store that is queried while it is being built is filled by a thread of its own,
 * which takes the lock for writing; see gt_store_start. Any number of threads may query the store.
 * Each of them must hold the lock for reading while it calls the query functions and for as long
 * as it uses the pointers and texts that they return.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/types.h>

#include "store/counter.h"
#include "store/loss.h"
#include "store/span.h"
#include "store/track.h"

struct gt_store;

/*
 * Creates an empty store, to be freed with gt_store_free. NULL: out of memory. With
 * `single_threaded`, the queries must not start threads either; see gt_store_allows_threads.
 * Otherwise two threads fill the store, so `allocator` must allow that; if it is NULL, malloc is
 * used.
 */
struct gt_store *gt_store_new(bool single_threaded, const gt_allocator *allocator);
/* Whether a query may divide its work among threads of its own. */
bool gt_store_allows_threads(const struct gt_store *store);
/* Finishes the store, as gt_store_finish does, and frees it. `store` may be NULL. */
void gt_store_free(struct gt_store *store);

/*
 * Sets `*consumer` to one that fills the store. The store must outlive the emitter that is
 * opened with it. Only one thread may call the consumer's functions, and unless gt_store_start
 * was called, no other thread may query the store meanwhile. They return 1 if memory runs out; the
 * store then keeps what it has and can still be queried.
 */
void gt_store_consumer(struct gt_store *store, gt_consumer *consumer);
/*
 * Starts a thread that adds to the store what the consumer receives, with a short delay, and takes
 * the lock while it does so. From then on the consumer only queues what it receives, and must be
 * called without the lock. False: there is not enough memory or no thread could be started, and
 * nothing changes.
 */
bool gt_store_start(struct gt_store *store);
/* Lets the thread of gt_store_start add everything that the consumer has received, soon. For a
 * pause of the input; must be called by the consumer's thread. */
void gt_store_flush(struct gt_store *store);
/* If gt_store_start has started a thread, waits until the queue is empty, and ends the thread. Must
 * be called without the lock. */
void gt_store_finish(struct gt_store *store);
/* Whether memory ran out. Must be called with the lock held, or after gt_store_finish. */
bool gt_store_failed(const struct gt_store *store);

/* The lock is not recursive. */
void gt_store_lock_read(struct gt_store *store);
void gt_store_unlock(struct gt_store *store);

enum gt_store_view {
    GT_STORE_VIEW_PROC,
    GT_STORE_VIEW_THREAD,
    GT_STORE_VIEW_GOROUTINE,
    GT_VIEW_TASK,
    GT_STORE_VIEWS
};

enum gt_store_lane_kind {
    /* The states of a goroutine, or the goroutines that ran on a proc or a thread. */
    GT_LANE_STATE,
    /* Regions, and ranges such as mark assists; each depth of nesting has its own lane. */
    GT_LANE_REGION,
    GT_LANE_RANGE,
    GT_LANE_TASK,
};

struct gt_store_lane {
    uint32_t track;
    uint32_t kind; /* enum gt_store_lane_kind */
};

struct gt_store_row {
    /* The number of the goroutine, proc, thread or task in the trace. */
    int64_t id;
    uint32_t view; /* enum gt_store_view */
    /* Counts the rows of a view from 0, in the order in which they first appeared. */
    uint32_t ordinal;
    /* The start function or the name of the task; empty if it is not known. */
    gt_string name;
    gt_string label;
    /* The id of the text `name`. */
    uint32_t name_text;
    int64_t start, end;
    /* The ordinal of the creator or of the parent task; GT_STORE_NONE if there is none. */
    uint32_t parent;
    /* The frame at which it was created; 0 if that is not known. */
    uint32_t stack;
    /* At least one. The first is GT_LANE_STATE or GT_LANE_TASK; then come the lanes of regions,
     * then those of ranges, each kind ordered by depth. */
    const struct gt_store_lane *lanes;
    size_t lane_count;
    /* The total time in each class, in the first lane. */
    int64_t time[GT_STORE_CLASSES];
};

uint32_t gt_store_row_count(const struct gt_store *store, uint32_t view);
/* Sets `*row`; false if there is no such row. `row->lanes` is valid as long as the lock is held. */
bool gt_store_get_row(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                      struct gt_store_row *row);
/* Does the same as gt_store_get_row, but does not set `row->time`, whose computation takes most of
 * the time. */
bool gt_store_get_row_brief(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                            struct gt_store_row *row);

/* The part of a row that is known without its tracks. */
struct gt_store_head {
    int64_t id;
    uint32_t name, label; /* ids of texts */
    uint32_t parent;      /* an ordinal or GT_STORE_NONE */
};

/* Sets `*head`; false if there is no such row. Faster than gt_store_get_row_brief. */
bool gt_store_get_head(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                       struct gt_store_head *head);
/* Finds the row by its number in the trace; false if there is none. */
bool gt_store_find_row(const struct gt_store *store, uint32_t view, int64_t id, uint32_t *ordinal);

/* The tracks have ids from 0 to gt_store_track_count() - 1. NULL if there is no such track. */
const struct gt_track *gt_store_track(const struct gt_store *store, uint32_t track);
uint32_t gt_store_track_count(const struct gt_store *store);
/* The row that the track belongs to; false if there is no such track. */
bool gt_store_track_row(const struct gt_store *store, uint32_t track, uint32_t *view,
                        uint32_t *ordinal);

/* A use: a name together with a class, and how many spans of goroutines, in any lane, have both. */
struct gt_store_use {
    uint32_t name, cls;
    uint64_t count;
    uint32_t mask; /* one bit, which other uses may share */
};

/* The uses have numbers from 0 to gt_store_use_count() - 1. */
uint32_t gt_store_use_count(const struct gt_store *store);
bool gt_store_get_use(const struct gt_store *store, uint32_t number, struct gt_store_use *use);
/* For a track of a goroutine, the union of the masks of the uses of its spans; 0 for others. */
uint32_t gt_store_track_uses(const struct gt_store *store, uint32_t track);

/* The tracks of the garbage collector's cycles and of the times when the world is stopped, which
 * have no ids and no rows. */
const struct gt_track *gt_store_gc(const struct gt_store *store);
const struct gt_track *gt_store_stw(const struct gt_store *store);

/* Functions, files, reasons and names are texts, which have ids; id 0 is "". The result is "" if
 * there is no such text. Its bytes are valid until the store is freed. */
gt_string gt_store_text(const struct gt_store *store, uint32_t id);
uint32_t gt_store_text_count(const struct gt_store *store);

struct gt_store_frame {
    uint32_t parent;         /* the id of the caller's frame; 0 if there is none */
    uint32_t function, file; /* ids of texts */
    uint64_t line, pc;
};

/* The frames have ids from 1 to gt_store_frame_count(). False if there is no such frame. */
bool gt_store_frame(const struct gt_store *store, uint32_t id, struct gt_store_frame *frame);
uint32_t gt_store_frame_count(const struct gt_store *store);

enum gt_mark_kind {
    GT_MARK_LOG,
    GT_MARK_SAMPLE,
    GT_MARK_KINDS
};

struct gt_mark {
    int64_t time;
    uint32_t goroutine; /* an ordinal or GT_STORE_NONE */
    uint32_t kind;      /* enum gt_mark_kind */
    uint32_t stack;     /* a frame; 0 if there is none */
    /* For a log: "[category] message", and the id of that text. */
    gt_string text;
    uint32_t text_id;
    /* For a log: its category, which may be empty, and the number of its task in the trace. */
    gt_string category;
    bool has_task;
    int64_t task;
};

/* The number of marks of all goroutines together, which are ordered by time. */
uint64_t gt_store_mark_count(const struct gt_store *store);
/* The index of the first mark at `time` or later; gt_store_mark_count() if there is none. */
uint64_t gt_store_mark_find(const struct gt_store *store, int64_t time);
/* Sets `*mark`; false if there is no such mark. */
bool gt_store_get_mark(const struct gt_store *store, uint64_t index, struct gt_mark *mark);

/* A wakeup: one goroutine made another one runnable, or created it. */
struct gt_wake {
    int64_t time;
    uint32_t goroutine; /* the ordinal of the goroutine that was woken */
};

/*
 * The goroutines that goroutine `by`, an ordinal, woke in [start, end), in order of time. Stores
 * the first `max` in `out` and returns how many it stored. Sets `*total`, unless `total` is NULL,
 * to how many there are in all.
 */
size_t gt_store_wakes(const struct gt_store *store, uint32_t by, int64_t start, int64_t end,
                      struct gt_wake *out, size_t max, uint64_t *total);

/*
 * Announces that it is not known what a goroutine did between its last change of state and the next
 * one, at `time`, or what happened on a thread from `time` on. The affected states, which the
 * consumer has not received yet, become losses instead of spans. Must be called like the consumer's
 * functions, and returns what the consumer's functions return.
 */
int gt_store_lose_goroutine(struct gt_store *store, int64_t id, int64_t time);
int gt_store_lose_thread(struct gt_store *store, int64_t id, int64_t time);

/* The losses, ordered roughly by their ends. False if there is no such loss. */
size_t gt_store_loss_count(const struct gt_store *store);
bool gt_store_get_loss(const struct gt_store *store, size_t index, struct gt_loss *loss);

/* Returns the counter of an enum gt_counter_kind, or NULL if there is no such counter. */
const struct gt_store_counter *gt_store_counter(const struct gt_store *store, uint32_t which);

struct gt_store_counts {
    uint64_t regions, logs, samples;
};

void gt_store_get_counts(const struct gt_store *store, struct gt_store_counts *counts);

/* The latest time in the trace so far. */
int64_t gt_store_end(const struct gt_store *store);
/* The number of bytes that the store takes. */
size_t gt_store_memory(const struct gt_store *store);

#endif
