/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/gen.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/grow.h"

/* The largest content of a batch, and the largest record without its strings and frames. */
#define BATCH_MAX  65536
#define RECORD_MAX 64
#define FRAME_MAX  40

/* The most arguments of an event after dt. */
#define ARGS_MAX 8

struct gen_text {
    char *data;
    size_t size;
};

/* A frame as it is written. */
struct frame {
    uint64_t pc;
    uint64_t function;
    uint64_t file;
    uint64_t line;
};

struct gen_stack {
    struct frame *frames;
    size_t count;
};

static void *copy(const void *data, size_t size)
{
    void *copied = grow(NULL, 0, size);

    if (size > 0)
        memcpy(copied, data, size);
    return copied;
}

static void drop_tables(struct gen *gen)
{
    for (size_t i = 0; i < gen->string_count; i++)
        free(gen->strings[i].data);
    for (size_t i = 0; i < gen->stack_count; i++)
        free(gen->stacks[i].frames);
    gen->string_count = gen->stack_count = 0;
}

void gen_free(struct gen *gen)
{
    drop_tables(gen);
    free(gen->strings);
    free(gen->stacks);
    free(gen->go_seqs.list);
    free(gen->proc_seqs.list);
    free(gen->procs.list);
    wire_free(&gen->wire);
    memset(gen, 0, sizeof(*gen));
}

void gen_begin(struct gen *gen, unsigned version)
{
    gen_free(gen);
    wire_begin(&gen->wire, version);
    gen->time = 1;
    gen->dt = 1;
    gen->clock.frequency = WIRE_NANOSECONDS;
    gen->clock.seconds = WIRE_WALL_SECONDS;
    gen->clock.nanoseconds = WIRE_WALL_NANOSECONDS;
}

uint64_t *gen_number(struct gen_numbers *numbers, uint64_t id, uint64_t initial)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->list[i].id == id)
            return &numbers->list[i].value;
    }
    numbers->list =
        grow(numbers->list, numbers->count * sizeof(*numbers->list), sizeof(*numbers->list));
    numbers->list[numbers->count] = (struct gen_number){id, initial};
    return &numbers->list[numbers->count++].value;
}

/* Makes sure that a batch of this content is open and has room for a record. */
static void make_room(struct gen *gen, unsigned content, size_t size)
{
    struct wire *wire = &gen->wire;
    bool is_open = wire->size_at != 0 && wire->size_at == gen->open_at && gen->open == content;

    if (is_open && (wire->size - wire->content_at + size <= BATCH_MAX ||
                    (gen->faults & GEN_LARGE_BATCHES) != 0))
        return;
    wire_batch(wire, gen->generation, content == EV_NONE ? gen->thread : WIRE_NONE, gen->time);
    if (content != EV_NONE)
        wire_byte(wire, content);
    gen->open = content;
    gen->open_at = wire->size_at;
}

/* Writes the batch of a clock; generation.go in Go's internal/trace defines its content. */
static void write_clock(struct gen *gen)
{
    const struct gen_clock *clock = &gen->clock;
    struct wire *wire = &gen->wire;
    int frequencies = 1, snapshots = wire->version >= 25;

    if (gen->faults & (GEN_NO_FREQUENCY | GEN_TWO_FREQUENCIES))
        frequencies = gen->faults & GEN_NO_FREQUENCY ? 0 : 2;
    if (snapshots && gen->faults & (GEN_NO_SNAPSHOT | GEN_TWO_SNAPSHOTS))
        snapshots = gen->faults & GEN_NO_SNAPSHOT ? 0 : 2;
    if (wire->version < 25 && frequencies == 0)
        return;
    wire_batch(wire, gen->generation, WIRE_NONE, clock->time ? clock->time : gen->start_time);
    if (wire->version >= 25)
        wire_byte(wire, EV_SYNC);
    while (frequencies-- > 0)
        WIRE_EVENT(wire, EV_FREQUENCY, clock->frequency);
    while (snapshots-- > 0)
        WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, gen->dt, clock->monotonic, clock->seconds,
                   clock->nanoseconds);
}

void gen_generation(struct gen *gen, uint64_t number)
{
    gen_end(gen);
    gen->generation = number;
    gen->in_generation = 1;
    gen->start_time = gen->time;
    gen->go_seqs.count = gen->proc_seqs.count = 0;
    if (gen->wire.version < 25)
        return;
    write_clock(gen);
    gen->clock.time = 0;
}

static void write_stack(struct gen *gen, size_t index)
{
    const struct gen_stack *stack = &gen->stacks[index];
    int claims = gen->faults & GEN_STACK_CLAIM && index + 1 == gen->stack_count;

    make_room(gen, EV_STACKS, RECORD_MAX + FRAME_MAX * stack->count);
    wire_stack(&gen->wire, index + 1, stack->count + (claims ? 1 : 0));
    for (size_t i = 0; i < stack->count; i++)
        wire_frame(&gen->wire, stack->frames[i].pc, stack->frames[i].function,
                   stack->frames[i].file, stack->frames[i].line);
}

static void write_string(struct gen *gen, size_t index)
{
    const struct gen_text *text = &gen->strings[index];
    int claims = gen->faults & GEN_STRING_CLAIM && index + 1 == gen->string_count;

    make_room(gen, EV_STRINGS, RECORD_MAX + text->size);
    WIRE_EVENT(&gen->wire, EV_STRING, index + 1, text->size + (claims ? 1 : 0));
    wire_bytes(&gen->wire, text->data, text->size);
}

