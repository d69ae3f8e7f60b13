/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/store.h"

#include <string.h>

#include "base/thread.h"
#include "store/apply.h"
#include "store/inside.h"

/* Receives the operations of the decoder: queues them for the applier, or applies them here. */
static bool store_take_op(void *user_data, const struct gt_op *op)
{
    struct gt_store *store = user_data;
    if (store->has_applier)
        return gt_queue_put(&store->queue, op);
    if (!store->failed)
        store->failed = !gt_store_apply(store, op);
    return !store->failed;
}

static bool store_init(struct gt_store *store)
{
    if (!gt_lock_init(&store->lock))
        return false;
    if (gt_texts_init(&store->texts, &store->mem) != GT_OK) {
        gt_lock_destroy(&store->lock);
        return false;
    }
    if (!gt_decode_init(&store->decoder, &store->mem.allocator, store_take_op, store)) {
        gt_texts_destroy(&store->texts);
        gt_lock_destroy(&store->lock);
        return false;
    }
    for (size_t i = 0; i < GT_STORE_VIEWS; i++)
        gt_store_rows_init(&store->rows[i], &store->mem);
    store->tracks.mem = store->uses.mem = store->marks.mem = store->wakes.mem = &store->mem;
    store->losses.mem = &store->mem;
    store->tracks.pool.mem = store->samples.mem = &store->mem;
    return true;
}

struct gt_store *gt_store_new(bool single_threaded, const gt_allocator *allocator)
{
    gt_status status;
    struct gt_store *store =
        gt_mem_create(sizeof(*store), offsetof(struct gt_store, mem), allocator, 0, &status);
    if (!store)
        return NULL;
    if (!store_init(store)) {
        gt_mem_delete(&store->mem, store, sizeof(*store));
        return NULL;
    }
    store->single_threaded = single_threaded;
    return store;
}

bool gt_store_allows_threads(const struct gt_store *store)
{
    return !store->single_threaded;
}

void gt_store_free(struct gt_store *store)
{
    if (!store)
        return;
    gt_store_finish(store);
    gt_lock_destroy(&store->lock);
    gt_decode_destroy(&store->decoder);
    gt_texts_destroy(&store->texts);
    gt_array_free(&store->mem, &store->frames);
    for (size_t i = 0; i < GT_STORE_VIEWS; i++)
        gt_store_rows_destroy(&store->rows[i]);
    gt_tracks_destroy(&store->tracks);
    gt_uses_destroy(&store->uses);
    gt_array_free(&store->mem, &store->task_parents);
    gt_array_free(&store->mem, &store->waits);
    gt_marks_destroy(&store->marks);
    gt_wakes_destroy(&store->wakes);
    gt_losses_destroy(&store->losses);
    for (size_t i = 0; i < GT_COUNTERS; i++)
        gt_counter_free(&store->counters[i], &store->mem);
    gt_store_pool_destroy(&store->samples);
    gt_track_free(&store->gc, &store->mem);
    gt_track_free(&store->stw, &store->mem);
    gt_mem_delete(&store->mem, store, sizeof(*store));
}

/* The result of a consumer's function. If the decoder ran out of memory, the store has failed. */
static int store_end_with(struct gt_store *store, bool good)
{
    if (good)
        return 0;
    if (store->has_applier)
        gt_lock_write(&store->lock);
    store->failed = true;
    if (store->has_applier)
        gt_lock_release(&store->lock);
    return 1;
}

static int store_take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_store *store = user_data;
    (void) required;
    return store_end_with(store, gt_decode_event(&store->decoder, event));
}

static int store_take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct gt_store *store = user_data;
    return store_end_with(store, gt_decode_frame(&store->decoder, frame));
}

static int store_announce_loss(struct gt_store *store, uint8_t which, int64_t id, int64_t time)
{
    struct gt_op op = {.kind = GT_OP_LOSS, .which = which, .row = id};
    op.start = op.end = time;
    return store_end_with(store, store_take_op(store, &op));
}

int gt_store_lose_goroutine(struct gt_store *store, int64_t id, int64_t time)
{
    return store_announce_loss(store, 0, id, time);
}

