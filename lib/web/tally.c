/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/tally.h"

#include <stdlib.h>
#include <string.h>

#include "web/answer.h"
#include "web/scan.h"

enum {
    /* The most spans of which each duration is kept. */
    EXACT_SPANS = 2 * 1000 * 1000,
    /* A trace has some thirty; one that is made to have more must not take memory for each. */
    REASONS_MAX = 1024,
    FIRST_CAPACITY = 16
};

/* One thread's. */
struct worker {
    const struct scope *scope;
    struct tally tally;
    /* By a text: the number of the reason + 1. */
    uint16_t *numbers;
    size_t texts;
};

static bool coarsen(struct tally *tally)
{
    if (tally->coarse)
        return true;
    tally->coarse = true;
    for (size_t i = 0; i < STORE_CLASSES; i++) {
        if (!spread_coarsen(&tally->classes[i]))
            return false;
    }
    for (size_t i = 0; i < tally->reason_count; i++) {
        if (!spread_coarsen(&tally->reasons[i].spread))
            return false;
    }
    return true;
}

static struct tally_reason *new_reason(struct tally *tally, uint32_t name)
{
    if (tally->reason_count == tally->reason_capacity) {
        size_t capacity = tally->reason_capacity == 0 ? FIRST_CAPACITY : 2 * tally->reason_capacity;
        struct tally_reason *reasons = realloc(tally->reasons, capacity * sizeof(*reasons));
        if (reasons == NULL)
            return NULL;
        tally->reasons = reasons;
        tally->reason_capacity = capacity;
    }
    struct tally_reason *reason = &tally->reasons[tally->reason_count];
    *reason = (struct tally_reason){.name = name};
    if (tally->coarse && !spread_coarsen(&reason->spread))
        return NULL;
    tally->reason_count++;
    return reason;
}

static bool reserve_numbers(struct worker *worker, size_t count)
{
    if (count <= worker->texts)
        return true;
    size_t texts = count + count / 2;
    uint16_t *numbers = realloc(worker->numbers, texts * sizeof(*numbers));
    if (numbers == NULL)
        return false;
    memset(numbers + worker->texts, 0, (texts - worker->texts) * sizeof(*numbers));
    worker->numbers = numbers;
    worker->texts = texts;
    return true;
}

static struct tally_reason *reason_of(struct worker *worker, uint32_t name)
{
    struct tally *tally = &worker->tally;
    if (!reserve_numbers(worker, (size_t) name + 1))
        return NULL;
    if (worker->numbers[name] != 0)
        return &tally->reasons[worker->numbers[name] - 1];
    /* The last one is what all others share. */
    bool is_full = tally->reason_count == REASONS_MAX;
    struct tally_reason *reason =
        is_full ? &tally->reasons[REASONS_MAX - 1]
                : new_reason(tally, tally->reason_count == REASONS_MAX - 1 ? STORE_NONE : name);
    if (reason != NULL)
        worker->numbers[name] = (uint16_t) (reason - tally->reasons + 1);
    return reason;
}

static bool add_span(struct worker *worker, const struct span *span, int64_t time)
{
    if (!spread_add(&worker->tally.classes[span->cls], time))
        return false;
    if (!answer_is_waiting(span->cls))
        return true;
    struct tally_reason *reason = reason_of(worker, span->name);
    return reason != NULL && spread_add(&reason->spread, time);
}

static int64_t clipped(const struct scope *scope, const struct span *span)
{
    int64_t start = span->start > scope->start ? span->start : scope->start;
    int64_t end = span->end < scope->end ? span->end : scope->end;
    return end - start;
}

static bool add_part(void *user_data, const struct scan_part *part)
{
    struct worker *worker = user_data;
    struct starts *starts = &worker->tally.starts;
    uint32_t spans = part->last - part->first;
    if (part->passed + spans > EXACT_SPANS && !coarsen(&worker->tally))
        return false;
    worker->tally.spans += spans;
    uint32_t goroutine = STORE_NONE;
    int64_t *times = NULL;
    for (uint32_t i = part->first; i < part->last; i++) {
        struct span span;
        if (!track_get(part->track, i, &span) || span.start >= worker->scope->end)
            break;
        int64_t time = clipped(worker->scope, &span);
        if (!add_span(worker, &span, time))
            return false;
        if (span.goroutine == STORE_NONE)
            continue;
        if (times == NULL || goroutine != span.goroutine)
            times = starts_time(starts, part->store, span.goroutine);
        if (times == NULL)
            return false;
        goroutine = span.goroutine;
        times[span.cls] = spread_sum(times[span.cls], time);
    }
    return true;
}

