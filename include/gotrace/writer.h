/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_WRITER_H
#define GOTRACE_WRITER_H

/**
 * @file
 * Writing traces: the inverse of gotrace/reader.h. A writer takes the events of a reader, all of
 * them or a stretch, and writes a trace from which any reader, Go's own included, reads the same
 * events with the same times.
 *
 * This copies what happened from `start` to `end` to another trace:
 *
 * @code
 * status = gt_writer_open(&writer, reader, write_bytes, file, NULL, NULL);
 * while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
 *     if (event->time > end)
 *         break;
 *     if (event->time < start)
 *         status = gt_writer_skip(writer, event);
 *     else
 *         status = gt_writer_event(writer, event);
 * }
 * if (status == GT_OK || status == GT_END)
 *     status = gt_writer_finish(writer);
 * gt_writer_close(&writer);
 * @endcode
 *
 * A writer needs every event of the trace from its beginning on, because it has to know the state
 * of all goroutines and procs where the output begins: those before the output are skipped. Once
 * something is written, only events that change no state may be left out: metrics, labels, CPU
 * samples, tasks, regions, logs and experimental events.
 *
 * The output has the generations of the input, unless `generation_bytes` divides them. If it begins
 * within a generation, it begins with a Sync and the statuses of everything that exists, at times
 * before the first event; ranges that are open begin anew or are named as active. A task that began
 * earlier ends without its type, unless GT_WRITER_TASKS lets it begin anew.
 *
 * With gotrace/focus.h the output has the states of everything, but the logs, regions, tasks, CPU
 * samples and stacks only of some goroutines, tasks or regions.
 *
 * The recording of the output has ended as that of the input (see gt_reader_get_ending) if all
 * events up to the last one, the Sync at the end, are written: if the program ended meanwhile, it
 * did so in the output. Every other output is a window that was written whole, GT_ENDING_STOPPED;
 * and so is, since version 26, that of an input which does not tell: one of Go 1.25 or earlier, or
 * one that a lenient reader has repaired at its end.
 *
 * The input may be a trace of Go 1.21 or earlier, the output not. docs/writing.md says more.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/version.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Flags of gt_writer_options. @since 0.1.0 */
enum {
    /**
     * Writes nothing of where the program ran: threads and pcs become consecutive numbers, batches
     * of experiments are left out, and the wall clock begins when `wall_seconds` says. Texts are up
     * to `text`; experimental events, which have addresses, and logs can be passed to
     * gt_writer_skip.
     */
    GT_WRITER_ANONYMOUS = 1 << 0,
    /**
     * If the output begins after the beginning of the trace, begins the tasks anew that are open
     * there, so that their ends have a type. That needs a goroutine that runs: if there is none,
     * they begin before the next event of one, which can delay it.
     */
    GT_WRITER_TASKS = 1 << 1,
    /**
     * Writes the events of a lenient reader also after it has repaired something. Where an event
     * needs another state than the output has reached, because of what was lost, makes up the
     * events that lead there. The output may still be one that no reader accepts: read it before
     * you use it. docs/writing.md says more.
     */
    GT_WRITER_LENIENT = 1 << 2
};

/**
 * What a text of a trace is: an argument of a gt_text_fn. More may be added.
 * @since 0.1.0
 */
typedef uint32_t gt_text_kind;

/** Values of gt_text_kind. @since 0.1.0 */
enum {
    /** The name of the function of a frame, with its package. */
    GT_TEXT_FUNCTION = 1,
    /** The path of the source file of a frame. */
    GT_TEXT_FILE = 2,
    /** The type of a task. */
    GT_TEXT_TASK = 3,
    /** The type of a region. */
    GT_TEXT_REGION = 4,
    /** The category of a log message. */
    GT_TEXT_CATEGORY = 5,
    /** A log message. */
    GT_TEXT_MESSAGE = 6,
    /** A label of a goroutine. */
    GT_TEXT_LABEL = 7,
    /** The reason for which a goroutine blocked or stopped. */
    GT_TEXT_REASON = 8,
    /** The cause of a stop of the world. */
    GT_TEXT_CAUSE = 9
};

