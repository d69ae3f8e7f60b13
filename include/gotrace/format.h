/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_FORMAT_H
#define GOTRACE_FORMAT_H

/**
 * @file
 * Events, stacks, resources and values as text, byte for byte as Go 1.27 prints them.
 *
 * The functions that format write at most `room` bytes to `text`, of which the last is a NUL, and
 * cut off what does not fit, as snprintf does. The size that they return is that of the whole text
 * without the NUL: nothing was cut off if it is less than `room`. With a room of 0 nothing is
 * written, and `text` may be NULL. A text contains strings of the trace, and so it may contain any
 * byte; strings that Go quotes are valid UTF-8 without control characters. Nothing depends on the
 * locale or the environment, and no memory is allocated, except for a formatter and what
 * gt_stack_view needs.
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
 * Formats an event of `reader` as Go's Event.String does to the `room` bytes at `text`, and sets
 * `*size` to the size of the text.
 * The text has no newline at its end, but one in front of each frame of its stacks. The wall-clock
 * time of a Sync is in UTC; a gt_formatter can print it in another zone, and is faster. For a copy
 * of an event `reader` may be NULL.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `event` is neither a copy nor a current
 *         event of `reader`, see gt_reader_has_event.
 * @retval other the error of gt_stack_view for a stack of the event; `*size` and the text are then
 *         those up to it.
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_event_format(struct gt_reader *reader, const gt_event *event, char *text,
                                 size_t room, size_t *size) GT_NONNULL((2));

/**
 * Formats the frames of a stack to the `room` bytes at `text` as they appear in the text of an
 * event, two lines for each frame, and sets `*size` to the size of the text. The text of
 * GT_STACK_NONE is empty.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval other the error of gt_stack_view; the text is then empty.
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_format(struct gt_reader *reader, gt_stack stack, char *text, size_t room,
                                 size_t *size);

/**
 * Formats a resource to the `room` bytes at `text` as Go's ResourceID.String does, such as
 * "Goroutine(7)" or "None". Returns the size of the text, which is 0 if `resource` is NULL.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_resource_format(const gt_resource *resource, char *text, size_t room);

/**
 * Formats a value to the `room` bytes at `text` as Go's Value.String does: a string as it is, and a
 * number such as "Value{Uint64(7)}". Returns the size of the text, which is 0 if `value` is NULL.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_value_format(const gt_value *value, char *text, size_t room);

/**
 * Formats the full name of a range to the `room` bytes at `text`. That of a stop of the world
 * contains the cause, such as "stop-the-world (GC mark termination)". Returns the size of the text,
 * which is 0 if `range` is NULL or has a wrong size.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_range_format_name(const gt_range *range, char *text, size_t room);

/**
 * Formats many events of one reader. It is several times as fast as gt_event_format, because it
 * keeps the texts of stacks until the next generation. Opaque.
 *
 * Thread-safety: as for its reader, which must be closed after it.
 * @since 0.1.0
 */
typedef struct gt_formatter gt_formatter;

/**
 * Returns by how many seconds local time is ahead of UTC at `seconds` since 1970-01-01 UTC, at most
 * a day either way.
 * @since 0.1.0
 */
typedef int32_t (*gt_zone_fn)(void *user_data, int64_t seconds);

/**
 * Writes as much of a string as fits to the `room` bytes at `to`, in a form that is safe where it
 * goes, advances `*rest` past what it has written, and returns the number of bytes written.
 * gt_string_quote and gt_string_escape_json are such functions. `room` is at least 64, with which
 * every call must make progress.
 * @since 0.1.0
 */
typedef size_t (*gt_escape_fn)(gt_string *rest, char *to, size_t room);

/** Options for opening a formatter. @since 0.1.0 */
typedef struct gt_formatter_options {
    /** sizeof(gt_formatter_options), set by the caller. */
    size_t size;
    /** Always 0. */
    uint64_t flags;
    /**
     * The most bytes that the formatter may hold, or 0 for no limit. With less it keeps fewer texts
     * of stacks; it never holds more than 80 MiB.
     */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** The time zone of wall-clock times, or NULL for UTC. */
    gt_zone_fn zone;
    /** Passed unchanged to `zone`. */
    void *zone_data;
    /**
     * Applied to the strings of the trace that Go prints without quotes: names of functions, files
     * and experimental events, and values. NULL: they are printed as they are.
     */
    gt_escape_fn escape;
} gt_formatter_options;

/** Initialiser of gt_formatter_options: the defaults. @since 0.1.0 */
#define GT_FORMATTER_OPTIONS_INIT                                                                  \
    { sizeof(gt_formatter_options), 0, 0, NULL, NULL, NULL, NULL }

/**
 * Opens a formatter for the events of `reader` and sets `*formatter` to it. On failure it sets
 * `*formatter` to NULL, returns an error, and stores the details in `*error` unless `error` is
 * NULL. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `formatter` or `reader` is NULL, or options, allocator or error
 *         has a wrong size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the formatter.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_formatter_open(gt_formatter **formatter, struct gt_reader *reader,
                                                const gt_formatter_options *options,
                                                gt_error *error) GT_NONNULL((1));

/**
 * Closes `*formatter` and sets it to NULL. Does nothing if `formatter` or `*formatter` is NULL.
 * @since 0.1.0
 */
GT_API void gt_formatter_close(gt_formatter **formatter);

/**
 * Formats an event to the `room` bytes at `text` as gt_event_format does.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `event` is neither a copy nor a current event
 *         of the reader, or the formatter is in one of the caller's callbacks.
 * @retval other see gt_event_format.
 * @since 0.1.0
 */
GT_API gt_status gt_formatter_event(gt_formatter *formatter, const gt_event *event, char *text,
                                    size_t room, size_t *size) GT_NONNULL((1));

/**
 * Formats an event and passes its text to `write`, in parts of up to 16 KiB, for texts of any size
 * in little memory. `user_data` is passed unchanged to `write`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `event` is neither a copy nor a current event
 *         of the reader, or the formatter is in one of the caller's callbacks.
 * @retval GT_ERR_IO `write` has failed.
 * @retval other see gt_event_format.
 * @since 0.1.0
 */
GT_API gt_status gt_formatter_write(gt_formatter *formatter, const gt_event *event,
                                    gt_write_fn write, void *user_data);

#ifdef __cplusplus
}
#endif

#endif
