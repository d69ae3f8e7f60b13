/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/hostile.h"

/* Traces that are harmless to a reader, but hostile to analyses of the events. */

/* Batches are kept below the format's limit of 65536 bytes. */
#define BATCH_MAX 60000

/* The strings 1 to n, no two of them equal, are behind those that a kind names. */
#define NAMES 10

static void begin(struct wire *wire)
{
    wire_begin(wire, 22);
    wire->size_width = 3;
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
}

/* Begins another batch of the thread where the open one is full. */
static void next_batch(struct wire *wire, uint64_t gen, uint64_t time)
{
    if (wire->size - wire->content_at > BATCH_MAX)
        wire_batch(wire, gen, 5, time);
}

/* A range's name, a stop's, and `n` names that differ, by the numbers 1, 2 and NAMES up. */
static void names(struct wire *wire, uint64_t n)
{
    wire_strings(wire, 1);
    wire_string(wire, 1, "name");
    wire_string(wire, 2, "GC mark termination");
    for (uint64_t i = 0; i < n; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_strings(wire, 1);
        wire_string_sized(wire, NAMES + i, &i, 4);
    }
}

/* While many regions are open their goroutine stops and starts. */
static void busy_regions(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 0, 1, 0);
    }
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 1 + i);
    }
    names(wire, 0);
}

/* Each region has a name and a task of its own, and overlaps the one before. */
static void named_regions(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, i, NAMES + i, 0);
    }
    for (uint64_t i = n; i > 0; i--) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_REGION_END, 1, i - 1, NAMES + i - 1, 0);
    }
    names(wire, n);
}

/* The bytes of a long type, and how many regions there are for each of them. */
enum {
    TYPE_SIZE = 1000,
    REGIONS_A_TYPE = 64
};

/* Types that differ in their last bytes only. */
static void long_types(struct wire *wire, uint64_t n)
{
    uint8_t type[TYPE_SIZE] = {0};
    wire_strings(wire, 1);
    for (uint64_t i = 0; i < n; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_strings(wire, 1);
        for (unsigned byte = 0; byte < 4; byte++)
            type[TYPE_SIZE - 1 - byte] = (uint8_t) (i >> 8 * byte);
        wire_string_sized(wire, NAMES + i, type, sizeof(type));
    }
}

/* Many regions with long types are open, of which it is always the outermost that ends. */
static void turning_regions(struct wire *wire, uint64_t n)
{
    uint64_t types = n / REGIONS_A_TYPE + 2;
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        if (i >= types)
            WIRE_EVENT(wire, EV_USER_REGION_END, 1, 0, NAMES + i % types, 0);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 0, NAMES + i % types, 0);
    }
    long_types(wire, types);
}

/* Many goroutines, each created in a region, and in one of its own to the end. */
static void inherited_regions(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, i, 1, 0);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
    }
    names(wire, 0);
}

/* Each task is the child of the one before; they end in the order of their begins. */
static void task_chain(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, i, i - 1, 1, 0);
    }
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_TASK_END, 1, i, 0);
    }
    names(wire, 0);
}

/* Each task is the child of the one that begins after it. */
static void task_chain_upwards(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, i, i + 1, NAMES + i - 1, 0);
    }
    names(wire, n);
}

/* Many goroutines take part in one task, and one goroutine in many. */
static void members(struct wire *wire, uint64_t n)
{
    begin(wire);
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 1, 0, 1, 0);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_LOG, 1, 2 + i, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
        WIRE_EVENT(wire, EV_USER_LOG, 1, 1, 1, 1, 0);
    }
    names(wire, 0);
}

/* Goroutine 1 is unblocked by many others. */
static void unblockers(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
        WIRE_EVENT(wire, EV_GO_BLOCK, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1, 2 * i + 1, 0);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 2 * i + 2);
    }
    names(wire, 0);
}

/* No two waits have the same reason. */
static void reasons(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_STOP, 1, NAMES + i, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 1 + i);
    }
    names(wire, n);
}

static void labels(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_LABEL, 1, NAMES + i);
    }
    names(wire, n);
}

/* One message again and again, with categories that differ. */
static void logs(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_USER_LOG, 1, i % 3, NAMES + i, 1, 0);
    }
    names(wire, n);
}

/* A range on each of many goroutines, open to the end, while they come and go. */
static void open_ranges(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
    }
    names(wire, 0);
}

/* Many procs, one of them used; and how many there are changes all the time. */
static void procs(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, i, PROC_IDLE);
        WIRE_EVENT(wire, EV_PROCS_CHANGE, 1, n - i + 1, 0);
    }
    names(wire, 0);
}

