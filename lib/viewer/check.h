/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_CHECK_H
#define GT_VIEWER_CHECK_H

#include <stddef.h>

#include <gotrace/emitter.h>

#include "base/sized.h"

/* A gt_string of a literal. */
#define GT_LITERAL(text)                                                                           \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static inline int gt_string_is_good(gt_string string)
{
    return string.data || string.size == 0;
}

static inline int gt_argument_is_good(const gt_viewer_argument *argument)
{
    return argument->kind >= GT_VIEWER_UNSIGNED && argument->kind <= GT_VIEWER_STRING &&
           gt_string_is_good(argument->key) &&
           (argument->kind != GT_VIEWER_STRING || gt_string_is_good(argument->string));
}

/* Whether keys, kinds and strings are what they can be. */
static inline int gt_arguments_are_good(const gt_viewer_argument *arguments, size_t count)
{
    if (!arguments)
        return count == 0;
    for (size_t i = 0; i < count; i++) {
        if (!gt_argument_is_good(&arguments[i]))
            return 0;
    }
    return 1;
}

/* A phase stands between quotes as it is. */
static inline int gt_phase_is_good(uint32_t phase)
{
    return phase > ' ' && phase < 0x7f && phase != '"' && phase != '\\';
}

/* Copies an event that has another size than ours to `*place`. */
gt_status gt_viewer_event_adapt(const gt_viewer_event **event, gt_viewer_event *place);

/*
 * Checks all of an event but its stacks. Where it has another size than ours, it is
 * copied to `*place`, and `*event` points there.
 */
static inline gt_status gt_viewer_event_take(const gt_viewer_event **event, gt_viewer_event *place)
{
    if (!*event)
        return GT_ERR_INVALID_ARGUMENT;
    if ((*event)->size != sizeof(*place)) {
        gt_status status = gt_viewer_event_adapt(event, place);
        if (status != GT_OK)
            return status;
    }
    const gt_viewer_event *e = *event;
    int good = gt_phase_is_good(e->phase) && gt_string_is_good(e->name) &&
               gt_string_is_good(e->category) && gt_string_is_good(e->scope) &&
               gt_string_is_good(e->color) &&
               gt_arguments_are_good(e->arguments, e->argument_count);
    return good ? GT_OK : GT_ERR_INVALID_ARGUMENT;
}

/* The same for a frame. */
gt_status gt_viewer_frame_take(const gt_viewer_frame **frame, gt_viewer_frame *place);

#endif
