/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_LIVE_H
#define GOTRACE_LIVE_H

/**
 * @file
 * The state of the traced program at the reader's position: what each goroutine, proc and thread
 * does after the event that gt_reader_next_event has returned last.
 *
 * Needs GT_READER_TRACK. A reader with that flag keeps a table of all live objects: its memory
 * grows with the number of goroutines, procs and threads at one time, with the length of the names
 * of functions and reasons, and with the stacks of these goroutines whose generations have ended.
 * The table is updated when one of these functions is called, and at least every 32 events, also if
 * GT_READER_AHEAD has already decoded later events.
 *
 * @code
 * gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
 * gt_transition change = GT_TRANSITION_INIT;
 * if (gt_event_transition(event, &change) == GT_OK &&
 *     change.resource.kind == GT_RESOURCE_GOROUTINE && change.from == GT_GO_RUNNABLE &&
 *     gt_reader_goroutine(reader, change.resource.id, &info) == GT_OK && info.previous_known)
 *     printf("waited for %" PRId64 " ns\n", info.since - info.previous_since);
 * @endcode
 *
 * Thread-safety: as for the reader.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a goroutine at the reader's position. @since 0.1.0 */
typedef struct gt_goroutine_info {
    /** sizeof(gt_goroutine_info), set by the caller. */
    size_t size;
    /** The number of the goroutine, by first appearance from 1; a number is never reused. */
    uint64_t number;
    /** The id. */
    int64_t id;
    /** The gt_go_state. GT_GO_NOT_EXIST if the last event has ended the goroutine. */
    uint32_t state;
    /**
     * 1 if the trace contains the begin of the state. If 0, either the goroutine was in its state
     * when it was first seen, and `since` is the time of the Sync before, a lower bound of the
     * duration; or the event that led to its state is missing, and `since` is the time of the next
     * event that shows the state.
     */
    uint32_t since_known;
    /** When the state began. */
    int64_t since;
    /** When the previous state began: it lasted until `since`. */
    int64_t previous_since;
    /** The previous state, or GT_GO_UNDETERMINED if it is not known. */
    uint32_t previous_state;
    /** 1 if the trace contains the begin of the previous state, else 0. */
    uint32_t previous_known;
    /** Why the goroutine entered its state, as in gt_transition.reason; often empty. */
    gt_string reason;
    /**
     * The function that the goroutine starts with: the outermost frame of the first of its
     * transitions that has a stack. Empty if none has a stack.
     */
    gt_string name;
    /**
     * The thread on which it runs or is in a system call, or GT_NO_THREAD. In a trace of Go 1.21
     * or earlier the thread of a system call that blocks is not known.
     */
    int64_t thread;
    /** The proc that this thread holds, or GT_NO_PROC. */
    int64_t proc;
    /**
     * The stack of the last of its transitions that has one. The frames of this stack and of the
     * two below are available as long as those of every gt_stack, and if their generation has
     * ended, also until the call of gt_reader_next_event after which the goroutine has another
     * stack or cannot be queried any more.
     */
    gt_stack stack;
    /** The stack with which it was created; GT_STACK_NONE if it existed before the trace. */
    gt_stack start_stack;
    /** When it was created, or the time of the Sync before it was first seen. */
    int64_t created;
    /** The goroutine that created it, or GT_NO_GOROUTINE. */
    int64_t creator;
    /** The stack of its creator; GT_STACK_NONE if it existed before the trace. */
    gt_stack creator_stack;
} gt_goroutine_info;

