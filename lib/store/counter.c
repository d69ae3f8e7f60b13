/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/counter.h"

#include <string.h>

#include "base/time.h"
#include "base/wraps.h"
#include "store/counter_part.h"
#include "store/pool.h"

#define NUMBER_BYTES 10 /* at most */
#define SAMPLE_BYTES (1 + 2 * NUMBER_BYTES)
#define NODE_BYTES   (sizeof(double) + 3 * NUMBER_BYTES)
#define TAIL_BYTES   (GT_BLOCK_SAMPLES * SAMPLE_BYTES)

void gt_counter_free(struct gt_store_counter *counter, struct gt_mem *mem)
{
    gt_mem_free(mem, counter->tail, TAIL_BYTES);
    gt_array_free(mem, &counter->blocks);
    for (int level = 0; level < GT_COUNTER_LEVELS; level++)
        gt_array_free(mem, &counter->levels[level]);
    *counter = (struct gt_store_counter){0};
}

/* The number of nodes that end with the last block, one per level from the lowest on. */
static int counter_ending_nodes(const struct gt_store_counter *counter)
{
    size_t blocks = counter->blocks.count;
    int levels = 0;

    while (blocks != 0 && blocks % GT_NODE_CHILDREN == 0 && levels < GT_COUNTER_LEVELS) {
        blocks /= GT_NODE_CHILDREN;
        levels++;
    }
    return levels;
}

/* Reserves memory for another block, and for the nodes that end with the block before it. */
static bool counter_reserve_block(struct gt_store_counter *counter, struct gt_mem *mem)
{
    if (gt_array_reserve(mem, &counter->blocks, 1) != GT_OK)
        return false;
    for (int i = 0; i < counter_ending_nodes(counter); i++) {
        if (gt_array_reserve(mem, &counter->levels[i], 1) != GT_OK)
            return false;
    }
    if (counter->tail)
        return true;
    counter->tail = gt_mem_alloc(mem, TAIL_BYTES);
    if (!counter->tail)
        return false;
    counter->next = counter->tail;
    return true;
}

static void counter_join(struct gt_counter_node *node, const struct gt_counter_node *with)
{
    gt_counter_include(node, with->min, with->max);
    node->integral += with->integral;
}

GT_WRAPS uint64_t gt_counter_open(const struct gt_store_counter *counter, size_t block,
                                  struct gt_counter_node *node, const uint8_t **samples)
{
    const uint8_t *at = counter->blocks.items[block].bytes;

    if (block + 1 == counter->blocks.count) {
        *samples = counter->tail;
        return counter->before;
    }
    memcpy(&node->integral, at, sizeof(node->integral));
    at += sizeof(node->integral);
    uint64_t before = gt_varint_trusted(&at);
    node->min = before + gt_counter_unfold(gt_varint_trusted(&at));
    node->max = before + gt_counter_unfold(gt_varint_trusted(&at));
    *samples = at;
    return before;
}

/* Makes the `count` nodes that end with the last but one block, after another one was added. */
static void counter_add_nodes(struct gt_store_counter *counter, int count)
{
    for (int i = 0; i < count; i++) {
        size_t number = counter->levels[i].count++, first = number * GT_NODE_CHILDREN;
        struct gt_counter_node *node = &counter->levels[i].items[number];

        *node = (struct gt_counter_node){.min = UINT64_MAX};
        for (size_t child = first; child < first + GT_NODE_CHILDREN; child++) {
            struct gt_counter_node low = {.min = UINT64_MAX};
            const uint8_t *samples;

            if (i == 0)
                gt_counter_open(counter, child, &low, &samples);
            counter_join(node, i == 0 ? &low : &counter->levels[i - 1].items[child]);
        }
    }
}

/* Moves the last block, which ends at `time`, with its node into the pool. */
GT_WRAPS static bool counter_seal_block(struct gt_store_counter *counter,
                                        struct gt_store_pool *pool, int64_t time)
{
    uint8_t head[NODE_BYTES], *end = head;
    size_t size = (size_t) (counter->next - counter->tail);
    double integral = counter->node.integral;

    integral += (double) counter->value * gt_counter_length(counter->time, time);
    memcpy(end, &integral, sizeof(integral));
    end += sizeof(integral);
    end = gt_varint_put(end, counter->before);
    end = gt_varint_put(end, gt_counter_fold(counter->node.min - counter->before));
    end = gt_varint_put(end, gt_counter_fold(counter->node.max - counter->before));
    size_t head_size = (size_t) (end - head);
    uint8_t *bytes = gt_store_pool_take(pool, head_size + size);
    if (!bytes)
        return false;
    memcpy(bytes, head, head_size);
    memcpy(bytes + head_size, counter->tail, size);
    counter->blocks.items[counter->blocks.count - 1].bytes = bytes;
    return true;
}

static bool counter_add_block(struct gt_store_counter *counter, struct gt_store_pool *pool,
                              int64_t time)
{
    int ending = counter_ending_nodes(counter);

    if (!counter_reserve_block(counter, pool->mem))
        return false;
    if (counter->blocks.count != 0 && !counter_seal_block(counter, pool, time))
        return false;
    counter->blocks.items[counter->blocks.count++] = (struct gt_counter_block){.time = time};
    counter_add_nodes(counter, ending);
    counter->node = (struct gt_counter_node){.min = UINT64_MAX};
    counter->before = counter->value;
    counter->time = time;
    counter->next = counter->tail;
    counter->tail_count = 0;
    return true;
}

/* Returns the end of the sample. */
GT_WRAPS static uint8_t *counter_put_sample(uint8_t *at, uint64_t length, uint64_t growth)
{
    uint64_t first = length << GT_COUNTER_STEP_BITS;

    if (first >> GT_COUNTER_STEP_BITS != length)
        at = gt_varint_put(gt_varint_put(at, GT_COUNTER_STEP_LONG), length);
    else if (growth == 1)
        return gt_varint_put(at, first | GT_COUNTER_STEP_UP);
    else if (growth == UINT64_MAX)
        return gt_varint_put(at, first | GT_COUNTER_STEP_DOWN);
    else
        at = gt_varint_put(at, first | GT_COUNTER_STEP_ANY);
    return gt_varint_put(at, gt_counter_fold(growth));
}

GT_WRAPS bool gt_counter_append(struct gt_store_counter *counter, struct gt_store_pool *pool,
                                int64_t time, uint64_t value)
{
    bool first = counter->blocks.count == 0;
    uint64_t growth = value - counter->value;

    if (!first && time < counter->time)
        time = counter->time;
    if ((first || counter->tail_count == GT_BLOCK_SAMPLES) &&
        !counter_add_block(counter, pool, time))
        return false;
    uint64_t length = gt_time_span(counter->time, time);
    counter->next = counter_put_sample(counter->next, length, growth);
    counter->node.integral += (double) counter->value * (double) length;
    gt_counter_include(&counter->node, value, value);
    counter->time = time;
    counter->value = value;
    counter->tail_count++;
    return true;
}