/* The world of many procs is stopped many times. */
static void stopped_procs(struct wire *wire, uint64_t n)
{
    begin(wire);
    WIRE_EVENT(wire, EV_PROCS_CHANGE, 1, n, 0);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_STW_BEGIN, 1, 2, 0);
        WIRE_EVENT(wire, EV_STW_END, 1);
    }
    names(wire, 0);
}

static void heap(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_HEAP_ALLOC, 0, i);
    }
    names(wire, 0);
}

/* Stacks as deep as can be, with no two frames the same. */
static void deep_stacks(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, i);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, i);
    }
    names(wire, 0);
    wire_stacks(wire, 1);
    for (uint64_t i = 1; i <= n; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_stacks(wire, 1);
        wire_stack(wire, i, 128);
        for (uint64_t k = 0; k < 128; k++)
            wire_frame(wire, 128 * i + k, 1, 1, k);
    }
}

/* One deep stack, of which many events say that it is theirs. */
static void used_stack(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 1);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, i);
    }
    names(wire, 0);
    wire_stacks(wire, 1);
    wire_stack(wire, 1, 128);
    for (uint64_t k = 0; k < 128; k++)
        wire_frame(wire, 100 + k, 1, 1, k);
}

/* Many generations begin while there is much that is not over. */
static void carry(struct wire *wire, uint64_t n, void (*add)(struct wire *wire, uint64_t i))
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        add(wire, i);
    }
    names(wire, 0);
    wire->size_width = 1;
    for (uint64_t i = 2; i <= n; i++) {
        wire_sync(wire, i, 1000 * i, WIRE_NANOSECONDS);
        wire_batch(wire, i, 5, 1000 * i);
        wire_running(wire, 5, 0, 1);
    }
}

static void add_goroutine(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
}

static void carried_goroutines(struct wire *wire, uint64_t n)
{
    carry(wire, n, add_goroutine);
}

static void add_region(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, i, 1, 0);
}

static void carried_regions(struct wire *wire, uint64_t n)
{
    carry(wire, n, add_region);
}

static void add_task(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 1 + i, 0, 1, 0);
}

static void carried_tasks(struct wire *wire, uint64_t n)
{
    carry(wire, n, add_task);
}

static void add_proc(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 1 + i, PROC_IDLE);
}

static void carried_procs(struct wire *wire, uint64_t n)
{
    carry(wire, n, add_proc);
}

/* A goroutine in a range, and nothing that ends either. */
static void add_range(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 2 + i, 0, 0);
    WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
    WIRE_EVENT(wire, EV_GO_START, 1, 2 + i, 1);
}

static void carried_ranges(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        add_range(wire, i);
    }
    names(wire, 0);
    wire->size_width = 1;
    for (uint64_t i = 2; i <= n; i++) {
        wire_sync(wire, i, 1000 * i, WIRE_NANOSECONDS);
        wire_batch(wire, i, 5, 1000 * i);
        wire_running(wire, 5, 0, 1 + n);
    }
}

/* One and the same number for goroutines that come and go. */
static void reborn(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 1, 20);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, 2, 0, 0);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 2, 1);
        WIRE_EVENT(wire, EV_GO_DESTROY, 1);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 1 + i);
    }
    names(wire, 0);
}

const struct hostile event_hostiles[] = {
    {"busy regions", busy_regions, 7000, GT_END},
    {"named regions", named_regions, 6000, GT_END},
    {"inherited regions", inherited_regions, 6000, GT_END},
    {"turning regions", turning_regions, 4000, GT_ERR_ORDER},
    {"task chain", task_chain, 9000, GT_END},
    {"task chain upwards", task_chain_upwards, 6000, GT_END},
    {"members", members, 4000, GT_END},
    {"unblockers", unblockers, 4000, GT_END},
    {"reasons", reasons, 6000, GT_END},
    {"labels", labels, 10000, GT_END},
    {"logs", logs, 6000, GT_END},
    {"open ranges", open_ranges, 6000, GT_END},
    {"procs", procs, 12000, GT_END},
    {"stopped procs", stopped_procs, 14000, GT_END},
    {"heap", heap, 24000, GT_END},
    {"deep stacks", deep_stacks, 120, GT_END},
    {"used stack", used_stack, 12000, GT_END},
    {"carried goroutines", carried_goroutines, 2400, GT_END},
    {"carried regions", carried_regions, 2400, GT_END},
    {"carried tasks", carried_tasks, 2400, GT_END},
    {"carried procs", carried_procs, 2400, GT_END},
    {"carried ranges", carried_ranges, 2000, GT_END},
    {"reborn", reborn, 6000, GT_END},
};

const size_t event_hostile_count = sizeof(event_hostiles) / sizeof(*event_hostiles);
