/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The directory of the committed test data: $GT_TESTDATA. Fails the test
 * program where it is not set.
 */
const char *files_testdata(void);

/* The directory of the corpus, $GT_CORPUS; NULL where that is not set, or not there. */
const char *files_corpus(void);

/* A directory and a name joined, from malloc. */
char *files_join(const char *directory, const char *name);

/* A path that ends in `suffix`, with `other` in its place, from malloc. */
char *files_replace(const char *path, const char *suffix, const char *other);

int files_exist(const char *path);

/* The names in a directory that begin and end so, sorted. */
struct file_list {
    char **names;
    size_t count;
};

/* Adds what is in `directory`, which need not be there. */
void files_list(struct file_list *list, const char *directory, const char *prefix,
                const char *suffix);
void files_list_free(struct file_list *list);

/* The bytes of a file and a NUL after them, from malloc. Asserts that it can be read. */
uint8_t *files_read(const char *path, size_t *size);

/* Writes a new temporary file; returns its path, from malloc. */
char *files_temporary(const void *data, size_t size);

#endif
