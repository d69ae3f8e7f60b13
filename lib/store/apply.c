/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/apply.h"

#include <string.h>

#include "store/classes.h"
#include "store/inside.h"

/* Finds or makes the row of a number, which can be any. False: out of memory. */
static bool apply_make_row(struct gt_store *store, uint32_t view, int64_t id, uint32_t *ordinal)
{
    return gt_rows_make(&store->rows[view], &store->tracks, view, id, ordinal);
}

/* Finds or makes the row of the proc or thread of an operation. `*ordinal` is GT_STORE_NONE if the
 * operation has none. False: out of memory. */
static bool apply_make_place(struct gt_store *store, uint32_t view, bool has_id, int64_t id,
                             uint32_t *ordinal)
{
    *ordinal = GT_STORE_NONE;
    return !has_id || apply_make_row(store, view, id, ordinal);
}

/* The row of the goroutine `by` of an operation: GT_STORE_NONE if it has none, or no row. */
static uint32_t apply_find_by(const struct gt_store *store, const struct gt_op *op)
{
    return op->has & GT_OP_HAS_BY ? gt_rows_find(&store->rows[GT_STORE_VIEW_GOROUTINE], op->by)
                                  : GT_STORE_NONE;
}

static struct gt_span apply_make_span(const struct gt_op *op, uint32_t goroutine)
{
    struct gt_span span;
    span.start = op->start;
    span.end = op->end;
    span.index = 0;
    span.cls = op->which;
    span.name = op->text;
    span.goroutine = goroutine;
    span.by = span.proc = span.thread = GT_STORE_NONE;
    span.stack = op->stack;
    span.end_stack = op->end_stack;
    return span;
}

/* Sets `*cls` to the class of a wait for a reason, which is a text. False: out of memory. */
static bool apply_find_wait(struct gt_store *store, uint32_t reason, uint32_t *cls)
{
    if (gt_array_extend(&store->mem, &store->waits, reason + (size_t) 1) != GT_OK)
        return false;
    uint8_t *class_plus_1 = &store->waits.items[reason];
    if (*class_plus_1 == 0)
        *class_plus_1 = (uint8_t) (gt_class_of_wait(gt_store_text(store, reason)) + 1);
    *cls = *class_plus_1 - UINT32_C(1);
    return true;
}

/* Adds to the row of a proc or thread, if there is one, that the goroutine runs there. */
static bool apply_add_run(struct gt_store *store, uint32_t view, uint32_t ordinal,
                          const struct gt_span *state)
{
    struct gt_span run;
    if (ordinal == GT_STORE_NONE)
        return true;
    memset(&run, 0, sizeof(run));
    run.start = state->start;
    run.end = state->end;
    run.cls = state->cls;
    run.goroutine = state->goroutine;
    run.by = run.proc = run.thread = GT_STORE_NONE;
    return gt_tracks_append(&store->tracks, store->rows[view].list.items[ordinal].first.track,
                            &run);
}

/* Adds a wakeup if the state shows one: its wait has ended, or the goroutine was created. */
static bool apply_add_wake(struct gt_store *store, const struct gt_span *state, bool is_first)
{
    if (state->by == GT_STORE_NONE || (!gt_span_is_woken(state) && !is_first))
        return true;
    return gt_wakes_add(&store->wakes, is_first ? state->start : gt_span_wake_time(state),
                        state->by, state->goroutine);
}

/* Counts the use of a span that was appended to a track of a goroutine. */
static bool apply_note_use(struct gt_store *store, uint32_t track, const struct gt_span *span)
{
    uint32_t number;
    if (!gt_uses_find(&store->uses, span->name, span->cls, &number))
        return false;
    store->uses.list.items[number].count++;
    store->tracks.uses.items[track] |= gt_uses_mask(number);
    return true;
}

