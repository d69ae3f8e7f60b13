/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_CHECK_H
#define GT_VIEWER_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/emitter.h>

#include "base/sized.h"

/* Checks of what a caller passes to the emitter or to a consumer. */

/* The initialiser of a gt_string that is a literal. */
#define GT_LITERAL(text)                                                                           \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static inline bool gt_string_is_good(gt_string string)
{
    return string.data || string.size == 0;
}

/* Whether a number is neither infinite nor NaN, which JSON cannot express. */
static inline bool gt_real_is_finite(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof(bits));
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

static inline bool gt_argument_is_good(const gt_viewer_argument *argument)
{
    return argument->kind >= GT_VIEWER_UNSIGNED && argument->kind <= GT_VIEWER_DOUBLE &&
           gt_string_is_good(argument->key) &&
           (argument->kind != GT_VIEWER_STRING || gt_string_is_good(argument->string)) &&
           (argument->kind != GT_VIEWER_DOUBLE || gt_real_is_finite(argument->real));
}

/* Checks keys, kinds and strings. */
static inline bool gt_arguments_are_good(const gt_viewer_argument *arguments, size_t count)
{
    if (!arguments)
        return count == 0;
    for (size_t i = 0; i < count; i++) {
        if (!gt_argument_is_good(&arguments[i]))
            return false;
    }
    return true;
}

/* A phase is written between quotes without being escaped. */
static inline bool gt_phase_is_good(uint32_t phase)
{
    return phase > ' ' && phase < 0x7f && phase != '"' && phase != '\\';
}

/* Implements gt_struct_view for a structure whose size is not `size`. */
const void *gt_struct_view_copy(const void *in, void *copy, size_t size, size_t least);

/*
 * Returns the caller's structure `in` as one of `size` bytes: itself, or if it comes from older or
 * newer headers, `copy`. `least` is its size in the first release. NULL if it is not valid.
 */
static inline const void *gt_struct_view(const void *in, void *copy, size_t size, size_t least)
{
    if (!in || *(const size_t *) in == size)
        return in;
    return gt_struct_view_copy(in, copy, size, least);
}

/* Does what gt_struct_view does for an event, and checks all of its members except the stacks. */
static inline const gt_viewer_event *gt_viewer_event_take(const gt_viewer_event *in,
                                                          gt_viewer_event *copy)
{
    const gt_viewer_event *event =
        gt_struct_view(in, copy, sizeof(*copy), GT_UP_TO(gt_viewer_event, argument_count));
    if (!event)
        return NULL;
    bool good = gt_phase_is_good(event->phase) && gt_string_is_good(event->name) &&
                gt_string_is_good(event->category) && gt_string_is_good(event->scope) &&
                gt_string_is_good(event->color) &&
                gt_arguments_are_good(event->arguments, event->argument_count);
    return good ? event : NULL;
}

/* Does what gt_struct_view does for a frame, and checks its members. */
const gt_viewer_frame *gt_viewer_frame_take(const gt_viewer_frame *in, gt_viewer_frame *copy);

#endif
