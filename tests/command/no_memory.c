/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Loaded before libc, this makes one allocation of the program fail: the one with the number in the
 * environment variable GT_FAIL_AT. When the program ends, the number of its allocations is written
 * to the file GT_FAIL_COUNT.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The functions of glibc under names that are not replaced here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_ulong taken;

static bool fails(void)
{
    const char *at = getenv("GT_FAIL_AT");
    if (!at || atomic_fetch_add(&taken, 1) + 1 != strtoul(at, NULL, 10))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("GT_FAIL_COUNT");
    unsigned long count = atomic_load(&taken);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu", count);
    fclose(file);
}
