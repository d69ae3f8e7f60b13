/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope_sums.h"

#include <stdlib.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/scan.h"

enum {
    /* Up to this number of spans, every duration is kept and one pass suffices. */
    EXACT_SPANS = 2 * 1000 * 1000,
    /*
     * A real trace has about thirty reasons. The limit protects against traces that are made to
     * exhaust memory.
     */
    REASONS_MAX = 1024,
    /* The most durations that the second pass collects, which take 64 MB. */
    COLLECTED_MAX = 8 * 1000 * 1000
};

const unsigned int gt_scope_sums_percents[GT_SCOPE_SUMS_PERCENTS] = {50, 95, 99};

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

static bool scope_sums_add_span(struct worker *worker, const struct gt_span_brief *span,
                                int64_t time)
{
    struct gt_scope_sums *sums = &worker->sums;
    if (!gt_distribution_add(&sums->classes[span->cls], sums->mem, time))
        return false;
    if (!gt_answer_is_waiting(span->cls))
        return true;
    struct gt_scope_sums_reason *reason = scope_sums_reason_of(worker, span->name);
    return reason && gt_distribution_add(&reason->distribution, sums->mem, time);
}

/* Adds spans of a part to all sums. */
static bool scope_sums_add_spans(struct worker *worker, const struct gt_scan_part *part,
                                 const struct gt_span_brief *spans, uint32_t count)
{
    uint32_t goroutine = GT_STORE_NONE;
    int64_t *times = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct gt_span_brief *span = &spans[i];
        int64_t time = gt_scan_clip(part, span->start, span->end);
        if (span->start >= part->to)
            break;
        if (!scope_sums_add_span(worker, span, time))
            return false;
        if (span->goroutine == GT_STORE_NONE)
            continue;
        if (!times || goroutine != span->goroutine)
            times = gt_start_functions_time(&worker->sums.functions, part->store, span->goroutine);
        if (!times)
            return false;
        goroutine = span->goroutine;
        gt_time_add_to(&times[span->cls], time);
    }
    return true;
}

