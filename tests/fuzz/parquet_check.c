/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parquet_check FILE...: the reader of Parquet files that fuzz targets use accepts these files, and
 * none of them after it was damaged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/parquet.h"
#include "support/files.h"

enum {
    /* How many places of a file are damaged. */
    CHECK_PLACES = 300,
    CHECK_TAIL = 8
};

/* Reads a copy, so that tools find accesses beyond its end. */
static const char *check_read(const uint8_t *data, size_t size)
{
    struct parquet_file file = {.take = NULL};
    uint8_t *copy = malloc(size + (size == 0));

    if (!copy)
        abort();
    memcpy(copy, data, size);
    const char *why = parquet_read(&file, copy, size);
    free(copy);
    return why;
}

/* Changes a byte, for which a fault must be found if it is before the footer. */
static bool check_change(const char *path, uint8_t *data, size_t size, size_t at, size_t footer)
{
    data[at] ^= 1u << at % 8;
    bool is_found = check_read(data, size) || at >= footer;
    data[at] ^= 1u << at % 8;
    if (!is_found)
        printf("%s: nothing is wrong after a change of byte %zu\n", path, at);
    return is_found;
}

static bool check_cut(const char *path, const uint8_t *data, size_t size)
{
    bool is_found = check_read(data, size) != NULL;

    if (!is_found)
        printf("%s: nothing is wrong with its first %zu bytes\n", path, size);
    return is_found;
}

static bool check_file(const char *path)
{
    size_t size;
    uint8_t *data = files_read(path, &size);
    const char *why = check_read(data, size);
    bool is_good = !why;

    if (why)
        printf("%s: %s\n", path, why);
    size_t step = size / CHECK_PLACES + 1, footer = 0;
    for (size_t i = 0; is_good && i < 4; i++)
        footer |= (size_t) data[size - CHECK_TAIL + i] << 8 * i;
    for (size_t at = 0; is_good && at < size; at += step)
        is_good = check_change(path, data, size, at, size - CHECK_TAIL - footer) &&
                  check_cut(path, data, at);
    free(data);
    return is_good;
}

int main(int argc, char **argv)
{
    bool is_good = argc > 1;

    for (int i = 1; i < argc; i++)
        is_good = check_file(argv[i]) && is_good;
    return is_good ? 0 : 1;
}
