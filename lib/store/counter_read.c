/* SPDX-License-Identifier: BSD-3-Clause */

/* Queries: the value of a counter at a time, and its summary over intervals. */

#include "base/bisect.h"
#include "base/time.h"
#include "base/wraps.h"
#include "store/counter_part.h"

/* A position in a counter: a sample, or the end. */
struct cursor {
    const struct gt_store_counter *counter;
    const uint8_t *at; /* after the sample */
    size_t block;
    uint32_t index; /* in its block */
    bool over;
    int64_t time;
    uint64_t value;
    uint64_t before; /* the value before it */
};

GT_WRAPS static void counter_decode(struct cursor *cursor)
{
    uint64_t first = gt_varint_trusted(&cursor->at), length = first >> GT_COUNTER_STEP_BITS;
    uint64_t step = first & GT_COUNTER_STEP_MASK,
             growth = step == GT_COUNTER_STEP_UP ? 1 : UINT64_MAX;

    if (step == GT_COUNTER_STEP_LONG)
        length = gt_varint_trusted(&cursor->at);
    if (step == GT_COUNTER_STEP_LONG || step == GT_COUNTER_STEP_ANY)
        growth = gt_counter_unfold(gt_varint_trusted(&cursor->at));
    cursor->time = (int64_t) ((uint64_t) cursor->time + length);
    cursor->before = cursor->value;
    cursor->value += growth;
}

/* Moves to the first sample of a block, or to the end if there is no such block. */
static void counter_enter(struct cursor *cursor, size_t block)
{
    struct gt_counter_node node;

    cursor->over = block >= cursor->counter->blocks.count;
    if (cursor->over) {
        cursor->before = cursor->counter->value;
        return;
    }
    cursor->block = block;
    cursor->index = 0;
    cursor->time = cursor->counter->blocks.items[block].time;
    cursor->value = gt_counter_open(cursor->counter, block, &node, &cursor->at);
    counter_decode(cursor);
}

static void counter_next(struct cursor *cursor)
{
    bool last = cursor->block + 1 == cursor->counter->blocks.count;

    if (++cursor->index == (last ? cursor->counter->tail_count : GT_BLOCK_SAMPLES))
        counter_enter(cursor, cursor->block + 1);
    else
        counter_decode(cursor);
}

/* Moves to the first sample at `time` or later. cursor->before is then the value just before
 * `time`. */
static void counter_seek(struct cursor *cursor, const struct gt_store_counter *counter,
                         int64_t time)
{
    size_t after;

    /* The sample is in the last block that begins before `time`, or is the first of the next. */
    GT_BISECT(after, 1, counter->blocks.count, counter->blocks.items[after].time < time);
    *cursor = (struct cursor){.counter = counter};
    counter_enter(cursor, after - 1);
    while (!cursor->over && cursor->time < time)
        counter_next(cursor);
}

uint64_t gt_counter_at(const struct gt_store_counter *counter, int64_t time)
{
    struct cursor cursor;

    if (time == INT64_MAX)
        return counter->value;
    counter_seek(&cursor, counter, time + 1);
    return cursor.before;
}

/* The summary from the start of a bin to `time`, and the value there. */
struct sum {
    struct gt_counter_node node;
    int64_t time;
    uint64_t value;
};

static void counter_advance(struct sum *sum, int64_t time)
{
    sum->node.integral += (double) sum->value * gt_counter_length(sum->time, time);
    sum->time = time;
}

/* Adds the summary of the largest node that begins with `block` and ends before `end`. Returns the
 * number of its blocks; 0 if not even one block ends before `end`. */
static size_t counter_take_node(const struct gt_store_counter *counter, size_t block, int64_t end,
                                struct sum *sum)
{
    size_t count = 1, taken = 0;
    struct gt_counter_node node;
    const uint8_t *samples;
    int levels = 0;

    for (; counter->blocks.count - block > count; levels++, count *= GT_NODE_CHILDREN) {
        if (block % count != 0 || counter->blocks.items[block + count].time >= end)
            break;
        taken = count;
    }
    if (levels == 0)
        return 0;
    if (levels == 1)
        gt_counter_open(counter, block, &node, &samples);
    else
        node = counter->levels[levels - 2].items[block / taken];
    gt_counter_include(&sum->node, node.min, node.max);
    sum->node.integral += node.integral;
    return taken;
}

/* At the first sample of a block: adds all blocks from there on that end before `end`, and moves
 * after them. False if there is none. */
static bool counter_take_blocks(struct cursor *cursor, int64_t end, struct sum *sum)
{
    size_t block = cursor->block, taken;

    counter_advance(sum, cursor->time);
    while ((taken = counter_take_node(cursor->counter, block, end, sum)) != 0)
        block += taken;
    if (block == cursor->block)
        return false;
    counter_enter(cursor, block);
    sum->time = cursor->time;
    sum->value = cursor->before;
    return true;
}

static void counter_fill_bin(struct cursor *cursor, int64_t end, struct gt_counter_bin *bin)
{
    struct sum sum = {.node.min = UINT64_MAX, .time = bin->start, .value = cursor->before};

    if (cursor->over || cursor->time > bin->start)
        gt_counter_include(&sum.node, sum.value, sum.value);
    while (!cursor->over && cursor->time < end) {
        if (cursor->index == 0 && counter_take_blocks(cursor, end, &sum))
            continue;
        counter_advance(&sum, cursor->time);
        sum.value = cursor->value;
        gt_counter_include(&sum.node, sum.value, sum.value);
        counter_next(cursor);
    }
    counter_advance(&sum, end);
    bin->min = sum.node.min;
    bin->max = sum.node.max;
    bin->last = sum.value;
    bin->mean = sum.node.integral / gt_counter_length(bin->start, end);
}

GT_WRAPS void gt_counter_bins(const struct gt_store_counter *counter, int64_t start, int64_t end,
                              size_t count, struct gt_counter_bin *out)
{
    uint64_t length = start < end ? gt_time_span(start, end) : 0;
    struct cursor cursor;

    counter_seek(&cursor, counter, start);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = length / count * i + length % count * i / count;
        uint64_t to = length / count * (i + 1) + length % count * (i + 1) / count;

        out[i].start = (int64_t) ((uint64_t) start + from);
        if (from < to) {
            counter_fill_bin(&cursor, (int64_t) ((uint64_t) start + to), &out[i]);
            continue;
        }
        uint64_t value = gt_counter_at(counter, out[i].start);
        out[i] = (struct gt_counter_bin){out[i].start, value, value, value, (double) value};
    }
}