/* Adds a state to its goroutine and to the proc and thread on which it was. */
static bool apply_add_state(struct gt_store *store, const struct gt_span *span, uint32_t track)
{
    return gt_tracks_append(&store->tracks, track, span) && apply_note_use(store, track, span) &&
           apply_add_run(store, GT_STORE_VIEW_PROC, span->proc, span) &&
           apply_add_run(store, GT_STORE_VIEW_THREAD, span->thread, span);
}

static bool apply_state(struct gt_store *store, const struct gt_op *op)
{
    struct gt_span span;
    const struct gt_store_row_data *row;
    uint32_t ordinal, proc, thread;
    bool is_left = true;
    if (!apply_make_row(store, GT_STORE_VIEW_GOROUTINE, op->row, &ordinal) ||
        !apply_make_place(store, GT_STORE_VIEW_PROC, op->has & GT_OP_HAS_PROC, op->proc, &proc) ||
        !apply_make_place(store, GT_STORE_VIEW_THREAD, op->has & GT_OP_HAS_THREAD, op->thread,
                          &thread))
        return false;
    row = &store->rows[GT_STORE_VIEW_GOROUTINE].list.items[ordinal];
    span = apply_make_span(op, ordinal);
    span.by = apply_find_by(store, op);
    span.proc = proc;
    span.thread = thread;
    if (span.cls == GT_CLASS_RUNNING && row->is_collector)
        span.cls = GT_CLASS_RUNNING_GC;
    else if (span.cls == GT_CLASS_WAIT_OTHER && !apply_find_wait(store, op->text, &span.cls))
        return false;
    bool is_first = gt_track_count(&store->tracks.list.items[row->first.track]) == 0;
    if (!apply_add_wake(store, &span, is_first))
        return false;
    if (store->has_losses && !gt_losses_take(&store->losses, &span, &is_left))
        return false;
    return !is_left || apply_add_state(store, &span, row->first.track);
}

/* Adds a range or region to a lane of its kind. A range that stops the world is also added to the
 * track `stw`. */
static bool apply_nested(struct gt_store *store, const struct gt_op *op, uint32_t kind)
{
    struct gt_span span;
    uint32_t ordinal, track;
    if (!apply_make_row(store, GT_STORE_VIEW_GOROUTINE, op->row, &ordinal))
        return false;
    span = apply_make_span(op, ordinal);
    if (span.cls == GT_CLASS_STW && !gt_track_append(&store->stw, &store->tracks.pool, &span))
        return false;
    if (kind == GT_LANE_REGION)
        store->counts.regions++;
    return gt_rows_nest(&store->rows[GT_STORE_VIEW_GOROUTINE], &store->tracks,
                        GT_STORE_VIEW_GOROUTINE, ordinal, kind, &span, &track) &&
           apply_note_use(store, track, &span);
}

static bool apply_collection(struct gt_store *store, const struct gt_op *op)
{
    struct gt_span span = apply_make_span(op, GT_STORE_NONE);
    return gt_track_append(span.cls == GT_CLASS_STW ? &store->stw : &store->gc, &store->tracks.pool,
                           &span);
}

static bool apply_task(struct gt_store *store, const struct gt_op *op)
{
    struct gt_span span = apply_make_span(op, apply_find_by(store, op));
    struct gt_store_row_data *row;
    uint32_t ordinal;
    if (!apply_make_row(store, GT_VIEW_TASK, op->row, &ordinal))
        return false;
    row = &store->rows[GT_VIEW_TASK].list.items[ordinal];
    row->name = op->text;
    row->stack = op->stack;
    return gt_tracks_append(&store->tracks, row->first.track, &span);
}

static bool apply_parent(struct gt_store *store, const struct gt_op *op)
{
    uint32_t task = gt_rows_find(&store->rows[GT_VIEW_TASK], op->row);
    if (task == GT_STORE_NONE)
        return true;
    if (gt_array_extend(&store->mem, &store->task_parents, task + (size_t) 1) != GT_OK)
        return false;
    store->task_parents.items[task] = op->by;
    return true;
}

