/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/temporary.h"
#include "support/test.h"

const char *files_testdata(void)
{
    const char *path = getenv("GT_TESTDATA");

    if (!path) {
        fprintf(stderr, "GT_TESTDATA is not set: run the tests through meson\n");
        exit(1);
    }
    return path;
}

const char *files_corpus(void)
{
    const char *path = getenv("GT_CORPUS");

    return path && files_exist(path) ? path : NULL;
}

char *files_join(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);

    assert_non_null(path);
    snprintf(path, size, "%s/%s", directory, name);
    return path;
}

char *files_replace(const char *path, const char *suffix, const char *other)
{
    size_t kept = strlen(path) - strlen(suffix), size = kept + strlen(other) + 1;
    char *result = malloc(size);

    assert_string_equal(path + kept, suffix);
    assert_non_null(result);
    snprintf(result, size, "%.*s%s", (int) kept, path, other);
    return result;
}

int files_exist(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0;
}

static bool has_ends(const char *name, const char *prefix, const char *suffix)
{
    size_t size = strlen(name), head = strlen(prefix), tail = strlen(suffix);

    return size >= head + tail && strncmp(name, prefix, head) == 0 &&
           strcmp(name + size - tail, suffix) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

void files_list(struct file_list *list, const char *directory, const char *prefix,
                const char *suffix)
{
    struct dirent *entry;
    size_t before = list->count;
    DIR *dir = opendir(directory);

    while (dir && (entry = readdir(dir)) != NULL) {
        if (!has_ends(entry->d_name, prefix, suffix))
            continue;
        list->names = realloc(list->names, (list->count + 1) * sizeof(*list->names));
        assert_non_null(list->names);
        list->names[list->count] = strdup(entry->d_name);
        assert_non_null(list->names[list->count]);
        list->count++;
    }
    if (dir)
        closedir(dir);
    if (list->count > before)
        qsort(list->names + before, list->count - before, sizeof(*list->names), compare_names);
}

void files_list_free(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    list->names = NULL;
    list->count = 0;
}

uint8_t *files_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long end;

    if (!file) {
        print_error("cannot open %s\n", path);
        fail();
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    data = malloc((size_t) end + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t) end, file), end);
    data[end] = 0;
    fclose(file);
    *size = (size_t) end;
    return data;
}

char *files_temporary(const void *data, size_t size)
{
    char *path;
    FILE *file = fdopen(temporary_new_file(&path), "wb");

    assert_non_null(file);
    if (size > 0)
        assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}
