/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_TEMPORARY_H
#define TESTS_SUPPORT_TEMPORARY_H

/*
 * Temporary files of a test program are in a folder of its own below $TMPDIR, or /tmp. The folder
 * and all that is in it are removed when the process ends: also if an assertion has failed, and if
 * a signal or a sanitizer ends it. Ends the process if there can be no files.
 */

/* Returns the path of that folder, which the first call makes. */
const char *temporary_folder(void);

/* Returns the path of a new folder in it. From malloc. */
char *temporary_new_folder(void);

/* Makes a new file in it, and returns the descriptor. Its path is from malloc. */
int temporary_new_file(char **path);

#endif
