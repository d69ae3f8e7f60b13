/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/print.h"

#include <stddef.h>

#include "v1/decode.h"

/* What an event says about its proc. */
enum run {
    RUN_ANY,     /* nothing */
    RUN_NEVER,   /* it is no event, as its numbers would be too small */
    RUN_STOPPED, /* it has no thread */
    RUN_IDLE,    /* no goroutine runs on it */
    RUN_BUSY     /* one does */
};

/* What a record says about its proc before it, and after it. */
static void print_run_of(unsigned type, enum run *before, enum run *after)
{
    *before = *after = RUN_ANY;
    switch (type) {
    case GT_V1_GO_START:
    case GT_V1_GO_START_LOCAL:
    case GT_V1_GO_START_LABEL:
        *before = RUN_IDLE;
        *after = RUN_BUSY;
        break;
    case GT_V1_GO_END:
    case GT_V1_GO_STOP:
    case GT_V1_GO_SCHED:
    case GT_V1_GO_PREEMPT:
    case GT_V1_GO_SLEEP:
    case GT_V1_GO_BLOCK:
    case GT_V1_GO_BLOCK_SEND:
    case GT_V1_GO_BLOCK_RECV:
    case GT_V1_GO_BLOCK_SELECT:
    case GT_V1_GO_BLOCK_SYNC:
    case GT_V1_GO_BLOCK_COND:
    case GT_V1_GO_BLOCK_NET:
    case GT_V1_GO_BLOCK_GC:
    case GT_V1_GO_SYS_BLOCK:
        *before = RUN_BUSY;
        *after = RUN_IDLE;
        break;
    case GT_V1_GO_SYS_CALL:
        *before = *after = RUN_BUSY;
        break;
    case GT_V1_PROC_START:
        *before = RUN_STOPPED;
        *after = RUN_IDLE;
        break;
    case GT_V1_PROC_STOP:
        *before = RUN_IDLE;
        *after = RUN_STOPPED;
        break;
    case GT_V1_HEAP_ALLOC:
    case GT_V1_HEAP_GOAL:
        *before = RUN_NEVER;
        break;
    default:
        break;
    }
}

/*
 * Whether a record that is text by its bytes hardly is one: no line begins with a comma or a
 * backslash, as the end of an assist and a system call do.
 */
static bool print_is_odd(const uint8_t *record)
{
    return *record == ',' || *record == '\\';
}

/*
 * Whether a record's numbers are letters, digits and spaces, which those of an event are more
 * rarely.
 */
static bool print_is_word(const uint8_t *record, const uint8_t *end)
{
    for (const uint8_t *data = record + 1; data != end; data++) {
        uint8_t lower = *data | 0x20;
        if (!(lower >= 'a' && lower <= 'z') && !(*data >= '0' && *data <= '9') && *data != ' ')
            return false;
    }
    return true;
}

/* What is known of a proc behind a text. */
struct proc {
    enum run run;
    unsigned sweep;  /* the first record that begins or ends a sweep; or GT_V1_NONE */
    unsigned assist; /* the same for an assist of the collector */
};

static bool print_is_sweep(unsigned type)
{
    return type == GT_V1_SWEEP_START || type == GT_V1_SWEEP_DONE;
}

static bool print_is_assist(unsigned type)
{
    return type == GT_V1_MARK_ASSIST_START || type == GT_V1_MARK_ASSIST_DONE;
}

/* What the records of a batch before `end`, where the text may begin, say of what runs. */
static enum run print_run_before(const struct gt_v1 *v1, const struct gt_v1_batch *batch,
                                 const uint8_t *end)
{
    enum run run = RUN_ANY, before, after;
    const uint8_t *at = gt_v1_skip_any(v1, batch->start);
    for (; at != end; at = gt_v1_skip_any(v1, at)) {
        print_run_of(*at & 0x3f, &before, &after);
        if (after != RUN_ANY)
            run = after;
    }
    return run;
}

