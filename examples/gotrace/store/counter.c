/* SPDX-License-Identifier: BSD-3-Clause */

#include "counter.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "counter_part.h"
#include "mem.h"

#define SAMPLE_BYTES 20 /* at most */

void counter_free(struct counter *counter)
{
    for (size_t i = 0; i + 1 < counter->block_count; i++)
        free(counter->blocks[i].samples);
    free(counter->tail);
    free(counter->blocks);
    for (int level = 0; level < COUNTER_LEVELS; level++)
        free(counter->levels[level].nodes);
    *counter = (struct counter){0};
}

size_t counter_memory(const struct counter *counter)
{
    return counter->memory;
}

static bool reserve(struct counter *counter, void *array, size_t *room, size_t count, size_t size)
{
    size_t before = *room;

    if (!array_reserve(array, room, count, size))
        return false;
    counter->memory += (*room - before) * size;
    return true;
}

/* How many nodes end with the last block, from the lowest level on. */
static int ending_nodes(const struct counter *counter)
{
    size_t blocks = counter->block_count;
    int levels = 0;

    while (blocks != 0 && blocks % NODE_CHILDREN == 0 && levels < COUNTER_LEVELS) {
        blocks /= NODE_CHILDREN;
        levels++;
    }
    return levels;
}

/* Memory for another block, and for what is to be done with the one before it. */
static bool reserve_block(struct counter *counter, uint8_t **samples)
{
    *samples = NULL;
    if (!reserve(counter, &counter->blocks, &counter->block_room, counter->block_count + 1,
                 sizeof(*counter->blocks)))
        return false;
    for (int i = 0; i < ending_nodes(counter); i++) {
        struct counter_level *level = &counter->levels[i];

        if (!reserve(counter, &level->nodes, &level->room, level->count + 1, sizeof(*level->nodes)))
            return false;
    }
    if (counter->tail == NULL) {
        counter->tail = store_realloc(NULL, BLOCK_SAMPLES * SAMPLE_BYTES);
        if (counter->tail == NULL)
            return false;
        counter->memory += BLOCK_SAMPLES * SAMPLE_BYTES;
    }
    if (counter->block_count == 0)
        return true;
    *samples = store_realloc(NULL, counter->tail_size);
    return *samples != NULL;
}

static void join(struct counter_node *node, const struct counter_node *with)
{
    counter_include(node, with->min, with->max);
    node->integral += with->integral;
}

/* Makes the nodes that end with the last block. */
static void add_nodes(struct counter *counter)
{
    for (int i = 0; i < ending_nodes(counter); i++) {
        struct counter_level *level = &counter->levels[i];
        size_t first = level->count * NODE_CHILDREN;
        struct counter_node *node = &level->nodes[level->count++];

        *node = (struct counter_node){.min = UINT64_MAX};
        for (size_t child = first; child < first + NODE_CHILDREN; child++) {
            join(node,
                 i == 0 ? &counter->blocks[child].node : &counter->levels[i - 1].nodes[child]);
        }
    }
}

static bool add_block(struct counter *counter, int64_t time)
{
    uint8_t *samples;

    if (!reserve_block(counter, &samples))
        return false;
    if (counter->block_count != 0) {
        struct counter_block *last = &counter->blocks[counter->block_count - 1];

        memcpy(samples, counter->tail, counter->tail_size);
        counter->memory += counter->tail_size;
        last->samples = samples;
        last->node.integral += (double) counter->value * counter_length(counter->time, time);
        add_nodes(counter);
    }
    counter->blocks[counter->block_count++] = (struct counter_block){
        .time = time,
        .before = counter->value,
        .samples = counter->tail,
        .node.min = UINT64_MAX,
    };
    counter->time = time;
    counter->tail_size = 0;
    counter->tail_count = 0;
    return true;
}

static void put(struct counter *counter, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        counter->tail[counter->tail_size++] = (uint8_t) (number | 0x80);
    counter->tail[counter->tail_size++] = (uint8_t) number;
}

bool counter_append(struct counter *counter, int64_t time, uint64_t value)
{
    bool first = counter->block_count == 0;
    uint64_t growth = value - counter->value;

    if (!first && time < counter->time)
        time = counter->time;
    if ((first || counter->tail_count == BLOCK_SAMPLES) && !add_block(counter, time))
        return false;
    struct counter_block *block = &counter->blocks[counter->block_count - 1];
    put(counter, (uint64_t) time - (uint64_t) counter->time);
    put(counter, growth << 1 ^ (0 - (growth >> 63)));
    block->node.integral += (double) counter->value * counter_length(counter->time, time);
    counter_include(&block->node, value, value);
    counter->time = time;
    counter->value = value;
    counter->tail_count++;
    return true;
}
