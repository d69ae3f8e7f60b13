/* SPDX-License-Identifier: BSD-3-Clause */

/* Declares madvise: POSIX has no advice about the size of pages. */
#define _DEFAULT_SOURCE

#include "base/pages.h"

#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__linux__) && defined(MADV_HUGEPAGE)

void gt_pages_expect(void *block, size_t bytes)
{
    size_t before = GT_PAGES_LARGE - (uintptr_t) block % GT_PAGES_LARGE;
    /* Only the large pages that lie within the block, as others are not ours. */
    if (before < bytes && bytes - before >= GT_PAGES_LARGE)
        madvise((char *) block + before, bytes - before - (bytes - before) % GT_PAGES_LARGE,
                MADV_HUGEPAGE);
}

#else

void gt_pages_expect(void *block, size_t bytes)
{
    (void) block;
    (void) bytes;
}

#endif
