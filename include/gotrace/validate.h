/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VALIDATE_H
#define GOTRACE_VALIDATE_H

/**
 * @file
 * Checking the events of a trace against rules that hold for every trace.
 *
 * A reader delivers only what can have happened by its own rules. A validator is a second
 * opinion: it knows nothing about the formats and the workings of a reader, and examines only
 * the events. It is meant for authors of readers, tracers and traces.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/** The rules that an event can break. More may be added. @since 0.1.0 */
typedef uint32_t gt_rule;

/** Values of gt_rule. @since 0.1.0 */
enum {
    /** Times increase strictly over the events of a trace. */
    GT_RULE_TIME = 1,
    /**
     * A frame has a pc, a function, a file and a line. One frame of a stack may have none of
     * them, since runtimes write such frames. Traces of Go 1.5 and 1.6 need not have names.
     */
    GT_RULE_FRAME = 2,
    /** Syncs are numbered 1, 2, 3 and so on. */
    GT_RULE_SYNC_NUMBER = 3,
    /** Since Go 1.25 a Sync that opens a generation has a clock snapshot whose times are not 0. */
    GT_RULE_SYNC_CLOCK = 4,
    /** All three times of a clock snapshot are later than those of the previous snapshot. */
    GT_RULE_CLOCK_ORDER = 5,
    /** A metric has a name that contains a colon, and a value. */
    GT_RULE_METRIC = 6,
    /** A label is not empty, and its goroutine, proc or thread is known. */
    GT_RULE_LABEL = 7,
    /**
     * No goroutine or proc enters the undetermined state, nor is it in that state after the
     * first generation that has events.
     */
    GT_RULE_UNDETERMINED = 8,
    /** A transition of a goroutine or proc starts in the state that it entered last. */
    GT_RULE_OLD_STATE = 9,
    /**
     * The first transition of a goroutine or proc that is not known, because it was not seen
     * before or has ended, starts in the undetermined or the nonexistent state.
     */
    GT_RULE_FIRST_STATE = 10,
    /**
     * What runs does so on a thread. Before Go 1.22 a goroutine that was in a system call when
     * the trace began has none.
     */
    GT_RULE_NO_THREAD = 11,
    /**
     * A thread runs one goroutine and holds one proc at a time, and no other thread has them.
     * Not checked before Go 1.22, where events were not recorded per thread.
     */
    GT_RULE_THREAD_TAKEN = 12,
    /**
     * A goroutine or proc that stops running in its own context does so on the thread that it
     * ran on. Not checked before Go 1.22.
     */
    GT_RULE_NOT_RUNNING = 13,
    /** No goroutine or proc ceases to exist while one of its ranges is open. */
    GT_RULE_OPEN_RANGE = 14,
    /** A goroutine that stops running does so with the stack of the event. */
    GT_RULE_STOP_STACK = 15,
    /**
     * A range that begins is not already open. Before Go 1.22 several threads without a
     * goroutine may stop the world at the same time.
     */
    GT_RULE_RANGE_BEGIN = 16,
    /**
     * A range that ends is open. Before Go 1.22 it may have begun before the trace, if the
     * resource it belongs to is that old.
     */
    GT_RULE_RANGE_END = 17,
    /**
     * A task that begins has an id that is neither that of the background task nor that of an
     * open task, and its parent is not the background task.
     */
    GT_RULE_TASK_ID = 18,
    /** A task ends with the type with which it began. */
    GT_RULE_TASK_TYPE = 19,
    /** All getters that apply to the kind of an event succeed, including those for frames. */
    GT_RULE_GETTER = 20
};

/**
 * Returns a short constant text for a rule, such as "times rise strictly", or "unknown rule"
 * for a value that is not a gt_rule. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_rule_text(uint32_t rule);

/** The size of gt_finding.message, including the final NUL. @since 0.1.0 */
#define GT_FINDING_MESSAGE_SIZE 200

/** A rule that an event breaks. @since 0.1.0 */
typedef struct gt_finding {
    /** sizeof(gt_finding), set by whoever made the finding. */
    size_t size;
    /** The rule: a gt_rule. */
    uint32_t rule;
    /** The kind of the event. */
    uint32_t kind;
    /** The number of the event, counted from 1 over all events that the validator was given. */
    uint64_t number;
    /** The time of the event. */
    int64_t time;
    /** The thread of the event. */
    int64_t thread;
    /** The proc of the event. */
    int64_t proc;
    /** The goroutine of the event. */
    int64_t goroutine;
    /** The description of the fault: one line of English without a full stop. */
    char message[GT_FINDING_MESSAGE_SIZE];
} gt_finding;

