/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_PROFILE_H
#define GOTRACE_PROFILE_H

/**
 * @file
 * Profiles: where goroutines spend their time, by stack.
 *
 * A profile is fed the events of a trace, one after the other. When they are over it
 * holds a sample for each stack: how many times something was, and for how long
 * altogether. Samples can be written in the format of pprof.
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
 * What is counted. More may come.
 *
 * The first four are those of `go tool trace -pprof`, and their numbers are the same.
 * Each counts the waits of a goroutine that ended, with the stack of the event that
 * began the wait: of a goroutine that becomes runnable this is the stack of who woke it.
 * What a goroutine did before it first ran does not count, if it ran at all; nor does
 * what ended after the last Sync, which in a good trace is the last event. Goroutines that
 * C makes for its calls of Go have ids that come again: of those with one id that counts
 * which fits the last one.
 *
 * The others count all events that came. Their stacks are the goroutine's own, where it
 * was last seen, also of an earlier transition where one has none.
 * @since 0.1.0
 */
typedef enum gt_profile_kind {
    /** Waiting for the network. */
    GT_PROFILE_NET = 1,
    /** Waiting for another goroutine: channels, package sync, select. */
    GT_PROFILE_SYNC = 2,
    /** In system calls and in C. */
    GT_PROFILE_SYSCALL = 3,
    /** Runnable, and waiting for a proc. */
    GT_PROFILE_SCHED = 4,
    /**
     * The CPU profiler's samples, where the program ran with one. The trace does not say
     * what time one stands for: see gt_profile_options.cpu_period.
     */
    GT_PROFILE_CPU = 5,
    /** Neither running nor in a system call: from where it stopped to where it runs again. */
    GT_PROFILE_OFFCPU = 6,
    /**
     * All time of all goroutines, by state and stack; of running time the stack is where it
     * went on from. A goroutine that was there before is taken to have been in its
     * first state since the Sync before.
     */
    GT_PROFILE_WALL = 7
} gt_profile_kind;

/**
 * The name of a kind: "net", "sync", "syscall", "sched", "cpu", "offcpu" or "wall"; "bad"
 * for a value that is none. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_profile_kind_name(uint32_t kind);

/** The bit of a kind in gt_profile_options.kinds. @since 0.1.0 */
#define GT_PROFILE_BIT(kind) (UINT64_C(1) << (kind))

/** Bits of gt_profile_options.flags. @since 0.1.0 */
enum {
    /**
     * Count only what goroutines do in the runtime/trace regions that match
     * gt_profile_options.region_type, latency_min and latency_max, nested ones included.
     *
     * As in Go a region without an end lasts until its goroutine ends, or the trace, if
     * it is none of the runtime's own goroutines. An end without a begin is that of a
     * region as old as the trace. A goroutine that was created in a region is from then
     * on in one without a type, of its own.
     */
    GT_PROFILE_REGIONS = 1 << 0
};

