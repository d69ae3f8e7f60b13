/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_STATUS_H
#define GOTRACE_STATUS_H

/**
 * @file
 * The results of functions, and the details of an error. Part of libgotrace and of
 * libgotrace-viewer.
 *
 * Zero is success, a positive value is an outcome other than an error, and a negative value is
 * an error. Values never change. New ones may be added, so treat an unknown negative value as
 * an error of unknown cause.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The outcome of a call. @since 0.1.0 */
typedef int32_t gt_status;

/** Values of gt_status. @since 0.1.0 */
enum {
    /** The call succeeded. */
    GT_OK = 0,
    /** There are no more events: the trace was read to its end. */
    GT_END = 1,
    /**
     * The bytes of the next event are not available yet: feed the reader, or wait until its source
     * has more, and call again.
     */
    GT_AGAIN = 2,
    /** Reading was cancelled, by gt_reader_cancel, gt_raw_reader_cancel or a gt_progress_fn. */
    GT_CANCELLED = 3,
    /**
     * The goroutine or proc is not in the state any more that the call changes, because another
     * thread was faster. Nothing was recorded.
     */
    GT_STALE = 4,

    /* Errors of the call, whatever the input. */

    /** An argument is NULL or out of range, or a structure has a wrong size. */
    GT_ERR_INVALID_ARGUMENT = -1,
    /** The allocator returned no memory. */
    GT_ERR_NO_MEMORY = -2,
    /** The caller's memory limit would have been exceeded. */
    GT_ERR_LIMIT = -3,
    /** Reading the source failed; see gt_error.system_error. */
    GT_ERR_IO = -4,
    /** The getter does not apply to this kind of event. */
    GT_ERR_WRONG_KIND = -5,
    /** The lifetime of the handle is over (see gt_stack and GT_READER_KEEP). */
    GT_ERR_EXPIRED = -6,
    /** The trace does not contain the requested data. */
    GT_ERR_NOT_AVAILABLE = -7,
    /** One of the caller's callbacks asked to stop. */
    GT_ERR_CALLBACK = -8,
    /** The call contradicts the state of what it is about. */
    GT_ERR_STATE = -9,
    /** The call cannot be made from within a callback of the same object. */
    GT_ERR_BUSY = -10,

    /* Errors of the input. */

    /** The input does not start with the header of a Go execution trace. */
    GT_ERR_NOT_A_TRACE = -20,
    /** The header names a version that this library does not read. */
    GT_ERR_VERSION = -21,
    /** The input ends in the middle of a record or table, or before the frequency of its clock. */
    GT_ERR_TRUNCATED = -22,
    /** A batch header is malformed, or the size in it exceeds the limit of the format. */
    GT_ERR_BATCH = -23,
    /**
     * The batches do not form valid generations: a number out of order, no frequency, no clock
     * snapshot, or no end marker.
     */
    GT_ERR_GENERATION = -24,
    /** A string table is malformed. */
    GT_ERR_STRINGS = -25,
    /** A stack table is malformed, or names strings that do not exist. */
    GT_ERR_STACKS = -26,
    /** A table of CPU samples is malformed. */
    GT_ERR_SAMPLES = -27,
    /** A frequency or clock record is malformed or repeated. */
    GT_ERR_SYNC = -28,
    /** An event cannot be decoded: its type is unknown, or a number is malformed. */
    GT_ERR_EVENT = -29,
    /** An event contradicts the state that the events before it left. */
    GT_ERR_ORDER = -30,
    /** No thread (or proc) has a next event that can happen: events are missing from the trace. */
    GT_ERR_STUCK = -31,
    /** An event names a string or a stack that does not exist. */
    GT_ERR_REFERENCE = -32,
    /** The time of an event contradicts the order of events: the clocks disagree. */
    GT_ERR_TIME = -33,
    /** The callback that finds symbols failed. */
    GT_ERR_SYMBOLS = -34
};

/**
 * Returns a short constant text for a status, such as "out of memory", or "unknown status" for
 * a value that is not a gt_status. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_status_text(gt_status status);

/** The value of gt_error.offset if the error has no position in the input. @since 0.1.0 */
#define GT_NO_OFFSET UINT64_MAX

/** The size of gt_error.message, including the final NUL. @since 0.1.0 */
#define GT_ERROR_MESSAGE_SIZE 200

/**
 * An error and its position. The caller owns the structure and everything in it; initialise it
 * with GT_ERROR_INIT before passing it.
 * @since 0.1.0
 */
typedef struct gt_error {
    /** sizeof(gt_error), set by the caller. */
    size_t size;
    /** The position in the input, in bytes from its start, or GT_NO_OFFSET. */
    uint64_t offset;
    /** The number of the generation in the trace, or 0 if there is none, as before Go 1.22. */
    uint64_t generation;
    /** What went wrong: a gt_status. GT_OK if there was no error. */
    int32_t status;
    /** The errno of the failed read or write if `status` is GT_ERR_IO and it is known, else 0. */
    int32_t system_error;
    /**
     * A description for people: one line without a full stop, in English except for what the C
     * library says of `system_error`, which it ends with.
     */
    char message[GT_ERROR_MESSAGE_SIZE];
} gt_error;

/** Initialiser of a gt_error. @since 0.1.0 */
#define GT_ERROR_INIT                                                                              \
    { sizeof(gt_error), GT_NO_OFFSET, 0, 0, 0, { 0 } }

/** The size of a buffer for any text of gt_error_format, with its NUL. @since 0.1.0 */
#define GT_ERROR_TEXT_SIZE 300

/**
 * Writes the message of an error, and its place as far as it is known, such as "malformed batch
 * (offset 12, generation 3)". At most `room` bytes are written, of which the last is a NUL; what
 * does not fit is cut off. Returns the length of the text without the NUL, which is 0 if `error`
 * is NULL or has a wrong size. With a room of 0 nothing is written.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_error_format(const gt_error *error, char *text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
