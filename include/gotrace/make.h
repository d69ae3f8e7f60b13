/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_MAKE_H
#define GOTRACE_MAKE_H

/**
 * @file
 * Events that no reader has read: unit tests of analyzers make the events that they need.
 *
 * A made event is described by the structures that the getters of gotrace/event.h fill, and these
 * getters return from it what it was made of:
 *
 * @code
 * gt_transition block = GT_TRANSITION_INIT;
 * gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
 * gt_goroutine_transition_make(7, GT_GO_RUNNING, GT_GO_WAITING, &block);
 * options.kind = GT_EVENT_STATE_TRANSITION;
 * options.time = 1000;
 * options.goroutine = 7;
 * options.transition = &block;
 * gt_event *event;
 * if (gt_event_make(&event, &options, NULL) == GT_OK)
 *     analyzer_event(analyzer, NULL, event);
 * gt_event_free(&event);
 * @endcode
 *
 * A made event is like a copy that gt_event_copy made: it belongs to no reader, and wherever a
 * function takes a reader and an event, the reader is NULL. gt_event_frames returns the frames of
 * its stacks, and gt_event_format its text. The analyses take made events in the order of their
 * times, but check no more than they do of a reader's events: a program that makes an impossible
 * sequence of events gets what the analysis makes of it. gt_validator_event finds out what is
 * impossible.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of frames in a stack of a made event. @since 0.1.0 */
#define GT_EVENT_MAKE_MAX_FRAMES 1000

/**
 * What gt_event_make makes an event of. The structure belongs to the caller, and everything that
 * it points at is copied. Of the pointers to the contents of kinds, exactly that of the event's
 * kind is set; those of other kinds are NULL.
 * @since 0.1.0
 */
typedef struct gt_event_make_options {
    /** sizeof(gt_event_make_options), set by the caller. */
    size_t size;
    /** Always 0. */
    uint64_t flags;
    /** The allocator, or NULL for malloc. Its context must live as long as the event. */
    const gt_allocator *allocator;
    /** The gt_event_kind. */
    uint32_t kind;
    /** Always 0. */
    uint32_t reserved;
    /** The time of the event, in nanoseconds. */
    int64_t time;
    /** The thread of its context, or GT_NO_THREAD. */
    int64_t thread;
    /** The proc of its context, or GT_NO_PROC. */
    int64_t proc;
    /** The goroutine of its context, or GT_NO_GOROUTINE. */
    int64_t goroutine;
    /**
     * What gt_event_stack returns: a handle of gt_stack_make, or GT_STACK_NONE. Analyses take equal
     * handles for equal stacks, as those of a reader are.
     */
    gt_stack stack;
    /** The frames of `stack`, leaf first; NULL if it has none. */
    const gt_frame *frames;
    /** The number of these frames, at most GT_EVENT_MAKE_MAX_FRAMES. */
    size_t frame_count;
    /** For GT_EVENT_METRIC. The name must be one of those that Go's runtime records. */
    const gt_metric *metric;
    /** For GT_EVENT_LABEL. The resource is the goroutine of the event. */
    const gt_label *label;
    /**
     * For GT_EVENT_RANGE_BEGIN, GT_EVENT_RANGE_ACTIVE and GT_EVENT_RANGE_END. The name must be one
     * of those that Go's runtime records. Unless the range is active, the scope is the proc or the
     * goroutine of the event.
     */
    const gt_range *range;
    /** For GT_EVENT_TASK_BEGIN and GT_EVENT_TASK_END. */
    const gt_task *task;
    /** For GT_EVENT_REGION_BEGIN and GT_EVENT_REGION_END. */
    const gt_region *region;
    /** For GT_EVENT_LOG. */
    const gt_log *log;
    /**
     * For GT_EVENT_STATE_TRANSITION; see gt_goroutine_transition_make and gt_proc_transition_make.
     * Its `stack` has the high 32 bits of the stack above, unless one of them is GT_STACK_NONE.
     */
    const gt_transition *transition;
    /** The frames of transition->stack, unless that is `stack`, leaf first; NULL if it has none. */
    const gt_frame *transition_frames;
    /** The number of these frames, at most GT_EVENT_MAKE_MAX_FRAMES. */
    size_t transition_frame_count;
    /**
     * For GT_EVENT_SYNC. An event of any other kind may have the Sync that opens its generation,
     * for gt_event_wall_clock; NULL: its wall-clock time is not known.
     */
    const gt_sync *sync;
    /** For GT_EVENT_SYNC: sync->batch_count experimental batches; NULL if there are none. */
    const gt_experimental_batch *batches;
    /** For GT_EVENT_EXPERIMENTAL. The name must be one of those that Go's runtime records. */
    const gt_experimental *experimental;
    /**
     * The values of the attributes of a range that ends, range->attribute_count of them, or of the
     * arguments of an experimental event; NULL if there are none. All are GT_VALUE_UINT64.
     */
    const gt_value *values;
} gt_event_make_options;

/**
 * Initialiser of gt_event_make_options: no kind, time 0, no context and no stack.
 * @since 0.1.0
 */
#define GT_EVENT_MAKE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(gt_event_make_options), 0, NULL, 0, 0, 0, GT_NO_THREAD, GT_NO_PROC,                 \
            GT_NO_GOROUTINE, GT_STACK_NONE, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,     \
            NULL, 0, NULL, NULL, NULL, NULL                                                        \
    }

/**
 * Makes an event and sets `*event` to it. Free it with gt_event_free. On failure it sets `*event`
 * to NULL, returns an error, and stores the details in `*error` unless `error` is NULL: the message
 * names the member that is not valid.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `event` or `options` is NULL, a structure has a wrong size, or
 *         its members are not those of an event.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the event.
 *
 * Thread-safety: safe. The event may be used by any thread.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_event_make(gt_event **event, const gt_event_make_options *options,
                                            gt_error *error) GT_NONNULL((1, 2));

/**
 * Returns a handle for the stack of made events, or GT_STACK_NONE if a number is 0. `generation`
 * becomes its high 32 bits and `number` its low ones, which are to be small, as programs use them
 * as an index; analyses look at the frames of a stack with a large number each time anew. With
 * GT_STACK_EMPTY_SLOT as the number the stack has no frames.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API gt_stack gt_stack_make(uint32_t generation, uint32_t number);

/**
 * Fills `*transition` with a change of the state of goroutine `id`, without a reason and a stack,
 * which can be set afterwards. `from` and `to` are gt_go_state.
 * @retval GT_ERR_INVALID_ARGUMENT `transition` is NULL or its size too small, or a state is not a
 *         gt_go_state.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API gt_status gt_goroutine_transition_make(int64_t id, uint32_t from, uint32_t to,
                                              gt_transition *transition);

/**
 * Fills `*transition` with a change of the state of proc `id`. `from` and `to` are gt_proc_state.
 * @retval GT_ERR_INVALID_ARGUMENT `transition` is NULL or its size too small, or a state is not a
 *         gt_proc_state.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API gt_status gt_proc_transition_make(int64_t id, uint32_t from, uint32_t to,
                                         gt_transition *transition);

#ifdef __cplusplus
}
#endif

#endif
