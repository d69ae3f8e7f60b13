/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a trace of any version. */

#include "fuzz/check_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    check_reader(&input);
    input_free(&input);
    return 0;
}