int gt_store_lose_thread(struct gt_store *store, int64_t id, int64_t time)
{
    return store_announce_loss(store, 1, id, time);
}

void gt_store_consumer(struct gt_store *store, gt_consumer *consumer)
{
    *consumer = (gt_consumer) GT_CONSUMER_INIT;
    consumer->user_data = store;
    consumer->event = store_take_event;
    consumer->frame = store_take_frame;
}

static bool apply_batch(struct gt_store *store, const struct gt_op *ops, size_t count)
{
    bool good = true;
    gt_lock_write(&store->lock);
    for (size_t i = 0; i < count && good; i++)
        good = gt_store_apply(store, &ops[i]);
    if (!good)
        store->failed = true;
    gt_lock_release(&store->lock);
    return good;
}

static void *apply_all(void *user_data)
{
    struct gt_store *store = user_data;
    const struct gt_op *ops;
    size_t count;
    while ((ops = gt_queue_next(&store->queue, &count))) {
        if (!apply_batch(store, ops, count)) {
            gt_queue_fail(&store->queue);
            break;
        }
        gt_queue_done(&store->queue);
    }
    return NULL;
}

bool gt_store_start(struct gt_store *store)
{
    if (!gt_queue_init(&store->queue, &store->decoder.mem))
        return false;
    store->has_applier = gt_thread_start(&store->applier, apply_all, store);
    if (!store->has_applier)
        gt_queue_destroy(&store->queue);
    return store->has_applier;
}

void gt_store_flush(struct gt_store *store)
{
    /* If that fails, so does the next call of the consumer. */
    if (store->has_applier)
        gt_queue_flush(&store->queue);
}

void gt_store_finish(struct gt_store *store)
{
    if (!store->has_applier)
        return;
    gt_queue_close(&store->queue);
    pthread_join(store->applier, NULL);
    gt_queue_destroy(&store->queue);
    store->has_applier = false;
}

bool gt_store_failed(const struct gt_store *store)
{
    return store->failed;
}

void gt_store_lock_read(struct gt_store *store)
{
    gt_lock_read(&store->lock);
}

void gt_store_unlock(struct gt_store *store)
{
    gt_lock_release(&store->lock);
}

uint32_t gt_store_row_count(const struct gt_store *store, uint32_t view)
{
    return view < GT_STORE_VIEWS ? (uint32_t) store->rows[view].list.count : 0;
}

/* The ordinal of a task's parent; GT_STORE_NONE if it has none or the parent has no row. */
static uint32_t store_task_parent(const struct gt_store *store, uint32_t ordinal)
{
    int64_t parent = ordinal < store->task_parents.count ? store->task_parents.items[ordinal] : 0;
    return parent != 0 ? gt_rows_find(&store->rows[GT_VIEW_TASK], parent) : GT_STORE_NONE;
}

bool gt_store_get_row_brief(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                            struct gt_store_row *row)
{
    const struct gt_store_row_data *known;
    if (ordinal >= gt_store_row_count(store, view))
        return false;
    known = &store->rows[view].list.items[ordinal];
    gt_rows_get(&store->rows[view], &store->tracks, ordinal, row);
    row->view = view;
    row->name = gt_store_text(store, known->name);
    row->label = gt_store_text(store, gt_rows_label(&store->rows[view], ordinal));
    if (view == GT_VIEW_TASK)
        row->parent = store_task_parent(store, ordinal);
    return true;
}

bool gt_store_get_row(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                      struct gt_store_row *row)
{
    struct gt_track_sums sums = {{0}, {0}};
    if (!gt_store_get_row_brief(store, view, ordinal, row))
        return false;
    gt_track_total(&store->tracks.list.items[row->lanes[0].track], &sums);
    memcpy(row->time, sums.time, sizeof(row->time));
    return true;
}

bool gt_store_get_head(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                       struct gt_store_head *head)
{
    if (ordinal >= gt_store_row_count(store, view))
        return false;
    const struct gt_store_row_data *row = &store->rows[view].list.items[ordinal];
    uint32_t label = gt_rows_label(&store->rows[view], ordinal);
    *head = (struct gt_store_head){row->id, row->name, label, row->parent};
    if (view == GT_VIEW_TASK)
        head->parent = store_task_parent(store, ordinal);
    return true;
}

