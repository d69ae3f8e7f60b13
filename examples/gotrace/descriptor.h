/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads from `fd` as a gt_read_fn does. Waits for bytes if the descriptor is non-blocking, as that
 * of standard input can be if another program has changed the terminal or the pipe.
 */
int64_t descriptor_read(int fd, void *buffer, size_t capacity);

/*
 * Returns whether a file begins like a trace, which a compressed one does not. Leaves the offset of
 * the file as it is.
 */
bool descriptor_has_trace(int fd);

/* Closes `*fd` unless it is -1, and sets it to -1. */
void descriptor_close(int *fd);

#endif
