/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PACKER_H
#define PACKER_H

#include <stdio.h>

/*
 * Compresses the file of a descriptor, from its beginning, by running `gzip -c`. Returns an unnamed
 * temporary file, which the caller closes, or NULL if that fails, because the program is not
 * installed, for example.
 */
FILE *packer_gzip(int from);

#endif