static bool apply_goroutine(struct gt_store *store, const struct gt_op *op)
{
    uint32_t ordinal, parent = apply_find_by(store, op);
    struct gt_store_row_data *row;
    if (!apply_make_row(store, GT_STORE_VIEW_GOROUTINE, op->row, &ordinal))
        return false;
    row = &store->rows[GT_STORE_VIEW_GOROUTINE].list.items[ordinal];
    if (!gt_rows_set_label(&store->rows[GT_STORE_VIEW_GOROUTINE], ordinal, op->file))
        return false;
    if (op->text != 0) {
        row->name = op->text;
        row->is_collector = op->which != 0 ? 1 : 0;
    }
    if (parent != GT_STORE_NONE)
        row->parent = parent;
    if (op->stack != 0)
        row->stack = op->stack;
    return true;
}

static bool apply_mark(struct gt_store *store, const struct gt_op *op)
{
    uint32_t ordinal;
    if (!apply_make_row(store, GT_STORE_VIEW_GOROUTINE, op->row, &ordinal))
        return false;
    if (op->kind == GT_OP_LOG) {
        store->counts.logs++;
        const struct gt_marks_log log = {.stack = op->stack,
                                         .text = op->text,
                                         .category = op->file,
                                         .has_task = op->has & GT_OP_HAS_BY,
                                         .task = op->by};
        return gt_marks_add_log(&store->marks, op->start, ordinal, &log);
    }
    store->counts.samples++;
    return gt_marks_add_sample(&store->marks, op->start, ordinal, op->stack);
}

static bool apply_loss(struct gt_store *store, const struct gt_op *op)
{
    uint32_t ordinal;
    bool is_thread = op->which != 0;
    uint32_t view = is_thread ? GT_STORE_VIEW_THREAD : GT_STORE_VIEW_GOROUTINE;
    store->has_losses = true;
    if (!apply_make_row(store, view, op->row, &ordinal))
        return false;
    return is_thread ? gt_losses_expect_thread(&store->losses, ordinal, op->start)
                     : gt_losses_expect_goroutine(&store->losses, ordinal, op->start);
}

static bool apply_frame(struct gt_store *store, const struct gt_op *op)
{
    struct gt_store_frame frame = {op->stack, op->text, op->file, (uint64_t) op->start,
                                   (uint64_t) op->end};
    return gt_array_add(&store->mem, &store->frames, frame) == GT_OK;
}

/* The decoder sends each text once and numbers the texts in the same order, so both ids are
 * equal. */
static bool apply_text(struct gt_store *store, gt_string text)
{
    uint32_t id;
    store->text_bytes += text.size;
    return gt_texts_add_borrowed(&store->texts, text, &id) == GT_OK;
}

/* Carries out an operation that has a time. Only the operations that add texts and frames have
 * none. */
static bool apply_timed(struct gt_store *store, const struct gt_op *op)
{
    if (op->end > store->end)
        store->end = op->end;
    switch (op->kind) {
    case GT_OP_STATE:
        return apply_state(store, op);
    case GT_OP_COUNT:
        return gt_counter_append(&store->counters[op->which], &store->samples, op->start,
                                 (uint64_t) op->by);
    case GT_OP_RANGE:
        return apply_nested(store, op, GT_LANE_RANGE);
    case GT_OP_REGION:
        return apply_nested(store, op, GT_LANE_REGION);
    case GT_OP_COLLECTION:
        return apply_collection(store, op);
    case GT_OP_TASK:
        return apply_task(store, op);
    case GT_OP_PARENT:
        return apply_parent(store, op);
    case GT_OP_GOROUTINE:
        return apply_goroutine(store, op);
    case GT_OP_LOSS:
        return apply_loss(store, op);
    default:
        return apply_mark(store, op);
    }
}

bool gt_store_apply(void *user_data, const struct gt_op *op)
{
    struct gt_store *store = user_data;
    if (op->kind == GT_OP_TEXT)
        return apply_text(store, op->string);
    if (op->kind == GT_OP_FRAME)
        return apply_frame(store, op);
    return apply_timed(store, op);
}
