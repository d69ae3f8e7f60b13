/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The directory of the test data in the repository, $GT_TESTDATA. Ends the test program if that is
 * not set.
 */
const char *files_testdata(void);

/* The directory of the corpus, $GT_CORPUS, or NULL if that is not set or does not exist. */
const char *files_corpus(void);

/* Joins a directory and a name. From malloc. */
char *files_join(const char *directory, const char *name);

/* Replaces the end `suffix` of a path by `other`. From malloc. */
char *files_replace(const char *path, const char *suffix, const char *other);

int files_exist(const char *path);

/* The sorted names in a directory that begin with `prefix` and end in `suffix`. */
struct file_list {
    char **names;
    size_t count;
};

/* Adds the names in `directory`, which need not exist. */
void files_list(struct file_list *list, const char *directory, const char *prefix,
                const char *suffix);
void files_list_free(struct file_list *list);

/* Reads a file; a NUL follows its bytes. From malloc. Asserts that it can be read. */
uint8_t *files_read(const char *path, size_t *size);

/*
 * Writes a new file in the folder of temporary.h, which is removed at the latest with that. Returns
 * its path, from malloc.
 */
char *files_temporary(const void *data, size_t size);

#endif
