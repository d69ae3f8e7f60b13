/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PROTOBUF_H
#define TESTS_FUZZ_PROTOBUF_H

#include <stddef.h>

/* Whether these bytes are a profile.proto message: fields with their types, whole messages. */
int protobuf_is_good(const void *data, size_t size);

#endif
