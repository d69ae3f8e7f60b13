/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VALIDATE_H
#define GOTRACE_VALIDATE_H

/**
 * @file
 * Holding the events of a trace against what must be true of every trace.
 *
 * A reader delivers only what can have happened by its own rules. A validator is
 * a second opinion: it knows nothing of formats and of how a reader works, and
 * looks only at the events. For those who write readers, tracers or traces.
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

/** What an event can break. More may come. @since 0.1.0 */
typedef enum gt_rule {
    /** Times rise strictly over the events of a trace. */
    GT_RULE_TIME = 1,
    /**
     * A frame has a pc, a function, a file and a line. One of a stack may have none of
     * these: runtimes write such frames. Traces of Go 1.5 and 1.6 need have no names.
     */
    GT_RULE_FRAME = 2,
    /** Syncs are numbered 1, 2, 3 and so on. */
    GT_RULE_SYNC_NUMBER = 3,
    /** Since Go 1.25 a Sync that opens a generation has a clock snapshot, not of zeros. */
    GT_RULE_SYNC_CLOCK = 4,
    /** All three times of a clock snapshot are later than those of the one before. */
    GT_RULE_CLOCK_ORDER = 5,
    /** A metric has a name with a colon in it, and a value. */
    GT_RULE_METRIC = 6,
    /** A label is not empty, and is for a goroutine, proc or thread that is known. */
    GT_RULE_LABEL = 7,
    /**
     * No goroutine or proc becomes undetermined, or was so after the first generation
     * that has events.
     */
    GT_RULE_UNDETERMINED = 8,
    /** A goroutine or proc leaves the state that it entered last. */
    GT_RULE_OLD_STATE = 9,
    /**
     * A goroutine or proc that is not known, as it was not seen before or has ended,
     * was undetermined or did not exist.
     */
    GT_RULE_FIRST_STATE = 10,
    /**
     * What runs does so on a thread. Before Go 1.22 a goroutine that was in a system call
     * when the trace began has none.
     */
    GT_RULE_NO_THREAD = 11,
    /**
     * A thread runs one goroutine and has one proc at a time, and no other thread has
     * those. Not asked before Go 1.22, where threads did not record by themselves.
     */
    GT_RULE_THREAD_TAKEN = 12,
    /**
     * What stops running in its own context does so on the thread that it ran on. Not
     * asked before Go 1.22.
     */
    GT_RULE_NOT_RUNNING = 13,
    /** No goroutine or proc ceases to exist while a range of its own is open. */
    GT_RULE_OPEN_RANGE = 14,
    /** A goroutine that stops running does so with the stack of the event. */
    GT_RULE_STOP_STACK = 15,
    /**
     * A range that begins is not open. Before Go 1.22 several threads without a goroutine
     * may stop the world at a time.
     */
    GT_RULE_RANGE_BEGIN = 16,
    /**
     * A range that ends is open. Before Go 1.22 it may have begun before the trace, where
     * what it is on did.
     */
    GT_RULE_RANGE_END = 17,
    /**
     * A task that begins has an id, which is not that of the background nor of an open
     * task, and its parent is not the background.
     */
    GT_RULE_TASK_ID = 18,
    /** A task ends with the type that it began with. */
    GT_RULE_TASK_TYPE = 19,
    /** An event can be asked for all that goes with its kind, frames included. */
    GT_RULE_GETTER = 20
} gt_rule;

/**
 * A short constant text for a rule, such as "times rise strictly"; "unknown rule" for
 * a value that is none. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_rule_text(uint32_t rule);

/** Room for gt_finding.message, its final NUL included. @since 0.1.0 */
#define GT_FINDING_MESSAGE_SIZE 200

