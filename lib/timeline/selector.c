/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/selector.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "base/wraps.h"

/* JSONTraceHandler in cmd/trace/jsontrace.go, and RelatedGoroutinesV2 in internal/trace/summary.go.
 */

enum {
    /* How far those are followed that unblocked the goroutine. */
    ROUNDS = 2
};

/* The first release's layouts; members are only ever added at the end. */
struct selector_options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

struct emitter_options_v1 {
    size_t size;
    uint64_t flags;
    int64_t range_start;
    int64_t range_end;
    gt_filter_fn filter;
    void *filter_data;
    uint64_t memory_limit;
    const gt_allocator *allocator;
};

static_assert(sizeof(gt_selector_options) == sizeof(struct selector_options_v1),
              "gt_selector_options");

static gt_status take_options(gt_selector_options *out, gt_allocator *allocator,
                              const gt_selector_options *options)
{
    memset(out, 0, sizeof(*out));
    if (!options)
        return gt_allocator_take(allocator, NULL);
    gt_status status =
        gt_struct_take(out, sizeof(*out), sizeof(struct selector_options_v1), options);
    if (status == GT_OK && out->flags != 0)
        status = GT_ERR_INVALID_ARGUMENT;
    return status == GT_OK ? gt_allocator_take(allocator, out->allocator) : status;
}

gt_status gt_selector_open(gt_selector **out, uint32_t selection, uint64_t id,
                           const gt_selector_options *options)
{
    gt_selector_options taken;
    gt_allocator allocator;
    if (!out)
        return GT_ERR_INVALID_ARGUMENT;
    *out = NULL;
    if (selection < GT_SELECT_GOROUTINE || selection > GT_SELECT_FOCUS_TASK)
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = take_options(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_selector *selector =
        gt_mem_create(sizeof(*selector), offsetof(struct gt_selector, mem), &allocator,
                      taken.memory_limit, &status);
    if (!selector)
        return status;
    selector->selection = selection;
    selector->id = id;
    gt_tl_pairs_init(&selector->pairs, &selector->mem);
    gt_idmap_init(&selector->tasks, &selector->mem);
    gt_pool_init(&selector->task_pool, &selector->mem, sizeof(struct gt_selected));
    gt_idmap_init(&selector->depths, &selector->mem);
    gt_idmap_init(&selector->rows, &selector->mem);
    *out = selector;
    return GT_OK;
}

void gt_selector_close(gt_selector **out)
{
    if (!out || !*out || (*out)->busy)
        return;
    struct gt_selector *selector = *out;
    *out = NULL;
    gt_tl_pairs_destroy(&selector->pairs);
    gt_idmap_destroy(&selector->tasks);
    gt_pool_destroy(&selector->task_pool);
    gt_idmap_destroy(&selector->depths);
    gt_idmap_destroy(&selector->rows);
    gt_mem_free(&selector->mem, selector->shown,
                selector->shown_capacity * sizeof(*selector->shown));
    struct gt_mem mem = selector->mem;
    gt_mem_free(&mem, selector, sizeof(*selector));
}

gt_status gt_selector_add_row(struct gt_selector *selector, int64_t goroutine, unsigned round)
{
    if (gt_idmap_get(&selector->rows, (uint64_t) goroutine))
        return GT_OK;
    return gt_idmap_put_number(&selector->rows, (uint64_t) goroutine, (size_t) round + 1);
}

/* Whether the row was added before this round. */
static int is_in(const struct gt_selector *selector, uint64_t goroutine, unsigned round)
{
    size_t mark = gt_idmap_get_number(&selector->rows, goroutine);
    return mark != 0 && mark <= round;
}

/* Notes when the goroutine ran first, and when it ended: Summarizer.Event. */
static void take_change(struct gt_selector *selector, const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    static const char forever[] = "forever";
    if (from == GT_GO_UNDETERMINED || from == GT_GO_NOT_EXIST)
        selector->has_run = selector->has_ended = 0;
    selector->is_found = 1;
    if (to == GT_GO_RUNNING && !selector->has_run) {
        selector->has_run = 1;
        selector->run_time = selector->now;
    }
    if (to == GT_GO_NOT_EXIST ||
        (to == GT_GO_WAITING && transition->reason.size == sizeof(forever) - 1 &&
         memcmp(transition->reason.data, forever, sizeof(forever) - 1) == 0)) {
        selector->has_ended = 1;
        selector->end_time = selector->now;
    }
}

static gt_status take_goroutine(struct gt_selector *selector, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &transition) != GT_OK ||
        transition.resource.kind != GT_RESOURCE_GOROUTINE || transition.from == transition.to)
        return GT_OK;
    if ((uint64_t) transition.resource.id == selector->id)
        take_change(selector, &transition);
    if (transition.from != GT_GO_WAITING || event->goroutine == GT_NO_GOROUTINE)
        return GT_OK;
    return gt_tl_pairs_add(&selector->pairs, (uint64_t) transition.resource.id,
                           (uint64_t) event->goroutine);
}

gt_status gt_selector_event(gt_selector *selector, const gt_event *event)
{
    if (!selector || !event || selector->busy || selector->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (selector->status != GT_OK)
        return selector->status;
    if (selector->events++ == 0)
        selector->start = event->time;
    selector->now = event->time;
    selector->busy = 1;
    selector->status = selector->selection == GT_SELECT_GOROUTINE
                           ? take_goroutine(selector, event)
                           : gt_selector_take_task(selector, event);
    selector->busy = 0;
    return selector->status;
}

static gt_status relate(struct gt_selector *selector)
{
    gt_status status = gt_selector_add_row(selector, (int64_t) selector->id, 0);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        for (size_t i = 0; i < selector->pairs.count && status == GT_OK; i++) {
            const struct gt_tl_pair *pair = &selector->pairs.list[i];
            if (is_in(selector, pair->from, round))
                status = gt_selector_add_row(selector, (int64_t) pair->to, round);
        }
    }
    return status;
}

static gt_status finish_goroutine(struct gt_selector *selector)
{
    if (!selector->is_found)
        return GT_ERR_NOT_AVAILABLE;
    selector->range_start = selector->has_run ? selector->run_time : selector->start;
    selector->range_end = selector->has_ended ? selector->end_time : selector->now;
    selector->focus = (int64_t) selector->id;
    return relate(selector);
}

gt_status gt_selector_finish(gt_selector *selector)
{
    if (!selector || selector->busy || selector->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (selector->status != GT_OK)
        return selector->status;
    selector->busy = 1;
    selector->status = selector->selection == GT_SELECT_GOROUTINE
                           ? finish_goroutine(selector)
                           : gt_selector_finish_task(selector);
    selector->busy = 0;
    selector->finished = 1;
    return selector->status;
}

static int is_row(void *user_data, uint64_t resource)
{
    const struct gt_selector *selector = user_data;
    return gt_idmap_get(&selector->rows, resource) != NULL;
}

gt_status gt_selector_apply(const gt_selector *selector, gt_emitter_options *options)
{
    if (!selector || selector->busy || !selector->finished || selector->status != GT_OK ||
        !gt_struct_fits(options, sizeof(struct emitter_options_v1)))
        return GT_ERR_INVALID_ARGUMENT;
    options->range_start = gt_time_minus(selector->range_start, selector->start);
    options->range_end = gt_time_minus(selector->range_end, selector->start);
    if (selector->selection != GT_SELECT_FOCUS_TASK) {
        void *data;
        memcpy(&data, &selector, sizeof(data));
        options->filter = is_row;
        options->filter_data = data;
    }
    return GT_OK;
}
