/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_REPORT_H
#define GOTRACE_REPORT_H

/**
 * @file
 * Reports: what is wrong with a program, as a list of findings.
 *
 * A gt_report takes the events of a trace, one after the other, and looks for the faults that
 * gt_report_get_kind lists: goroutines that wait for locks, leaks of goroutines, too much garbage
 * collection and so on. gt_report_finish makes a list of findings, the worst first. A finding has
 * a figure, the goroutine groups and stacks that it is about, an example, and advice. A healthy
 * program has none but "trace-health", which is about the trace itself, and a fault only if its
 * gt_report_finding.excess is at least 1. What counts as a fault is decided by thresholds, each of
 * which can be set.
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

struct gt_reader;

/** The unit of a figure or a threshold. More may be added. @since 0.1.0 */
typedef uint32_t gt_report_unit;

/** Values of gt_report_unit. @since 0.1.0 */
enum {
    /** A number of things. */
    GT_REPORT_COUNT = 1,
    /** A duration in nanoseconds. */
    GT_REPORT_NANOSECONDS = 2,
    /** A share, from 0 to 100. */
    GT_REPORT_PERCENT = 3,
    /** How often something happens in a second. */
    GT_REPORT_PER_SECOND = 4,
    /** A number of bytes. */
    GT_REPORT_BYTES = 5,
    /** How many times as much one thing is as another one. */
    GT_REPORT_TIMES = 6
};

/**
 * Returns the name of a `unit`: "count", "ns", "%", "/s", "bytes" or "times", or "bad" for an
 * unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_report_unit_name(uint32_t unit);

/** A kind of finding: a fault that a report looks for. All texts are static. @since 0.1.0 */
typedef struct gt_report_kind {
    /** sizeof(gt_report_kind), set by the caller. */
    size_t size;
    /** Its name, such as "blocked-on-lock", which remains the same in later releases. */
    gt_string name;
    /** One sentence that says what is wrong. */
    gt_string sentence;
    /** What the figure of the finding is, such as "waited for locks". */
    gt_string measure;
    /** What the share of the finding is a share of; empty if it has none. */
    gt_string whole;
    /** What people usually do about it. */
    gt_string advice;
    /** The gt_report_unit of the figure. */
    uint32_t unit;
    /** Always 0. */
    uint32_t reserved;
} gt_report_kind;

/** Initialiser of gt_report_kind. @since 0.1.0 */
#define GT_REPORT_KIND_INIT                                                                        \
    {                                                                                              \
        sizeof(gt_report_kind), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 },   \
            0, 0                                                                                   \
    }

/** Returns the number of kinds of findings. Thread-safety: safe. @since 0.1.0 */
GT_API size_t gt_report_kind_count(void);

/**
 * Fills `*kind` with kind number `index`, from 0. Later releases may add kinds anywhere.
 * Thread-safety: safe.
 * @retval GT_ERR_INVALID_ARGUMENT `kind` is NULL, or kind->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such kind.
 * @since 0.1.0
 */
GT_API gt_status gt_report_get_kind(size_t index, gt_report_kind *kind);

/**
 * Options for a report. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_report_options {
    /** sizeof(gt_report_options), set by the caller. */
    size_t size;
    /** Must be 0. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_report_options;

/** Initialiser of gt_report_options. @since 0.1.0 */
#define GT_REPORT_OPTIONS_INIT                                                                     \
    { sizeof(gt_report_options), 0, 0, NULL }

