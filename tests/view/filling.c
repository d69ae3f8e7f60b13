/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/filling.h"

#include <string.h>

#include "support/test.h"
#include "view/memory.h"

void filling_open(struct filling *f)
{
    gt_consumer consumer;
    f->store = gt_store_new(false, &memory_allocator);
    assert_non_null(f->store);
    gt_store_consumer(f->store, &consumer);
    assert_status(gt_emitter_open(&f->emitter, &consumer, NULL, NULL), GT_OK);
}

void filling_close(struct filling *f)
{
    gt_emitter_close(&f->emitter);
    gt_store_free(f->store);
    assert_int_equal(memory_shared()->used, 0);
}

gt_string filling_text(const char *text)
{
    return (gt_string){text, strlen(text)};
}

static void add_number(gt_viewer_argument *arguments, size_t *count, const char *key, int64_t value)
{
    if (value == -1)
        return;
    arguments[(*count)++] = (gt_viewer_argument){
        filling_text(key), GT_VIEWER_SIGNED, 0, (uint64_t) value, {"", 0}, 0,
    };
}

static void add_text(gt_viewer_argument *arguments, size_t *count, const char *key,
                     const char *value)
{
    if (!value)
        return;
    arguments[(*count)++] = (gt_viewer_argument){
        filling_text(key), GT_VIEWER_STRING, 0, 0, filling_text(value), 0,
    };
}

static gt_slice make_slice(uint64_t row, const char *name, int64_t start, int64_t end)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = row;
    slice.name = filling_text(name);
    slice.time = start;
    slice.duration = end - start;
    return slice;
}

gt_status filling_add_state(struct filling *f, int64_t goroutine, const struct filling_state *said)
{
    gt_viewer_argument arguments[4];
    size_t count = 0;
    gt_slice slice = make_slice((uint64_t) goroutine, said->name, said->start, said->end);
    add_number(arguments, &count, "proc", said->proc);
    add_number(arguments, &count, "thread", said->thread);
    add_text(arguments, &count, "reason", said->reason);
    add_number(arguments, &count, "by", said->by);
    slice.category = filling_text("state");
    slice.stack = said->stack;
    slice.end_stack = said->end_stack;
    slice.arguments = arguments;
    slice.argument_count = count;
    return gt_emitter_slice(f->emitter, &slice);
}

gt_status filling_add_goroutine(struct filling *f, int64_t goroutine, const char *function,
                                int64_t by, const char *label, uint32_t stack)
{
    gt_viewer_argument arguments[2];
    size_t count = 0;
    gt_instant instant = GT_INSTANT_INIT;
    add_number(arguments, &count, "by", by);
    add_text(arguments, &count, "label", label);
    instant.resource = (uint64_t) goroutine;
    instant.name = filling_text(function);
    instant.category = filling_text("goroutine");
    instant.stack = stack;
    instant.arguments = arguments;
    instant.argument_count = count;
    return gt_emitter_instant(f->emitter, &instant);
}

gt_status filling_add_region(struct filling *f, int64_t goroutine, const char *name, int64_t start,
                             int64_t end)
{
    gt_slice slice = make_slice((uint64_t) goroutine, name, start, end);
    slice.category = filling_text("Region");
    return gt_emitter_async_slice(f->emitter, &slice);
}

gt_status filling_add_range(struct filling *f, uint64_t row, const char *name, int64_t start,
                            int64_t end)
{
    gt_slice slice = make_slice(row, name, start, end);
    return gt_emitter_slice(f->emitter, &slice);
}

gt_status filling_add_task(struct filling *f, uint64_t task, const char *name, int64_t start,
                           int64_t end, uint64_t parent)
{
    gt_slice slice = make_slice(task, name, start, end);
    gt_arrow arrow = GT_ARROW_INIT;
    gt_status status = gt_emitter_task_slice(f->emitter, &slice);
    if (status != GT_OK || parent == 0)
        return status;
    arrow.from = parent;
    arrow.to = task;
    arrow.from_time = arrow.to_time = start;
    arrow.name = filling_text("newTask");
    return gt_emitter_task_arrow(f->emitter, &arrow);
}

gt_status filling_add_mark(struct filling *f, int64_t goroutine, const char *name,
                           const char *category, int64_t time, uint32_t stack)
{
    gt_instant instant = GT_INSTANT_INIT;
    instant.resource = (uint64_t) goroutine;
    instant.name = filling_text(name);
    instant.category = filling_text(category);
    instant.time = time;
    instant.stack = stack;
    return gt_emitter_instant(f->emitter, &instant);
}

void filling_state(struct filling *f, int64_t goroutine, const struct filling_state *said)
{
    assert_status(filling_add_state(f, goroutine, said), GT_OK);
}

void filling_goroutine(struct filling *f, int64_t goroutine, const char *function, int64_t by)
{
    assert_status(filling_add_goroutine(f, goroutine, function, by, NULL, 0), GT_OK);
}

struct gt_store_row filling_row(const struct filling *f, uint32_t view, int64_t id)
{
    struct gt_store_row row;
    uint32_t ordinal;
    assert_true(gt_store_find_row(f->store, view, id, &ordinal));
    assert_true(gt_store_get_row(f->store, view, ordinal, &row));
    assert_int_equal(row.id, id);
    assert_int_equal(row.view, view);
    assert_int_equal(row.ordinal, ordinal);
    return row;
}

struct gt_span filling_span(const struct filling *f, const struct gt_store_row *row, size_t lane,
                            uint32_t index)
{
    struct gt_span span;
    assert_true(lane < row->lane_count);
    assert_true(gt_track_get(gt_store_track(f->store, row->lanes[lane].track), index, &span));
    return span;
}
