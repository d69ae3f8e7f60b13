/* SPDX-License-Identifier: BSD-3-Clause */

/* A fault that only meaningful records reach, to test whether fuzzing finds it. */

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/input.h"

static void look_at(const gt_raw_event *event)
{
    /* Traces of Go 1.21 and before have no such type. */
    if (event->type == GT_WIRE_CLOCK_SNAPSHOT && event->arguments[1] > 6 &&
        event->arguments[1] < 10) {
        fprintf(stderr, "the planted fault\n");
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const gt_raw_event *event;
    gt_raw_reader *reader;
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    if (gt_raw_reader_open_memory(&reader, input.data, input.size, NULL, NULL) == GT_OK) {
        while (gt_raw_reader_next_event(reader, &event) == GT_OK)
            look_at(event);
    }
    gt_raw_reader_close(&reader);
    input_free(&input);
    return 0;
}
