/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/validate.h>

const char *gt_rule_text(uint32_t rule)
{
    static const char *const texts[] = {
        [GT_RULE_TIME] = "times rise strictly",
        [GT_RULE_FRAME] = "a frame has a pc, a function, a file and a line",
        [GT_RULE_SYNC_NUMBER] = "Syncs are numbered without a gap",
        [GT_RULE_SYNC_CLOCK] = "a Sync that opens a generation has a clock snapshot",
        [GT_RULE_CLOCK_ORDER] = "clock snapshots rise on all three clocks",
        [GT_RULE_METRIC] = "a metric has a name with a colon, and a value",
        [GT_RULE_LABEL] = "a label has a text, and is for what is known",
        [GT_RULE_UNDETERMINED] = "only what was there before the trace is undetermined",
        [GT_RULE_OLD_STATE] = "a transition starts from the state that the last one led to",
        [GT_RULE_FIRST_STATE] = "what is not known was undetermined or did not exist",
        [GT_RULE_NO_THREAD] = "what runs does so on a thread",
        [GT_RULE_THREAD_TAKEN] = "a thread runs one goroutine and has one proc at a time",
        [GT_RULE_NOT_RUNNING] = "what stops running does so on its thread",
        [GT_RULE_OPEN_RANGE] = "nothing ceases to exist while a range of its own is open",
        [GT_RULE_STOP_STACK] = "a goroutine stops running with the stack of the event",
        [GT_RULE_RANGE_BEGIN] = "a range that begins is not open",
        [GT_RULE_RANGE_END] = "a range that ends is open",
        [GT_RULE_TASK_ID] = "a task that begins has an id and a parent that can be",
        [GT_RULE_TASK_TYPE] = "a task ends with the type that it began with",
        [GT_RULE_GETTER] = "an event says all that goes with its kind",
    };
    if (rule == 0 || rule >= sizeof(texts) / sizeof(texts[0]))
        return "unknown rule";
    return texts[rule];
}
