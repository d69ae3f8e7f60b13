/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads from `fd` as a gt_read_fn does. Waits for bytes where the descriptor does not block, as
 * that of standard input when another program has made the terminal or the pipe so.
 */
int64_t descriptor_read(int fd, void *buffer, size_t capacity);

/* Closes `*fd` unless it is -1, and sets it to -1. */
void descriptor_close(int *fd);

#endif
