/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INSTALLED_H
#define INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where files are that are installed with the command: the folder of its data as a whole and below
 * the prefix, and that of the agent, seen from the folder of the program. A build says where that
 * is; these are the places below /usr/local.
 */
#ifndef INSTALLED_ROOT
#define INSTALLED_ROOT "/usr/local/share/gotrace"
#endif
#ifndef INSTALLED_DATA
#define INSTALLED_DATA "share/gotrace"
#endif
#ifndef INSTALLED_AGENT
#define INSTALLED_AGENT "../lib/gotrace/libgotrace-agent.so"
#endif

/* The room for the name of a file. Where it would need more, the file is not found. */
#define INSTALLED_NAME_SIZE 4096

/*
 * Finds the first of these files that can be read. Their paths are seen from the folder of the
 * program, which the system knows also after it was moved. Writes its name; if there is none, the
 * name of the last one, or an empty one if the system does not tell where the program is.
 */
bool installed_find(char name[INSTALLED_NAME_SIZE], const char *const *paths, size_t count);

#endif