/**
 * Looks for faults in one trace. Opaque.
 *
 * Its memory does not grow with the length of the trace, but with what there is in it: about 250
 * bytes for each goroutine that exists at a time, 100 for each distinct stack and 24 for each of
 * its frames, up to 20 KB for each start function and 0.6 KB for each stack that creates
 * goroutines. What happened at pairs of stacks takes 100 bytes for each of the first 65,536 pairs,
 * and up to 16 KB for each of 4,096 of them, such as those of system calls, that have quantiles;
 * further ones are not counted. Open tasks and regions take 50 bytes each, up to 131,072 of either.
 *
 * Thread-safety: an object may be used by one thread at a time; different objects are
 * independent. The allocator must not use the object that calls it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_report_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_report gt_report;

/**
 * Opens a gt_report and sets `*report` to it. On failure it sets `*report` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `report` is NULL, or options, allocator or error has a wrong size
 *         or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_report_open(gt_report **report, const gt_report_options *options,
                                             gt_error *error) GT_NONNULL((1));

/** A number that decides what counts as a fault. All texts are static. @since 0.1.0 */
typedef struct gt_report_threshold {
    /** sizeof(gt_report_threshold), set by the caller. */
    size_t size;
    /** Its name: that of a kind of finding, a dot, and a word, such as "scheduler-latency.p99". */
    gt_string name;
    /** Why it has its usual value. */
    gt_string reason;
    /** The usual value, in the unit. */
    double usual;
    /** The value that applies. */
    double value;
    /** A gt_report_unit. */
    uint32_t unit;
    /** Always 0. */
    uint32_t reserved;
} gt_report_threshold;

