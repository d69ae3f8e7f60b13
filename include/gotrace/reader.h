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
 * Thread-safety: one thread at a time; different readers are independent.
 * A reader calls nothing of the program but its allocator and the callbacks
 * below, and those must not use the reader they are called for: such a call
 * returns GT_ERR_INVALID_ARGUMENT, and gt_reader_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_reader gt_reader;

/** Bits of gt_reader_options.flags. @since 0.1.0 */
enum {
    /**
     * Strings and stacks of all generations stay good until the reader is
     * closed. Takes memory for the tables of the whole trace, and for all its
     * bytes where the source is not memory or a mapped file.
     */
    GT_READER_KEEP = 1 << 0,
    /**
     * Refuse a header that is newer than this library with GT_ERR_VERSION.
     * Otherwise such a trace is read by the newest rules known, and
     * gt_reader_info.newer says so.
     */
    GT_READER_KNOWN_VERSIONS = 1 << 1,
    /**
     * Repair what can be repaired instead of ending with an error. A missing
     * frequency is estimated, what is damaged is left out, what is missing is empty,
     * an event that cannot follow is given after a transition that makes it possible, or is
     * left out. In traces of Go 1.21 and before all that follows a damaged record is left
     * out, and a time that runs backwards is moved up; of Go 1.22 and later no more is than
     * the damaged batch, or event. Each repair goes to gt_reader_options.on_repair. A good
     * trace is read the same with and without.
     */
    GT_READER_LENIENT = 1 << 2,
    /**
     * Give also what Go's own reader loses when it converts a trace of Go 1.21
     * or before: the first value of GOMAXPROCS, as a Metric; the stack that a
     * goroutine started with in its first transition, where it was there before
     * the trace; GT_NO_TASK as the parent in the TaskEnd of a task without one,
     * where Go's reader says 0; and a system call that blocks as one that does,
     * where Go's reader takes it for a short one as a CPU sample lies in it.
     * Traces of Go 1.22 and later are read the same with and without.
     */
    GT_READER_AS_RECORDED = 1 << 3,
    /**
     * Read ahead: decode the next events in a thread of the reader's own, which is started
     * with the first thousand events and ended by gt_reader_close. All that the reader gives,
     * and when it calls `read`, `on_repair` and `symbolize` and from which thread, is the same
     * with and without; functions of the allocator are called from both threads, though never
     * two at once. Takes 0.3 MB of memory; where that or a thread cannot be had, all
     * is read in one thread. Worth it where what is done with an event takes longer than 10 ns
     * and there is a processor free: time then is that of the slower half. A fork(2) does
     * not take the thread along, so the child must not use the reader.
     */
    GT_READER_AHEAD = 1 << 4
};

/**
 * Told of each repair with GT_READER_LENIENT, as it is made: before the next
 * event is delivered. Of events that name a stack or a string which a generation of Go 1.22
 * or later does not have, the first of each is told, and all are counted. `repair` is what
 * the error would have been, with a message that says what was done; it is good for the
 * call only.
 * @since 0.1.0
 */
typedef void (*gt_repair_fn)(void *user_data, const gt_error *repair);

/** One address and what is there. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_symbol {
    /** Set by the reader: an address in the instruction to look up. */
    uint64_t address;
    /** The rest is for the callback to set, and starts out as 0 and empty. */
    uint64_t line;
    /** The function's full name. */
    gt_string function;
    /** The path of its source file. */
    gt_string file;
} gt_symbol;

/**
 * Finds functions, files and lines for `count` addresses: all that a trace of
 * Go 1.5 or 1.6 has, which holds no symbols. Called at most once for each
 * reader, before its first event, with addresses that differ. The texts must
 * stay until the reader is closed. A return value other than 0
 * ends the reading with GT_ERR_SYMBOLS.
 * @since 0.1.0
 */
typedef int (*gt_symbolize_fn)(void *user_data, gt_symbol *symbols, size_t count);

/**
 * How to read. The caller owns it; it is copied when a reader is opened.
 * @since 0.1.0
 */
typedef struct gt_reader_options {
    /** sizeof(gt_reader_options), set by the caller. */
    size_t size;
    /** GT_READER_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * The most bytes that the reader may hold at any time, 0 for no limit. A
     * mapped file and memory of the caller's do not count.
     */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
    /** Told of repairs; may be NULL. */
    gt_repair_fn on_repair;
    /** Passed to `on_repair` as it is. */
    void *repair_data;
    /** Finds symbols for Go 1.5 and 1.6; without it frames have no names. */
    gt_symbolize_fn symbolize;
    /** Passed to `symbolize` as it is. */
    void *symbolize_data;
} gt_reader_options;

/** Initialiser of gt_reader_options: the defaults. @since 0.1.0 */
#define GT_READER_OPTIONS_INIT                                                                     \
    { sizeof(gt_reader_options), 0, 0, NULL, NULL, NULL, NULL, NULL }

