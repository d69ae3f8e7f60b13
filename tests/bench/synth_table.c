/* SPDX-License-Identifier: BSD-3-Clause */
#include "synth_table.h"

#include <inttypes.h>
#include <string.h>

#include "support/wire.h"

#define PLACES     6000
#define FIRST_PC   0x401000
#define MAX_FRAMES 24

static const char *const fixed_strings[SYNTH_FIXED_STRINGS] = {
    [SYNTH_GOSCHED] = "runtime.Gosched",
    [SYNTH_PREEMPTED] = "preempted",
    [SYNTH_CHAN_RECEIVE] = "chan receive",
    [SYNTH_CHAN_SEND] = "chan send",
    [SYNTH_SELECT] = "select",
    [SYNTH_SYNC] = "sync",
    [SYNTH_NETWORK] = "network",
    [SYNTH_SLEEP] = "sleep",
    [SYNTH_STW_START] = "GC sweep termination",
    [SYNTH_STW_END] = "GC mark termination",
    [SYNTH_GC_LABEL] = "GC (dedicated)",
    [SYNTH_TASK] = "request",
    [SYNTH_REGION] = "work",
    [SYNTH_REGION_INNER] = "shard",
    [SYNTH_LOG_KEY] = "path",
};

void synth_table_begin(struct synth_table *table)
{
    memset(table, 0, sizeof(*table));
    table->strings.thread = SYNTH_NONE;
    table->stacks.thread = SYNTH_NONE;
}

static uint32_t add_string(struct synth_table *table, struct synth_out *out, const char *text)
{
    size_t size = strlen(text);
    uint64_t numbers[2];

    numbers[0] = ++table->last_string;
    numbers[1] = size;
    synth_batch_record(out, &table->strings, EV_STRINGS, EV_STRING, 2, numbers);
    synth_batch_bytes(out, &table->strings, text, size);
    return table->last_string;
}

static void program_string(unsigned string, char *text, size_t size)
{
    unsigned function = string - SYNTH_FIXED_STRINGS;

    if (string < SYNTH_FIXED_STRINGS)
        snprintf(text, size, "%s", fixed_strings[string]);
    else if (function < SYNTH_FUNCTIONS)
        snprintf(text, size, "example.org/server/part%u.(*Type%u).method%u", function % 40,
                 function % 300, function);
    else
        snprintf(text, size, "example.org/server/part%u/source.go", function - SYNTH_FUNCTIONS);
}

uint64_t synth_table_string(struct synth_table *table, struct synth_out *out, unsigned string)
{
    char text[80];

    if (table->string_ids[string] == 0) {
        program_string(string, text, sizeof(text));
        table->string_ids[string] = add_string(table, out, text);
    }
    return table->string_ids[string];
}

uint64_t synth_table_message(struct synth_table *table, struct synth_out *out, uint64_t number)
{
    char text[40];

    snprintf(text, sizeof(text), "/x/%" PRIu64, number);
    return add_string(table, out, text);
}

/* One of the program's places in code: the nearer to the root, the more stacks share it. */
static uint32_t place_of(unsigned stack, unsigned from_root)
{
    uint32_t bits = from_root < 11 ? from_root : 11;
    uint32_t key = from_root * 0x9e3779b9U + (stack & ((1U << bits) - 1)) * 0x85ebca6bU;

    key ^= key >> 15;
    key *= 0x2c1b3c6dU;
    key ^= key >> 13;
    return key % PLACES;
}

static void add_stack(struct synth_table *table, struct synth_out *out, unsigned stack)
{
    unsigned depth = 2 + (stack * 7) % (MAX_FRAMES - 2);
    uint64_t numbers[2 + 4 * MAX_FRAMES];
    uint64_t *at = numbers;
    unsigned i;

    *at++ = table->stack_ids[stack];
    *at++ = depth;
    for (i = depth; i-- > 0;) {
        uint32_t place = place_of(stack, i);
        unsigned function = place % SYNTH_FUNCTIONS;
        unsigned file = SYNTH_FUNCTIONS + function % SYNTH_FILES;

        *at++ = FIRST_PC + (uint64_t) place * 37;
        *at++ = synth_table_string(table, out, SYNTH_FIXED_STRINGS + function);
        *at++ = synth_table_string(table, out, SYNTH_FIXED_STRINGS + file);
        *at++ = 1 + place % 900;
    }
    synth_batch_record(out, &table->stacks, EV_STACKS, EV_STACK, (unsigned) (at - numbers),
                       numbers);
}

uint64_t synth_table_stack(struct synth_table *table, struct synth_out *out, unsigned stack)
{
    if (table->stack_ids[stack] == 0) {
        table->stack_ids[stack] = ++table->last_stack;
        add_stack(table, out, stack);
    }
    return table->stack_ids[stack];
}

void synth_table_end(struct synth_table *table, struct synth_out *out)
{
    synth_batch_flush(out, &table->stacks);
    synth_batch_flush(out, &table->strings);
    memset(table->string_ids, 0, sizeof(table->string_ids));
    memset(table->stack_ids, 0, sizeof(table->stack_ids));
    table->last_string = 0;
    table->last_stack = 0;
}

void synth_table_free(struct synth_table *table)
{
    synth_batch_free(&table->strings);
    synth_batch_free(&table->stacks);
}
