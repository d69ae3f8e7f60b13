/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_JSON_H
#define TESTS_FUZZ_JSON_H

#include <stddef.h>

/*
 * Whether the bytes are a JSON value in UTF-8, perhaps with white space around it. Shares no code
 * with the writer of JSON.
 */
int json_is_good(const void *data, size_t size);

#endif
