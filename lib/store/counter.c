/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/counter.h"

#include <stdlib.h>
#include <string.h>

#include "store/counter_part.h"
#include "store/mem.h"
#include "store/pool.h"

#define NUMBER_BYTES 10 /* at most */
#define SAMPLE_BYTES (2 * NUMBER_BYTES)
#define NODE_BYTES   (sizeof(double) + 3 * NUMBER_BYTES)

void gt_counter_free(struct gt_store_counter *counter)
{
    free(counter->tail);
    free(counter->blocks);
    for (int level = 0; level < GT_COUNTER_LEVELS; level++)
        free(counter->levels[level].nodes);
    *counter = (struct gt_store_counter){0};
}

size_t gt_counter_memory(const struct gt_store_counter *counter)
{
    return counter->memory;
}

/* Makes room for `count` items, at most one more than there is room for, in an array, as
 * gt_mem_reserve does. A counter has no struct gt_mem. */
static bool counter_reserve(struct gt_store_counter *counter, void *array, size_t *room,
                            size_t count, size_t size)
{
    size_t grown = *room + *room / 2 + 8;
    void *items;

    if (count <= *room)
        return true;
    memcpy(&items, array, sizeof(items));
    items = grown > SIZE_MAX / 2 / size ? NULL : gt_store_realloc(items, grown * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof(items));
    counter->memory += (grown - *room) * size;
    *room = grown;
    return true;
}

/* The number of nodes that end with the last block, one per level from the lowest on. */
static int counter_ending_nodes(const struct gt_store_counter *counter)
{
    size_t blocks = counter->block_count;
    int levels = 0;

    while (blocks != 0 && blocks % GT_NODE_CHILDREN == 0 && levels < GT_COUNTER_LEVELS) {
        blocks /= GT_NODE_CHILDREN;
        levels++;
    }
    return levels;
}

/* Reserves memory for another block, and for the nodes that end with the block before it. */
static bool counter_reserve_block(struct gt_store_counter *counter)
{
    if (!counter_reserve(counter, &counter->blocks, &counter->block_room, counter->block_count + 1,
                         sizeof(*counter->blocks)))
        return false;
    for (int i = 0; i < counter_ending_nodes(counter); i++) {
        struct gt_counter_level *level = &counter->levels[i];

        if (!counter_reserve(counter, &level->nodes, &level->room, level->count + 1,
                             sizeof(*level->nodes)))
            return false;
    }
    if (counter->tail)
        return true;
    counter->tail = gt_store_realloc(NULL, GT_BLOCK_SAMPLES * SAMPLE_BYTES);
    if (!counter->tail)
        return false;
    counter->next = counter->tail;
    counter->memory += GT_BLOCK_SAMPLES * SAMPLE_BYTES;
    return true;
}

static void counter_join(struct gt_counter_node *node, const struct gt_counter_node *with)
{
    gt_counter_include(node, with->min, with->max);
    node->integral += with->integral;
}

uint64_t gt_counter_open(const struct gt_store_counter *counter, size_t block,
                         struct gt_counter_node *node, const uint8_t **samples)
{
    const uint8_t *at = counter->blocks[block].bytes;

    if (block + 1 == counter->block_count) {
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
        struct gt_counter_level *level = &counter->levels[i];
        size_t first = level->count * GT_NODE_CHILDREN;
        struct gt_counter_node *node = &level->nodes[level->count++];

        *node = (struct gt_counter_node){.min = UINT64_MAX};
        for (size_t child = first; child < first + GT_NODE_CHILDREN; child++) {
            struct gt_counter_node low = {.min = UINT64_MAX};
            const uint8_t *samples;

            if (i == 0)
                gt_counter_open(counter, child, &low, &samples);
            counter_join(node, i == 0 ? &low : &counter->levels[i - 1].nodes[child]);
        }
    }
}

/* Moves the last block, which ends at `time`, with its node into the pool. */
static bool counter_seal_block(struct gt_store_counter *counter, struct gt_store_pool *pool,
                               int64_t time)
{
    uint8_t head[NODE_BYTES], *end = head;
    size_t size = (size_t) (counter->next - counter->tail);
    double integral = counter->node.integral;

    integral += (double) counter->value * gt_counter_length(counter->time, time);
    memcpy(end, &integral, sizeof(integral));
    end += sizeof(integral);
    gt_counter_put(&end, counter->before);
    gt_counter_put(&end, gt_counter_fold(counter->node.min - counter->before));
    gt_counter_put(&end, gt_counter_fold(counter->node.max - counter->before));
    size_t head_size = (size_t) (end - head);
    uint8_t *bytes = gt_store_pool_take(pool, head_size + size);
    if (!bytes)
        return false;
    memcpy(bytes, head, head_size);
    memcpy(bytes + head_size, counter->tail, size);
    counter->blocks[counter->block_count - 1].bytes = bytes;
    return true;
}

static bool counter_add_block(struct gt_store_counter *counter, struct gt_store_pool *pool,
                              int64_t time)
{
    int ending = counter_ending_nodes(counter);

    if (!counter_reserve_block(counter))
        return false;
    if (counter->block_count != 0 && !counter_seal_block(counter, pool, time))
        return false;
    counter->blocks[counter->block_count++] = (struct gt_counter_block){.time = time};
    counter_add_nodes(counter, ending);
    counter->node = (struct gt_counter_node){.min = UINT64_MAX};
    counter->before = counter->value;
    counter->time = time;
    counter->next = counter->tail;
    counter->tail_count = 0;
    return true;
}

bool gt_counter_append(struct gt_store_counter *counter, struct gt_store_pool *pool, int64_t time,
                       uint64_t value)
{
    bool first = counter->block_count == 0;
    uint64_t growth = value - counter->value;

    if (!first && time < counter->time)
        time = counter->time;
    if ((first || counter->tail_count == GT_BLOCK_SAMPLES) &&
        !counter_add_block(counter, pool, time))
        return false;
    uint64_t length = (uint64_t) time - (uint64_t) counter->time;
    uint8_t *next = counter->next;
    gt_counter_put(&next, length);
    gt_counter_put(&next, gt_counter_fold(growth));
    counter->next = next;
    counter->node.integral += (double) counter->value * (double) length;
    gt_counter_include(&counter->node, value, value);
    counter->time = time;
    counter->value = value;
    counter->tail_count++;
    return true;
}
