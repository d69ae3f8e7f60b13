/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "store/apply.h"
#include "store/inside.h"

/* What the decoder makes goes there at once, or by way of the other thread. */
static bool take_op(void *user_data, const struct op *op)
{
    struct store *s = user_data;
    if (s->has_applier)
        return queue_put(&s->queue, op);
    if (!s->failed)
        s->failed = !apply_op(s, op);
    return !s->failed;
}

static bool init(struct store *s)
{
    if (!lock_init(&s->lock))
        return false;
    if (!texts_init(&s->texts)) {
        lock_destroy(&s->lock);
        return false;
    }
    if (!decode_init(&s->decoder, take_op, s)) {
        texts_destroy(&s->texts);
        lock_destroy(&s->lock);
        return false;
    }
    for (size_t i = 0; i < STORE_VIEWS; i++)
        ids_init(&s->rows[i].ids);
    return true;
}

struct store *store_new(bool is_alone)
{
    struct store *s = calloc(1, sizeof(*s));
    if (!s || !init(s)) {
        free(s);
        return NULL;
    }
    s->is_alone = is_alone;
    return s;
}

bool store_allows_threads(const struct store *s)
{
    return !s->is_alone;
}

void store_free(struct store *s)
{
    if (s == NULL)
        return;
    store_finish(s);
    lock_destroy(&s->lock);
    decode_destroy(&s->decoder);
    texts_destroy(&s->texts);
    frames_destroy(&s->frames);
    for (size_t i = 0; i < STORE_VIEWS; i++)
        rows_destroy(&s->rows[i]);
    tracks_destroy(&s->tracks);
    uses_destroy(&s->uses);
    free(s->task_parents);
    free(s->waits);
    marks_destroy(&s->marks);
    wakes_destroy(&s->wakes);
    for (size_t i = 0; i < COUNTERS; i++)
        counter_free(&s->counters[i]);
    pool_destroy(&s->samples);
    track_free(&s->gc);
    track_free(&s->stw);
    free(s);
}

/* Out of memory in the decoder is out of memory in the store. */
static int end_with(struct store *s, bool good)
{
    if (good)
        return 0;
    if (s->has_applier)
        lock_write(&s->lock);
    s->failed = true;
    if (s->has_applier)
        lock_release(&s->lock);
    return 1;
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct store *s = user_data;
    (void) required;
    return end_with(s, decode_event(&s->decoder, event));
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct store *s = user_data;
    return end_with(s, decode_frame(&s->decoder, frame));
}

void store_consumer(struct store *s, gt_consumer *consumer)
{
    *consumer = (gt_consumer) GT_CONSUMER_INIT;
    consumer->user_data = s;
    consumer->event = take_event;
    consumer->frame = take_frame;
}

static bool apply_batch(struct store *s, const struct op *ops, size_t count)
{
    bool good = true;
    lock_write(&s->lock);
    for (size_t i = 0; i < count && good; i++)
        good = apply_op(s, &ops[i]);
    if (!good)
        s->failed = true;
    lock_release(&s->lock);
    return good;
}

static void *apply_all(void *user_data)
{
    struct store *s = user_data;
    const struct op *ops;
    size_t count;
    while ((ops = queue_next(&s->queue, &count)) != NULL) {
        if (!apply_batch(s, ops, count)) {
            queue_fail(&s->queue);
            break;
        }
        queue_done(&s->queue);
    }
    return NULL;
}

bool store_start(struct store *s)
{
    if (!queue_init(&s->queue))
        return false;
    s->has_applier = gt_thread_start(&s->applier, apply_all, s);
    if (!s->has_applier)
        queue_destroy(&s->queue);
    return s->has_applier;
}

void store_finish(struct store *s)
{
    if (!s->has_applier)
        return;
    queue_close(&s->queue);
    pthread_join(s->applier, NULL);
    queue_destroy(&s->queue);
    s->has_applier = false;
}

bool store_failed(const struct store *s)
{
    return s->failed;
}

void store_lock_read(struct store *s)
{
    lock_read(&s->lock);
}

void store_lock_write(struct store *s)
{
    lock_write(&s->lock);
}

void store_unlock(struct store *s)
{
    lock_release(&s->lock);
}

uint32_t store_row_count(const struct store *s, uint32_t view)
{
    return view < STORE_VIEWS ? (uint32_t) s->rows[view].count : 0;
}

/* STORE_NONE also where the parent has no row. */
static uint32_t task_parent(const struct store *s, uint32_t ordinal)
{
    int64_t parent = ordinal < s->task_parent_count ? s->task_parents[ordinal] : 0;
    return parent != 0 ? ids_find(&s->rows[VIEW_TASK].ids, parent) : STORE_NONE;
}

