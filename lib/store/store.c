/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "store/apply.h"
#include "store/inside.h"
#include "store/mem.h"

/* Receives the operations of the decoder: queues them for the applier, or applies them here. */
static bool store_take_op(void *user_data, const struct gt_op *op)
{
    struct gt_store *s = user_data;
    if (s->has_applier)
        return gt_queue_put(&s->queue, op);
    if (!s->failed)
        s->failed = !gt_store_apply(s, op);
    return !s->failed;
}

static bool store_init(struct gt_store *s)
{
    if (!gt_lock_init(&s->lock))
        return false;
    gt_store_mem_init(&s->mem);
    if (gt_texts_init(&s->texts, &s->mem) != GT_OK) {
        gt_lock_destroy(&s->lock);
        return false;
    }
    if (!gt_decode_init(&s->decoder, store_take_op, s)) {
        gt_texts_destroy(&s->texts);
        gt_lock_destroy(&s->lock);
        return false;
    }
    for (size_t i = 0; i < GT_STORE_VIEWS; i++)
        gt_store_rows_init(&s->rows[i], &s->mem);
    s->tracks.mem = s->uses.mem = s->marks.mem = s->wakes.mem = &s->mem;
    return true;
}

struct gt_store *gt_store_new(bool single_threaded)
{
    struct gt_store *s = calloc(1, sizeof(*s));
    if (!s || !store_init(s)) {
        free(s);
        return NULL;
    }
    s->single_threaded = single_threaded;
    return s;
}

bool gt_store_allows_threads(const struct gt_store *s)
{
    return !s->single_threaded;
}

void gt_store_free(struct gt_store *s)
{
    if (!s)
        return;
    gt_store_finish(s);
    gt_lock_destroy(&s->lock);
    gt_decode_destroy(&s->decoder);
    gt_texts_destroy(&s->texts);
    gt_array_free(&s->mem, &s->frames);
    for (size_t i = 0; i < GT_STORE_VIEWS; i++)
        gt_store_rows_destroy(&s->rows[i]);
    gt_tracks_destroy(&s->tracks);
    gt_uses_destroy(&s->uses);
    gt_array_free(&s->mem, &s->task_parents);
    gt_array_free(&s->mem, &s->waits);
    gt_marks_destroy(&s->marks);
    gt_wakes_destroy(&s->wakes);
    for (size_t i = 0; i < GT_COUNTERS; i++)
        gt_counter_free(&s->counters[i]);
    gt_store_pool_destroy(&s->samples);
    gt_track_free(&s->gc);
    gt_track_free(&s->stw);
    free(s);
}

/* The result of a consumer's function. If the decoder ran out of memory, the store has failed. */
static int store_end_with(struct gt_store *s, bool good)
{
    if (good)
        return 0;
    if (s->has_applier)
        gt_lock_write(&s->lock);
    s->failed = true;
    if (s->has_applier)
        gt_lock_release(&s->lock);
    return 1;
}

static int store_take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_store *s = user_data;
    (void) required;
    return store_end_with(s, gt_decode_event(&s->decoder, event));
}

static int store_take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_store *s = user_data;
    return store_end_with(s, gt_decode_frame(&s->decoder, frame));
}

void gt_store_consumer(struct gt_store *s, gt_consumer *consumer)
{
    *consumer = (gt_consumer) GT_CONSUMER_INIT;
    consumer->user_data = s;
    consumer->event = store_take_event;
    consumer->frame = store_take_frame;
}

static bool apply_batch(struct gt_store *s, const struct gt_op *ops, size_t count)
{
    bool good = true;
    gt_lock_write(&s->lock);
    for (size_t i = 0; i < count && good; i++)
        good = gt_store_apply(s, &ops[i]);
    if (!good)
        s->failed = true;
    gt_lock_release(&s->lock);
    return good;
}

static void *apply_all(void *user_data)
{
    struct gt_store *s = user_data;
    const struct gt_op *ops;
    size_t count;
    while ((ops = gt_queue_next(&s->queue, &count))) {
        if (!apply_batch(s, ops, count)) {
            gt_queue_fail(&s->queue);
            break;
        }
        gt_queue_done(&s->queue);
    }
    return NULL;
}

bool gt_store_start(struct gt_store *s)
{
    if (!gt_queue_init(&s->queue))
        return false;
    s->has_applier = gt_thread_start(&s->applier, apply_all, s);
    if (!s->has_applier)
        gt_queue_destroy(&s->queue);
    return s->has_applier;
}

void gt_store_finish(struct gt_store *s)
{
    if (!s->has_applier)
        return;
    gt_queue_close(&s->queue);
    pthread_join(s->applier, NULL);
    gt_queue_destroy(&s->queue);
    s->has_applier = false;
}

bool gt_store_failed(const struct gt_store *s)
{
    return s->failed;
}

void gt_store_lock_read(struct gt_store *s)
{
    gt_lock_read(&s->lock);
}

void gt_store_lock_write(struct gt_store *s)
{
    gt_lock_write(&s->lock);
}

void gt_store_unlock(struct gt_store *s)
{
    gt_lock_release(&s->lock);
}

uint32_t gt_store_row_count(const struct gt_store *s, uint32_t view)
{
    return view < GT_STORE_VIEWS ? (uint32_t) s->rows[view].list.count : 0;
}

/* The ordinal of a task's parent; GT_STORE_NONE if it has none or the parent has no row. */
static uint32_t store_task_parent(const struct gt_store *s, uint32_t ordinal)
{
    int64_t parent = ordinal < s->task_parents.count ? s->task_parents.items[ordinal] : 0;
    return parent != 0 ? gt_rows_find(&s->rows[GT_VIEW_TASK], parent) : GT_STORE_NONE;
}

