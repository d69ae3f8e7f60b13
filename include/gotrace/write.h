/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_WRITE_H
#define GOTRACE_WRITE_H

/**
 * @file
 * The callback that receives written bytes.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Receives what a writer has written: `size` bytes at `data`, which are valid only during the
 * call. Returns 0 on success; any other value is a failure, which the writer reports as
 * GT_ERR_IO.
 * @since 0.1.0
 */
typedef int (*gt_write_fn)(void *user_data, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