/** Initialiser of gt_finding. @since 0.1.0 */
#define GT_FINDING_INIT                                                                            \
    { sizeof(gt_finding), 0, 0, 0, 0, 0, 0, 0, { 0 } }

/**
 * Receives each finding as soon as it is made. `finding` is valid only during the call.
 * @since 0.1.0
 */
typedef void (*gt_finding_fn)(void *user_data, const gt_finding *finding);

/**
 * A bit of gt_validator_options.flags. Do not check GT_RULE_CLOCK_ORDER: if the clock is coarse, as
 * on Windows, short generations may have equal snapshots.
 * @since 0.1.0
 */
#define GT_VALIDATOR_COARSE_CLOCK (UINT64_C(1) << 0)

/** Options for a validator. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_validator_options {
    /** sizeof(gt_validator_options), set by the caller. */
    size_t size;
    /** GT_VALIDATOR_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** gt_reader_info.version of the trace, on which some rules depend; 0 for the newest. */
    uint32_t version;
    /** Reserved; must be 0. */
    uint32_t reserved;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** Receives findings; may be NULL. */
    gt_finding_fn on_finding;
    /** Passed unchanged to `on_finding`. */
    void *user_data;
    /**
     * The number of findings to keep for gt_validator_finding; the first ones are kept. They
     * count towards the memory limit.
     */
    uint64_t keep;
} gt_validator_options;

/** Initialiser of gt_validator_options: the first 1000 findings are kept. @since 0.1.0 */
#define GT_VALIDATOR_OPTIONS_INIT                                                                  \
    { sizeof(gt_validator_options), 0, 0, 0, 0, NULL, NULL, NULL, 1000 }

/**
 * Validates the events of one trace. Opaque.
 *
 * Its memory grows with the number of goroutines, ranges and tasks that exist at one time, with
 * the number of procs and threads that ever existed, and with the stacks of a generation.
 *
 * Thread-safety: a validator may be used by one thread at a time; different validators are
 * independent. The callback and the allocator must not call gt_validator_event for the
 * validator that called them; such a call returns GT_ERR_INVALID_ARGUMENT. Nor must they call
 * gt_validator_close, which then does nothing.
 * @since 0.1.0
 */
typedef struct gt_validator gt_validator;

/**
 * Opens a validator and sets `*validator` to it. On failure it sets `*validator` to NULL, returns
 * an error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for
 * the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `validator` is NULL, or options, allocator or error has a wrong
 *         size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the validator.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_validator_open(gt_validator **validator,
                                                const gt_validator_options *options,
                                                gt_error *error) GT_NONNULL((1));

/**
 * Validates `event`, the next event of the trace, which `reader` has just delivered. A finding
 * is not an error of the call. After a finding the validator continues from what the event
 * says, so that one fault is not reported repeatedly.
 *
 * The frames of a stack are checked once, at the first event in the generation that has the
 * stack; if `reader` is NULL they are not checked.
 *
 * @retval GT_OK the event was checked.
 * @retval GT_ERR_INVALID_ARGUMENT `validator` or `event` is NULL, or `event` is not the event that
 *         `reader` has delivered last.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the validator or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_validator_event(gt_validator *validator, struct gt_reader *reader,
                                    const gt_event *event) GT_NONNULL((1));

/** Returns the number of findings so far, whether kept or not; 0 for NULL. @since 0.1.0 */
GT_API uint64_t gt_validator_count(const gt_validator *validator);

/**
 * Fills `*finding` with finding number `index`, from 0.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or finding->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such finding, or it was not kept.
 * @since 0.1.0
 */
GT_API gt_status gt_validator_finding(const gt_validator *validator, uint64_t index,
                                      gt_finding *finding);

/**
 * Closes `*validator` and sets it to NULL. Does nothing if `validator` or `*validator` is NULL.
 * @since 0.1.0
 */
GT_API void gt_validator_close(gt_validator **validator);

#ifdef __cplusplus
}
#endif

#endif
