/* SPDX-License-Identifier: BSD-3-Clause */
/* How the recording of a trace has ended. */
#include "ending.h"

const char *ending_text(gt_ending ending)
{
    switch (ending) {
    case GT_ENDING_STOPPED:
        return "the recording was stopped";
    case GT_ENDING_RUNNING:
        return "the program ended, or was ended, while it was recorded";
    default:
        return "it cannot be told whether the recording was stopped or the program ended";
    }
}

void ending_warn(struct output *out, const gt_reader *reader)
{
    if (gt_reader_get_ending(reader) != GT_ENDING_RUNNING)
        return;
    output_text(out, ending_text(GT_ENDING_RUNNING));
    output_text(out, "\n");
}
