/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STANDARD_H
#define STANDARD_H

#include <stddef.h>
#include <stdint.h>

/*
 * A gt_read_fn that reads standard input; `user_data` is not used. Waits for bytes where standard
 * input does not block, as it is when another program has made the terminal or the pipe so.
 */
int64_t standard_read(void *user_data, void *buffer, size_t capacity);

#endif
