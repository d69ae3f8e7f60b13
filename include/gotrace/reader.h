/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_READER_H
#define GOTRACE_READER_H

/**
 * @file
 * Pulling events out of a trace.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads one trace. Opaque.
 *
 * Thread-safety: a reader may be used by one thread at a time, but any thread may cancel it by
 * gt_reader_cancel; different readers are independent. A reader calls only its allocator and the
 * callbacks described below. None of them may use the reader that called it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_reader_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_reader gt_reader;

/**
 * A bit of gt_reader_options.flags. Keep the strings and stacks of all generations valid until the
 * reader is closed. This takes memory for the tables of the whole trace.
 * @since 0.1.0
 */
#define GT_READER_KEEP (UINT64_C(1) << 0)

/**
 * A bit of gt_reader_options.flags. Refuse a header that is newer than this library with
 * GT_ERR_VERSION. Without this flag such a trace is read by the newest known rules, and
 * gt_reader_info.newer is set.
 * @since 0.1.0
 */
#define GT_READER_KNOWN_VERSIONS (UINT64_C(1) << 1)

/**
 * A bit of gt_reader_options.flags. Repair what can be repaired instead of ending with an error. A
 * missing frequency is estimated, damaged data is left out, and missing data is treated as empty.
 * An event that cannot follow the events before it is either left out or delivered after an
 * additional transition that makes it possible. Only the damaged batch or event is left out; in
 * traces of Go 1.21 and earlier also what follows it in its batch. Text that the program has
 * printed between the batches, or before the header, not more than 64 KiB, is left out as one
 * repair, which quotes its first line, and nothing is given of another trace, over which this one
 * was written or which lies behind it. In traces of Go 1.21 and earlier a time that runs backwards
 * is moved up. If the regions of a goroutine do not nest, an end belongs to the innermost open
 * region of the same task and type, of the innermost 1024.
 * Each repair is reported to gt_reader_options.on_repair. A trace that Go has written, and that is
 * read to its end without this flag, is read identically with it, and without repairs.
 * @since 0.1.0
 */
#define GT_READER_LENIENT (UINT64_C(1) << 2)

/**
 * A bit of gt_reader_options.flags. Also deliver what Go's own reader loses when it converts a
 * trace of Go 1.21 or earlier:
 *
 * - the first value of GOMAXPROCS, as a Metric; gt_reader_get_first_procs tells it as well;
 * - the stack that a goroutine started with, in its first transition, for a goroutine that
 *   existed before the trace;
 * - GT_NO_TASK as the parent in the TaskEnd of a task without a parent, where Go's reader
 *   reports 0;
 * - a blocking system call as blocking, where Go's reader takes it for a short one because
 *   a CPU sample lies in it.
 *
 * Traces of Go 1.22 and later are read identically with and without this flag.
 * @since 0.1.0
 */
#define GT_READER_AS_RECORDED (UINT64_C(1) << 3)

/**
 * A bit of gt_reader_options.flags. Read ahead: decode the next events in a worker thread of the
 * reader. The thread is started after several hundred events and ended by gt_reader_close. What the
 * reader delivers is the same with and without this flag, and so are the moments at which it calls
 * `read`, `on_repair` and `symbolize` and the thread that it calls them from. The allocator's
 * functions are called from both threads, but never from both at once. Reading ahead takes 0.3 MB
 * of memory; if that memory or a thread is not available, as in a library that was built without
 * threads, the reader works in one thread. It pays off if the caller spends more than 10 ns on an
 * event and a processor is free: the slower of the two threads then determines the time. fork(2)
 * does not copy the worker thread, so the child process must not use the reader.
 * @since 0.1.0
 */
#define GT_READER_AHEAD (UINT64_C(1) << 4)

/**
 * A bit of gt_reader_options.flags. Track the state of goroutines, procs and threads, for the
 * functions of gotrace/live.h. They tell of the moment after the event that was delivered last.
 * @since 0.1.0
 */
#define GT_READER_TRACK (UINT64_C(1) << 5)

/**
 * A bit of gt_reader_options.flags. With GT_READER_LENIENT, where an event waits for what is lost:
 * leave it out, and with it all further events of its thread in the generation, instead of
 * delivering it after an additional transition. What is delivered then has fewer events, but no
 * goroutine and no proc is in two places at once, so that it can be written as a trace. Without
 * GT_READER_LENIENT, and for traces of Go 1.21 and earlier, this flag has no effect.
 * @since 0.1.0
 */
