/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/stackweights.h"

#include "base/time.h"
#include "web/answer.h"
#include "web/distribution.h"
#include "web/samples.h"
#include "web/scan.h"

enum {
    /* The number of frames that are copied before the lock is released for a moment. */
    FRAMES_STEP = 16384
};

const char *const gt_stackweights_names[GT_WEIGHTS_KINDS] = {
    "cpu", "running", "wall", "offcpu", "waiting", "runnable", "syscall",
};

/* The state of one thread. */
struct worker {
    struct gt_stackweights weights;
};

static bool stackweights_is_wanted(enum gt_stackweights_kind kind, uint32_t cls)
{
    switch (kind) {
    case GT_WEIGHTS_RUNNING:
        return cls == GT_CLASS_RUNNING || cls == GT_CLASS_RUNNING_GC;
    case GT_WEIGHTS_WALL:
        return cls <= GT_CLASS_WAIT_OTHER;
    case GT_WEIGHTS_OFFCPU:
        return cls == GT_CLASS_SYSCALL_BLOCKED || gt_answer_is_waiting(cls);
    case GT_WEIGHTS_WAITING:
        return gt_answer_is_waiting(cls);
    case GT_WEIGHTS_RUNNABLE:
        return cls == GT_CLASS_RUNNABLE;
    case GT_WEIGHTS_SYSCALL:
        return cls == GT_CLASS_SYSCALL || cls == GT_CLASS_SYSCALL_BLOCKED;
    default:
        return false;
    }
}

static bool stackweights_add(struct gt_stackweights *weights, size_t group, uint32_t stack,
                             int64_t weight)
{
    if (gt_array_extend(weights->mem, &weights->groups[group], stack + (size_t) 1) != GT_OK)
        return false;
    gt_time_add_to(&weights->groups[group].items[stack], weight);
    return true;
}

/*
 * Returns the stack that a span's time is attributed to. A trace records stacks when a state
 * changes: for a running goroutine the stack at which it stopped is used, for a waiting one the
 * stack at which it began to wait, and for a runnable one without a stack that of the state before.
 */
static uint32_t stackweights_stack_of(const struct gt_track *track, const struct gt_span *span)
{
    bool runs = span->cls == GT_CLASS_RUNNING || span->cls == GT_CLASS_RUNNING_GC;
    struct gt_span last;
    if (runs && span->end_stack != 0)
        return span->end_stack;
    if (span->stack != 0 || span->cls != GT_CLASS_RUNNABLE || span->index == 0 ||
        !gt_track_get(track, span->index - 1, &last))
        return span->stack;
    return last.end_stack != 0 ? last.end_stack : last.stack;
}

static bool stackweights_add_span(struct worker *worker, const struct gt_scan_part *part,
                                  const struct gt_span *span)
{
    struct gt_span state = *span;
    const struct gt_track *track = part->track;
    /* For spans of procs and threads, the stacks are in the lane of the goroutine that ran. */
    if (part->view == GT_STORE_VIEW_PROC || part->view == GT_STORE_VIEW_THREAD) {
        uint32_t states = gt_answer_state_at(part->store, span->goroutine, span->start, &state);
        if (states == GT_STORE_NONE)
            state.stack = state.end_stack = 0;
        else
            track = gt_store_track(part->store, states);
    }
    size_t group = worker->weights.kind == GT_WEIGHTS_WALL ? span->cls : 0;
    return stackweights_add(&worker->weights, group, stackweights_stack_of(track, &state),
                            gt_scan_clip(part, span->start, span->end));
}

static bool stackweights_add_part(void *user_data, const struct gt_scan_part *part)
{
    struct worker *worker = user_data;
    for (uint32_t i = part->first; i < part->last; i++) {
        struct gt_span span;
        if (!gt_track_get(part->track, i, &span) || span.start >= part->to)
            break;
        if (stackweights_is_wanted(worker->weights.kind, span.cls) &&
            !stackweights_add_span(worker, part, &span))
            return false;
    }
    return true;
}

static bool stackweights_merge(struct gt_stackweights *weights, const struct gt_stackweights *more)
{
    for (size_t group = 0; group < GT_STORE_CLASSES; group++) {
        for (size_t i = 0; i < more->groups[group].count; i++) {
            if (more->groups[group].items[i] != 0 &&
                !stackweights_add(weights, group, (uint32_t) i, more->groups[group].items[i]))
                return false;
        }
    }
    return true;
}

/* Scales the weights of a sample that has one span in 2^`thinning` to those of all spans. */
static void stackweights_scale(struct gt_stackweights *weights, unsigned int thinning)
{
    for (size_t group = 0; group < GT_STORE_CLASSES; group++) {
        for (size_t i = 0; i < weights->groups[group].count; i++) {
            int64_t *weight = &weights->groups[group].items[i];
            for (unsigned int step = 0; step < thinning; step++)
                gt_time_add_to(weight, *weight);
        }
    }
}

static bool stackweights_add_spans(struct gt_stackweights *weights, struct gt_store *store,
                                   const struct gt_scope *scope, struct gt_response *response)
{
    struct worker workers[GT_SCAN_WORKERS] = {
        {.weights = *weights},
        {.weights = *weights},
    };
    struct gt_scan scan = {.store = store,
                           .scope = scope,
                           .each = stackweights_add_part,
                           .most = weights->most,
                           .response = response};
    bool merged = gt_scan_run(&scan, &workers[0], &workers[1]) == GT_SCAN_DONE &&
                  stackweights_merge(&workers[0].weights, &workers[1].weights);
    gt_stackweights_free(&workers[1].weights);
    *weights = workers[0].weights;
    stackweights_scale(weights, scan.thinning);
    weights->spans = gt_scan_spans(&scan);
    weights->approximate = scan.thinning > 0;
    return merged;
}

static bool stackweights_add_sample(void *user_data, const struct gt_mark *sample)
{
    return stackweights_add(user_data, 0, sample->stack, 1);
}

bool gt_stackweights_make(struct gt_stackweights *weights, struct gt_store *store,
                          const struct gt_scope *scope, struct gt_response *response)
{
    if (weights->kind != GT_WEIGHTS_CPU)
        return stackweights_add_spans(weights, store, scope, response);
    return gt_samples_each(store, scope, response, stackweights_add_sample, weights);
}

void gt_stackweights_free(struct gt_stackweights *weights)
{
    for (size_t i = 0; i < GT_STORE_CLASSES; i++)
        gt_array_free(weights->mem, &weights->groups[i]);
}

struct gt_store_frame *gt_stackweights_frames(struct gt_mem *mem, struct gt_store *store,
                                              size_t *count)
{
    gt_store_lock_read(store);
    size_t known = gt_store_frame_count(store);
    gt_store_unlock(store);
    struct gt_store_frame *frames = gt_mem_alloc(mem, (known + 1) * sizeof(*frames));
    *count = known + 1;
    if (!frames)
        return NULL;
    frames[0] = (struct gt_store_frame){.parent = 0};
    for (size_t i = 1; i <= known;) {
        gt_store_lock_read(store);
        for (size_t step = 0; step < FRAMES_STEP && i <= known; step++, i++) {
            /*
             * Frames form a tree, in which a parent's id is less than its child's. This check
             * makes sure of it, so that loops over parents always end.
             */
            if (!gt_store_frame(store, (uint32_t) i, &frames[i]) || frames[i].parent >= i)
                frames[i].parent = 0;
        }
        gt_store_unlock(store);
    }
    return frames;
}
