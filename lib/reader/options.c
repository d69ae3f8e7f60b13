/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/options.h"

#include <assert.h>
#include <string.h>

/* No structure will ever grow so large: such a size was never set. */
enum {
    MAX_STRUCT = 4096
};

/* The first release's layouts; members are only ever added at the end. */
struct options_v1 {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_repair_fn on_repair;
    void *repair_data;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
};

struct allocator_v1 {
    size_t size;
    void *context;
    void *(*allocate)(void *context, size_t bytes);
    void *(*reallocate)(void *context, void *block, size_t old_bytes, size_t bytes);
    void (*release)(void *context, void *block, size_t bytes);
};

static_assert(sizeof(gt_reader_options) == sizeof(struct options_v1), "gt_reader_options");
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

gt_status gt_options_take(gt_reader_options *out, gt_allocator *allocator,
                          const gt_reader_options *options)
{
    memset(out, 0, sizeof(*out));
    if (!options)
        return GT_OK;
    gt_status status = gt_struct_take(out, sizeof(*out), sizeof(struct options_v1), options);
    if (status != GT_OK)
        return status;
    const uint64_t known =
        GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT | GT_READER_AS_RECORDED;
    if (out->flags & ~known)
        return GT_ERR_INVALID_ARGUMENT;
    if (!out->allocator)
        return GT_OK;
    status =
        gt_struct_take(allocator, sizeof(*allocator), sizeof(struct allocator_v1), out->allocator);
    if (status == GT_OK && (!allocator->allocate || !allocator->reallocate || !allocator->release))
        status = GT_ERR_INVALID_ARGUMENT;
    out->allocator = allocator;
    return status;
}