#define GT_READER_UNFORCED (UINT64_C(1) << 6)

/**
 * Called for each repair made under GT_READER_LENIENT, before the next event is delivered. If
 * events refer to stacks or strings that their generation (of Go 1.22 or later) does not contain,
 * only the first missing stack and the first missing string of the generation are reported, but all
 * are counted; likewise the first end of a region that was not the innermost one, in the whole
 * trace. `repair` describes what the error would have been, with a message that says what was done
 * instead; it is valid only during the call.
 * @since 0.1.0
 */
typedef void (*gt_repair_fn)(void *user_data, const gt_error *repair);

/** An address and the source position it belongs to. Its layout will never change. @since 0.1.0 */
typedef struct gt_symbol {
    /** Set by the reader: an address within the instruction to look up. */
    uint64_t address;
    /**
     * The source line. This and the following members are set by the callback; they start out
     * as 0 and empty.
     */
    uint64_t line;
    /** The full name of the function. */
    gt_string function;
    /** The path of the source file. */
    gt_string file;
} gt_symbol;

/**
 * Finds functions, files and lines for `count` addresses. Needed only for traces of Go 1.5 and
 * 1.6, which hold addresses but no symbols. Called at most once for each reader, before its
 * first event, with all addresses of the trace, each of them once. The strings must remain
 * valid until the reader is closed. A return value other than 0 ends reading with
 * GT_ERR_SYMBOLS.
 * @since 0.1.0
 */
typedef int (*gt_symbolize_fn)(void *user_data, gt_symbol *symbols, size_t count);

/**
 * How far a reader has come. Belongs to the reader, and will grow: `size` tells which members
 * there are.
 * @since 0.1.0
 */
typedef struct gt_progress {
    /** The size of the structure, set by the library. */
    size_t size;
    /** The number of input bytes that were read. */
    uint64_t bytes_read;
    /**
     * The number of input bytes that were decoded, which takes most of the time. A batch counts
     * once its first event was decoded. A whole generation is read before any of it is decoded, and
     * all of a trace of Go 1.21 or earlier. Raw records are decoded as they are read.
     */
    uint64_t bytes_decoded;
    /** The size of the input, or 0 if it is not known, as that of a pipe. */
    uint64_t bytes_total;
} gt_progress;

/**
 * Receives the progress of reading. Called by the functions that return events, in the thread that
 * calls them, whenever they have read, checked or decoded some 256 KiB more; also while the first
 * call reads all of a trace of Go 1.21 or earlier, and while a generation is read. Waiting for
 * input does not call it. `progress` is valid only during the call. None of its numbers ever
 * decreases. A return value other than 0 cancels, as gt_reader_cancel and gt_raw_reader_cancel do.
 * @since 0.1.0
 */
typedef int (*gt_progress_fn)(void *user_data, const gt_progress *progress);

/** What a gt_execute_fn has to call, with `job`. @since 0.1.0 */
typedef void (*gt_job_fn)(void *job);

/**
 * Lets a thread of the host call `run(job)`, once, and returns without waiting for that. It may be
 * any thread but the one that calls this function. Returns 0 if `run` has been or will be called,
 * and another value if it will not.
 *
 * A job reads generations as long as there are some to read, and meanwhile may wait for the program
 * to take events. gt_reader_close waits for the jobs that have begun. A job that begins later does
 * nothing, but the host must run it nevertheless: the last one frees what they have in common. That
 * is of malloc, some hundred bytes which `memory_limit` counts, so jobs that begin after the reader
 * was closed do not use its allocator.
 * @since 0.1.0
 */
typedef int (*gt_execute_fn)(void *user_data, gt_job_fn run, void *job);

/**
 * Options for opening a reader. The structure belongs to the caller and is copied when a reader
 * is opened.
 * @since 0.1.0
 */
