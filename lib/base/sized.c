/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"

enum {
    /*
     * No structure will ever be larger: a greater size means that the program never set the member.
     */
    MAX_STRUCT = 4096
};

/* The first members of every type of options. */
struct options_head {
    size_t size;
    uint64_t flags;
};

/* Explains in `*failure`, unless that is NULL, what is wrong. Returns GT_ERR_INVALID_ARGUMENT. */
static gt_status sized_refuse(gt_error *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (failure)
        gt_error_set_list(failure, GT_ERR_INVALID_ARGUMENT, GT_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return GT_ERR_INVALID_ARGUMENT;
}

gt_status gt_struct_take_named(void *out, size_t size, size_t least, const void *in,
                               const char *prefix, gt_error *failure)
{
    size_t given;
    memcpy(&given, in, sizeof(given));
    if (given < least)
        return sized_refuse(failure, "%ssize is %u, less than %u", prefix, (uint64_t) given,
                            (uint64_t) least);
    if (given > MAX_STRUCT)
        return sized_refuse(failure, "%ssize is %u, more than %u", prefix, (uint64_t) given,
                            (uint64_t) MAX_STRUCT);
    for (size_t i = size; i < given; i++) {
        if (((const unsigned char *) in)[i] != 0)
            return sized_refuse(failure,
                                "%ssize is %u, but only %u bytes are known, and byte %u is not 0",
                                prefix, (uint64_t) given, (uint64_t) size, (uint64_t) i);
    }
    memset(out, 0, size);
    memcpy(out, in, given < size ? given : size);
    return GT_OK;
}

void gt_struct_give(void *out, const void *in, size_t size)
{
    size_t room;
    memcpy(&room, out, sizeof(room));
    if (room > size)
        room = size;
    memcpy((char *) out + sizeof(room), (const char *) in + sizeof(room), room - sizeof(room));
}

gt_status gt_allocator_take(gt_allocator *out, const gt_allocator *in, const char *prefix,
                            gt_error *failure)
{
    memset(out, 0, sizeof(*out));
    if (!in)
        return GT_OK;
    gt_status status = gt_struct_take_named(out, sizeof(*out), GT_UP_TO(gt_allocator, release), in,
                                            prefix, failure);
    if (status != GT_OK)
        return status;
    const char *missing = !out->allocate     ? "allocate"
                          : !out->reallocate ? "reallocate"
                          : !out->release    ? "release"
                                             : NULL;
    return missing ? sized_refuse(failure, "%s%s is NULL", prefix, missing) : GT_OK;
}

bool gt_options_bits_are_known(uint64_t bits, uint64_t known, const char *name, gt_error *failure)
{
    if (bits & ~known)
        sized_refuse(failure, "%s has unknown bits 0x%x", name, bits & ~known);
    return !(bits & ~known);
}

gt_status gt_options_take(void *out, gt_allocator *allocator,
                          const struct gt_options_layout *layout, const void *in, gt_error *failure)
{
    struct options_head head;
    const gt_allocator *given;
    if (in) {
        gt_status status =
            gt_struct_take_named(out, layout->size, layout->least, in, "options.", failure);
        if (status != GT_OK)
            return status;
    }
    memcpy(&head, out, sizeof(head));
    if (!gt_options_bits_are_known(head.flags, layout->flags, "options.flags", failure))
        return GT_ERR_INVALID_ARGUMENT;
    memcpy(&given, (const char *) out + layout->allocator, sizeof(given));
    return gt_allocator_take(allocator, given, "options.allocator->", failure);
}
