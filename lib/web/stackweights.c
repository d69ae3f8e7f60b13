/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/stackweights.h"

#include <stdlib.h>
#include <string.h>

#include "web/answer.h"
#include "web/samples.h"
#include "web/scan.h"
#include "web/spread.h"

enum {
    /* Frames that are copied while the lock is held once. */
    FRAMES_STEP = 16384
};

#define LIMIT_NS INT64_C(2000000000)

const char *const stackweights_names[WEIGHTS_KINDS] = {
    "cpu", "running", "wall", "offcpu", "waiting", "runnable", "syscall",
};

/* One thread's. */
struct worker {
    const struct scope *scope;
    struct stackweights weights;
};

static bool is_wanted(enum stackweights_kind kind, uint32_t cls)
{
    switch (kind) {
    case WEIGHTS_RUNNING:
        return cls == CLASS_RUNNING || cls == CLASS_RUNNING_GC;
    case WEIGHTS_WALL:
        return cls <= CLASS_WAIT_OTHER;
    case WEIGHTS_OFFCPU:
        return cls == CLASS_SYSCALL_BLOCKED || answer_is_waiting(cls);
    case WEIGHTS_WAITING:
        return answer_is_waiting(cls);
    case WEIGHTS_RUNNABLE:
        return cls == CLASS_RUNNABLE;
    case WEIGHTS_SYSCALL:
        return cls == CLASS_SYSCALL || cls == CLASS_SYSCALL_BLOCKED;
    default:
        return false;
    }
}

static bool add(struct stackweights *weights, size_t group, uint32_t stack, int64_t weight)
{
    if (stack >= weights->frames[group]) {
        size_t old = weights->frames[group], count = (size_t) stack + stack / 2 + 1024;
        int64_t *grown = realloc(weights->groups[group], count * sizeof(*grown));
        if (grown == NULL)
            return false;
        memset(grown + old, 0, (count - old) * sizeof(*grown));
        weights->groups[group] = grown;
        weights->frames[group] = count;
    }
    int64_t *sum = &weights->groups[group][stack];
    *sum = spread_sum(*sum, weight);
    return true;
}

/*
 * The stack that a span's time goes to. A trace has stacks where states change: what ran
 * was last seen where it stopped, and what waits is where it began to.
 */
static uint32_t stack_of(const struct track *track, const struct span *span)
{
    bool runs = span->cls == CLASS_RUNNING || span->cls == CLASS_RUNNING_GC;
    struct span last;
    if (runs && span->end_stack != 0)
        return span->end_stack;
    if (span->stack != 0 || span->cls != CLASS_RUNNABLE || span->index == 0 ||
        !track_get(track, span->index - 1, &last))
        return span->stack;
    return last.end_stack != 0 ? last.end_stack : last.stack;
}

static bool add_span(struct worker *worker, const struct scan_part *part, const struct span *span)
{
    const struct scope *scope = worker->scope;
    struct span state = *span;
    const struct track *track = part->track;
    /* What ran on a proc or a thread has its stacks in the goroutine's own lane. */
    if (part->view == VIEW_PROC || part->view == VIEW_THREAD) {
        uint32_t states = answer_state_at(part->store, span->goroutine, span->start, &state);
        if (states == STORE_NONE)
            state.stack = state.end_stack = 0;
        else
            track = store_track(part->store, states);
    }
    int64_t start = span->start > scope->start ? span->start : scope->start;
    int64_t end = span->end < scope->end ? span->end : scope->end;
    size_t group = worker->weights.kind == WEIGHTS_WALL ? span->cls : 0;
    return add(&worker->weights, group, stack_of(track, &state), end - start);
}

static bool add_part(void *user_data, const struct scan_part *part)
{
    struct worker *worker = user_data;
    for (uint32_t i = part->first; i < part->last; i++) {
        struct span span;
        if (!track_get(part->track, i, &span) || span.start >= worker->scope->end)
            break;
        if (is_wanted(worker->weights.kind, span.cls) && !add_span(worker, part, &span))
            return false;
    }
    return true;
}

static bool merge(struct stackweights *weights, const struct stackweights *more)
{
    for (size_t group = 0; group < STORE_CLASSES; group++) {
        for (size_t i = 0; i < more->frames[group]; i++) {
            if (more->groups[group][i] != 0 &&
                !add(weights, group, (uint32_t) i, more->groups[group][i]))
                return false;
        }
    }
    return true;
}

static bool add_spans(struct stackweights *weights, struct store *store, const struct scope *scope,
                      struct gt_response *response)
{
    struct worker workers[SCAN_WORKERS] = {
        {.scope = scope, .weights.kind = weights->kind},
        {.scope = scope, .weights.kind = weights->kind},
    };
    void *both[SCAN_WORKERS] = {&workers[0], &workers[1]};
    struct scan scan = {.store = store,
                        .scope = scope,
                        .each = add_part,
                        .limit_ns = LIMIT_NS,
                        .response = response};
    enum scan_end end = scan_run(&scan, both);
    bool merged = end != SCAN_FAILED && merge(&workers[0].weights, &workers[1].weights);
    stackweights_free(&workers[1].weights);
    *weights = workers[0].weights;
    weights->cut = end == SCAN_LATE;
    return merged;
}

static bool add_sample(void *user_data, const struct mark *sample)
{
    return add(user_data, 0, sample->stack, 1);
}

bool stackweights_make(struct stackweights *weights, struct store *store, const struct scope *scope,
                       struct gt_response *response)
{
    if (weights->kind != WEIGHTS_CPU)
        return add_spans(weights, store, scope, response);
    return samples_each(store, scope, response, add_sample, weights);
}

void stackweights_free(struct stackweights *weights)
{
    for (size_t i = 0; i < STORE_CLASSES; i++)
        free(weights->groups[i]);
}

struct store_frame *stackweights_frames(struct store *store, size_t *count)
{
    store_lock_read(store);
    size_t known = store_frame_count(store);
    store_unlock(store);
    struct store_frame *frames = calloc(known + 1, sizeof(*frames));
    *count = known + 1;
    if (frames == NULL)
        return NULL;
    for (size_t i = 1; i <= known;) {
        store_lock_read(store);
        for (size_t step = 0; step < FRAMES_STEP && i <= known; step++, i++) {
            /* A tree by construction; this is what makes loops over parents end. */
            if (!store_frame(store, (uint32_t) i, &frames[i]) || frames[i].parent >= i)
                frames[i].parent = 0;
        }
        store_unlock(store);
    }
    return frames;
}
