/* SPDX-License-Identifier: BSD-3-Clause */
#include "stacktext.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static bool stacktext_is_runtime(gt_string function)
{
    static const char prefix[] = "runtime.";
    return function.size >= sizeof(prefix) - 1 &&
           memcmp(function.data, prefix, sizeof(prefix) - 1) == 0;
}

gt_string stacktext_outside_runtime(const gt_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!stacktext_is_runtime(frames[i].function))
            return frames[i].function;
    }
    return frames[0].function;
}

char *stacktext_join(gt_string *text, const gt_frame *frames, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += frames[i].function.size + 1;
    char *joined = malloc(size), *to = joined;
    if (!joined)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        to = put_bytes(to, frames[i].function.data, frames[i].function.size);
        *to++ = ';';
    }
    *text = (gt_string){joined, size - 1};
    return joined;
}
