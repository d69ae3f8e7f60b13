/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_STACK_H
#define GOTRACE_STACK_H

/**
 * @file
 * Stacks, which are decoded only on demand.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/**
 * A handle to a stack of one reader: a plain number that is suitable as a key.
 *
 * Two equal handles always denote the same stack: a reader never reuses a number for another
 * stack. Two handles may denote equal stacks. The high 32 bits are the same for all stacks of a
 * generation and increase from one generation to the next. The low 32 bits are small numbers,
 * dense within the generation (except for GT_STACK_EMPTY_SLOT), so they can index an array.
 *
 * Lifetime: the frames of a generation's stacks are available until the call of
 * gt_reader_next_event after the one that returned the next Sync. So a program can count by
 * handle, and ask for the frames when that Sync has come. The frames of the last generation,
 * which a trace of Go 1.21 or earlier has alone, are available until the reader is closed, also
 * after GT_END and after an error; with GT_READER_KEEP those of all generations are. With
 * GT_READER_TRACK those of goroutines that live are, see gt_goroutine_info. Once they are not,
 * asking for them returns GT_ERR_EXPIRED.
 * @since 0.1.0
 */
typedef uint64_t gt_stack;

/** No stack. @since 0.1.0 */
#define GT_STACK_NONE UINT64_C(0)

/** The low 32 bits of a stack that exists but has no frames. @since 0.1.0 */
#define GT_STACK_EMPTY_SLOT UINT32_MAX

/**
 * The largest number of frames in a stack of Go 1.22 or later. A stack in a trace of Go 1.21 or
 * earlier can have up to 1000.
 * @since 0.1.0
 */
#define GT_STACK_MAX_FRAMES 128

/** A frame of a stack. Its layout will never change. @since 0.1.0 */
typedef struct gt_frame {
    /** The return address of the call; in the leaf frame, the address where the stack was taken. */
    uint64_t pc;
    /** The line in `file`. */
    uint64_t line;
    /** The full name of the function. Its lifetime is that of the gt_stack. */
    gt_string function;
    /** The path of the source file. Its lifetime is that of the gt_stack. */
    gt_string file;
} gt_frame;

/**
 * Points `*frames` at the frames of `stack`, leaf first, and sets `*count` to their number.
 * GT_STACK_NONE has no frames; for it, as after an error, `*frames` is NULL and `*count` is 0.
 * The frames belong to the reader and are valid as long as the handle is.
 *
 * As in Go, frames of one generation with the same pc are the same frame: the first one that
 * the generation defines.
 *
 * The first call in a generation builds an index of its frames, and the first call for a stack
 * decodes it. Later calls take a few nanoseconds. This memory is freed when the handles expire.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `reader`, `frames` or `count` is NULL, or `stack` was never a
 *         handle of `reader`.
 * @retval GT_ERR_EXPIRED the lifetime of the handle is over.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the index.
 *
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count);

/**
 * Copies the frames of `stack` to `frames`, leaf first, at most `capacity` of them, and sets
 * `*count` to the number of frames in the stack, which may exceed `capacity`. GT_STACK_NONE has
 * no frames. `frames` may be NULL if `capacity` is 0.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `reader` or `count` is NULL, `frames` is NULL although
 *         `capacity` is not 0, or `stack` was never a handle of `reader`.
 * @retval GT_ERR_EXPIRED the lifetime of the handle is over.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the index.
 *
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_frames(struct gt_reader *reader, gt_stack stack, gt_frame *frames,
                                 size_t capacity, size_t *count);

/**
 * Sets `*id` to a number for the frames of `stack` that holds for the whole trace: equal stacks of
 * all generations have equal ids, and different ones different ids. Ids are 1, 2, 3 and so on, in
 * the order in which stacks are first asked for; a stack without frames, and GT_STACK_NONE, have
 * id 0. Stacks are equal if all members of all their frames are.
 *
 * The reader keeps the frames of each different stack until it is closed. A second call for a
 * handle takes a few nanoseconds. A program that does not call this pays nothing.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `reader` or `id` is NULL, or `stack` was never a handle of
 *         `reader`.
 * @retval GT_ERR_EXPIRED the lifetime of the handle is over. That of the id is not.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. The call can be repeated.
 *
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_intern(struct gt_reader *reader, gt_stack stack, uint32_t *id);

/**
 * Points `*frames` at the frames of the stack with this id, leaf first, and sets `*count` to their
 * number. Id 0 has no frames; for it, as after an error, `*frames` is NULL and `*count` is 0. The
 * frames and their strings are valid until the reader is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_stack_intern has not returned `id`.
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_interned(const struct gt_reader *reader, uint32_t id,
                                   const gt_frame **frames, size_t *count);

/**
 * Returns the highest id that gt_stack_intern has returned; 0 if `reader` is NULL.
 * Thread-safety: as for the reader.
 * @since 0.1.0
 */
GT_API uint32_t gt_stack_interned_count(const struct gt_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
