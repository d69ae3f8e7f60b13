/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t process_memory(void)
{
    uint64_t pages = 0;
    long page = sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    /* The second number is that of resident pages; see proc(5). */
    if (file && (page <= 0 || fscanf(file, "%*u %" SCNu64, &pages) != 1))
        pages = 0;
    if (file)
        fclose(file);
    return pages * (uint64_t) page;
}
