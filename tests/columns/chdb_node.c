/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * chdb_node LIBRARY OPTION...: runs ClickHouse, which is in the library of npm's chdb, with options
 * of its command line, and prints the result. It is how a process becomes a node, as the library
 * listens only if its command line says so.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* From the chdb.h of this library. */
typedef void *query_fn(int argc, char **argv);
typedef char *buffer_fn(void *result);
typedef size_t length_fn(void *result);
typedef const char *error_fn(void *result);

struct library {
    query_fn *query;
    buffer_fn *buffer;
    length_fn *length;
    error_fn *error;
};

/* Standard C does not convert a pointer to an object to one to a function. */
static int library_find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);

    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

static int library_open(struct library *library, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW);

    return handle && library_find(handle, "chdb_query_cmdline", &library->query) &&
           library_find(handle, "chdb_result_buffer", &library->buffer) &&
           library_find(handle, "chdb_result_length", &library->length) &&
           library_find(handle, "chdb_result_error", &library->error);
}

int main(int argc, char **argv)
{
    struct library library;

    if (argc < 2)
        return 2;
    if (!library_open(&library, argv[1])) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    void *result = library.query(argc - 1, argv + 1);
    const char *error = result ? library.error(result) : "no result";
    if (error) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    fwrite(library.buffer(result), 1, library.length(result), stdout);
    return 0;
}
