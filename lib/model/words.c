/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/words.h"

#define WORD(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

const struct gt_word gt_words_kinds[GT_WORDS_KINDS] = {
    WORD("Bad"),
    [GT_EVENT_SYNC] = WORD("Sync"),
    [GT_EVENT_METRIC] = WORD("Metric"),
    [GT_EVENT_LABEL] = WORD("Label"),
    [GT_EVENT_STACK_SAMPLE] = WORD("StackSample"),
    [GT_EVENT_RANGE_BEGIN] = WORD("RangeBegin"),
    [GT_EVENT_RANGE_ACTIVE] = WORD("RangeActive"),
    [GT_EVENT_RANGE_END] = WORD("RangeEnd"),
    [GT_EVENT_TASK_BEGIN] = WORD("TaskBegin"),
    [GT_EVENT_TASK_END] = WORD("TaskEnd"),
    [GT_EVENT_REGION_BEGIN] = WORD("RegionBegin"),
    [GT_EVENT_REGION_END] = WORD("RegionEnd"),
    [GT_EVENT_LOG] = WORD("Log"),
    [GT_EVENT_STATE_TRANSITION] = WORD("StateTransition"),
    [GT_EVENT_EXPERIMENTAL] = WORD("Experimental"),
};

const struct gt_word gt_words_go_states[GT_WORDS_GO_STATES] = {
    [GT_GO_UNDETERMINED] = WORD("Undetermined"), [GT_GO_NOT_EXIST] = WORD("NotExist"),
    [GT_GO_RUNNABLE] = WORD("Runnable"),         [GT_GO_RUNNING] = WORD("Running"),
    [GT_GO_WAITING] = WORD("Waiting"),           [GT_GO_SYSCALL] = WORD("Syscall"),
};

const struct gt_word gt_words_proc_states[GT_WORDS_PROC_STATES] = {
    [GT_PROC_UNDETERMINED] = WORD("Undetermined"),
    [GT_PROC_NOT_EXIST] = WORD("NotExist"),
    [GT_PROC_RUNNING] = WORD("Running"),
    [GT_PROC_IDLE] = WORD("Idle"),
};