typedef struct gt_reader_options {
    /** sizeof(gt_reader_options), set by the caller. */
    size_t size;
    /** GT_READER_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * The most bytes that the reader may hold at any time, or 0 for no limit. Mapped files and
     * the caller's own memory do not count.
     */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** Called for each repair; may be NULL. */
    gt_repair_fn on_repair;
    /** Passed unchanged to `on_repair`. */
    void *repair_data;
    /** Finds symbols for traces of Go 1.5 and 1.6. If it is NULL, their frames have no names. */
    gt_symbolize_fn symbolize;
    /** Passed unchanged to `symbolize`. */
    void *symbolize_data;
    /** Told how far the reading has come; may be NULL. */
    gt_progress_fn on_progress;
    /** Passed unchanged to `on_progress`. */
    void *progress_data;
    /**
     * The number of threads that read ahead in a trace of Go 1.22 or later that is in memory or in
     * a file that can be mapped: 0 for none, and at most 64. They are started by the first call
     * that reads. Each reads another generation, which has about a second of the trace. Any other
     * trace is read as with 0. What the reader delivers is the same, and `on_repair` and
     * `on_progress` are called from the same thread, but `on_repair` possibly a few events later
     * and `on_progress` less often. The allocator's functions are called from all threads, but
     * never from two at once. A limit of memory that suffices without workers may not suffice with
     * them. Workers are of no use without a free processor. GT_READER_AHEAD has no effect on a
     * trace that is read by workers. fork(2) does not copy these threads, so the child process
     * must neither use nor close the reader.
     */
    uint64_t workers;
    /**
     * About the most bytes for events that `workers` have read and the program has not; 0 for half
     * the size of the trace or for 64 MiB, whichever is less. With a `memory_limit` it is at most a
     * quarter of the limit. It is never less than 1 MiB, whatever the options say. An event takes
     * 32 bytes or more. The more events fit, the more of a generation can be read while the one
     * before it is delivered. What generations contain besides events, above all strings and
     * stacks, takes memory for each worker.
     */
    uint64_t ahead_bytes;
    /**
     * Runs what the `workers` do, of which at most so many run at once, in threads of the host
     * instead of threads of the library; may be NULL. It is called in the thread that calls a
     * function of the reader. A generation that no thread has begun to read when it is needed is
     * read in the caller's thread, so what is delivered depends on no thread of the host. A library
     * that was built without threads does not call it.
     */
    gt_execute_fn execute;
    /** Passed unchanged to `execute`. */
    void *execute_data;
} gt_reader_options;

/** Initialiser of gt_reader_options: the defaults. @since 0.1.0 */
#define GT_READER_OPTIONS_INIT                                                                     \
    { sizeof(gt_reader_options), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }

/**
 * The result of a gt_read_fn if no bytes are available yet, but more may follow: the call that
 * reads then returns GT_AGAIN.
 * @since 0.1.0
 */
#define GT_READ_AGAIN INT64_MIN

/**
 * The result of a gt_read_fn on failure, with the errno of its cause, for gt_error.system_error.
 * @since 0.1.0
 */
#define GT_READ_FAILED(code) (-INT64_C(1) - (code))

/**
 * Supplies the next bytes of a trace. Writes 1 to `capacity` bytes to `buffer` and returns
 * their number; returns 0 at the end of the trace, GT_READ_AGAIN if there are no bytes yet, and
 * -1 or GT_READ_FAILED(errno) on failure, which the reader reports as GT_ERR_IO. A return value
 * greater than `capacity` also counts as a failure.
 * @since 0.1.0
 */
typedef int64_t (*gt_read_fn)(void *user_data, void *buffer, size_t capacity);

/**
 * @name Opening
 * Each of these functions sets `*reader` to a new reader, and reads the header of the trace if its
 * bytes have come; otherwise the first calls of gt_reader_next_event do. On
 * failure it sets `*reader` to NULL, returns an error, and stores the details in `*error`
 * unless `error` is NULL. `options` may be NULL for the defaults. Close the reader with
 * gt_reader_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, or options, allocator or error
 *         has a wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the reader.
 * @retval GT_ERR_IO the file cannot be opened, or reading it failed.
 * @retval GT_ERR_NOT_A_TRACE the input does not start like a Go trace.
 * @retval GT_ERR_VERSION the header names a version that is not supported.
 * @{
 */