/** What to count. The caller owns it; it is copied, with its texts. @since 0.1.0 */
typedef struct gt_profile_options {
    /** sizeof(gt_profile_options), set by the caller. */
    size_t size;
    /** GT_PROFILE_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The kinds to count, GT_PROFILE_BIT of each. Unknown bits are refused. */
    uint64_t kinds;
    /**
     * The group of goroutines to count: those that began in the function of this name,
     * which is the root of the first stack of their own that is seen. Empty for all. Does
     * not go with GT_PROFILE_REGIONS.
     */
    gt_string goroutine;
    /** With GT_PROFILE_REGIONS: the type of the regions; `data` NULL for any. */
    gt_string region_type;
    /** With GT_PROFILE_REGIONS: how long they last at least, in nanoseconds, included. */
    int64_t latency_min;
    /** The same for at most, included. */
    int64_t latency_max;
    /** Nanoseconds that one sample of GT_PROFILE_CPU stands for. */
    uint64_t cpu_period;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_profile_options;

/**
 * Initialiser of gt_profile_options: all goroutines, no kind yet, and samples of the 10 ms
 * that runtime/pprof takes.
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
 * What it holds grows with the stacks that differ, the goroutines that are alive at a time,
 * and the ids of those that C made. With a group or regions each of these has samples of its
 * own until it is known whether they count.
 *
 * Thread-safety: one thread at a time; different profiles are independent, and may be
 * fed the same events. The allocator and the function of gt_profile_write_pprof must not
 * use the profile that calls them: such a call returns GT_ERR_INVALID_ARGUMENT, and
 * gt_profile_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_profile gt_profile;

/**
 * Sets `*profile`, or sets it to NULL and returns an error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, options or allocator has a wrong size
 *         or unknown bits, no kind is asked for, or the options contradict each other.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the profile.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_open(gt_profile **profile, const gt_profile_options *options);

/**
 * Counts `event`, the next one of the trace, which `reader` has just delivered. All
 * events have to come.
 * @retval GT_OK the event was counted, or there is nothing about it to count.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_profile_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, that of the profile or, for
 *         frames, of the reader. So does every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_event(gt_profile *profile, struct gt_reader *reader,
                                  const gt_event *event);

/**
 * There are no more events, whether the trace is over or damaged. What follows can be
 * asked for only now; the reader may be closed.
 * @retval GT_ERR_INVALID_ARGUMENT `profile` is NULL, or it was called before.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as gt_profile_event.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_finish(gt_profile *profile);

/** All that was counted of a stack. @since 0.1.0 */
typedef struct gt_profile_sample {
    /** sizeof(gt_profile_sample), set by the caller. */
    size_t size;
    /**
     * The stack, the leaf first; stacks are the same where their pcs are. At most
     * GT_STACK_MAX_FRAMES frames, without those at the end whose pc is 0; none where the
     * trace has no stack. The array is good until the next call for the profile, the texts
     * until it is closed.
     */
    const gt_frame *frames;
    /** How many frames it has. */
    size_t frame_count;
    /** How many times; at most INT64_MAX. */
    uint64_t count;
    /** For how long altogether; at most INT64_MAX. */
    uint64_t nanoseconds;
    /** Of GT_PROFILE_WALL the gt_go_state, else GT_GO_UNDETERMINED. */
    uint32_t state;
    /** 0. */
    uint32_t reserved;
} gt_profile_sample;

/** Initialiser of gt_profile_sample. @since 0.1.0 */
#define GT_PROFILE_SAMPLE_INIT                                                                     \
    { sizeof(gt_profile_sample), NULL, 0, 0, 0, 0, 0 }

/**
 * How many samples there are of a kind. 0 for NULL, for a kind that was not asked for, and
 * before gt_profile_finish.
 * @since 0.1.0
 */
GT_API size_t gt_profile_count(const gt_profile *profile, uint32_t kind);

/**
 * Fills `*sample` with the sample number `index` of a kind, from 0. Those with more time
 * come first; where that is equal those with a greater count, then those whose pcs are
 * lower, from the leaf on, then those of a lower state.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, sample->size is wrong, or `index` is
 *         not below gt_profile_count.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_get_sample(gt_profile *profile, uint32_t kind, size_t index,
                                       gt_profile_sample *sample);

/** What is known of the counting. @since 0.1.0 */
typedef struct gt_profile_info {
    /** sizeof(gt_profile_info), set by the caller. */
    size_t size;
    /** How many goroutines are counted; with GT_PROFILE_REGIONS regions, nested ones too. */
    uint64_t selected;
    /** Stacks that differ. */
    uint64_t stacks;
    /** Time of the first event. */
    int64_t first_time;
    /** Time of the last event. */
    int64_t last_time;
    /** Bytes of memory that the profile holds now. */
    uint64_t memory;
    /** The most it ever held. */
    uint64_t memory_peak;
} gt_profile_info;

/** Initialiser of gt_profile_info. @since 0.1.0 */
#define GT_PROFILE_INFO_INIT                                                                       \
    { sizeof(gt_profile_info), 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. Goes at any time.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_profile_get_info(const gt_profile *profile, gt_profile_info *info);

/**
 * Writes the samples of a kind as pprof reads them: a message `perftools.profiles.Profile`
 * of profile.proto, not compressed. It goes to `write`, with `user_data` as it is. The same
 * samples give the same bytes.
 *
 * Values are "contentions" and "delay" as in Go, with GT_PROFILE_CPU "samples" and "cpu".
 * GT_PROFILE_WALL has a label "state". The profile has the duration of the trace, and the
 * time of its first event where the trace has a wall clock. Texts are written as the trace
 * has them, which need not be UTF-8.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, gt_profile_finish was not called, or
 *         the kind was not asked for.
 * @retval GT_ERR_IO `write` failed.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT
 * @since 0.1.0
 */
GT_API gt_status gt_profile_write_pprof(gt_profile *profile, uint32_t kind, gt_write_fn write,
                                        void *user_data);

/** Closes `*profile` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_profile_close(gt_profile **profile);

#ifdef __cplusplus
}
#endif

#endif
