/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope_sums.h"

#include <stdlib.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/scan.h"

enum {
    /* Up to this number of spans, every duration is kept and percentiles are exact. */
    EXACT_SPANS = 2 * 1000 * 1000,
    /*
     * A real trace has about thirty reasons. The limit protects against traces that are made to
     * exhaust memory.
     */
    REASONS_MAX = 1024
};

/* The state of one thread. */
struct worker {
    const struct gt_scope *scope;
    struct gt_scope_sums sums;
    /* Indexed by the id of a text: the number of the reason + 1. */
    GT_ARRAY(uint16_t) numbers;
};

static bool scope_sums_coarsen(struct gt_scope_sums *sums)
{
    if (sums->coarse)
        return true;
    sums->coarse = true;
    for (size_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (!gt_distribution_coarsen(&sums->classes[i], sums->mem))
            return false;
    }
    for (size_t i = 0; i < sums->reasons.count; i++) {
        if (!gt_distribution_coarsen(&sums->reasons.items[i].distribution, sums->mem))
            return false;
    }
    return true;
}

static struct gt_scope_sums_reason *scope_sums_new_reason(struct gt_scope_sums *sums, uint32_t name)
{
    if (gt_array_reserve(sums->mem, &sums->reasons, 1) != GT_OK)
        return NULL;
    struct gt_scope_sums_reason *reason = &sums->reasons.items[sums->reasons.count];
    *reason = (struct gt_scope_sums_reason){.name = name};
    if (sums->coarse && !gt_distribution_coarsen(&reason->distribution, sums->mem))
        return NULL;
    sums->reasons.count++;
    return reason;
}

static struct gt_scope_sums_reason *scope_sums_reason_of(struct worker *worker, uint32_t name)
{
    struct gt_scope_sums *sums = &worker->sums;
    if (gt_array_extend(sums->mem, &worker->numbers, name + (size_t) 1) != GT_OK)
        return NULL;
    if (worker->numbers.items[name] != 0)
        return &sums->reasons.items[worker->numbers.items[name] - 1];
    /* The last element is shared by all further reasons. */
    bool is_full = sums->reasons.count == REASONS_MAX;
    struct gt_scope_sums_reason *reason =
        is_full ? &sums->reasons.items[REASONS_MAX - 1]
                : scope_sums_new_reason(sums, sums->reasons.count == REASONS_MAX - 1 ? GT_STORE_NONE
                                                                                     : name);
    if (reason)
        worker->numbers.items[name] = (uint16_t) (reason - sums->reasons.items + 1);
    return reason;
}

static bool scope_sums_add_span(struct worker *worker, const struct gt_span *span, int64_t time)
{
    struct gt_scope_sums *sums = &worker->sums;
    if (!gt_distribution_add(&sums->classes[span->cls], sums->mem, time))
        return false;
    if (!gt_answer_is_waiting(span->cls))
        return true;
    struct gt_scope_sums_reason *reason = scope_sums_reason_of(worker, span->name);
    return reason && gt_distribution_add(&reason->distribution, sums->mem, time);
}

static bool scope_sums_add_part(void *user_data, const struct gt_scan_part *part)
{
    struct worker *worker = user_data;
    struct gt_start_functions *functions = &worker->sums.functions;
    uint32_t spans = part->last - part->first;
    if (part->passed + spans > EXACT_SPANS && !scope_sums_coarsen(&worker->sums))
        return false;
    worker->sums.spans += spans;
    uint32_t goroutine = GT_STORE_NONE;
    int64_t *times = NULL;
    for (uint32_t i = part->first; i < part->last; i++) {
        struct gt_span span;
        if (!gt_track_get(part->track, i, &span) || span.start >= worker->scope->end)
            break;
        int64_t time = gt_scope_clip(worker->scope, &span);
        if (!scope_sums_add_span(worker, &span, time))
            return false;
        if (span.goroutine == GT_STORE_NONE)
            continue;
        if (!times || goroutine != span.goroutine)
            times = gt_start_functions_time(functions, part->store, span.goroutine);
        if (!times)
            return false;
        goroutine = span.goroutine;
        gt_time_add_to(&times[span.cls], time);
    }
    return true;
}