/**
 * Opens a trace in memory. `data` is not copied: it must remain valid and unchanged until the
 * reader is closed. `data` may be NULL if `size` is 0.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_open_memory(gt_reader **reader, const void *data,
                                                    size_t size, const gt_reader_options *options,
                                                    gt_error *error) GT_NONNULL((1));

/**
 * Opens the file at `path`. A regular file is mapped into memory. If another program truncates
 * it in the meantime, the process receives SIGBUS, as with every mapping; where that can
 * happen, open the file yourself and use gt_reader_open_fd. Of a file of a megabyte or more, the
 * reader also keeps a descriptor until it is closed, by which it reads the events of Go 1.22 and
 * later with pread(2) to at most 4 MiB of buffers, or a sixteenth of a `memory_limit`: on some
 * systems that is faster than the mapping. Any other file, such as a FIFO or a device, is read as
 * gt_reader_open_fd does.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_open_file(gt_reader **reader, const char *path,
                                                  const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1, 2));

/**
 * Opens the file descriptor `fd`, for example a pipe or a socket, and reads it from its current
 * position with read(2). The descriptor remains the caller's and must stay open until the
 * reader is closed. If it is non-blocking and has no bytes yet, gt_reader_next_event returns
 * GT_AGAIN.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_open_fd(gt_reader **reader, int fd,
                                                const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Opens a trace whose bytes the caller's function `read` supplies. `user_data` is passed
 * unchanged to `read`.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_open_callback(gt_reader **reader, gt_read_fn read,
                                                      void *user_data,
                                                      const gt_reader_options *options,
                                                      gt_error *error) GT_NONNULL((1, 2));

/**
 * Opens a reader that does not read by itself: the caller feeds it with bytes as they come, by
 * gt_reader_feed, and ends the trace by gt_reader_finish. This suits event loops, sockets and
 * files that grow.
 *
 * What the reader delivers does not depend on how the input is cut into pieces. A generation is
 * delivered as soon as it is complete: since Go 1.26 with its last byte, before that with the
 * first batch of the next one or gt_reader_finish. A trace of Go 1.21 or earlier is delivered
 * after gt_reader_finish. The reader holds the bytes of a generation, and those that were fed
 * and not read yet; they count towards the memory limit.
 *
 * @code
 * while ((size = receive(buffer, sizeof(buffer))) > 0) {
 *     if (gt_reader_feed(reader, buffer, size) != GT_OK) { ... }
 *     while (gt_reader_next_event(reader, &event) == GT_OK) { ... }
 * }
 * gt_reader_finish(reader);
 * while (gt_reader_next_event(reader, &event) == GT_OK) { ... }
 * @endcode
 *
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_open_push(gt_reader **reader,
                                                  const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1));

/** @} */

/**
 * Appends a copy of `size` bytes at `data` to the input of a reader that gt_reader_open_push has
 * opened. `data` may be NULL if `size` is 0. Any amount may be fed before events are read. Events
 * that were delivered remain valid.
 *
 * If the call fails, it has taken none of the bytes. After GT_ERR_NO_MEMORY or GT_ERR_LIMIT they
 * can be fed again once events have been read; gt_reader_error does not know of these failures. If
 * nothing was left to read, because gt_reader_next_event has returned GT_AGAIN since bytes were
 * fed, GT_ERR_LIMIT is the error of the reader: what it has to hold at once, which is a generation,
 * or all of a trace of Go 1.21 or earlier, does not fit. The message says how much the reader
 * holds, which limit these bytes need at least, and whether smaller pieces may do.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, the reader was opened otherwise, it is in one
 *         of the caller's callbacks, or gt_reader_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for these bytes.
 * @retval other the error that gt_reader_next_event has returned: the reader needs no more bytes.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_feed(gt_reader *reader, const void *data, size_t size)
    GT_NONNULL((1));

/**
 * Ends the input of a reader that gt_reader_open_push has opened. gt_reader_next_event then
 * delivers what is left, and returns GT_END or an error instead of GT_AGAIN. Does nothing if it
 * was called before.
 * @retval GT_ERR_INVALID_ARGUMENT `reader` is NULL, was opened otherwise, or is in one of the
 *         caller's callbacks.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_finish(gt_reader *reader) GT_NONNULL((1));

/**
 * Cancels reading: from now on gt_reader_next_event returns GT_CANCELLED, also a call that is in
 * progress, within a few milliseconds. That includes the first call, which reads all of a trace of
 * Go 1.21 or earlier, and a call that reads a generation. A cancelled reader does not go on, but
 * what it has delivered remains valid; close it. A call that waits for bytes ends once there are
 * some: a read(2) that waits is ended only by a signal whose handler was installed without
 * SA_RESTART. Does nothing if the reader has reached the end of the trace or an error, or if
 * `reader` is NULL.
 *
 * Thread-safety: safe. It may be called by any thread, by the reader's own callbacks and by signal
 * handlers. The caller sees to it that the reader is not closed at the same time.
 * @since 0.1.0
 */