/**
 * Replaces `*text`, which is a text of the trace, by another one, or leaves it as it is. The new
 * text must be valid until the next call; only its first 1024 bytes are written. Called once in a
 * generation of the output for each text of each kind, and for a frame with the function before the
 * file. Must not use the writer. Returns 0, or another value to fail with GT_ERR_CALLBACK.
 * @since 0.1.0
 */
typedef int (*gt_text_fn)(void *user_data, gt_text_kind kind, gt_string *text);

/**
 * Says how much is written of an event: returns 1 for all that it has, and 0 for the state that it
 * leaves, without its stacks; then logs, regions, tasks, CPU samples and experimental events, which
 * change no state, are left out, and a task does not begin anew by GT_WRITER_TASKS. A negative
 * gt_status makes the writer fail with it. Called once for each event but Syncs, also for those
 * that are skipped. Must not use the writer.
 * @since 0.1.0
 */
typedef int (*gt_keep_fn)(void *user_data, const gt_event *event);

/**
 * Options of a writer. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_writer_options {
    /** sizeof(gt_writer_options), set by the caller. */
    size_t size;
    /** Flags such as GT_WRITER_ANONYMOUS. */
    uint64_t flags;
    /**
     * The N of the header "go 1.N trace" to write: 22, 23, 25 or 26, which the tools of that
     * version of Go and of all later ones read; or 0 for that of the input, and for 23 if the input
     * is a trace of Go 1.21 or earlier. If the input has a later version than the output, what that
     * cannot hold is left out: before 25 the clock snapshots; and in 22 experiments, and the stacks
     * of statuses. There a goroutine that is created to wait runs for 1 ns before it does, and the
     * goroutine that creates it stops for that long; see docs/writing.md.
     */
    uint32_t version;
    /** Always 0. */
    uint32_t reserved;
    /** Nanoseconds that are added to all times. */
    int64_t offset;
    /**
     * If the input has no clock snapshots, or with GT_WRITER_ANONYMOUS, and the output must have
     * some: the wall-clock time of the beginning of the output, in seconds since 1970-01-01 UTC; 0
     * for 1.
     */
    uint64_t wall_seconds;
    /** The most bytes to hold at any time, or 0 for no limit; see gt_reader_options. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. Its context must live as long as the writer. */
    const gt_allocator *allocator;
    /**
     * Divides a generation of the input when about so many bytes of its events are written, except
     * for the first one of a trace of Go 1.22 or later, in which not all goroutines are known yet.
     * The events of each part have at least 32 bytes for each goroutine and proc that exists, and a
     * quarter of the bytes of the strings and stacks that they use, because parts repeat these: so
     * division does not make the output many times larger, however small this number is. A
     * generation is divided where nothing happens for long enough to name all goroutines and procs;
     * if there is no such place before it has twice the size, events are delayed by the nanoseconds
     * that are missing. 0: the generations are those of the input, but for a trace of Go 1.21 or
     * earlier, which is one, this is GT_WRITER_V1_GENERATION.
     */
    uint64_t generation_bytes;
    /** Replaces texts; NULL to write those of the input. */
    gt_text_fn text;
    /** Passed to `text`. */
    void *text_data;
    /** Says how much is written of each event; NULL for all. See gt_focus_apply. */
    gt_keep_fn keep;
    /** Passed to `keep`. */
    void *keep_data;
} gt_writer_options;

/**
 * The nanoseconds that are added to the times of a trace of Go 1.21 or earlier, besides
 * options->offset: they begin at 0, and the states at the beginning need times, too.
 * @since 0.1.0
 */
#define GT_WRITER_V1_OFFSET (1 << 20)

/**
 * The default of gt_writer_options.generation_bytes for traces of Go 1.21 or earlier.
 * @since 0.1.0
 */
#define GT_WRITER_V1_GENERATION (64 << 20)

/** Initialiser of gt_writer_options: the defaults. @since 0.1.0 */
#define GT_WRITER_OPTIONS_INIT                                                                     \
    { sizeof(gt_writer_options), 0, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL }

