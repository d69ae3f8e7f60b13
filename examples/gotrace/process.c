/* SPDX-License-Identifier: BSD-3-Clause */
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t process_memory(void)
{
    char text[128] = "";
    long page = sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    size_t size = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[size] = '\0';
    /* The second number is that of resident pages; see proc(5). */
    const char *resident = strchr(text, ' ');
    return resident && page > 0 ? strtoull(resident, NULL, 10) * (uint64_t) page : 0;
}