GT_API void gt_reader_cancel(gt_reader *reader);

/**
 * Closes `*reader`, frees everything that belongs to it, and sets it to NULL. Does nothing if
 * `reader` or `*reader` is NULL.
 * @since 0.1.0
 */
GT_API void gt_reader_close(gt_reader **reader);

/**
 * Reads the next event and points `*event` at it. Events are delivered in an order in which
 * they can have happened: the events of one thread in the order in which the thread recorded
 * them, events of different threads by time, but never an event before one that it depends on.
 *
 * The complete loop:
 *
 * @code
 * const gt_event *event;
 * gt_status status;
 * while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
 *     if (event->kind == GT_EVENT_STATE_TRANSITION) { ... }
 * }
 * if (status != GT_END) {
 *     gt_error error = GT_ERROR_INIT;
 *     gt_reader_error(reader, &error);
 *     fprintf(stderr, "%s\n", error.message);
 * }
 * @endcode
 *
 * A trace is delivered up to its first fault: first all good events, then the error, which
 * every later call returns again. The same holds if the source fails or memory runs out.
 *
 * Events of different threads with equal times are delivered in the order of the threads' first
 * batches with events in the generation. Times are made strictly increasing: an event that
 * would not be later than the event before it is moved to 1 ns after that event.
 *
 * A trace of Go 1.21 or earlier is a single generation whose stacks and frequency come last, so
 * the first call reads all of it. A stream is then held in memory; memory and mapped files are
 * used in place. Such traces were recorded per proc, not per thread, so there events with equal
 * times are delivered in the order in which their procs appear.
 *
 * @retval GT_OK `*event` is the next event. It is valid until the next call.
 * @retval GT_END the trace has ended; `*event` is NULL. Every later call returns GT_END too.
 * @retval GT_AGAIN the bytes of the next event are not available yet; `*event` is NULL. Call again
 *         when they are. Only readers that are fed, that read a non-blocking descriptor or whose
 *         gt_read_fn returns GT_READ_AGAIN return it.
 * @retval GT_CANCELLED reading was cancelled, by gt_reader_cancel or by `on_progress`; `*event` is
 *         NULL. Every later call returns GT_CANCELLED too.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval other an error of the trace, the source or memory; gt_reader_error returns its
 *         position. `*event` is NULL.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_next_event(gt_reader *reader, const gt_event **event)
    GT_NONNULL((1, 2));

/**
 * Reads the next events and points `*events` at an array of `*count` pointers to them. These are
 * the events that as many calls of gt_reader_next_event would return one after the other, and both
 * functions may be called in turn. It saves the calls, which is about a tenth of the time for a
 * program that does little with each event:
 *
 * @code
 * const gt_event *const *events;
 * size_t count;
 * gt_status status;
 * while ((status = gt_reader_next_events(reader, &events, &count)) == GT_OK) {
 *     for (size_t i = 0; i < count; i++)
 *         if (events[i]->kind == GT_EVENT_STATE_TRANSITION) { ... }
 * }
 * @endcode
 *
 * How many events a call returns is up to the reader: at least one, and those that were decoded
 * together, all of one generation. It never waits for more bytes than the first of them needs. An
 * error comes with the next call, after all good events. The array belongs to the reader and takes
 * no memory besides it.
 *
 * All of the events are current events, see gt_reader_has_event, and can be copied and passed to
 * the analyses. Queries of the reader itself apply to the time after the last of them: the number
 * of the current event, and with GT_READER_TRACK the live objects.
 *
 * @retval GT_OK `*events` are the next events. They and the array are valid until the next call of
 *         this function or of gt_reader_next_event.
 * @retval GT_END, GT_AGAIN, GT_CANCELLED, GT_ERR_INVALID_ARGUMENT, other the same as for
 *         gt_reader_next_event; `*events` is NULL and `*count` is 0.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_reader_next_events(gt_reader *reader,
                                                    const gt_event *const **events, size_t *count)
    GT_NONNULL((1, 2, 3));

/**
 * Returns the number of the current event: of how many events have been delivered. Returns 0 if
 * there is none, because `reader` is NULL or the last call of gt_reader_next_event has not returned
 * GT_OK. After gt_reader_next_events it is the number of the last event. A reader uses the memory
 * of its events again, so that gt_reader_has_event takes an event of the past for the current one
 * if both are at the same address: a program that keeps a pointer to an event keeps this number
 * with it, and compares both.
 * @since 0.1.0
 */