/* What the records of the proc's next batch say of it. */
static struct proc print_proc_of(const struct gt_v1 *v1, const struct gt_v1_batch *next)
{
    struct proc proc = {RUN_ANY, GT_V1_NONE, GT_V1_NONE};
    const uint8_t *at = gt_v1_skip_any(v1, next->start);
    for (; at != next->end && (*at & 0x3f) != GT_V1_BATCH; at = gt_v1_skip_any(v1, at)) {
        enum run before, after;
        unsigned type = *at & 0x3f;
        print_run_of(type, &before, &after);
        if (proc.run == RUN_ANY && before != RUN_NEVER)
            proc.run = before;
        if (proc.sweep == GT_V1_NONE && print_is_sweep(type))
            proc.sweep = type;
        if (proc.assist == GT_V1_NONE && print_is_assist(type))
            proc.assist = type;
    }
    return proc;
}

/* Whether a record of this type begins a range that goes on behind the text. */
static bool print_is_range(const struct proc *behind, unsigned type)
{
    switch (type) {
    case GT_V1_SWEEP_START:
        return behind->sweep == GT_V1_SWEEP_DONE;
    case GT_V1_MARK_ASSIST_START:
        return behind->assist == GT_V1_MARK_ASSIST_DONE;
    default:
        return false;
    }
}

/*
 * Returns where a text begins that is behind a batch. Its first letters may look like events, and
 * the last events of a batch may look like letters. What is an event fits what the proc does before
 * it, and what it does in its next batch; where that is not known, its numbers are not all letters.
 */
static const uint8_t *print_begin_behind(const struct gt_v1 *v1, const struct gt_v1_gap *gap,
                                         const struct gt_v1_batch *batch, const struct proc *behind)
{
    const uint8_t *at = gap->first, *begin = at;
    enum run run = print_run_before(v1, batch, at);
    bool is_known = run != RUN_ANY && behind->run != RUN_ANY;
    while (at != gap->last) {
        enum run before, after;
        const uint8_t *end = gt_v1_skip_any(v1, at);
        bool is_sure = print_is_odd(at) || print_is_range(behind, *at & 0x3f);
        print_run_of(*at & 0x3f, &before, &after);
        if (!is_sure && (is_known ? before != run : print_is_word(at, end)))
            break;
        if (after != RUN_ANY)
            run = after;
        at = end;
        if (is_sure || !is_known || run == behind->run)
            begin = at;
    }
    return begin;
}

static const uint8_t *print_begin(const struct gt_v1 *v1, const struct gt_v1_gap *gap)
{
    const struct gt_v1_batch *batches = v1->input.batches.items;
    struct proc behind = {RUN_ANY, GT_V1_NONE, GT_V1_NONE};
    if (gap->batch < 0)
        return gap->first;
    const struct gt_v1_batch *batch = &batches[gap->batch];
    if (batch->next >= 0)
        behind = print_proc_of(v1, &batches[batch->next]);
    return print_begin_behind(v1, gap, batch, &behind);
}

void gt_v1_prints_close(struct gt_v1 *v1)
{
    struct gt_v1_gaps *gaps = &v1->input.gaps;
    bool is_sure = v1->prints.lines != 0;
    for (size_t i = 0; i < gaps->passed.count; i++) {
        const struct gt_v1_gap *gap = &gaps->passed.items[i];
        struct gt_prints_run run;
        if (!gap->is_text)
            continue;
        const uint8_t *begin = print_begin(v1, gap);
        if (gap->batch >= 0)
            v1->input.batches.items[gap->batch].end = begin;
        gt_prints_run_begin(&run, gt_v1_offset(v1, begin));
        for (const uint8_t *p = begin; p != gap->end; p++)
            gt_prints_run_add(&run, *p);
        gt_prints_add(&v1->prints, &run);
        is_sure |= run.size >= (uint64_t) GT_PRINTS_SURE;
    }
    gt_array_free(v1->mem, &gaps->passed);
    if (v1->prints.lines == 0)
        return;
    gt_prints_report(&v1->prints, &v1->repair, v1->error);
    /* What is text for sure is no damage: nothing of the trace is missing. */
    if (is_sure)
        v1->repair.unnested++;
}