bool gt_store_get_row_brief(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                            struct gt_store_row *row)
{
    const struct gt_store_row_data *known;
    if (ordinal >= gt_store_row_count(s, view))
        return false;
    known = &s->rows[view].list.items[ordinal];
    gt_rows_get(&s->rows[view], &s->tracks, ordinal, row);
    row->view = view;
    row->name = gt_store_text(s, known->name);
    row->label = gt_store_text(s, known->label);
    if (view == GT_VIEW_TASK)
        row->parent = store_task_parent(s, ordinal);
    return true;
}

bool gt_store_get_row(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                      struct gt_store_row *row)
{
    struct gt_track_sums sums = {{0}, {0}};
    if (!gt_store_get_row_brief(s, view, ordinal, row))
        return false;
    gt_track_total(&s->tracks.list.items[row->lanes[0].track], &sums);
    memcpy(row->time, sums.time, sizeof(row->time));
    return true;
}

bool gt_store_get_head(const struct gt_store *s, uint32_t view, uint32_t ordinal,
                       struct gt_store_head *head)
{
    if (ordinal >= gt_store_row_count(s, view))
        return false;
    const struct gt_store_row_data *row = &s->rows[view].list.items[ordinal];
    *head = (struct gt_store_head){row->id, row->name, row->label, row->parent};
    if (view == GT_VIEW_TASK)
        head->parent = store_task_parent(s, ordinal);
    return true;
}

bool gt_store_find_row(const struct gt_store *s, uint32_t view, int64_t id, uint32_t *ordinal)
{
    *ordinal = view < GT_STORE_VIEWS ? gt_rows_find(&s->rows[view], id) : GT_STORE_NONE;
    return *ordinal != GT_STORE_NONE;
}

const struct gt_track *gt_store_track(const struct gt_store *s, uint32_t track)
{
    return track < s->tracks.list.count ? &s->tracks.list.items[track] : NULL;
}

uint32_t gt_store_track_count(const struct gt_store *s)
{
    return (uint32_t) s->tracks.list.count;
}

bool gt_store_track_row(const struct gt_store *s, uint32_t track, uint32_t *view, uint32_t *ordinal)
{
    return gt_tracks_owner(&s->tracks, track, view, ordinal);
}

uint32_t gt_store_use_count(const struct gt_store *s)
{
    return (uint32_t) s->uses.list.count;
}

bool gt_store_get_use(const struct gt_store *s, uint32_t number, struct gt_store_use *use)
{
    if (number >= s->uses.list.count)
        return false;
    const struct gt_uses_item *item = &s->uses.list.items[number];
    *use = (struct gt_store_use){item->name, item->cls, item->count, gt_uses_mask(number)};
    return true;
}

uint32_t gt_store_track_uses(const struct gt_store *s, uint32_t track)
{
    return track < s->tracks.list.count ? s->tracks.uses.items[track] : 0;
}

const struct gt_track *gt_store_gc(const struct gt_store *s)
{
    return &s->gc;
}

const struct gt_track *gt_store_stw(const struct gt_store *s)
{
    return &s->stw;
}

gt_string gt_store_text(const struct gt_store *s, uint32_t id)
{
    return id < s->texts.list.count ? s->texts.list.items[id] : (gt_string){"", 0};
}

uint32_t gt_store_text_count(const struct gt_store *s)
{
    return (uint32_t) s->texts.list.count;
}

bool gt_store_find_text(const struct gt_store *s, gt_string text, uint32_t *id)
{
    return gt_texts_find(&s->texts, text, id);
}

bool gt_store_frame(const struct gt_store *s, uint32_t id, struct gt_store_frame *frame)
{
    if (id == 0 || id > s->frames.count)
        return false;
    *frame = s->frames.items[id - 1];
    return true;
}

uint32_t gt_store_frame_count(const struct gt_store *s)
{
    return (uint32_t) s->frames.count;
}

uint64_t gt_store_mark_count(const struct gt_store *s)
{
    return s->marks.list.count;
}

uint64_t gt_store_mark_find(const struct gt_store *s, int64_t time)
{
    return gt_marks_find(&s->marks, time);
}

bool gt_store_get_mark(const struct gt_store *s, uint64_t index, struct gt_mark *mark)
{
    if (index >= s->marks.list.count)
        return false;
    gt_marks_get(&s->marks, (size_t) index, mark, &mark->text_id);
    mark->text = gt_store_text(s, mark->text_id);
    return true;
}

size_t gt_store_wakes(const struct gt_store *s, uint32_t by, int64_t start, int64_t end,
                      struct gt_wake *out, size_t max, uint64_t *total)
{
    return gt_wakes_get(&s->wakes, by, start, end, out, max, total);
}

const struct gt_store_counter *gt_store_counter(const struct gt_store *s, uint32_t which)
{
    return which < GT_COUNTERS ? &s->counters[which] : NULL;
}

void gt_store_get_counts(const struct gt_store *s, struct gt_store_counts *counts)
{
    *counts = s->counts;
}

int64_t gt_store_end(const struct gt_store *s)
{
    return s->end;
}

size_t gt_store_memory(const struct gt_store *s)
{
    /* The decoder, whose memory another thread may be changing, has the same tables of texts. */
    size_t bytes = sizeof(*s) + (size_t) s->mem.used + gt_texts_bytes(&s->texts) + s->text_bytes +
                   gt_pool_memory(&s->tracks.pool) + gt_pool_memory(&s->samples);
    for (size_t i = 0; i < GT_COUNTERS; i++)
        bytes += gt_counter_memory(&s->counters[i]);
    return bytes;
}
