/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HEAP_H
#define HEAP_H

/*
 * Makes malloc return large blocks to the system as soon as they are freed, for a command that runs
 * for hours and needs much memory now and then. Does nothing if the C library has no such setting.
 * Must be called before there are threads.
 */
void heap_return_large(void);

/* Returns all free memory that malloc still holds to the system. Takes some milliseconds. */
void heap_return_free(void);

#endif
