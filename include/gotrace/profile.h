/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_PROFILE_H
#define GOTRACE_PROFILE_H

/**
 * @file
 * Profiles: where goroutines spend their time, by stack.
 *
 * A profile takes the events of a trace, one after the other. After the last event, and at any
 * moment before (see gt_profile_snapshot), it holds a sample for each stack: how many times
 * something happened there, and how long it took in total. Samples can be written in the format
 * of pprof.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/**
 * The kinds of profile. More may be added.
 *
 * The first four kinds are those of `go tool trace -pprof`, with the same numbers. Each counts
 * the completed waits of a goroutine, by the stack of the event that began the wait; if a
 * goroutine becomes runnable, this is the stack of the goroutine that woke it. For a goroutine
 * that ran at all, the time before it first ran does not count. Nor do waits that end after the
 * last Sync, which in an intact trace is the last event. The ids of goroutines that C creates
 * for its calls of Go are reused: of the goroutines with one id, only waits that fit the last
 * one count.
 *
 * The other kinds count all events. Their stacks are those of the goroutine where it was last
 * seen; if a transition has no stack, that of an earlier transition is used.
 * @since 0.1.0
 */
typedef uint32_t gt_profile_kind;

/** Values of gt_profile_kind. @since 0.1.0 */
enum {
    /** Waiting for the network. */
    GT_PROFILE_NET = 1,
    /** Waiting for another goroutine: channels, package sync, select. */
    GT_PROFILE_SYNC = 2,
    /** In system calls and in C. */
    GT_PROFILE_SYSCALL = 3,
    /** Runnable, waiting for a proc. */
    GT_PROFILE_SCHED = 4,
    /**
     * The samples of the CPU profiler, if the program ran with one. The trace does not say how
     * much time a sample stands for: see gt_profile_options.cpu_period.
     */
    GT_PROFILE_CPU = 5,
    /** Neither running nor in a system call: from where a goroutine stopped until it runs again. */
    GT_PROFILE_OFFCPU = 6,
    /**
     * The whole time of all goroutines, by state and stack. For running time the stack is the
     * one from which the goroutine continued. A goroutine that existed before it was first seen
     * is assumed to have been in its first state since the previous Sync.
     */
    GT_PROFILE_WALL = 7
};

/**
 * Returns the name of a kind: "net", "sync", "syscall", "sched", "cpu", "offcpu" or "wall", or
 * "bad" for an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_profile_kind_name(uint32_t kind);

/** The bit of a kind in gt_profile_options.kinds. @since 0.1.0 */
#define GT_PROFILE_BIT(kind) (UINT64_C(1) << (kind))

/**
 * A bit of gt_profile_options.flags. Count only what goroutines do in the runtime/trace regions
 * that match gt_profile_options.region_type, latency_min and latency_max, including regions nested
 * in them.
 *
 * As in Go, a region without an end lasts until its goroutine ends or, unless the goroutine
 * is one of the runtime's own, until the trace ends. An end without a begin belongs to a
 * region as old as the trace. A goroutine that was created in a region is, from then on, in
 * a region of its own that has no type.
 * @since 0.1.0
 */
#define GT_PROFILE_REGIONS (UINT64_C(1) << 0)

/**
 * A bit of gt_profile_options.flags. Let the first four kinds count all waits, also those that `go
 * tool trace` leaves out: from before a goroutine first ran, after the last Sync, without an end,
 * and of all goroutines that had the same id. A wait that began with an event without a stack, for
 * example when the network poller woke the goroutine, counts for the goroutine's own stack, and one
 * of a goroutine that was just created for the stack of its creator. The sum of GT_PROFILE_SCHED is
 * then the sum of GT_PROFILE_WALL for GT_GO_RUNNABLE.
 * @since 0.1.0
 */
#define GT_PROFILE_ALL (UINT64_C(1) << 1)

/**
 * What to count. The structure belongs to the caller; it and its strings are copied.
 * @since 0.1.0
 */