bool gt_store_find_row(const struct gt_store *store, uint32_t view, int64_t id, uint32_t *ordinal)
{
    *ordinal = view < GT_STORE_VIEWS ? gt_rows_find(&store->rows[view], id) : GT_STORE_NONE;
    return *ordinal != GT_STORE_NONE;
}

const struct gt_track *gt_store_track(const struct gt_store *store, uint32_t track)
{
    return track < store->tracks.list.count ? &store->tracks.list.items[track] : NULL;
}

uint32_t gt_store_track_count(const struct gt_store *store)
{
    return (uint32_t) store->tracks.list.count;
}

bool gt_store_track_row(const struct gt_store *store, uint32_t track, uint32_t *view,
                        uint32_t *ordinal)
{
    return gt_tracks_owner(&store->tracks, track, view, ordinal);
}

uint32_t gt_store_use_count(const struct gt_store *store)
{
    return (uint32_t) store->uses.list.count;
}

bool gt_store_get_use(const struct gt_store *store, uint32_t number, struct gt_store_use *use)
{
    if (number >= store->uses.list.count)
        return false;
    const struct gt_uses_item *item = &store->uses.list.items[number];
    *use = (struct gt_store_use){item->name, item->cls, item->count, gt_uses_mask(number)};
    return true;
}

uint32_t gt_store_track_uses(const struct gt_store *store, uint32_t track)
{
    return track < store->tracks.list.count ? store->tracks.uses.items[track] : 0;
}

const struct gt_track *gt_store_gc(const struct gt_store *store)
{
    return &store->gc;
}

const struct gt_track *gt_store_stw(const struct gt_store *store)
{
    return &store->stw;
}

gt_string gt_store_text(const struct gt_store *store, uint32_t id)
{
    return id < store->texts.list.count ? store->texts.list.items[id] : (gt_string){"", 0};
}

uint32_t gt_store_text_count(const struct gt_store *store)
{
    return (uint32_t) store->texts.list.count;
}

bool gt_store_frame(const struct gt_store *store, uint32_t id, struct gt_store_frame *frame)
{
    if (id == 0 || id > store->frames.count)
        return false;
    *frame = store->frames.items[id - 1];
    return true;
}

uint32_t gt_store_frame_count(const struct gt_store *store)
{
    return (uint32_t) store->frames.count;
}

uint64_t gt_store_mark_count(const struct gt_store *store)
{
    return store->marks.list.count;
}

uint64_t gt_store_mark_find(const struct gt_store *store, int64_t time)
{
    return gt_marks_find(&store->marks, time);
}

bool gt_store_get_mark(const struct gt_store *store, uint64_t index, struct gt_mark *mark)
{
    if (index >= store->marks.list.count)
        return false;
    uint32_t category;
    gt_marks_get(&store->marks, (size_t) index, mark, &category);
    mark->text = gt_store_text(store, mark->text_id);
    mark->category = gt_store_text(store, category);
    return true;
}

size_t gt_store_wakes(const struct gt_store *store, uint32_t by, int64_t start, int64_t end,
                      struct gt_wake *out, size_t max, uint64_t *total)
{
    return gt_wakes_get(&store->wakes, by, start, end, out, max, total);
}

size_t gt_store_loss_count(const struct gt_store *store)
{
    return store->losses.list.count;
}

bool gt_store_get_loss(const struct gt_store *store, size_t index, struct gt_loss *loss)
{
    if (index >= store->losses.list.count)
        return false;
    *loss = store->losses.list.items[index];
    return true;
}

const struct gt_store_counter *gt_store_counter(const struct gt_store *store, uint32_t which)
{
    return which < GT_COUNTERS ? &store->counters[which] : NULL;
}

void gt_store_get_counts(const struct gt_store *store, struct gt_store_counts *counts)
{
    *counts = store->counts;
}

int64_t gt_store_end(const struct gt_store *store)
{
    return store->end;
}

size_t gt_store_memory(const struct gt_store *store)
{
    /* The decoder, whose memory another thread may be changing, has the same tables of texts. */
    return (size_t) store->mem.used + gt_texts_bytes(&store->texts) + store->text_bytes;
}
