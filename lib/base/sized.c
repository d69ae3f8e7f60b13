/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"

#include <string.h>

enum {
    /* No structure will ever be larger: a greater size means that the member was never set. */
    MAX_STRUCT = 4096
};

/* How every type of options begins. */
struct options_head {
    size_t size;
    uint64_t flags;
};

gt_status gt_struct_take(void *out, size_t size, size_t least, const void *in)
{
    size_t given;
    memcpy(&given, in, sizeof(given));
    if (given < least || given > MAX_STRUCT)
        return GT_ERR_INVALID_ARGUMENT;
    for (size_t i = size; i < given; i++) {
        if (((const unsigned char *) in)[i] != 0)
            return GT_ERR_INVALID_ARGUMENT;
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

gt_status gt_allocator_take(gt_allocator *out, const gt_allocator *in)
{
    memset(out, 0, sizeof(*out));
    if (!in)
        return GT_OK;
    gt_status status = gt_struct_take(out, sizeof(*out), GT_UP_TO(gt_allocator, release), in);
    if (status == GT_OK && (!out->allocate || !out->reallocate || !out->release))
        return GT_ERR_INVALID_ARGUMENT;
    return status;
}

gt_status gt_options_take(void *out, gt_allocator *allocator,
                          const struct gt_options_layout *layout, const void *in)
{
    struct options_head head;
    const gt_allocator *given;
    if (in) {
        gt_status status = gt_struct_take(out, layout->size, layout->least, in);
        if (status != GT_OK)
            return status;
    }
    memcpy(&head, out, sizeof(head));
    if (head.flags & ~layout->flags)
        return GT_ERR_INVALID_ARGUMENT;
    memcpy(&given, (const char *) out + layout->allocator, sizeof(given));
    return gt_allocator_take(allocator, given);
}