typedef struct gt_profile_options {
    /** sizeof(gt_profile_options), set by the caller. */
    size_t size;
    /** GT_PROFILE_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The kinds to count: GT_PROFILE_BIT of each. Unknown bits are refused. */
    uint64_t kinds;
    /**
     * The group of goroutines to count: those that started in the function of this name, which
     * is the root of the first stack of their own that is seen. Empty for all. Cannot be
     * combined with GT_PROFILE_REGIONS.
     */
    gt_string goroutine;
    /** With GT_PROFILE_REGIONS: the type of the regions, or any type if `data` is NULL. */
    gt_string region_type;
    /** With GT_PROFILE_REGIONS: the minimum duration of the regions in nanoseconds, included. */
    int64_t latency_min;
    /** With GT_PROFILE_REGIONS: the maximum duration of the regions in nanoseconds, included. */
    int64_t latency_max;
    /** The time that a sample of GT_PROFILE_CPU stands for, in nanoseconds. */
    uint64_t cpu_period;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_profile_options;

/**
 * Initialiser of gt_profile_options: all goroutines, no kind, and CPU samples of 10 ms, as
 * runtime/pprof takes them.
 * @since 0.1.0
 */
#define GT_PROFILE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(gt_profile_options), 0, 0, { NULL, 0 }, { NULL, 0 }, 0, INT64_MAX, 10000000, 0,     \
            NULL                                                                                   \
    }

/**
 * Counts the events of one trace. Opaque.
 *
 * Its memory grows with the number of distinct stacks, with the number of goroutines that are
 * alive at one time, and with the number of ids of goroutines that C created. With a group or
 * regions, each of these goroutines has its own samples until it is known whether they count.
 * Samples of goroutines that end in the first generation of a trace of Go 1.22 or later are kept
 * by goroutine until that is over.
 *
 * Thread-safety: a profile may be used by one thread at a time; different profiles are
 * independent and may be fed the same events. The allocator and the function passed to
 * gt_profile_write_pprof must not use the profile that calls them: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_profile_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_profile gt_profile;

/**
 * Opens a profile and sets `*profile` to it. On failure it sets `*profile` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL.
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, options, allocator or error has a
 *         wrong size or unknown bits, no kind is requested, or the options contradict each other.
 *         The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the profile.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_profile_open(gt_profile **profile,
                                              const gt_profile_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered, or with a `reader`
 * of NULL a copy or an event that was made, see gotrace/make.h. All events must be passed.
 * @retval GT_OK the event was counted, or there was nothing to count in it.
 * @retval GT_ERR_INVALID_ARGUMENT `profile` or `event` is NULL, `event` is not the event that
 *         `reader` has delivered last, there is no reader and `event` is one of a reader, or
 *         gt_profile_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the profile or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_event(gt_profile *profile, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));

/**
 * Takes the next `count` events of the trace at once, which takes less time than calling
 * gt_profile_event for each. `events` is the array that gt_reader_next_events has returned last, or
 * a part of it. Counts the events in their order, up to the first failure.
 * @retval GT_OK all events were counted, or there was nothing to count in them.
 * @retval GT_ERR_INVALID_ARGUMENT `profile` or `reader` is NULL, `events` is NULL and `count` is
 *         not 0, the events are not those that `reader` has delivered last, or gt_profile_finish
 *         was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_profile_event.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_events(gt_profile *profile, struct gt_reader *reader,
                                   const gt_event *const *events, size_t count) GT_NONNULL((1));

/**
 * Finishes the profile after the last event, whether the trace has ended or is damaged. The
 * functions below give results only afterwards, or after gt_profile_snapshot. The reader may
 * then be closed.
 * @retval GT_ERR_INVALID_ARGUMENT `profile` is NULL, or the function was called before.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_profile_event.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_finish(gt_profile *profile) GT_NONNULL((1));

/**
 * Makes the samples of the events taken so far, which are there until the next event is taken:
 * the functions below then return what they would return if the trace had ended here and
 * gt_profile_finish had been called. So what counts only before the last Sync counts up to the
 * Sync before this moment. More events can follow: a snapshot does not change later results. Has
 * no effect after gt_profile_finish.
 *
 * Takes time and memory in proportion to the samples and to the goroutines and regions that
 * exist at this moment.
 * @retval GT_ERR_INVALID_ARGUMENT `profile` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. Unless it ran out before,
 *         the profile remains as it was, and events can follow.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_snapshot(gt_profile *profile);

/** Everything that was counted for a stack. @since 0.1.0 */
typedef struct gt_profile_sample {
    /** sizeof(gt_profile_sample), set by the caller. */
    size_t size;
    /**
     * The stack, leaf first. Stacks are equal if their pcs are. There are at most
     * GT_STACK_MAX_FRAMES frames, without frames at the end whose pc is 0, and none if the
     * trace has no stack. The array is valid until the next call for the profile; its strings
     * are valid until the profile is closed.
     */
    const gt_frame *frames;
    /** The number of frames. */
    size_t frame_count;
    /** How often something was counted; at most INT64_MAX. */
    uint64_t count;
    /** The total duration in nanoseconds; at most INT64_MAX. */
    uint64_t nanoseconds;
    /** The gt_go_state for GT_PROFILE_WALL; GT_GO_UNDETERMINED for other kinds. */
    uint32_t state;
    /** Always 0. */
    uint32_t reserved;
} gt_profile_sample;

