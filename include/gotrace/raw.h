/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_RAW_H
#define GOTRACE_RAW_H

/**
 * @file
 * Reading and writing the records of a trace as they are in the file, without
 * asking whether they make sense: to look into a trace that will not be read, and
 * to make and rewrite traces.
 *
 * A trace has two forms. The bytes are what the Go runtime writes. The text is what
 * `go tool trace -d=wire` prints, below a line "Trace Go1.N":
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
 * The format lets a number take more bytes than it needs. Each number in a record
 * has a usual width, which is that of Go's runtime: as few bytes as it needs, and
 * 10 for the size of a batch. Other widths are kept with the record; in text they
 * are a comment on a line of its own before it, "#!widths 1 2 2". So reading a
 * trace and writing it again gives the same bytes, in both forms.
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

/** One frame of a stack; ids of strings. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_raw_frame {
    /** An address. */
    uint64_t pc;
    /** Id of the function's name. */
    uint64_t function;
    /** Id of its source file's path. */
    uint64_t file;
    /** The line in that file. */
    uint64_t line;
} gt_raw_frame;

/**
 * One record. A reader's is the library's, as is all that it points to, and good
 * until the next call on that reader. A caller that makes one starts with
 * GT_RAW_EVENT_INIT and points it at its own arrays.
 * @since 0.1.0
 */
typedef struct gt_raw_event {
    /** sizeof(gt_raw_event), set by whoever made it. */
    size_t size;
    /** A gt_wire_type, or up to version 21 a gt_v1_type. */
    uint32_t type;
    /** How many `arguments` there are. */
    uint32_t argument_count;
    /** In the order of gt_wire_spec.arguments. */
    const uint64_t *arguments;
    /** Where gt_wire_spec.flags has GT_WIRE_HAS_FRAMES. */
    const gt_raw_frame *frames;
    /** How many `frames` there are. */
    size_t frame_count;
    /** Where it has GT_WIRE_HAS_DATA. */
    gt_string data;
    /**
     * How many bytes each number takes, in the order of the wire: arguments,
     * frames, the length of the data. NULL where they have their usual widths. Up to
     * version 21 the first one is that of the length which comes before arguments
     * that are counted in bytes, 0 where there is none; of a String, which has none,
     * it is the number that the high bits of its first byte make, and mean nothing.
     */
    const uint8_t *widths;
    /** How many `widths` there are. */
    size_t width_count;
    /** Set by a reader: where the record is in the input. */
    uint64_t offset;
    /** How many bytes it takes. */
    uint64_t length;
} gt_raw_event;

/** Initialiser of gt_raw_event. @since 0.1.0 */
#define GT_RAW_EVENT_INIT                                                                          \
    { sizeof(gt_raw_event), 0, 0, NULL, NULL, 0, { "", 0 }, NULL, 0, 0, 0 }

/** The forms of a trace. @since 0.1.0 */
typedef enum gt_raw_form {
    /** What the Go runtime writes. */
    GT_RAW_BYTES = 1,
    /** What people read. */
    GT_RAW_TEXT = 2
} gt_raw_form;

/** Bits of gt_raw_options.flags. @since 0.1.0 */
enum {
    /** Reader: refuse a header that is newer than this library with GT_ERR_VERSION. */
    GT_RAW_KNOWN_VERSIONS = 1 << 0,
    /**
     * Writer: put the size into each EventBatch, in place of what its argument
     * says, from what is written up to the next batch, EndOfGeneration, or the end.
     */
    GT_RAW_SET_SIZES = 1 << 1,
    /**
     * Writer of text: exactly what `go tool trace -d=wire` prints. The line
     * "Trace Go1.N", the data of a record whose data is empty, and comments with
     * widths are left out, so it may not be possible to read the trace back.
     */
    GT_RAW_AS_GO = 1 << 2
};

/** How to read or write. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_raw_options {
    /** sizeof(gt_raw_options), set by the caller. */
    size_t size;
    /** GT_RAW_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, 0 for no limit; see gt_reader_options. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_raw_options;

/** Initialiser of gt_raw_options: the defaults. @since 0.1.0 */
#define GT_RAW_OPTIONS_INIT                                                                        \
    { sizeof(gt_raw_options), 0, 0, NULL }

/**
 * Reads the records of one trace, in bytes or in text: it finds out which. Opaque.
 * Thread-safety: as gt_reader's, callbacks included.
 * @since 0.1.0
 */
typedef struct gt_raw_reader gt_raw_reader;

/**
 * @name Opening
 * As gt_reader_open_memory and so on, with the same errors; a text whose first
 * word is not "Trace" is GT_ERR_NOT_A_TRACE as well.
 * @{
 */

/** A trace in memory, `size` bytes at `data`. @since 0.1.0 */
GT_API gt_status gt_raw_reader_open_memory(gt_raw_reader **reader, const void *data, size_t size,
                                           const gt_raw_options *options, gt_error *error);