/**
 * Writes one trace. Opaque.
 *
 * Memory: for each goroutine and proc that exists, and each thread that ever did, about 100 bytes;
 * the texts of the current generation, and 4 for each stack of it; and up to 4 MiB of events. With
 * GT_WRITER_TASKS also about 100 bytes for each task that is open, and once the text of each type.
 *
 * Thread-safety: one thread at a time may use a writer, the one that uses its reader. Different
 * writers are independent.
 * @since 0.1.0
 */
typedef struct gt_writer gt_writer;

/**
 * Opens a writer of the events of `reader`, which must remain open until the writer is closed.
 * Nothing is written yet. The output goes to `write` in large pieces; `user_data` is passed
 * unchanged to it. `options` may be NULL for the defaults. On failure `*writer` is NULL, and the
 * details are stored in `*error` unless `error` is NULL. Close the writer with gt_writer_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, options, allocator or error has a
 *         wrong size or unknown bits, or options->version is none that can be written. The message
 *         names the argument or member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the writer.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_writer_open(gt_writer **writer, gt_reader *reader,
                                             gt_write_fn write, void *user_data,
                                             const gt_writer_options *options, gt_error *error)
    GT_NONNULL((1, 2, 3));

/**
 * Writes the reader's current event, see gt_reader_has_event. An event whose time is not after that
 * of the last one written, as can be after the statuses at the beginning, is delayed to 1 ns after
 * it.
 *
 * @retval GT_OK the event was written or buffered.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, the event is not a current one of the reader,
 *         it or a later one was passed before, gt_writer_late was called, or the writer is
 *         finished. The writer continues as if the call had not been made.
 * @retval GT_ERR_NOT_AVAILABLE it cannot be written: a time below 0 or beyond the largest one,
 *         events that a lenient reader has repaired (see GT_WRITER_LENIENT), or statuses that
 *         contradict each other, or what was written before gt_writer_join.
 * @retval GT_ERR_IO `write` failed.
 * @retval GT_ERR_CALLBACK options->text failed.
 * @retval other options->keep returned it.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 *
 * After one of the errors but GT_ERR_INVALID_ARGUMENT every later call returns the same error.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_event(gt_writer *writer, const gt_event *event) GT_NONNULL((1, 2));

/**
 * Leaves out the reader's current event, and notes the state that it leaves. After the first call
 * of gt_writer_event only the kinds of event can be left out that change no state; see the top of
 * this file.
 *
 * @retval GT_ERR_INVALID_ARGUMENT as for gt_writer_event, or the event changes a state and is not
 *         before the output.
 * @retval other see gt_writer_event.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_skip(gt_writer *writer, const gt_event *event) GT_NONNULL((1, 2));

/**
 * Takes the reader's current event, which comes after the output, only for what it tells of the
 * states in the output: in a trace of Go 1.22 or later the first event of what existed before is
 * its status, which can be as late as at the end of the first generation that has events. Such a
 * state is written behind the last event, or by gt_writer_states, if that follows; no other event
 * changes anything. So an output that ends in that generation has the states of everything, if all
 * events up to the next Sync are passed to this function. Afterwards the writer takes no others.
 *
 * @retval GT_ERR_INVALID_ARGUMENT as for gt_writer_event.
 * @retval other see gt_writer_event.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_late(gt_writer *writer, const gt_event *event) GT_NONNULL((1, 2));

/**
 * Writes a stretch of time in which nothing happens: the states of everything that exists, at times
 * before `start`, as at the beginning of any output, and one of them again at `end`, so that the
 * output lasts as long. Both are times of the input, after that of the last event that was skipped
 * and before that of the next one. For an output that would otherwise have no event.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `writer` is NULL or finished, gt_writer_event or this function
 *         was called for this output already, no event was skipped or passed to gt_writer_late, or
 *         `end` is before `start`.
 * @retval other see gt_writer_event.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_states(gt_writer *writer, int64_t start, int64_t end) GT_NONNULL((1));

/**
 * Ends the trace, and passes everything that is buffered to `write`. May be called after any event,
 * and after the reader has failed: the output then ends with the last event. Afterwards the writer
 * takes no events.
 *
 * @retval GT_OK the trace is complete.
 * @retval GT_ERR_INVALID_ARGUMENT `writer` is NULL, or finished already.
 * @retval GT_ERR_NOT_AVAILABLE neither gt_writer_event nor gt_writer_states was called: there is
 *         nothing to write.
 * @retval other see gt_writer_event.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_finish(gt_writer *writer) GT_NONNULL((1));

/**
 * Ends the trace as gt_writer_finish does, and lets the writer begin another one with the next
 * event that it is given, as after events that were skipped. So a trace can be cut into pieces that
 * follow each other, although each needs the state of all goroutines and procs at its beginning.
 * Everything that was written before has been passed to `write` when this function returns, and
 * `write` may now write to another file. gt_writer_get_info is about the trace that follows.
 *
 * The errors are those of gt_writer_finish, after which the writer takes no events. In particular
 * GT_ERR_NOT_AVAILABLE means that nothing was written since the last call.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_restart(gt_writer *writer) GT_NONNULL((1));

/**
 * Continues the output with the events of another reader, whose trace must be what follows in time
 * in the same run of the program: a part that was cut from the same trace as what has been written.
 * `reader` has not delivered any event yet. From now on the writer takes its events,
 * and the reader before may be closed.
 *
 * Such a part begins with the states of everything that exists. If it begins within the last
 * generation that was written, as its number tells, it continues that, and the states that are
 * known are left out, as are ranges that are active and stops of the world that have begun. So the
 * parts become the trace again from which they were cut. Events that the parts lack are not made
 * up: see the `left_out` of the writer that cut them. Whether the states are those that the output
 * has reached is only checked in this case; read the output before you use it.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, gt_writer_event was not called, or the writer
 *         is finished.
 * @retval GT_ERR_NOT_AVAILABLE the trace before is one of Go 1.21 or earlier. This error also ends
 *         a later call of gt_writer_event if such a trace follows, or one that does not continue
 *         what was written.
 * @retval other see gt_writer_event.
 *
 * After one of the errors but GT_ERR_INVALID_ARGUMENT every later call returns the same error.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_join(gt_writer *writer, gt_reader *reader) GT_NONNULL((1, 2));

/**
 * Fills `*error` with the error that ended the writing. Its `status` is GT_OK if there has been no
 * error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_error(const gt_writer *writer, gt_error *error);

/** Information about the output so far. @since 0.1.0 */
typedef struct gt_writer_info {
    /** sizeof(gt_writer_info), set by the caller. */
    size_t size;
    /** The N of the header; 0 before the first event. */
    uint32_t version;
    /** Always 0. */
    uint32_t reserved;
    /** The number of events that were written, without Syncs and `made_up`. */
    uint64_t events;
    /**
     * The number of events that name what existed when the output began, tasks included, or where a
     * generation of the input was divided; in version 22 of those that let a goroutine wait that
     * was created to wait; and with GT_WRITER_LENIENT of those that lead over what was lost.
     */
    uint64_t made_up;
    /**
     * The number of events that gt_writer_event was given and that could not be written: ends of
     * stops of the world that began before the output, on a goroutine that did not run there; in
     * version 22 experimental events; and with GT_WRITER_LENIENT ends of regions that are not the
     * innermost ones of their goroutine, and what the state of the output does not allow.
     */
    uint64_t left_out;
    /** The number of events, without Syncs, that have a later time than in the input. */
    uint64_t delayed;
    /** The number of generations that were begun. */
    uint64_t generations;
    /** The number of bytes that were passed to `write`. */
    uint64_t bytes;
    /** The number of bytes of memory that the writer holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
    /**
     * The number of events of a trace of Go 1.21 or earlier that have another thread, proc or
     * goroutine than in the input, because those were not able to record them.
     */
    uint64_t moved;
    /** The number of changes of a proc to another thread that such a trace does not have. */
    uint64_t handed_over;
} gt_writer_info;

/** Initialiser of gt_writer_info. @since 0.1.0 */
#define GT_WRITER_INFO_INIT                                                                        \
    { sizeof(gt_writer_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. May be called at any time, also after an error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_writer_get_info(const gt_writer *writer, gt_writer_info *info);

/**
 * Closes `*writer` and sets it to NULL. Output that was not finished lacks its end. Does nothing if
 * `writer` or `*writer` is NULL.
 * @since 0.1.0
 */
GT_API void gt_writer_close(gt_writer **writer);

#ifdef __cplusplus
}
#endif

#endif
