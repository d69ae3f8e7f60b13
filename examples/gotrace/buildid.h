/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BUILDID_H
#define BUILDID_H

#include <stdbool.h>

enum {
    /* Room for the hexadecimal digits of an id, and a NUL. Longer ids are not known to anybody. */
    BUILDID_ROOM = 2 * 64 + 1
};

/*
 * Finds the id that the linker gave the program or library `path`, in hexadecimal digits; "-" if it
 * has none. Returns false, and sets errno, if that is no plain file, or no ELF file of this
 * machine.
 */
bool buildid_read(const char *path, char id[BUILDID_ROOM]);

#endif