static void write_tables(struct gen *gen)
{
    size_t i;

    for (i = 0; i < gen->stack_count && !(gen->faults & GEN_NO_STACKS); i++)
        write_stack(gen, i);
    if (i > 0 && gen->faults & GEN_STACK_TWICE)
        write_stack(gen, i - 1);
    for (i = 0; i < gen->string_count && !(gen->faults & GEN_NO_STRINGS); i++)
        write_string(gen, i);
    if (i > 0 && gen->faults & GEN_STRING_TWICE)
        write_string(gen, i - 1);
}

void gen_end(struct gen *gen)
{
    wire_batch_end(&gen->wire);
    if (!gen->in_generation)
        return;
    if (gen->wire.version < 25) {
        write_clock(gen);
        gen->clock.time = 0;
    }
    write_tables(gen);
    wire_batch_end(&gen->wire);
    if (!(gen->faults & GEN_NO_END))
        wire_generation_end(&gen->wire);
    drop_tables(gen);
    gen->in_generation = 0;
}

void gen_read(struct gen *gen, struct reading *reading)
{
    gen_end(gen);
    reading->wire = gen->wire;
    memset(&gen->wire, 0, sizeof(gen->wire));
    gen_free(gen);
    reading_open(reading, NULL);
}

void gen_on(struct gen *gen, uint64_t thread)
{
    if (gen->thread != thread)
        wire_batch_end(&gen->wire);
    gen->thread = thread;
}

void gen_on_at(struct gen *gen, uint64_t thread, uint64_t time)
{
    wire_batch_end(&gen->wire);
    gen->thread = thread;
    gen->time = time;
}

uint64_t gen_string(struct gen *gen, const char *text)
{
    return gen_string_sized(gen, text, strlen(text));
}

uint64_t gen_string_sized(struct gen *gen, const void *data, size_t size)
{
    struct gen_text *text;
    size_t i;

    if (size == 0)
        return 0;
    for (i = 0; i < gen->string_count; i++) {
        text = &gen->strings[i];
        if (text->size == size && memcmp(text->data, data, size) == 0)
            return i + 1;
    }
    gen->strings = grow(gen->strings, i * sizeof(*gen->strings), sizeof(*gen->strings));
    gen->strings[i] = (struct gen_text){copy(data, size), size};
    return ++gen->string_count;
}

static const struct frame *find_frame(const struct frame *frames, size_t count,
                                      const struct frame *frame)
{
    for (size_t i = 0; i < count; i++) {
        if (frames[i].function == frame->function && frames[i].file == frame->file &&
            frames[i].line == frame->line)
            return &frames[i];
    }
    return NULL;
}

/*
 * Returns a pc of its own for each place in the code, as a reader takes frames with one pc for the
 * same frame. `before` are the frames of the same stack.
 */
static uint64_t make_pc(const struct gen *gen, const struct frame *before, size_t count,
                        const struct frame *frame)
{
    const struct frame *same = find_frame(before, count, frame);
    uint64_t pc = 0x1000 + count;

    for (size_t i = 0; i < gen->stack_count && !same; i++) {
        same = find_frame(gen->stacks[i].frames, gen->stacks[i].count, frame);
        pc += gen->stacks[i].count;
    }
    return same ? same->pc : pc;
}

uint64_t gen_stack(struct gen *gen, const struct gen_frame *frames, size_t count)
{
    struct gen_stack stack = {NULL, count};
    struct frame *made;
    size_t i;

    if (count == 0)
        return 0;
    made = grow(NULL, 0, count * sizeof(*made));
    for (i = 0; i < count; i++) {
        made[i].function = gen_string(gen, frames[i].function);
        made[i].file = gen_string(gen, frames[i].file);
        made[i].line = frames[i].line;
        made[i].pc = make_pc(gen, made, i, &made[i]);
    }
    stack.frames = made;
    for (i = 0; i < gen->stack_count; i++) {
        if (gen->stacks[i].count == count &&
            memcmp(gen->stacks[i].frames, made, count * sizeof(*made)) == 0) {
            free(made);
            return i + 1;
        }
    }
    gen->stacks = grow(gen->stacks, i * sizeof(*gen->stacks), sizeof(*gen->stacks));
    gen->stacks[i] = stack;
    return ++gen->stack_count;
}

void gen_sample(struct gen *gen, uint64_t thread, uint64_t proc, uint64_t goroutine, uint64_t stack)
{
    make_room(gen, EV_CPU_SAMPLES, RECORD_MAX);
    gen->time += gen->dt;
    wire_sample(&gen->wire, gen->time, thread, proc, goroutine, stack);
}

void gen_experiment(struct gen *gen, unsigned experiment, const void *data, size_t size)
{
    wire_experiment(&gen->wire, experiment, gen->generation, gen->thread, gen->time);
    wire_bytes(&gen->wire, data, size);
    wire_batch_end(&gen->wire);
}

void gen_event(struct gen *gen, unsigned type, const uint64_t *args, size_t count)
{
    uint64_t all[1 + ARGS_MAX] = {0};

    if (count > ARGS_MAX)
        abort();
    make_room(gen, EV_NONE, RECORD_MAX);
    all[0] = gen->dt;
    if (count > 0)
        memcpy(&all[1], args, count * sizeof(*args));
    gen->event_at = gen->wire.size;
    gen->time += gen->dt;
    wire_event(&gen->wire, type, all, count + 1);
}

void gen_bare(struct gen *gen, unsigned type)
{
    gen_event(gen, type, NULL, 0);
}
