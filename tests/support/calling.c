/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/calling.h"

#include <stdlib.h>
#include <string.h>

static void calling_call(struct calling *calling)
{
    if (!calling->call)
        return;
    calling->calls++;
    calling->call(calling->user_data);
}

static void *calling_allocate(void *context, size_t bytes)
{
    calling_call(context);
    return malloc(bytes);
}

static void *calling_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) old_bytes;
    calling_call(context);
    return realloc(block, bytes);
}

static void calling_release(void *context, void *block, size_t bytes)
{
    (void) context;
    (void) bytes;
    free(block);
}

void calling_init(struct calling *calling)
{
    memset(calling, 0, sizeof(*calling));
    calling->allocator.size = sizeof(calling->allocator);
    calling->allocator.context = calling;
    calling->allocator.allocate = calling_allocate;
    calling->allocator.reallocate = calling_reallocate;
    calling->allocator.release = calling_release;
}
