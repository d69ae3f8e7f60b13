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

const char *ending_word(gt_ending ending)
{
    switch (ending) {
    case GT_ENDING_STOPPED:
        return "stopped";
    case GT_ENDING_RUNNING:
        return "running";
    default:
        return NULL;
    }
}

void ending_write(struct output *out, const gt_reader *reader)
{
    gt_ending ending = gt_reader_get_ending(reader);
    if (ending == GT_ENDING_STOPPED)
        return;
    output_text(out, ending_text(ending));
    output_text(out, "\n");
}
