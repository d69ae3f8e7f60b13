/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/selector.h"

#include <string.h>

#include "base/error.h"
#include "base/object.h"
#include "base/time.h"
#include "timeline/end.h"

/*
 * Selects the same part of the trace as JSONTraceHandler in cmd/trace/jsontrace.go and
 * RelatedGoroutinesV2 in internal/trace/summary.go.
 */

enum {
    /* The number of rounds in which rows are added: each round adds the goroutines that unblocked a
     * goroutine of the round before. */
    SELECTOR_ROUNDS = 2
};

gt_status gt_selector_open(gt_selector **out, uint32_t selection, uint64_t id,
                           const gt_selector_options *options, gt_error *error)
{
    static const gt_selector_options defaults = GT_SELECTOR_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "selector", gt_selector, gt_selector_options, allocator, 0, &defaults, NULL);
    if (!out)
        return gt_error_report_refusal(error, "selector is NULL");
    *out = NULL;
    if (selection < GT_SELECT_GOROUTINE || selection > GT_SELECT_FOCUS_TASK)
        return gt_error_report_refusal(error, "selection is not a gt_selection");
    gt_status status;
    struct gt_selector *selector = gt_object_open(out, &layout, options, error, &status);
    if (!selector)
        return status;
    selector->selection = selection;
    selector->id = id;
    gt_tl_pairs_init(&selector->pairs, &selector->mem);
    gt_idmap_init_objects(&selector->tasks, &selector->mem, sizeof(struct gt_selector_task));
    gt_idmap_init(&selector->region_depths, &selector->mem);
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
    gt_idmap_destroy(&selector->region_depths);
    gt_idmap_destroy(&selector->rows);
    gt_array_free(&selector->mem, &selector->shown);
    gt_mem_delete(&selector->mem, selector, sizeof(*selector));
}

gt_status gt_selector_add_row(struct gt_selector *selector, int64_t goroutine, unsigned round)
{
    if (gt_idmap_get(&selector->rows, (uint64_t) goroutine))
        return GT_OK;
    return gt_idmap_put_number(&selector->rows, (uint64_t) goroutine, (size_t) round + 1);
}

static bool selector_has_row_before(const struct gt_selector *selector, uint64_t goroutine,
                                    unsigned round)
{
    size_t round_plus_1 = gt_idmap_get_number(&selector->rows, goroutine);
    return round_plus_1 != 0 && round_plus_1 <= round;
}

/* Notes when the selected goroutine first ran and when it ended, as Summarizer.Event does. */
static void selector_note_lifetime(struct gt_selector *selector, const gt_transition *transition)
{
    if (transition->from == GT_GO_UNDETERMINED || transition->from == GT_GO_NOT_EXIST)
        selector->has_run = selector->has_ended = false;
    selector->is_found = true;
    if (transition->to == GT_GO_RUNNING && !selector->has_run) {
        selector->has_run = true;
        selector->run_time = selector->now;
    }
    if (gt_tl_transition_is_end(transition)) {
        selector->has_ended = true;
        selector->end_time = selector->now;
    }
}

static gt_status selector_take_goroutine(struct gt_selector *selector, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &transition) != GT_OK ||
        transition.resource.kind != GT_RESOURCE_GOROUTINE || transition.from == transition.to)
        return GT_OK;
    if ((uint64_t) transition.resource.id == selector->id)
        selector_note_lifetime(selector, &transition);
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
    selector->busy = true;
    selector->status = selector->selection == GT_SELECT_GOROUTINE
                           ? selector_take_goroutine(selector, event)
                           : gt_selector_take_task(selector, event);
    selector->busy = false;
    return selector->status;
}

static gt_status selector_add_related(struct gt_selector *selector)
{
    gt_status status = gt_selector_add_row(selector, (int64_t) selector->id, 0);
    for (unsigned round = 1; round <= SELECTOR_ROUNDS; round++) {
        for (size_t i = 0; i < selector->pairs.list.count && status == GT_OK; i++) {
            const struct gt_tl_pair *pair = &selector->pairs.list.items[i];
            if (selector_has_row_before(selector, pair->from, round))
                status = gt_selector_add_row(selector, (int64_t) pair->to, round);
        }
    }
    return status;
}

static gt_status selector_finish_goroutine(struct gt_selector *selector)
{
    if (!selector->is_found)
        return GT_ERR_NOT_AVAILABLE;
    selector->range_start = selector->has_run ? selector->run_time : selector->start;
    selector->range_end = selector->has_ended ? selector->end_time : selector->now;
    selector->focus = (int64_t) selector->id;
    return selector_add_related(selector);
}

gt_status gt_selector_finish(gt_selector *selector)
{
    if (!selector || selector->busy || selector->finished)
        return GT_ERR_INVALID_ARGUMENT;
    if (selector->status != GT_OK)
        return selector->status;
    selector->busy = true;
    selector->status = selector->selection == GT_SELECT_GOROUTINE
                           ? selector_finish_goroutine(selector)
                           : gt_selector_finish_task(selector);
    selector->busy = false;
    selector->finished = true;
    return selector->status;
}

/* The gt_filter_fn of a selection. */
static int selector_filter(void *user_data, uint64_t resource)
{
    const struct gt_selector *selector = user_data;
    return gt_idmap_get(&selector->rows, resource) != NULL;
}

gt_status gt_selector_apply(const gt_selector *selector, gt_emitter_options *options)
{
    if (!selector || selector->busy || !selector->finished || selector->status != GT_OK ||
        !gt_struct_fits(options, GT_UP_TO(gt_emitter_options, allocator)))
        return GT_ERR_INVALID_ARGUMENT;
    options->range_start = gt_time_minus(selector->range_start, selector->start);
    options->range_end = gt_time_minus(selector->range_end, selector->start);
    if (selector->selection != GT_SELECT_FOCUS_TASK) {
        /* The filter only reads the selector, but `filter_data` does not point to a constant. */
        void *data;
        memcpy(&data, &selector, sizeof(data));
        options->filter = selector_filter;
        options->filter_data = data;
    }
    return GT_OK;
}
