/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_RAW_H
#define GOTRACE_RAW_H

/**
 * @file
 * Reading and writing the records of a trace as they are in the file, without checking whether
 * they make sense. This serves to inspect a trace that cannot be read as events, and to create
 * and rewrite traces.
 *
 * A trace has two forms. The byte form is what the Go runtime writes. The text form is what `go
 * tool trace -d=wire` prints, below a line "Trace Go1.N":
 *
 * @code
 * Trace Go1.26
 * # A comment.
 * EventBatch gen=1 m=30820 time=33054125909 size=4756
 * ProcStart dt=222 p=3 p_seq=218
 * Stack id=5 nframes=1
 *     pc=1241251 func=3 file=6 line=124
 * String id=3
 *     data="main.main"
 * @endcode
 *
 * The format allows a number to take more bytes than it needs. Each number in a record has a
 * usual width, the one that Go's runtime writes: 10 bytes for the size of a batch, and as few
 * bytes as possible for every other number. Other widths are kept with the record; in the text
 * form they are a comment on a separate line before it, "#!widths 1 2 2". So reading a trace
 * and writing it again produces the same bytes, in both forms.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>
#include <gotrace/wire.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A frame of a stack, with ids of strings. Its layout will never change. @since 0.1.0 */
typedef struct gt_raw_frame {
    /** An address. */
    uint64_t pc;
    /** The id of the function's name. */
    uint64_t function;
    /** The id of the source file's path. */
    uint64_t file;
    /** The line in that file. */
    uint64_t line;
} gt_raw_frame;

/**
 * A record. The record that a reader returns belongs to the library, with everything that it
 * points to, and is valid until the next call on that reader. A caller that makes a record
 * starts with GT_RAW_EVENT_INIT and sets the pointers to its own arrays.
 * @since 0.1.0
 */
typedef struct gt_raw_event {
    /** sizeof(gt_raw_event), set by whoever made the record. */
    size_t size;
    /** A gt_wire_type; up to version 21, a gt_v1_type. */
    uint32_t type;
    /** The number of `arguments`. */
    uint32_t argument_count;
    /** The arguments, in the order of gt_wire_spec.arguments. */
    const uint64_t *arguments;
    /** The frames, if gt_wire_spec.flags has GT_WIRE_HAS_FRAMES. */
    const gt_raw_frame *frames;
    /** The number of `frames`. */
    size_t frame_count;
    /** The data, if gt_wire_spec.flags has GT_WIRE_HAS_DATA. */
    gt_string data;
    /**
     * The width of each number in bytes, in the order of the trace: arguments, frames, and the
     * length of the data. NULL if all numbers have their usual widths. Up to version 21 the
     * first width belongs to the length that precedes arguments counted in bytes, and is 0 if
     * there is no such length. A String has no such length; there the first width is the number
     * formed by the high bits of its first byte, which have no meaning.
     */
    const uint8_t *widths;
    /** The number of `widths`. */
    size_t width_count;
    /** Set by a reader: the position of the record in the input, in bytes. */
    uint64_t offset;
    /** Set by a reader: the size of the record in the input, in bytes. */
    uint64_t length;
} gt_raw_event;

/** Initialiser of gt_raw_event. @since 0.1.0 */
#define GT_RAW_EVENT_INIT                                                                          \
    { sizeof(gt_raw_event), 0, 0, NULL, NULL, 0, { "", 0 }, NULL, 0, 0, 0 }

/** The two forms of a trace. @since 0.1.0 */
typedef uint32_t gt_raw_form;

/** Values of gt_raw_form. @since 0.1.0 */
enum {
    /** The byte form, which the Go runtime writes. */
    GT_RAW_BYTES = 1,
    /** The text form. */
    GT_RAW_TEXT = 2
};

/**
 * A bit of gt_raw_options.flags. For a reader: refuse a header that is newer than this library with
 * GT_ERR_VERSION.
 * @since 0.1.0
 */
#define GT_RAW_KNOWN_VERSIONS (UINT64_C(1) << 0)

/**
 * A bit of gt_raw_options.flags. For a writer: replace the size argument of each EventBatch by the
 * number of bytes written up to the next batch, the EndOfGeneration, or the end.
 * @since 0.1.0
 */