/** The file at `path`. @since 0.1.0 */
GT_API gt_status gt_raw_reader_open_file(gt_raw_reader **reader, const char *path,
                                         const gt_raw_options *options, gt_error *error);
/** The file descriptor `fd`. @since 0.1.0 */
GT_API gt_status gt_raw_reader_open_fd(gt_raw_reader **reader, int fd,
                                       const gt_raw_options *options, gt_error *error);
/** Bytes from `read`, with `user_data` as it is. @since 0.1.0 */
GT_API gt_status gt_raw_reader_open_callback(gt_raw_reader **reader, gt_read_fn read,
                                             void *user_data, const gt_raw_options *options,
                                             gt_error *error);

/** @} */

/** Closes `*reader` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_raw_reader_close(gt_raw_reader **reader);

/**
 * Reads the next record and points `*event` at it. Records come as they are in
 * the input: a batch's header is a record, and those in the batch follow it. The
 * size that the header states is an argument like others; it is not used to find
 * out where the batch ends, and neither are limits of the format. The bytes of an
 * ExperimentalBatch are its data.
 *
 * The first record that cannot be read ends the reading; the error is returned
 * from then on.
 *
 * @retval GT_OK `*event` is the next record. It is good until the next call.
 * @retval GT_END the input is over; `*event` is NULL. So is every later call.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_TRUNCATED the input ends within a record.
 * @retval GT_ERR_EVENT a record's type is unknown in this version, or its numbers or
 *         its text are malformed.
 * @retval GT_ERR_IO, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_reader_next_event.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_reader_next_event(gt_raw_reader *reader, const gt_raw_event **event);

/** As gt_reader_error. The offset is that of the record, or in text of its line. @since 0.1.0 */
GT_API gt_status gt_raw_reader_error(const gt_raw_reader *reader, gt_error *error);

/** What is known of the input and of the reading so far. @since 0.1.0 */
typedef struct gt_raw_info {
    /** sizeof(gt_raw_info), set by the caller. */
    size_t size;
    /** As in gt_reader_info. */
    uint32_t version;
    /** As in gt_reader_info. */
    uint32_t newer;
    /** A gt_raw_form. */
    uint32_t form;
    /** 0. */
    uint32_t reserved;
    /** Bytes of the input that were taken in so far. */
    uint64_t bytes;
    /** Records delivered so far. */
    uint64_t events;
    /** Bytes of memory that the reader holds now. */
    uint64_t memory;
    /** The most it ever held. */
    uint64_t memory_peak;
} gt_raw_info;

/** Initialiser of gt_raw_info. @since 0.1.0 */
#define GT_RAW_INFO_INIT                                                                           \
    { sizeof(gt_raw_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/** As gt_reader_get_info. @since 0.1.0 */
GT_API gt_status gt_raw_reader_get_info(const gt_raw_reader *reader, gt_raw_info *info);

/**
 * Writes the records of one trace, in bytes or in text. Opaque.
 * Thread-safety: as gt_reader's.
 * @since 0.1.0
 */
typedef struct gt_raw_writer gt_raw_writer;

/**
 * Begins a trace with the header "go 1.N trace", where N is `version`. `form` is a
 * gt_raw_form. What is written goes to `write` in large pieces, with `user_data` as
 * it is. Close the writer with gt_raw_writer_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, `form` is
 *         none, or options, allocator or error has a wrong size or unknown bits.
 * @retval GT_ERR_VERSION there is no such version. One that is newer than what is
 *         known is written with the newest records.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the writer.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_writer_open(gt_raw_writer **writer, uint32_t version, uint32_t form,
                                    gt_write_fn write, void *user_data,
                                    const gt_raw_options *options, gt_error *error);

/**
 * Writes one record. Whether records follow each other as they should, and their
 * arguments make sense, is not asked: a trace may be broken on purpose.
 *
 * @retval GT_OK it was written, or waits to be.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, event->size is wrong, the version
 *         has no such type, or it has not as many arguments, frames or widths as the
 *         event. The writer goes on as if the call had not been.
 * @retval GT_ERR_IO `write` failed. This and those below are returned from then on.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT
 * @since 0.1.0
 */
GT_API gt_status gt_raw_writer_write_event(gt_raw_writer *writer, const gt_raw_event *event);

/**
 * Ends the open batch, for GT_RAW_SET_SIZES, and hands all that waits to `write`.
 * Errors as gt_raw_writer_write_event.
 * @since 0.1.0
 */
GT_API gt_status gt_raw_writer_flush(gt_raw_writer *writer);

/** As gt_reader_error, without a place. @since 0.1.0 */
GT_API gt_status gt_raw_writer_error(const gt_raw_writer *writer, gt_error *error);

/**
 * Closes `*writer` and sets it to NULL. What was not flushed is lost. NULL and a
 * pointer to NULL are fine.
 * @since 0.1.0
 */
GT_API void gt_raw_writer_close(gt_raw_writer **writer);

#ifdef __cplusplus
}
#endif

#endif