static bool scope_sums_add_part(void *user_data, const struct gt_scan_part *part)
{
    struct worker *worker = user_data;
    struct gt_span_brief spans[GT_TRACK_BRIEFS];
    uint32_t all = part->last - part->first, count;
    if (part->passed + all > EXACT_SPANS && !scope_sums_coarsen(&worker->sums))
        return false;
    worker->sums.spans += all;
    for (uint32_t i = part->first; i < part->last; i += count) {
        count = gt_track_briefs(part->track, i, part->last, spans);
        if (count == 0)
            return true;
        if (!scope_sums_add_spans(worker, part, spans, count))
            return false;
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

static size_t scope_sums_distribution_count(const struct gt_scope_sums *sums)
{
    return GT_STORE_CLASSES + sums->reasons.count;
}

/* The distributions of the classes, then those of the reasons. */
static struct gt_distribution *scope_sums_distribution(struct gt_scope_sums *sums, size_t i)
{
    return i < GT_STORE_CLASSES ? &sums->classes[i]
                                : &sums->reasons.items[i - GT_STORE_CLASSES].distribution;
}

/* The state of one thread in the second pass. */
struct refiner {
    struct gt_mem *mem;
    /* The worker that has the sums, which do not change meanwhile. */
    const struct worker *worker;
    /* By the number of the distribution. */
    GT_ARRAY(struct gt_distribution_windows) windows;
};

static bool refiner_open(struct refiner *refiner, struct gt_scope_sums *sums)
{
    size_t count = scope_sums_distribution_count(sums);
    uint64_t left = COLLECTED_MAX;
    if (gt_array_extend(refiner->mem, &refiner->windows, count) != GT_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < GT_SCOPE_SUMS_PERCENTS; k++)
            left -= gt_distribution_add_window(scope_sums_distribution(sums, i),
                                               &refiner->windows.items[i],
                                               gt_scope_sums_percents[k], left);
    }
    return true;
}

static void refiner_close(struct refiner *refiner)
{
    for (size_t i = 0; i < refiner->windows.count; i++)
        gt_distribution_windows_free(&refiner->windows.items[i], refiner->mem);
    gt_array_free(refiner->mem, &refiner->windows);
}

static bool refiner_add_span(struct refiner *refiner, const struct gt_scan_part *part,
                             const struct gt_span_brief *span)
{
    int64_t time = gt_scan_clip(part, span->start, span->end);
    struct gt_distribution_windows *windows = refiner->windows.items;
    if (!gt_distribution_collect(&windows[span->cls], refiner->mem, time))
        return false;
    const struct worker *worker = refiner->worker;
    if (!gt_answer_is_waiting(span->cls) || span->name >= worker->numbers.count ||
        worker->numbers.items[span->name] == 0)
        return true;
    windows += GT_STORE_CLASSES + worker->numbers.items[span->name] - 1;
    return gt_distribution_collect(windows, refiner->mem, time);
}

static bool refiner_add_part(void *user_data, const struct gt_scan_part *part)
{
    struct refiner *refiner = user_data;
    struct gt_span_brief spans[GT_TRACK_BRIEFS];
    uint32_t count;
    for (uint32_t i = part->first; i < part->last; i += count) {
        count = gt_track_briefs(part->track, i, part->last, spans);
        if (count == 0)
            return true;
        for (uint32_t k = 0; k < count && spans[k].start < part->to; k++) {
            if (!refiner_add_span(refiner, part, &spans[k]))
                return false;
        }
    }
    return true;
}

static bool scope_sums_take_windows(struct gt_scope_sums *sums, const struct refiner *refiners)
{
    for (size_t i = 0; i < refiners[0].windows.count; i++) {
        if (!gt_distribution_take_windows(scope_sums_distribution(sums, i), sums->mem,
                                          &refiners[0].windows.items[i],
                                          &refiners[1].windows.items[i]))
            return false;
    }
    return true;
}

/* Collects the durations near the percentiles in a second pass, so that these become exact. */
static bool scope_sums_refine(struct worker *worker, struct gt_store *store,
                              struct gt_response *response)
{
    struct gt_scope_sums *sums = &worker->sums;
    const struct refiner refiner = {.mem = sums->mem, .worker = worker};
    struct refiner refiners[GT_SCAN_WORKERS] = {refiner, refiner};
    struct gt_scan scan = {
        .store = store, .scope = worker->scope, .each = refiner_add_part, .response = response};
    bool good = refiner_open(&refiners[0], sums) && refiner_open(&refiners[1], sums) &&
                gt_scan_run(&scan, &refiners[0], &refiners[1]) == GT_SCAN_DONE &&
                scope_sums_take_windows(sums, refiners);
    for (size_t i = 0; i < GT_SCAN_WORKERS; i++)
        refiner_close(&refiners[i]);
    return good;
}

static bool scope_sums_is_approximate(struct gt_scope_sums *sums)
{
    for (size_t i = 0; i < scope_sums_distribution_count(sums); i++) {
        for (size_t k = 0; k < GT_SCOPE_SUMS_PERCENTS; k++) {
            if (!gt_distribution_is_exact(scope_sums_distribution(sums, i),
                                          gt_scope_sums_percents[k]))
                return true;
        }
    }
    return false;
}

static bool scope_sums_run(struct worker *workers, struct gt_store *store, bool rough,
                           struct gt_response *response)
{
    struct gt_scan scan = {.store = store,
                           .scope = workers[0].scope,
                           .each = scope_sums_add_part,
                           .response = response};
    struct gt_scope_sums *sums = &workers[0].sums;
    if (gt_scan_run(&scan, &workers[0], &workers[1]) != GT_SCAN_DONE ||
        !scope_sums_merge(&workers[0], &workers[1]))
        return false;
    gt_scope_sums_free(&workers[1].sums);
    sums->approximate = scope_sums_is_approximate(sums);
    if (!sums->approximate || rough)
        return true;
    if (!scope_sums_refine(&workers[0], store, response))
        return false;
    sums->approximate = scope_sums_is_approximate(sums);
    return true;
}

bool gt_scope_sums_make(struct gt_scope_sums *sums, struct gt_mem *mem, struct gt_store *store,
                        const struct gt_scope *scope, bool rough, struct gt_response *response)
{
    struct worker workers[GT_SCAN_WORKERS] = {
        {.scope = scope, .sums = {.mem = mem, .functions.mem = mem}},
        {.scope = scope, .sums = {.mem = mem, .functions.mem = mem}},
    };
    bool made = scope_sums_run(workers, store, rough, response);
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