/** Initialiser of gt_report_threshold. @since 0.1.0 */
#define GT_REPORT_THRESHOLD_INIT                                                                   \
    { sizeof(gt_report_threshold), { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0 }

/** Returns the number of thresholds. Thread-safety: safe. @since 0.1.0 */
GT_API size_t gt_report_threshold_count(void);

/**
 * Fills `*threshold` with threshold number `index`, from 0. `report` may be NULL; the value is then
 * the usual one. Later releases may add thresholds anywhere.
 * @retval GT_ERR_INVALID_ARGUMENT `threshold` is NULL, or threshold->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such threshold.
 * @since 0.1.0
 */
GT_API gt_status gt_report_get_threshold(const gt_report *report, size_t index,
                                         gt_report_threshold *threshold);

/**
 * Sets the value of the threshold `name`, in its unit. Must be called before the first event.
 * @retval GT_ERR_INVALID_ARGUMENT `report` is NULL, there was an event, gt_report_finish was
 *         called, or `value` is not a number from 0 to 10^18.
 * @retval GT_ERR_NOT_AVAILABLE there is no such threshold.
 * @since 0.1.0
 */
GT_API gt_status gt_report_set(gt_report *report, gt_string name, double value);

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. `reader` is NULL
 * for a copy or an event that was made, see gotrace/make.h; if it is NULL for another event,
 * goroutines have no names and findings no stacks. An event whose time is before that of the
 * previous one counts as simultaneous with it.
 * @retval GT_ERR_INVALID_ARGUMENT `report` or `event` is NULL, `event` is not the event that
 *         `reader` has delivered last, or gt_report_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the object or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_report_event(gt_report *report, struct gt_reader *reader,
                                 const gt_event *event) GT_NONNULL((1));

/**
 * Makes the findings; no events can follow. Further calls have no effect.
 * @retval GT_ERR_INVALID_ARGUMENT `report` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out.
 * @since 0.1.0
 */
GT_API gt_status gt_report_finish(gt_report *report) GT_NONNULL((1));

/** A finding. Its texts are static. @since 0.1.0 */
typedef struct gt_report_finding {
    /** sizeof(gt_report_finding), set by the caller. */
    size_t size;
    /** The name of its kind. */
    gt_string name;
    /** The number of its kind, for gt_report_get_kind. */
    uint64_t kind;
    /** The number of subjects, for gt_report_get_subject. */
    uint64_t subject_count;
    /** The figure, in the unit of the kind. */
    double figure;
    /** The share, in percent; 0 if the kind has none. */
    double share;
    /**
     * How many times as much as its threshold it is: the findings are sorted by that, except that
     * what is often a cause, such as "cpu-saturated", comes before its effects, such as
     * "scheduler-latency". Less than 1 only for "trace-health", if nothing is wrong with the trace.
     */
    double excess;
    /** The goroutine of the example, or GT_NO_GOROUTINE. */
    int64_t goroutine;
    /** When the example begins, as gt_event.time is. */
    int64_t start;
    /** When it ends; less than `start` if there is no example. */
    int64_t end;
} gt_report_finding;

/** Initialiser of gt_report_finding. @since 0.1.0 */
#define GT_REPORT_FINDING_INIT                                                                     \
    { sizeof(gt_report_finding), { NULL, 0 }, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Returns the number of findings; 0 for NULL and before gt_report_finish. @since 0.1.0 */
GT_API size_t gt_report_finding_count(const gt_report *report);

/**
 * Fills `*finding` with finding number `index`, from 0. The worst come first, and causes before
 * their effects.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or finding->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such finding.
 * @since 0.1.0
 */
GT_API gt_status gt_report_get_finding(const gt_report *report, size_t index,
                                       gt_report_finding *finding);

/** What a finding is about. Texts are valid until the gt_report is closed. @since 0.1.0 */
typedef struct gt_report_subject {
    /** sizeof(gt_report_subject), set by the caller. */
    size_t size;
    /** The start function of the goroutines; empty if it is not known. */
    gt_string group;
    /** What else tells it from others, such as a cause; often empty. */
    gt_string detail;
    /** The figure of this subject alone, in the unit of the kind. */
    double figure;
    /** How often it happened. */
    uint64_t count;
} gt_report_subject;

/** Initialiser of gt_report_subject. @since 0.1.0 */
#define GT_REPORT_SUBJECT_INIT                                                                     \
    { sizeof(gt_report_subject), { NULL, 0 }, { NULL, 0 }, 0, 0 }

/**
 * Fills `*subject` with subject number `index`, from 0, of finding number `finding`. There are at
 * most 5, those with the largest figures; the largest comes first.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or subject->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such finding or subject.
 * @since 0.1.0
 */
GT_API gt_status gt_report_get_subject(const gt_report *report, size_t finding, size_t index,
                                       gt_report_subject *subject);

/** Which stack of a subject. @since 0.1.0 */
typedef uint32_t gt_report_stack;

/** Values of gt_report_stack. @since 0.1.0 */
enum {
    /** Where the goroutines wait, are in a system call, or were created. */
    GT_REPORT_STACK_OWN = 0,
    /** Where other goroutines ended the wait, and so where a lock was held before. */
    GT_REPORT_STACK_OTHER = 1
};

/**
 * Copies the frames of a stack of subject number `index` of finding number `finding` to `frames`,
 * leaf first, at most `capacity` of them; `which` is a gt_report_stack. Sets `*count` to the number
 * of frames in the stack, which is at most GT_STACK_MAX_FRAMES, and 0 if the subject has no such
 * stack. The strings in the frames are valid until the gt_report is closed.
 * @retval GT_ERR_INVALID_ARGUMENT `report` or `count` is NULL, `which` is unknown, or `frames` is
 *         NULL although `capacity` is not 0.
 * @retval GT_ERR_NOT_AVAILABLE there is no such finding or subject.
 * @since 0.1.0
 */
GT_API gt_status gt_report_subject_frames(const gt_report *report, size_t finding, size_t index,
                                          uint32_t which, gt_frame *frames, size_t capacity,
                                          size_t *count);

/** What a report has looked at. @since 0.1.0 */
typedef struct gt_report_info {
    /** sizeof(gt_report_info), set by the caller. */
    size_t size;
    /** The number of events taken. */
    uint64_t events;
    /** The number of goroutines that the trace has shown. */
    uint64_t goroutines;
    /** The number of distinct stacks that were needed. */
    uint64_t stacks;
    /** The last value of GOMAXPROCS, or 0 if it is not known. */
    uint64_t procs;
    /** The number of bytes of memory held now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
    /** The time of the first event, or 0. */
    int64_t start;
    /** The time of the last event, or 0. */
    int64_t end;
} gt_report_info;

/** Initialiser of gt_report_info. @since 0.1.0 */
#define GT_REPORT_INFO_INIT                                                                        \
    { sizeof(gt_report_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_report_get_info(const gt_report *report, gt_report_info *info);

/**
 * Closes a gt_report and sets `*report` to NULL. Does nothing if `report` or `*report` is NULL.
 * @since 0.1.0
 */
GT_API void gt_report_close(gt_report **report);

#ifdef __cplusplus
}
#endif

#endif
