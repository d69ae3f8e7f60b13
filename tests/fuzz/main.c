/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Runs a fuzz target once on each file that is named, and on each file in a directory that is. It
 * replays what libFuzzer found, without libFuzzer.
 */

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/input.h"
#include "support/files.h"

static size_t runs;

static void run_file(const char *path)
{
    size_t size;
    uint8_t *data = files_read(path, &size);

    /* Printed before the run, so that the input is known if the target crashes. */
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    runs++;
}

/* A list of a directory is never empty, and a file has no list. */
static void run_path(const char *path)
{
    struct file_list list = {0};

    files_list(&list, path, "", "");
    if (list.count == 0)
        run_file(path);
    for (size_t i = 0; i < list.count; i++) {
        char *file;

        if (list.names[i][0] == '.')
            continue;
        file = files_join(path, list.names[i]);
        run_file(file);
        free(file);
    }
    files_list_free(&list);
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    printf("%zu inputs\n", runs);
    return 0;
}
