/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/explain.h"

#include <string.h>

#include "base/error.h"
#include "base/hex.h"

static bool explain_set(gt_error *failure, const char *text, uint64_t a, uint64_t b)
{
    gt_error_set(failure, GT_ERR_INVALID_ARGUMENT, GT_NO_OFFSET, 0, text, a, b);
    return true;
}

/* How every type of options begins. */
struct explained_head {
    size_t size;
    uint64_t flags;
};

/* Explains why gt_struct_take does not accept options, or an allocator. */
static bool explain_struct(gt_error *failure, size_t size, size_t least, const void *in,
                           const char *small, const char *unknown)
{
    size_t given;
    unsigned char copy[512];
    memcpy(&given, in, sizeof(given));
    if (size > sizeof(copy) || gt_struct_take(copy, size, least, in) == GT_OK)
        return false;
    if (given < least)
        return explain_set(failure, small, given, least);
    return explain_set(failure, unknown, given, size);
}

static bool explain_flags(gt_error *failure, uint64_t unknown)
{
    char digits[GT_HEX_MAX + 1];
    *gt_hex_put(digits, unknown) = '\0';
    explain_set(failure, "options.flags has unknown bits 0x", 0, 0);
    gt_error_append(failure, digits);
    return true;
}

static bool explain_allocator(gt_error *failure, const gt_allocator *in)
{
    gt_allocator copy;
    if (!in || gt_allocator_take(&copy, in) == GT_OK)
        return false;
    if (explain_struct(failure, sizeof(copy), GT_UP_TO(gt_allocator, release), in,
                       "options.allocator->size is %u, less than %u",
                       "options.allocator->size is %u, and what is there from %u on is unknown"))
        return true;
    return explain_set(failure, "options.allocator lacks a function", 0, 0);
}

bool gt_options_explain(gt_error *failure, const struct gt_options_layout *layout, const void *in)
{
    struct explained_head head;
    const gt_allocator *allocator;
    if (!in)
        return false;
    if (explain_struct(failure, layout->size, layout->least, in, "options.size is %u, less than %u",
                       "options.size is %u, and what is there from %u on is unknown"))
        return true;
    memcpy(&head, in, sizeof(head));
    if ((head.flags & ~layout->flags) != 0)
        return explain_flags(failure, head.flags & ~layout->flags);
    memcpy(&allocator, (const char *) in + layout->allocator, sizeof(allocator));
    return explain_allocator(failure, allocator);
}