#define GT_RAW_SET_SIZES (UINT64_C(1) << 1)

/**
 * A bit of gt_raw_options.flags. For a writer of text: write exactly what `go tool trace -d=wire`
 * prints. The line "Trace Go1.N", the data of records whose data is empty, and the comments with
 * widths are left out, so it may not be possible to read the text back.
 * @since 0.1.0
 */
#define GT_RAW_AS_GO (UINT64_C(1) << 2)

/**
 * Options for reading or writing. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_raw_options {
    /** sizeof(gt_raw_options), set by the caller. */
    size_t size;
    /** GT_RAW_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit; see gt_reader_options. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** For a reader: told how far the reading has come; may be NULL. */
    gt_progress_fn on_progress;
    /** Passed unchanged to `on_progress`. */
    void *progress_data;
} gt_raw_options;

/** Initialiser of gt_raw_options: the defaults. @since 0.1.0 */
#define GT_RAW_OPTIONS_INIT                                                                        \
    { sizeof(gt_raw_options), 0, 0, NULL, NULL, NULL }

/**
 * Reads the records of one trace. It detects whether the trace is in byte or text form. Opaque.
 * Thread-safety: as for gt_reader, including its callbacks.
 * @since 0.1.0
 */
typedef struct gt_raw_reader gt_raw_reader;

/**
 * @name Opening
 * These functions work as gt_reader_open_memory and its siblings do, and return the same errors. A
 * text whose first word is not "Trace" is GT_ERR_NOT_A_TRACE as well.
 * @{
 */

/** Opens a trace in memory, `size` bytes at `data`. @since 0.1.0 */
GT_API GT_NODISCARD gt_status gt_raw_reader_open_memory(gt_raw_reader **reader, const void *data,
                                                        size_t size, const gt_raw_options *options,
                                                        gt_error *error) GT_NONNULL((1));
/** Opens the file at `path`. @since 0.1.0 */
GT_API GT_NODISCARD gt_status gt_raw_reader_open_file(gt_raw_reader **reader, const char *path,
                                                      const gt_raw_options *options,
                                                      gt_error *error) GT_NONNULL((1, 2));
/** Opens the file descriptor `fd`. @since 0.1.0 */
GT_API GT_NODISCARD gt_status gt_raw_reader_open_fd(gt_raw_reader **reader, int fd,
                                                    const gt_raw_options *options, gt_error *error)
    GT_NONNULL((1));
/**
 * Opens a trace whose bytes `read` supplies; `user_data` is passed unchanged to it.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_raw_reader_open_callback(gt_raw_reader **reader, gt_read_fn read,
                                                          void *user_data,
                                                          const gt_raw_options *options,
                                                          gt_error *error) GT_NONNULL((1, 2));
/**
 * Opens a reader that the caller feeds, as gt_reader_open_push does. A record is delivered as soon
 * as it is complete.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_raw_reader_open_push(gt_raw_reader **reader,
                                                      const gt_raw_options *options,
                                                      gt_error *error) GT_NONNULL((1));

/** @} */

/**
 * Appends a copy of `size` bytes at `data` to the input, with the result of
 * gt_reader_feed. The last record that was delivered remains valid.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_raw_reader_feed(gt_raw_reader *reader, const void *data,
                                                 size_t size) GT_NONNULL((1));

/** Ends the input, with the result of gt_reader_finish. @since 0.1.0 */
GT_API gt_status gt_raw_reader_finish(gt_raw_reader *reader) GT_NONNULL((1));

/**
 * Cancels reading: from now on gt_raw_reader_next_event returns GT_CANCELLED; see gt_reader_cancel.
 * Thread-safety: safe. It may be called by any thread and by signal handlers.
 * @since 0.1.0
 */
GT_API void gt_raw_reader_cancel(gt_raw_reader *reader);

/**
 * Closes `*reader` and sets it to NULL. Does nothing if `reader` or `*reader` is NULL.
 * @since 0.1.0
 */
GT_API void gt_raw_reader_close(gt_raw_reader **reader);

