/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/classes.h"

#include "base/text.h"

/*
 * traceBlockReasonStrings in runtime/traceruntime.go. For traces of Go 1.21 and earlier the
 * library derives the reasons from the types of events, and gives them the same texts.
 */
static const struct {
    const char *reason;
    uint32_t cls;
} waits[] = {
    {"GC background sweeper wait", GT_CLASS_WAIT_GC},
    {"GC mark assist wait for work", GT_CLASS_WAIT_GC},
    {"GC weak to strong wait", GT_CLASS_WAIT_GC},
    {"chan receive", GT_CLASS_WAIT_CHAN},
    {"chan send", GT_CLASS_WAIT_CHAN},
    {"forever", GT_CLASS_WAIT_CHAN},
    {"network", GT_CLASS_WAIT_NET},
    {"select", GT_CLASS_WAIT_CHAN},
    {"sleep", GT_CLASS_WAIT_SLEEP},
    {"sync", GT_CLASS_WAIT_SYNC},
    {"sync.(*Cond).Wait", GT_CLASS_WAIT_SYNC},
    {"synctest", GT_CLASS_WAIT_SYNC},
    {"wait until GC ends", GT_CLASS_WAIT_GC},
};

/* The functions that runtime/mgc.go, mgcsweep.go and mgcscavenge.go start as goroutines, in all
 * versions of Go. */
static const char *const collectors[] = {
    "runtime.backgroundgc",
    "runtime.bgscavenge",
    "runtime.bgsweep",
    "runtime.gcBgMarkWorker",
};

uint32_t gt_class_of_wait(gt_string reason)
{
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (gt_text_is(reason, waits[i].reason))
            return waits[i].cls;
    }
    return GT_CLASS_WAIT_OTHER;
}

bool gt_class_is_collector(gt_string function)
{
    for (size_t i = 0; i < sizeof(collectors) / sizeof(collectors[0]); i++) {
        if (gt_text_is(function, collectors[i]))
            return true;
    }
    return false;
}

bool gt_class_is_stop(gt_string range)
{
    return gt_text_starts_with(range, "stop-the-world");
}
