/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads the input as what follows the header of a trace of Go 1.5 to 1.21; it also picks the
 * version.
 */

#include <string.h>

#include "fuzz/check_reader.h"
#include "support/v1wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire wire = {0};
    struct input input;

    wire_begin(&wire, v1_versions[size ? data[size - 1] % V1_VERSIONS : 0]);
    if (input_take(&input, data, size, wire.size)) {
        memcpy(input.data, wire.data, wire.size);
        check_reader(&input);
        input_free(&input);
    }
    wire_free(&wire);
    return 0;
}