/**
 * Reads the next record and points `*event` at it. Records are delivered as they are in the
 * input: the header of a batch is a record, and the records in the batch follow it. The size in
 * the header is an argument like any other: neither it nor the limits of the format determine
 * where the batch ends. The bytes of an ExperimentalBatch are its data.
 *
 * Reading ends at the first record that cannot be read; every later call returns the same
 * error.
 *
 * @retval GT_OK `*event` is the next record. It is valid until the next call.
 * @retval GT_END the input has ended; `*event` is NULL. Every later call returns GT_END too.
 * @retval GT_AGAIN the bytes of the next record are not available yet; `*event` is NULL. Call again
 *         when they are.
 * @retval GT_CANCELLED reading was cancelled, by gt_raw_reader_cancel or by `on_progress`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_TRUNCATED the input ends within a record.
 * @retval GT_ERR_EVENT the type of a record is unknown in this version, or its numbers or its
 *         text are malformed.
 * @retval GT_ERR_IO, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_reader_next_event.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_raw_reader_next_event(gt_raw_reader *reader,
                                                       const gt_raw_event **event)
    GT_NONNULL((1, 2));

/**
 * Works as gt_reader_error. The offset is that of the record, or in text that of its line.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_reader_error(const gt_raw_reader *reader, gt_error *error);

/** Information about the input and the reading so far. @since 0.1.0 */
typedef struct gt_raw_info {
    /** sizeof(gt_raw_info), set by the caller. */
    size_t size;
    /** The N of the header "go 1.N trace"; see gt_reader_info. */
    uint32_t version;
    /** 1 if the version is newer than those that the library knows; see gt_reader_info. */
    uint32_t newer;
    /** A gt_raw_form. */
    uint32_t form;
    /** Always 0. */
    uint32_t reserved;
    /** The number of input bytes consumed so far. */
    uint64_t bytes;
    /** The number of records delivered so far. */
    uint64_t events;
    /** The number of bytes of memory that the reader holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_raw_info;

/** Initialiser of gt_raw_info. @since 0.1.0 */
#define GT_RAW_INFO_INIT                                                                           \
    { sizeof(gt_raw_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/** Works as gt_reader_get_info. @since 0.1.0 */
GT_API gt_status gt_raw_reader_get_info(const gt_raw_reader *reader, gt_raw_info *info);

/**
 * Writes the records of one trace, in byte or text form. Opaque.
 * Thread-safety: as for gt_reader.
 * @since 0.1.0
 */
typedef struct gt_raw_writer gt_raw_writer;

/**
 * Starts a trace with the header "go 1.N trace", where N is `version`. `form` is a gt_raw_form.
 * The output goes to `write` in large pieces; `user_data` is passed unchanged to it. Close the
 * writer with gt_raw_writer_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, `form` is not a gt_raw_form, or
 *         options, allocator or error has a wrong size or unknown bits.
 * @retval GT_ERR_VERSION there is no such version. A version newer than those that the library
 *         knows is written with the newest known records.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the writer.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_raw_writer_open(gt_raw_writer **writer, uint32_t version,
                                                 uint32_t form, gt_write_fn write, void *user_data,
                                                 const gt_raw_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Writes one record. It is not checked whether the sequence of records is valid or the
 * arguments make sense, so a broken trace can be written on purpose.
 *
 * @retval GT_OK the record was written or buffered.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, event->size is wrong, the version has no
 *         such type, or the type has a different number of arguments, frames or widths than the
 *         event. The writer continues as if the call had not been made.
 * @retval GT_ERR_IO `write` failed.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 *
 * After one of the last three errors every later call returns the same error.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_writer_write_event(gt_raw_writer *writer, const gt_raw_event *event)
    GT_NONNULL((1));

/**
 * Ends the open batch, for GT_RAW_SET_SIZES, and passes all buffered output to `write`. Returns
 * the same errors as gt_raw_writer_write_event.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_writer_flush(gt_raw_writer *writer);

/** Works as gt_reader_error, but without a position. @since 0.1.0 */
GT_API gt_status gt_raw_writer_error(const gt_raw_writer *writer, gt_error *error);

/**
 * Closes `*writer` and sets it to NULL. Output that was not flushed is lost. Does nothing if
 * `writer` or `*writer` is NULL.
 * @since 0.1.0
 */
GT_API void gt_raw_writer_close(gt_raw_writer **writer);

#ifdef __cplusplus
}
#endif

#endif