/** Initialiser of gt_profile_sample. @since 0.1.0 */
#define GT_PROFILE_SAMPLE_INIT                                                                     \
    { sizeof(gt_profile_sample), NULL, 0, 0, 0, 0, 0 }

/**
 * Returns the number of samples of a kind. It is 0 for NULL, for a kind that was not requested,
 * and if the profile has taken an event since the last snapshot and is not finished.
 * @since 0.1.0
 */
GT_API size_t gt_profile_count(const gt_profile *profile, uint32_t kind);

/**
 * Fills `*sample` with sample number `index`, from 0, of a kind. Samples are sorted by falling
 * time; then by falling count; then by their pcs, in rising order from the leaf on; then by
 * rising state.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, sample->size is wrong, or `index` is not
 *         below gt_profile_count.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_get_sample(gt_profile *profile, uint32_t kind, size_t index,
                                       gt_profile_sample *sample);

/** Information about a profile. @since 0.1.0 */
typedef struct gt_profile_info {
    /** sizeof(gt_profile_info), set by the caller. */
    size_t size;
    /**
     * The number of goroutines that are counted; with GT_PROFILE_REGIONS, the number of
     * regions, including nested ones.
     */
    uint64_t selected;
    /** The number of distinct stacks. */
    uint64_t stacks;
    /** The time of the first event. */
    int64_t first_time;
    /** The time of the last event. */
    int64_t last_time;
    /** The number of bytes of memory that the profile holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_profile_info;

/** Initialiser of gt_profile_info. @since 0.1.0 */
#define GT_PROFILE_INFO_INIT                                                                       \
    { sizeof(gt_profile_info), 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. May be called at any time.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_get_info(const gt_profile *profile, gt_profile_info *info);

/**
 * Writes the samples of a kind in the format of pprof: an uncompressed message
 * `perftools.profiles.Profile` of profile.proto. The output is passed to `write`; `user_data`
 * is passed unchanged to it. Equal samples produce equal bytes.
 *
 * The values are "contentions" and "delay" as in Go; for GT_PROFILE_CPU they are "samples" and
 * "cpu". Samples of GT_PROFILE_WALL have a label "state". The profile contains the duration of
 * the trace and, if the trace has a wall clock, the time of its first event. Strings are UTF-8,
 * as the format demands: U+FFFD replaces each byte of a name that is not part of valid UTF-8.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, there are no results because neither
 *         gt_profile_snapshot nor gt_profile_finish was called after the last event, or the kind
 *         was not requested.
 * @retval GT_ERR_IO `write` failed.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_write_pprof(gt_profile *profile, uint32_t kind, gt_write_fn write,
                                        void *user_data);

/**
 * Closes `*profile` and sets it to NULL. Does nothing if `profile` or `*profile` is NULL.
 * @since 0.1.0
 */
GT_API void gt_profile_close(gt_profile **profile);

#ifdef __cplusplus
}
#endif

#endif