bool store_get_row_brief(const struct store *s, uint32_t view, uint32_t ordinal,
                         struct store_row *row)
{
    const struct row *known;
    if (ordinal >= store_row_count(s, view))
        return false;
    known = &s->rows[view].list[ordinal];
    rows_get(&s->rows[view], &s->tracks, ordinal, row);
    row->view = view;
    row->name = texts_get(&s->texts, known->name);
    row->label = texts_get(&s->texts, known->label);
    if (view == VIEW_TASK)
        row->parent = task_parent(s, ordinal);
    return true;
}

bool store_get_row(const struct store *s, uint32_t view, uint32_t ordinal, struct store_row *row)
{
    struct track_sums sums = {{0}, {0}};
    if (!store_get_row_brief(s, view, ordinal, row))
        return false;
    track_total(&s->tracks.list[row->lanes[0].track], &sums);
    memcpy(row->time, sums.time, sizeof(row->time));
    return true;
}

bool store_get_head(const struct store *s, uint32_t view, uint32_t ordinal, struct store_head *head)
{
    if (ordinal >= store_row_count(s, view))
        return false;
    const struct row *row = &s->rows[view].list[ordinal];
    *head = (struct store_head){row->id, row->name, row->label, row->parent};
    if (view == VIEW_TASK)
        head->parent = task_parent(s, ordinal);
    return true;
}

bool store_find_row(const struct store *s, uint32_t view, int64_t id, uint32_t *ordinal)
{
    *ordinal = view < STORE_VIEWS ? ids_find(&s->rows[view].ids, id) : STORE_NONE;
    return *ordinal != STORE_NONE;
}

const struct track *store_track(const struct store *s, uint32_t track)
{
    return track < s->tracks.count ? &s->tracks.list[track] : NULL;
}

uint32_t store_track_count(const struct store *s)
{
    return (uint32_t) s->tracks.count;
}

bool store_track_row(const struct store *s, uint32_t track, uint32_t *view, uint32_t *ordinal)
{
    return tracks_owner(&s->tracks, track, view, ordinal);
}

uint32_t store_use_count(const struct store *s)
{
    return (uint32_t) s->uses.count;
}

bool store_get_use(const struct store *s, uint32_t number, struct store_use *use)
{
    if (number >= s->uses.count)
        return false;
    const struct uses_item *item = &s->uses.list[number];
    *use = (struct store_use){item->name, item->cls, item->count, uses_mask(number)};
    return true;
}

uint32_t store_track_uses(const struct store *s, uint32_t track)
{
    return track < s->tracks.count ? s->tracks.uses[track] : 0;
}

const struct track *store_gc(const struct store *s)
{
    return &s->gc;
}

const struct track *store_stw(const struct store *s)
{
    return &s->stw;
}

gt_string store_text(const struct store *s, uint32_t id)
{
    return texts_get(&s->texts, id);
}

uint32_t store_text_count(const struct store *s)
{
    return (uint32_t) s->texts.count;
}

bool store_find_text(const struct store *s, gt_string text, uint32_t *id)
{
    return texts_find(&s->texts, text, id);
}

bool store_frame(const struct store *s, uint32_t id, struct store_frame *frame)
{
    return frames_get(&s->frames, id, frame);
}

uint32_t store_frame_count(const struct store *s)
{
    return (uint32_t) s->frames.count;
}

uint64_t store_mark_count(const struct store *s)
{
    return s->marks.count;
}

uint64_t store_mark_find(const struct store *s, int64_t time)
{
    return marks_find(&s->marks, time);
}

bool store_get_mark(const struct store *s, uint64_t index, struct mark *mark)
{
    if (index >= s->marks.count)
        return false;
    marks_get(&s->marks, (size_t) index, mark, &mark->text_id);
    mark->text = texts_get(&s->texts, mark->text_id);
    return true;
}

size_t store_wakes(const struct store *s, uint32_t by, int64_t start, int64_t end, struct wake *out,
                   size_t max, uint64_t *total)
{
    return wakes_get(&s->wakes, by, start, end, out, max, total);
}

const struct counter *store_counter(const struct store *s, uint32_t which)
{
    return which < COUNTERS ? &s->counters[which] : NULL;
}

void store_get_counts(const struct store *s, struct store_counts *counts)
{
    *counts = s->counts;
}

int64_t store_end(const struct store *s)
{
    return s->end;
}

size_t store_memory(const struct store *s)
{
    /* The decoder has tables of all texts, too. */
    size_t bytes = sizeof(*s) + 2 * texts_memory(&s->texts) + s->texts.bytes +
                   frames_memory(&s->frames) + tracks_memory(&s->tracks) + uses_memory(&s->uses) +
                   s->task_parent_room * sizeof(*s->task_parents) + marks_memory(&s->marks) +
                   wakes_memory(&s->wakes) + pool_memory(&s->samples) + s->wait_room;
    for (size_t i = 0; i < STORE_VIEWS; i++)
        bytes += rows_memory(&s->rows[i]);
    for (size_t i = 0; i < COUNTERS; i++)
        bytes += counter_memory(&s->counters[i]);
    return bytes;
}
