/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PROTOBUF_H
#define TESTS_FUZZ_PROTOBUF_H

#include <stddef.h>

/*
 * Whether the bytes are a message of profile.proto: fields with their types, and complete messages.
 */
int protobuf_is_good(const void *data, size_t size);

#endif