/** One rule broken by one event. @since 0.1.0 */
typedef struct gt_finding {
    /** sizeof(gt_finding), set by whoever made it. */
    size_t size;
    /** A gt_rule. */
    uint32_t rule;
    /** The event: its kind, ... */
    uint32_t kind;
    /** ... which it was of those that the validator was given, from 1, ... */
    uint64_t number;
    /** ... and its members. */
    int64_t time;
    /** Its thread. */
    int64_t thread;
    /** Its proc. */
    int64_t proc;
    /** Its goroutine. */
    int64_t goroutine;
    /** What is wrong: one line, in English, without a full stop. */
    char message[GT_FINDING_MESSAGE_SIZE];
} gt_finding;

/** Initialiser of gt_finding. @since 0.1.0 */
#define GT_FINDING_INIT                                                                            \
    { sizeof(gt_finding), 0, 0, 0, 0, 0, 0, 0, { 0 } }

/**
 * Told of each finding, as it is made. `finding` is good for the call only.
 * @since 0.1.0
 */
typedef void (*gt_finding_fn)(void *user_data, const gt_finding *finding);

/** Bits of gt_validator_options.flags. @since 0.1.0 */
enum {
    /**
     * Do not ask GT_RULE_CLOCK_ORDER: where the clock is coarse, as on Windows,
     * short generations may have equal snapshots.
     */
    GT_VALIDATOR_COARSE_CLOCK = 1 << 0
};

/** How to validate. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_validator_options {
    /** sizeof(gt_validator_options), set by the caller. */
    size_t size;
    /** GT_VALIDATOR_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** gt_reader_info.version of the trace, which some rules depend on; 0 for the newest. */
    uint32_t version;
    /** 0. */
    uint32_t reserved;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
    /** Told of findings; may be NULL. */
    gt_finding_fn on_finding;
    /** Passed to `on_finding` as it is. */
    void *user_data;
    /**
     * How many findings to keep for gt_validator_finding; the first ones are. They
     * count for the limit.
     */
    uint64_t keep;
} gt_validator_options;

/** Initialiser of gt_validator_options: keeps 1000 findings. @since 0.1.0 */
#define GT_VALIDATOR_OPTIONS_INIT                                                                  \
    { sizeof(gt_validator_options), 0, 0, 0, 0, NULL, NULL, NULL, 1000 }

/**
 * Validates the events of one trace. Opaque.
 *
 * What it holds grows with the goroutines, ranges and tasks that there are at a time,
 * with the procs and threads that there ever were, and with the stacks of a generation.
 *
 * Thread-safety: one thread at a time; different validators are independent.
 * The callback and the allocator may not call gt_validator_event for the validator that
 * called them, which returns GT_ERR_INVALID_ARGUMENT, nor gt_validator_close, which
 * then does nothing.
 * @since 0.1.0
 */
typedef struct gt_validator gt_validator;

/**
 * Sets `*validator`, or sets it to NULL and returns an error. `options` may be NULL
 * for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `validator` is NULL, or options or allocator has a
 *         wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the validator.
 * @since 0.1.0
 */
GT_API gt_status gt_validator_open(gt_validator **validator, const gt_validator_options *options);

/**
 * Validates `event`, the next one of the trace, which `reader` has just delivered. A
 * finding is no error of the call. What was found wrong is taken as true from there
 * on, so that one fault is not found again and again.
 *
 * A stack's frames are looked at once, for the first event in the generation that has
 * it; with `reader` NULL they are not.
 *
 * @retval GT_OK the event was looked at.
 * @retval GT_ERR_INVALID_ARGUMENT `validator` or `event` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, that of the validator or, for
 *         frames, of the reader. So does every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_validator_event(gt_validator *validator, struct gt_reader *reader,
                                    const gt_event *event);

/** How many findings there were so far, kept or not. 0 for NULL. @since 0.1.0 */
GT_API uint64_t gt_validator_count(const gt_validator *validator);

/**
 * Fills `*finding` with the finding number `index`, from 0.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or finding->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such finding, or it was not kept.
 * @since 0.1.0
 */
GT_API gt_status gt_validator_finding(const gt_validator *validator, uint64_t index,
                                      gt_finding *finding);

/** Closes `*validator` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_validator_close(gt_validator **validator);

#ifdef __cplusplus
}
#endif

#endif
