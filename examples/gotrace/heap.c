/* SPDX-License-Identifier: BSD-3-Clause */
#include "heap.h"

#if defined(__linux__)
#include <malloc.h>
#endif

enum {
    /* Smaller blocks, such as most answers, are kept, since new pages cost time. */
    HEAP_LARGE = 1 << 20
};

void heap_return_large(void)
{
    /*
     * Unless it is told otherwise, glibc raises both of its limits to the largest block that was
     * freed, up to 32 MB: after that each thread that ever worked keeps that much free memory.
     */
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD)
    mallopt(M_MMAP_THRESHOLD, HEAP_LARGE);
    mallopt(M_TRIM_THRESHOLD, HEAP_LARGE);
#endif
}

void heap_return_free(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}
