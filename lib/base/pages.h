/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_PAGES_H
#define GT_BASE_PAGES_H

#include <stddef.h>

enum {
    /* The size of a large page of most processors. Smaller blocks cannot have one. */
    GT_PAGES_LARGE = 2 << 20
};

/*
 * Asks the system for large pages in a block of memory that will be written from its beginning to
 * its end, and has not been written yet. Each first write to a page of 4 KiB takes about a
 * microsecond, and several in a virtual machine, which is most of the time for writing it. Systems
 * may ignore the request; the content of the block never depends on it.
 */
void gt_pages_expect(void *block, size_t bytes);

#endif
