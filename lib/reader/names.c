/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/event.h>
#include <gotrace/types.h>

static const char *enum_name(const char *const *names, uint32_t count, uint32_t value)
{
    return value < count ? names[value] : "Bad";
}

const char *gt_event_kind_name(uint32_t kind)
{
    static const char *const names[] = {
        "Bad",         "Sync",        "Metric",   "Label",           "StackSample",
        "RangeBegin",  "RangeActive", "RangeEnd", "TaskBegin",       "TaskEnd",
        "RegionBegin", "RegionEnd",   "Log",      "StateTransition", "Experimental",
    };
    return enum_name(names, sizeof(names) / sizeof(names[0]), kind);
}

const char *gt_go_state_name(uint32_t state)
{
    static const char *const names[] = {
        "Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall",
    };
    return enum_name(names, sizeof(names) / sizeof(names[0]), state);
}

const char *gt_proc_state_name(uint32_t state)
{
    static const char *const names[] = {"Undetermined", "NotExist", "Running", "Idle"};
    return enum_name(names, sizeof(names) / sizeof(names[0]), state);
}

const char *gt_resource_kind_name(uint32_t kind)
{
    static const char *const names[] = {"None", "Goroutine", "Proc", "Thread"};
    return enum_name(names, sizeof(names) / sizeof(names[0]), kind);
}
