/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_CHECK_READER_H
#define TESTS_FUZZ_CHECK_READER_H

#include "fuzz/input.h"

/* Reads the trace plainly and as the input says, and asserts what must hold for both. */
void check_reader(const struct input *input);

#endif
