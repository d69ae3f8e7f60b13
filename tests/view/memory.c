/* SPDX-License-Identifier: BSD-3-Clause */

#include "view/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"

/* Two threads fill a store. */
static atomic_int left = -1;

void memory_fail_after(int successes)
{
    left = successes;
}

static void *memory_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    (void) old_bytes;
    if (left == 0)
        return NULL;
    left -= left > 0;
    return realloc(block, bytes);
}

static void *memory_allocate(void *context, size_t bytes)
{
    return memory_reallocate(context, NULL, 0, bytes);
}

static void memory_release(void *context, void *block, size_t bytes)
{
    (void) context;
    (void) bytes;
    free(block);
}

const gt_allocator memory_allocator = {
    sizeof(gt_allocator), NULL, memory_allocate, memory_reallocate, memory_release,
};

void memory_init(struct gt_mem *mem)
{
    gt_mem_init(mem, &memory_allocator, 0);
}

struct gt_mem *memory_shared(void)
{
    static struct gt_thread_mutex mutex;
    static struct gt_mem mem;

    if (!mem.lock && gt_thread_mutex_init(&mutex)) {
        memory_init(&mem);
        mem.lock = &mutex.lock;
    }
    return &mem;
}