/* Adds a part by the sums that the track has of it. */
static bool add_rest(void *user_data, const struct scan_part *part)
{
    struct worker *worker = user_data;
    struct track_sums sums = {0};
    struct span first, last;
    if (!track_get(part->track, part->first, &first) ||
        !track_get(part->track, part->last - 1, &last))
        return true;
    int64_t start = first.start > worker->scope->start ? first.start : worker->scope->start;
    int64_t end = last.end < worker->scope->end ? last.end : worker->scope->end;
    track_sum(part->track, start, end, &sums);
    int64_t *times = NULL;
    if (part->view == VIEW_GOROUTINE) {
        times = starts_time(&worker->tally.starts, part->store, part->ordinal);
        if (times == NULL)
            return false;
    }
    for (size_t i = 0; i < STORE_CLASSES; i++) {
        struct track_sums *rest = &worker->tally.rest;
        rest->time[i] = spread_sum(rest->time[i], sums.time[i]);
        rest->count[i] += sums.count[i];
        if (times != NULL)
            times[i] = spread_sum(times[i], sums.time[i]);
    }
    return true;
}

/* Adds what the second worker has to what the first has. */
static bool merge(struct worker *to, struct worker *from)
{
    bool is_coarse = to->tally.coarse || from->tally.coarse;
    if (is_coarse && (!coarsen(&to->tally) || !coarsen(&from->tally)))
        return false;
    for (size_t i = 0; i < STORE_CLASSES; i++) {
        if (!spread_merge(&to->tally.classes[i], &from->tally.classes[i]))
            return false;
    }
    for (size_t i = 0; i < from->tally.reason_count; i++) {
        const struct tally_reason *more = &from->tally.reasons[i];
        struct tally_reason *reason = more->name != STORE_NONE ? reason_of(to, more->name)
                                      : to->tally.reason_count == REASONS_MAX
                                          ? &to->tally.reasons[REASONS_MAX - 1]
                                          : new_reason(&to->tally, STORE_NONE);
        if (reason == NULL || !spread_merge(&reason->spread, &more->spread))
            return false;
    }
    to->tally.spans += from->tally.spans;
    return starts_merge(&to->tally.starts, &from->tally.starts);
}

static int compare_reasons(const void *a, const void *b)
{
    const struct tally_reason *left = a, *right = b;
    if (left->spread.sum != right->spread.sum)
        return left->spread.sum > right->spread.sum ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

static bool run(struct worker *workers, struct store *store, const struct scope *scope,
                int64_t limit_ns, struct gt_response *response)
{
    void *both[SCAN_WORKERS] = {&workers[0], &workers[1]};
    struct scan scan = {.store = store,
                        .scope = scope,
                        .each = add_part,
                        .limit_ns = limit_ns,
                        .response = response};
    enum scan_end end = scan_run(&scan, both);
    if (end == SCAN_FAILED || !merge(&workers[0], &workers[1]))
        return false;
    workers[0].tally.cut = end == SCAN_LATE;
    return end != SCAN_LATE || scan_rest(&scan, add_rest, &workers[0]);
}

bool tally_make(struct tally *tally, struct store *store, const struct scope *scope,
                int64_t limit_ns, struct gt_response *response)
{
    struct worker workers[SCAN_WORKERS] = {{.scope = scope}, {.scope = scope}};
    bool made = run(workers, store, scope, limit_ns, response);
    for (size_t i = 0; i < SCAN_WORKERS; i++)
        free(workers[i].numbers);
    tally_free(&workers[1].tally);
    *tally = workers[0].tally;
    starts_sort(&tally->starts);
    if (tally->reason_count > 0)
        qsort(tally->reasons, tally->reason_count, sizeof(*tally->reasons), compare_reasons);
    return made;
}

void tally_free(struct tally *tally)
{
    for (size_t i = 0; i < STORE_CLASSES; i++)
        spread_free(&tally->classes[i]);
    for (size_t i = 0; i < tally->reason_count; i++)
        spread_free(&tally->reasons[i].spread);
    free(tally->reasons);
    starts_free(&tally->starts);
}