/* Adds a part using the sums that the track keeps, without visiting its spans. */
static bool scope_sums_add_rest(void *user_data, const struct gt_scan_part *part)
{
    struct worker *worker = user_data;
    struct gt_track_sums sums = {0};
    struct gt_span first, last;
    if (!gt_track_get(part->track, part->first, &first) ||
        !gt_track_get(part->track, part->last - 1, &last))
        return true;
    int64_t start = first.start > worker->scope->start ? first.start : worker->scope->start;
    int64_t end = last.end < worker->scope->end ? last.end : worker->scope->end;
    gt_track_sum(part->track, start, end, &sums);
    int64_t *times = NULL;
    if (part->view == GT_STORE_VIEW_GOROUTINE) {
        times = gt_start_functions_time(&worker->sums.functions, part->store, part->ordinal);
        if (!times)
            return false;
    }
    for (size_t i = 0; i < GT_STORE_CLASSES; i++) {
        struct gt_track_sums *rest = &worker->sums.rest;
        gt_time_add_to(&rest->time[i], sums.time[i]);
        rest->count[i] += sums.count[i];
        if (times)
            gt_time_add_to(&times[i], sums.time[i]);
    }
    return true;
}

/* Adds the sums of the second worker to those of the first. */
static bool scope_sums_merge(struct worker *to, struct worker *from)
{
    bool is_coarse = to->sums.coarse || from->sums.coarse;
    if (is_coarse && (!scope_sums_coarsen(&to->sums) || !scope_sums_coarsen(&from->sums)))
        return false;
    for (size_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (!gt_distribution_merge(&to->sums.classes[i], to->sums.mem, &from->sums.classes[i]))
            return false;
    }
    for (size_t i = 0; i < from->sums.reasons.count; i++) {
        const struct gt_scope_sums_reason *more = &from->sums.reasons.items[i];
        struct gt_scope_sums_reason *reason = more->name != GT_STORE_NONE
                                                  ? scope_sums_reason_of(to, more->name)
                                              : to->sums.reasons.count == REASONS_MAX
                                                  ? &to->sums.reasons.items[REASONS_MAX - 1]
                                                  : scope_sums_new_reason(&to->sums, GT_STORE_NONE);
        if (!reason ||
            !gt_distribution_merge(&reason->distribution, to->sums.mem, &more->distribution))
            return false;
    }
    to->sums.spans += from->sums.spans;
    return gt_start_functions_merge(&to->sums.functions, &from->sums.functions);
}

static int scope_sums_compare_reasons(const void *a, const void *b)
{
    const struct gt_scope_sums_reason *left = a, *right = b;
    if (left->distribution.sum != right->distribution.sum)
        return left->distribution.sum > right->distribution.sum ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

static bool scope_sums_run(struct worker *workers, struct gt_store *store,
                           const struct gt_scope *scope, int64_t limit_ns,
                           struct gt_response *response)
{
    struct gt_scan scan = {.store = store,
                           .scope = scope,
                           .each = scope_sums_add_part,
                           .limit_ns = limit_ns,
                           .response = response};
    enum gt_scan_end end = gt_scan_run(&scan, &workers[0], &workers[1]);
    if (end == GT_SCAN_FAILED || !scope_sums_merge(&workers[0], &workers[1]))
        return false;
    workers[0].sums.cut = end == GT_SCAN_LATE;
    return end != GT_SCAN_LATE || gt_scan_rest(&scan, scope_sums_add_rest, &workers[0]);
}

bool gt_scope_sums_make(struct gt_scope_sums *sums, struct gt_mem *mem, struct gt_store *store,
                        const struct gt_scope *scope, int64_t limit_ns,
                        struct gt_response *response)
{
    struct worker workers[GT_SCAN_WORKERS] = {
        {.scope = scope, .sums = {.mem = mem, .functions.mem = mem}},
        {.scope = scope, .sums = {.mem = mem, .functions.mem = mem}},
    };
    bool made = scope_sums_run(workers, store, scope, limit_ns, response);
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++)
        gt_array_free(mem, &workers[i].numbers);
    gt_scope_sums_free(&workers[1].sums);
    *sums = workers[0].sums;
    gt_start_functions_sort(&sums->functions);
    if (sums->reasons.count > 0)
        qsort(sums->reasons.items, sums->reasons.count, sizeof(*sums->reasons.items),
              scope_sums_compare_reasons);
    return made;
}

void gt_scope_sums_free(struct gt_scope_sums *sums)
{
    for (size_t i = 0; i < GT_STORE_CLASSES; i++)
        gt_distribution_free(&sums->classes[i], sums->mem);
    for (size_t i = 0; i < sums->reasons.count; i++)
        gt_distribution_free(&sums->reasons.items[i].distribution, sums->mem);
    gt_array_free(sums->mem, &sums->reasons);
    gt_start_functions_free(&sums->functions);
}
