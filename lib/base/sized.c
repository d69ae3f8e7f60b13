/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sized.h"

#include <assert.h>
#include <string.h>

/* No structure will ever grow so large: such a size was never set. */
enum {
    MAX_STRUCT = 4096
};

/* The first release's layout; members are only ever added at the end. */
struct allocator_v1 {
    size_t size;
    void *context;
    void *(*allocate)(void *context, size_t bytes);
    void *(*reallocate)(void *context, void *block, size_t old_bytes, size_t bytes);
    void (*release)(void *context, void *block, size_t bytes);
};

static_assert(sizeof(gt_allocator) == sizeof(struct allocator_v1), "gt_allocator");

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
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct allocator_v1), in);
    if (status == GT_OK && (!out->allocate || !out->reallocate || !out->release))
        return GT_ERR_INVALID_ARGUMENT;
    return status;
}
