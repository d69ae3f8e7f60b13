/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/frames.h"
#include "analysis/report/report.h"
#include "base/system.h"
#include "base/text.h"

enum {
    /* How deep in the runtime and in package sync the function is that says what is waited for. */
    DEPTH = 8
};

gt_status gt_report_stack_number(struct gt_report *report, gt_stack stack, uint32_t *number)
{
    *number = 0;
    if (stack == GT_STACK_NONE || !gt_frames_are_known(report->reader, report->event))
        return GT_OK;
    gt_status status =
        gt_stackset_number(&report->stacks, report->reader, report->event, stack, number);
    return status == GT_OK ? gt_array_extend(&report->mem, &report->places, (size_t) *number + 1)
                           : status;
}

static gt_status place_group_add(struct gt_report *report, uint32_t text)
{
    gt_string name = report->texts.list.items[text];
    struct gt_report_group group = {
        .text = text,
        .is_system = gt_is_system_goroutine(name),
        .is_worker = gt_text_is(name, GT_REPORT_MARK_WORKER),
        .is_tracing = gt_text_starts_with(name, "runtime/trace."),
        .is_host = gt_text_is(name, "runtime.handleAsyncEvent"),
        .latest = GT_REPORT_NO_SPAN,
        .longest_assist = GT_REPORT_NO_SPAN,
    };
    gt_durations_init(&group.latency);
    gt_status status = gt_array_extend(&report->mem, &report->group_of_text, (size_t) text + 1);
    if (status == GT_OK)
        status = gt_array_add(&report->mem, &report->groups, group);
    if (status == GT_OK)
        report->group_of_text.items[text] = (uint32_t) report->groups.count;
    return status;
}

gt_status gt_report_group_named(struct gt_report *report, gt_string function, uint32_t *number)
{
    uint32_t text;
    gt_status status = gt_texts_add(&report->texts, function, &text);
    if (status == GT_OK &&
        (text >= report->group_of_text.count || report->group_of_text.items[text] == 0))
        status = place_group_add(report, text);
    if (status == GT_OK)
        *number = report->group_of_text.items[text] - 1;
    return status;
}

gt_status gt_report_group_number(struct gt_report *report, uint32_t stack, uint32_t *number)
{
    if (report->places.items[stack].group_plus_1 == 0) {
        gt_status status =
            gt_report_group_named(report, gt_stackset_root(&report->stacks, stack), number);
        if (status != GT_OK)
            return status;
        report->places.items[stack].group_plus_1 = *number + 1;
    }
    *number = report->places.items[stack].group_plus_1 - 1;
    return GT_OK;
}

/* What a goroutine waits for in a function of the runtime or of package sync. */
static enum gt_wait_kind place_wait_in(gt_string function)
{
    static const struct {
        const char *prefix;
        enum gt_wait_kind wait;
    } prefixes[] = {
        {"sync.(*Mutex).", GT_WAIT_LOCK},
        {"internal/sync.(*Mutex).", GT_WAIT_LOCK},
        {"sync.(*RWMutex).", GT_WAIT_LOCK},
        {"sync.(*WaitGroup).", GT_WAIT_SYNC},
        {"sync.(*Cond).", GT_WAIT_COND},
        {"sync.runtime_notifyList", GT_WAIT_COND},
        {"runtime.chanrecv", GT_WAIT_CHANNEL},
        {"runtime.chansend", GT_WAIT_SEND},
        {"runtime.selectgo", GT_WAIT_CHANNEL},
        {"runtime.block", GT_WAIT_CHANNEL},
        {"internal/poll.runtime_pollWait", GT_WAIT_NETWORK},
        {"time.Sleep", GT_WAIT_SLEEP},
        {"runtime.gcMarkDone", GT_WAIT_MARK_DONE},
        {"runtime.GC", GT_WAIT_COLLECTION},
    };

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (gt_text_starts_with(function, prefixes[i].prefix))
            return prefixes[i].wait;
    }
    return GT_WAIT_UNKNOWN;
}

enum gt_wait_kind gt_report_wait_at(struct gt_report *report, uint32_t stack)
{
    struct gt_report_place *place = &report->places.items[stack];
    gt_frame frames[DEPTH];
    if (place->wait != GT_WAIT_UNKNOWN)
        return (enum gt_wait_kind) place->wait;
    size_t count = gt_stackset_frames(&report->stacks, stack, frames, DEPTH);
    enum gt_wait_kind wait = GT_WAIT_UNKNOWN;
    for (size_t i = 0; i < count && i < DEPTH && wait == GT_WAIT_UNKNOWN; i++)
        wait = place_wait_in(frames[i].function);
    place->wait = (uint8_t) (wait == GT_WAIT_UNKNOWN ? GT_WAIT_OTHER : wait);
    return (enum gt_wait_kind) place->wait;
}

enum gt_wait_kind gt_report_wait_kind(struct gt_report *report, gt_string reason, uint32_t stack)
{
    if (reason.size == 0)
        return gt_report_wait_at(report, stack);
    switch (reason.data[0]) {
    case 'c':
        return gt_text_is(reason, "chan send") ? GT_WAIT_SEND : GT_WAIT_CHANNEL;
    case 'n':
        return gt_text_is(reason, "network") ? GT_WAIT_NETWORK : GT_WAIT_OTHER;
    case 'f':
        return gt_text_is(reason, "forever") ? GT_WAIT_CHANNEL : GT_WAIT_OTHER;
    case 's':
        break;
    default:
        return GT_WAIT_OTHER;
    }
    if (gt_text_is(reason, "select"))
        return GT_WAIT_CHANNEL;
    if (gt_text_is(reason, "sleep"))
        return GT_WAIT_SLEEP;
    return gt_text_starts_with(reason, "sync") ? gt_report_wait_at(report, stack) : GT_WAIT_OTHER;
}