GT_API uint64_t gt_reader_event_number(const gt_reader *reader);

/**
 * Returns 1 if `event` is the event that the last call of gt_reader_next_event for `reader`
 * returned, or one of those that gt_reader_next_events returned, and 0 for any other event, after a
 * call that returned none, and if a pointer is NULL. The analyses refuse events that are not of the
 * reader that is passed with them. The event is not accessed, so that it may be of any reader, or
 * gone.
 * @since 0.1.0
 */
GT_API int gt_reader_has_event(const gt_reader *reader, const gt_event *event);

/**
 * Fills `*error` with the error that gt_reader_next_event returned, or with GT_CANCELLED. Its
 * `status` is GT_OK if there has been no error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_error(const gt_reader *reader, gt_error *error);

/** Information about a trace and the reading so far. @since 0.1.0 */
typedef struct gt_reader_info {
    /** sizeof(gt_reader_info), set by the caller. */
    size_t size;
    /**
     * The N of the header's "go 1.N trace". Go 1.6 writes 5, 1.12 to 1.18 write
     * 11, 1.20 writes 19, 1.24 writes 23 and 1.27 writes 26. 0 until the header was read.
     */
    uint32_t version;
    /** 1 if the header is newer than the versions that this library knows, else 0. */
    uint32_t newer;
    /** The number of input bytes consumed so far. */
    uint64_t bytes;
    /** The number of events delivered so far. */
    uint64_t events;
    /** The number of generations started so far. */
    uint64_t generations;
    /** The number of bytes of memory that the reader holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
    /** The number of repairs made so far; see GT_READER_LENIENT. */
    uint64_t repairs;
} gt_reader_info;

/** Initialiser of gt_reader_info. @since 0.1.0 */
#define GT_READER_INFO_INIT                                                                        \
    { sizeof(gt_reader_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. May be called at any time, including after an error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_get_info(const gt_reader *reader, gt_reader_info *info);

/**
 * How the recording of a trace has ended. More may be added.
 * @since 0.1.0
 */
typedef uint32_t gt_ending;

/** Values of gt_ending. @since 0.1.0 */
enum {
    /**
     * It is not known: the end was not reached, or the trace is cut off. Before Go 1.26 the format
     * does not tell.
     */
    GT_ENDING_UNKNOWN = 0,
    /** It was stopped, or the trace is a window that was written whole. */
    GT_ENDING_STOPPED = 1,
    /**
     * It was going on: the program has ended, or was ended by a signal, a panic or a fatal error.
     * The events of about the last second are lost.
     */
    GT_ENDING_RUNNING = 2
};

/**
 * Returns how the recording has ended, which is known at the latest once gt_reader_next_event has
 * returned GT_END. A trace without any generation was being recorded. Returns GT_ENDING_UNKNOWN if
 * the reader is NULL, and within the reader's own callbacks.
 * @since 0.1.0
 */
GT_API gt_ending gt_reader_get_ending(const gt_reader *reader);

/**
 * Returns the value of GOMAXPROCS with which a trace of Go 1.21 or earlier begins, which no event
 * tells, as Go's own reader leaves it out. Later values are Metrics. It is known at the latest with
 * the first event behind its place in the trace, which is behind those that name what existed
 * before. Returns 0 if it is not known, if an event tells it, as in traces of Go 1.22 and later and
 * with GT_READER_AS_RECORDED, and within the reader's own callbacks.
 * @since 0.1.0
 */
GT_API uint64_t gt_reader_get_first_procs(const gt_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
