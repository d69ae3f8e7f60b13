/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_REAL_H
#define GT_WRITER_REAL_H

/*
 * Writes a finite number to `to`, which must have room for 32 bytes, and returns the end. The text
 * is the shortest decimal that converts to the number, as Go and JavaScript write it: with an
 * exponent only below 1e-6 and from 1e21 on.
 */
char *gt_real_put(char *to, double value);

#endif
