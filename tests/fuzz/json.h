/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_JSON_H
#define TESTS_FUZZ_JSON_H

#include <stddef.h>

/*
 * Whether these bytes are one value of JSON in UTF-8, with white space around it; a
 * second opinion that shares nothing with what writes it.
 */
int json_is_good(const void *data, size_t size);

#endif
