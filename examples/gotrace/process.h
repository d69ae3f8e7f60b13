/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>

/*
 * Returns the resident memory of this process in bytes, or 0 if the system does not report it in
 * /proc as Linux does.
 */
uint64_t process_memory(void);

#endif