/** Initialiser of gt_goroutine_info. @since 0.1.0 */
#define GT_GOROUTINE_INFO_INIT                                                                     \
    { sizeof(gt_goroutine_info), 0, 0, 0, 0, 0, 0, 0, 0, { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0, 0,  \
      0, 0 }

/** The state of a proc at the reader's position. @since 0.1.0 */
typedef struct gt_proc_info {
    /** sizeof(gt_proc_info), set by the caller. */
    size_t size;
    /** The number of the proc, by first appearance from 1. */
    uint64_t number;
    /** The id. */
    int64_t id;
    /** The gt_proc_state. */
    uint32_t state;
    /** 1 if the trace contains the begin of the state, else 0; see gt_goroutine_info. */
    uint32_t since_known;
    /** When the state began. */
    int64_t since;
    /** When the previous state began. */
    int64_t previous_since;
    /** The previous state, or GT_PROC_UNDETERMINED if it is not known. */
    uint32_t previous_state;
    /** 1 if the trace contains the begin of the previous state, else 0. */
    uint32_t previous_known;
    /** The thread that holds it, or GT_NO_THREAD. */
    int64_t thread;
    /** The goroutine on that thread, or GT_NO_GOROUTINE. */
    int64_t goroutine;
} gt_proc_info;

/** Initialiser of gt_proc_info. @since 0.1.0 */
#define GT_PROC_INFO_INIT                                                                          \
    { sizeof(gt_proc_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * The state of a thread at the reader's position. The trace tells of a thread only while it holds a
 * proc or has a goroutine.
 * @since 0.1.0
 */
typedef struct gt_thread_info {
    /** sizeof(gt_thread_info), set by the caller. */
    size_t size;
    /** The number of the thread, by appearance; a thread that reappears gets a new number. */
    uint64_t number;
    /** The id. */
    int64_t id;
    /** The last time at which it got or lost a proc or a goroutine. */
    int64_t since;
    /** The proc that it holds, or GT_NO_PROC. */
    int64_t proc;
    /** The goroutine that runs on it or is in a system call there, or GT_NO_GOROUTINE. */
    int64_t goroutine;
} gt_thread_info;

/** Initialiser of gt_thread_info. @since 0.1.0 */
#define GT_THREAD_INFO_INIT                                                                        \
    { sizeof(gt_thread_info), 0, 0, 0, 0, 0 }

/**
 * @name Asking by id
 * Each of these functions fills `*info` with the state of the goroutine, proc or thread with an
 * id after the event that gt_reader_next_event has returned last. Before the first event there are
 * none; after GT_END or an error the state is that after the last event. A goroutine that the last
 * event has ended can still be queried until the next event. The strings in `*info` are valid
 * until the next call of gt_reader_next_event.
 *
 * @retval GT_ERR_NOT_AVAILABLE there is none with this id.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, info->size is wrong, the reader was opened
 *         without GT_READER_TRACK, or it is in one of the caller's callbacks.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the table. The reader
 *         remains as it was, and a later call may succeed.
 * @{
 */

/** Gets the state of a goroutine. @since 0.1.0 */
GT_API gt_status gt_reader_goroutine(gt_reader *reader, int64_t id, gt_goroutine_info *info);
/** Gets the state of a proc. @since 0.1.0 */
GT_API gt_status gt_reader_proc(gt_reader *reader, int64_t id, gt_proc_info *info);
/** Gets the state of a thread. @since 0.1.0 */
GT_API gt_status gt_reader_thread(gt_reader *reader, int64_t id, gt_thread_info *info);

/** @} */

/**
 * @name Asking for all
 * Each of these functions fills `*info` with the first goroutine, proc or thread whose number is
 * greater than info->number, so that a loop that starts with an initialised structure visits all
 * live objects, in order of first appearance:
 *
 * @code
 * gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
 * while (gt_reader_next_goroutine(reader, &info) == GT_OK) { ... }
 * @endcode
 *
 * Events may be read during the loop: an object that exists all the time is visited once, an
 * object that ends before its turn is not visited, and new objects are visited at the end. The loop
 * takes time in proportion to the number of live objects.
 *
 * @retval GT_END there are no more.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for asking by id.
 * @{
 */

/** Gets the state of the next goroutine. @since 0.1.0 */
GT_API gt_status gt_reader_next_goroutine(gt_reader *reader, gt_goroutine_info *info);
/** Gets the state of the next proc. @since 0.1.0 */
GT_API gt_status gt_reader_next_proc(gt_reader *reader, gt_proc_info *info);
/** Gets the state of the next thread. @since 0.1.0 */
GT_API gt_status gt_reader_next_thread(gt_reader *reader, gt_thread_info *info);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
