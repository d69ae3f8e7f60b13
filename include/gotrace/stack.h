/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_STACK_H
#define GOTRACE_STACK_H

/**
 * @file
 * Stacks, decoded only when asked for.
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
 * A handle to a stack of one reader: a plain number, good as a key.
 *
 * Two equal handles are the same stack, for ever: a number is never used again
 * for another stack of the same reader. Equal stacks may have two handles.
 * Its high 32 bits are the same for all stacks of a generation and grow from
 * one to the next; its low 32 bits are small numbers, dense within the
 * generation (but for GT_STACK_EMPTY_SLOT), so they can index an array.
 *
 * Lifetime: frames can be had until the next call of gt_reader_next_event that
 * returns a Sync event, GT_END or an error, and with GT_READER_KEEP until the
 * reader is closed. After that, asking for them is GT_ERR_EXPIRED.
 * @since 0.1.0
 */
typedef uint64_t gt_stack;

/** No stack. @since 0.1.0 */
#define GT_STACK_NONE ((gt_stack) 0)

/** The low 32 bits of a stack that is there but has no frames. @since 0.1.0 */
#define GT_STACK_EMPTY_SLOT UINT32_MAX

/**
 * The most frames that a stack of the current format has. One in a trace of Go
 * 1.21 or before can have up to 1000.
 * @since 0.1.0
 */
#define GT_STACK_MAX_FRAMES 128

/** One frame. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_frame {
    /** The call's return address; in the leaf the place where the stack was taken. */
    uint64_t pc;
    /** The line in `file`. */
    uint64_t line;
    /** The function's full name. Lifetime as gt_stack's. */
    gt_string function;
    /** The path of its source file. Lifetime as gt_stack's. */
    gt_string file;
} gt_frame;

/**
 * Points `*frames` at the frames of `stack`, the leaf first, and sets `*count` to how many
 * there are. GT_STACK_NONE has none; then, as after an error, `*frames` is NULL and `*count` 0.
 * They are the reader's, and good as long as the handle is.
 *
 * As in Go, frames of one generation with the same pc are the same frame: the
 * first that the generation defines.
 *
 * The first call in a generation builds an index of its frames, and the first for
 * a stack decodes it; what that takes goes with the handles. A later one takes a few ns.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `reader`, `frames` or `count` is NULL, or `stack` never was a
 *         handle of `reader`.
 * @retval GT_ERR_EXPIRED the handle's lifetime is over.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the index.
 *
 * Thread-safety: as the reader's.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count);

/**
 * The same for who wants a copy: writes the frames of `stack` to `frames`, the leaf first, at most `capacity`
 * of them, and the number that the stack has to `*count` (which may be more
 * than `capacity`). GT_STACK_NONE has no frames. `frames` may be NULL where
 * `capacity` is 0.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `reader` or `count` is NULL, `frames` is NULL
 *         while `capacity` is not 0, or `stack` never was a handle of `reader`.
 * @retval GT_ERR_EXPIRED the handle's lifetime is over.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the index.
 *
 * Thread-safety: as the reader's.
 * @since 0.1.0
 */
GT_API gt_status gt_stack_frames(struct gt_reader *reader, gt_stack stack, gt_frame *frames,
                                 size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
