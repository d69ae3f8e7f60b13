/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_CLOCK_H
#define HTTP_CLOCK_H

#include <stdint.h>

/* Returns the time of a monotonic clock in milliseconds. */
int64_t http_clock(void);

#endif