/**
 * Gives the next bytes of a trace: writes 1 to `capacity` bytes to `buffer`
 * and returns how many; 0 at the end; a negative value on failure, which the
 * reader reports as GT_ERR_IO. More than `capacity` is a failure as well.
 * @since 0.1.0
 */
typedef int64_t (*gt_read_fn)(void *user_data, void *buffer, size_t capacity);

/**
 * @name Opening
 * Each reads the trace's header, and sets `*reader`, or sets it to NULL and
 * returns an error, with its place and text in `*error` where that is not NULL.
 * `options` may be NULL for the defaults. Close the reader with gt_reader_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, or
 *         options, allocator or error has a wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the reader.
 * @retval GT_ERR_IO the file cannot be opened, or reading it failed.
 * @retval GT_ERR_NOT_A_TRACE the input does not start like a Go trace.
 * @retval GT_ERR_VERSION the header names a version that is not read.
 * @{
 */

/**
 * A trace in memory. `data` is used where it lies and must stay and not change
 * until the reader is closed; `data` may be NULL where `size` is 0.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_open_memory(gt_reader **reader, const void *data, size_t size,
                                       const gt_reader_options *options, gt_error *error);

/**
 * The file at `path`. A regular file is mapped into memory: should another program cut it
 * short meanwhile, the process gets SIGBUS, as with every mapping; where that
 * can happen open it yourself and use gt_reader_open_fd. Any other file (a
 * FIFO, a device) is read as gt_reader_open_fd does.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_open_file(gt_reader **reader, const char *path,
                                     const gt_reader_options *options, gt_error *error);

/**
 * The file descriptor `fd`, a pipe or socket say, read from where it stands with
 * read(2). It stays the caller's, and must stay open until the reader is closed.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_open_fd(gt_reader **reader, int fd, const gt_reader_options *options,
                                   gt_error *error);

/**
 * Bytes from `read`, a function of the caller's. `user_data` is passed to it as it is.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_open_callback(gt_reader **reader, gt_read_fn read, void *user_data,
                                         const gt_reader_options *options, gt_error *error);

/** @} */

/**
 * Closes `*reader`, frees all that belongs to it, and sets it to NULL. NULL and
 * a pointer to NULL are fine.
 * @since 0.1.0
 */
GT_API void gt_reader_close(gt_reader **reader);

/**
 * Reads the next event and points `*event` at it. Events come in an order in
 * which they can have happened: those of one thread as the thread recorded
 * them, those of several by time, but never before what they depend on.
 *
 * The whole loop:
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
 * A trace is delivered up to its first fault: all good events come first, then
 * the error, and from then on always the same error. A reader whose source
 * fails or whose memory runs out ends in the same way.
 *
 * Events of different threads with equal times come in the order of the threads'
 * first batches with events in the generation. Times are made strictly increasing by
 * moving an event that would not be later than the one before it to 1 ns after.
 *
 * A trace of Go 1.21 or before is one generation, whose stacks and frequency come
 * last: the first call reads all of it. From a stream it is then held in memory;
 * memory and mapped files are used where they lie. Its threads did not
 * record by themselves, so there it is procs of which equal times come in order of
 * appearance.
 *
 * @retval GT_OK `*event` is the next event. It is good until the next call.
 * @retval GT_END the trace is over; `*event` is NULL. So is every later call.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval other a gt_status of the trace, the source or memory; gt_reader_error
 *         has its place. `*event` is NULL.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_next_event(gt_reader *reader, const gt_event **event);

/**
 * Fills `*error` with the error that gt_reader_next_event returned; its
 * `status` is GT_OK where there was none yet.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_error(const gt_reader *reader, gt_error *error);

/** What is known of a trace and of the reading so far. @since 0.1.0 */
typedef struct gt_reader_info {
    /** sizeof(gt_reader_info), set by the caller. */
    size_t size;
    /**
     * The N of the header's "go 1.N trace". Go 1.6 writes 5, 1.12 to 1.18 write
     * 11, 1.20 writes 19, 1.24 writes 23 and 1.27 writes 26.
     */
    uint32_t version;
    /** 1 where the header is newer than what this library knows, else 0. */
    uint32_t newer;
    /** Bytes of the input that were taken in so far. */
    uint64_t bytes;
    /** Events delivered so far. */
    uint64_t events;
    /** Generations begun so far. */
    uint64_t generations;
    /** Bytes of memory that the reader holds now. */
    uint64_t memory;
    /** The most it ever held. */
    uint64_t memory_peak;
    /** Repairs made so far; see GT_READER_LENIENT. */
    uint64_t repairs;
} gt_reader_info;

/** Initialiser of gt_reader_info. @since 0.1.0 */
#define GT_READER_INFO_INIT                                                                        \
    { sizeof(gt_reader_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. Goes whatever the reading came to.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_reader_get_info(const gt_reader *reader, gt_reader_info *info);

#ifdef __cplusplus
}
#endif

#endif
