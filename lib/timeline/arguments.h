/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_ARGUMENTS_H
#define GT_TIMELINE_ARGUMENTS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>

enum {
    GT_TL_MAX_ARGUMENTS = 4
};

/* The arguments of a slice or an instant, which a viewer shows in addition to the name and the
 * stacks. */
struct gt_tl_arguments {
    size_t count;
    gt_viewer_argument list[GT_TL_MAX_ARGUMENTS];
};

/* `kind` is GT_VIEWER_UNSIGNED or GT_VIEWER_SIGNED. */
static inline void gt_tl_arguments_add(struct gt_tl_arguments *arguments, gt_string key,
                                       uint32_t kind, uint64_t number)
{
    assert(arguments->count < GT_TL_MAX_ARGUMENTS);
    gt_viewer_argument *argument = &arguments->list[arguments->count++];
    argument->key = key;
    argument->kind = kind;
    argument->reserved = 0;
    argument->number = number;
    argument->string = (gt_string){"", 0};
    argument->real = 0;
}

static inline void gt_tl_arguments_add_string(struct gt_tl_arguments *arguments, gt_string key,
                                              gt_string string)
{
    gt_tl_arguments_add(arguments, key, GT_VIEWER_STRING, 0);
    arguments->list[arguments->count - 1].string = string;
}

#endif
