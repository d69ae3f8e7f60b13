/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_CLOCK_H
#define HTTP_CLOCK_H

#include <stdint.h>

/* Milliseconds since some moment, by a clock that nobody sets. */
int64_t http_clock(void);

#endif
