/* SPDX-License-Identifier: BSD-3-Clause */

/* Decoding what was scanned: records are skipped, and procs move from event to event. */

#include "v1/decode.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "support/v1wire.h"

#define HEADER 16

#define PROCS   3
#define EVENTS  300
#define BATCHES 60

/* The most numbers of an event after its time. */
#define ARGS 4

struct expected {
    unsigned type;
    int64_t time;  /* by which procs are merged */
    int64_t ticks; /* when it was */
    uint64_t args[ARGS];
    size_t count;
};

/* A trace, and the events that its procs must have. */
struct fixture {
    struct wire wire;
    uint8_t *block; /* the trace without its header, in a block of exactly its size */
    struct gt_v1 v1;
    struct gt_v1_batch batches[BATCHES];
    size_t starts[BATCHES]; /* where they are in `wire` */
    struct gt_v1_proc procs[PROCS];
    struct expected events[PROCS][EVENTS];
    size_t counts[PROCS];
    int64_t ticks; /* of the last event of the batch */
    uint64_t seed;
};

static void begin(struct fixture *f, unsigned version, uint64_t seed)
{
    memset(f, 0, sizeof(*f));
    wire_begin(&f->wire, version);
    f->seed = seed;
}

/* The trace is written: prepares to decode it. */
static void open_trace(struct fixture *f)
{
    size_t size = f->wire.size - HEADER;
    f->block = malloc(size);
    assert_non_null(f->block);
    memcpy(f->block, f->wire.data + HEADER, size);
    f->v1.version = f->wire.version;
    f->v1.input.data = f->block;
    f->v1.input.end = f->block + size;
    f->v1.input.data_offset = HEADER;
    f->v1.input.undecoded = size;
    f->v1.input.batches.items = f->batches;
    for (size_t i = 0; i < f->v1.input.batches.count; i++) {
        f->batches[i].start = gt_v1_at(&f->v1, f->starts[i]);
        f->batches[i].end = f->v1.input.end;
    }
}

static void end(struct fixture *f)
{
    free(f->block);
    wire_free(&f->wire);
}

static uint64_t any(struct fixture *f)
{
    uint64_t pick = test_random(&f->seed);
    return test_random(&f->seed) >> pick % 64;
}

/* Whether a record of a batch is not an event of a proc. */
static bool is_other(unsigned type)
{
    return type == V1_NONE || type == V1_BATCH || type == V1_FREQUENCY || type == V1_STACK ||
           type == V1_TIMER_GOROUTINE || type == V1_STRING || type == V1_CPU_SAMPLE ||
           type >= V1_TYPES;
}

static void test_records_of_procs_are_events(void **state)
{
    (void) state;
    for (unsigned type = 0; type < 64; type++)
        assert_int_equal(gt_v1_event_roles[type] != GT_V1_ROLE_NONE, !is_other(type));
}

/* Writes a record of `count` random numbers, whose length is counted in bytes or by its code. */
static void put_numbers(struct fixture *f, unsigned type, size_t count, int counted)
{
    uint64_t numbers[5];
    for (size_t i = 0; i < count; i++)
        numbers[i] = any(f);
    if (counted)
        v1_raw(&f->wire, GT_V1_COUNTED, type, numbers, count);
    else
        v1_plain(&f->wire, type, numbers, count);
}

static void put_stack(struct fixture *f, size_t count)
{
    struct v1_frame frames[30];
    for (size_t i = 0; i < count; i++) {
        struct v1_frame frame = {any(f), any(f), any(f), any(f)};
        frames[i] = frame;
    }
    v1_stack(&f->wire, any(f), frames, count);
}

/* The argument code of a string has no meaning. */
static void put_string(struct fixture *f, unsigned code, size_t size)
{
    uint8_t text[300];
    /* Read as numbers, it would never end. */
    memset(text, 0xff, sizeof(text));
    wire_byte(&f->wire, V1_STRING | code << 6);
    wire_varint(&f->wire, any(f));
    wire_varint(&f->wire, size);
    wire_bytes(&f->wire, text, size);
}

/* Writes one of the records that are no events. Returns 0 if this version does not have it. */
static int put_other(struct fixture *f, unsigned which)
{
    unsigned version = f->wire.version;
    switch (which) {
    case 0:
    case 1:
        put_numbers(f, V1_FREQUENCY, v1_count(version, V1_FREQUENCY), which == 0);
        return 1;
    case 2:
    case 3:
        put_numbers(f, V1_TIMER_GOROUTINE, v1_count(version, V1_TIMER_GOROUTINE), which == 2);
        return 1;
    case 4:
        put_stack(f, any(f) % 30);
        return 1;
    case 5:
        /* A short stack needs no count of bytes. */
        put_numbers(f, V1_STACK, 2, 0);
        return 1;
    case 6:
        for (size_t i = 0; i < 4 && version >= 7; i++)
            put_string(f, (unsigned) i, 1 + any(f) % 300);
        return version >= 7;
    case 7:
        if (version >= 19)
            put_numbers(f, V1_CPU_SAMPLE, 5, 1);
        return version >= 19;
    default:
        return 0;
    }
}

#define OTHERS 8

/* Each record that is no event is skipped exactly, with numbers of any width. */
static void test_skip_ends_at_the_next_record(void **state)
{
    static struct fixture f;
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        for (unsigned width = 0; width <= 10; width++) {
            for (unsigned which = 0; which < OTHERS; which++) {
                size_t records = which == 6 ? 4 : 1;
                const uint8_t *p;
                begin(&f, v1_versions[i], 1 + which);
                f.wire.width = width;
                if (put_other(&f, which)) {
                    open_trace(&f);
                    for (p = f.v1.input.data; records > 0; records--)
                        p = gt_v1_skip(&f.v1, p);
                    assert_ptr_equal(p, f.v1.input.end);
                }
                end(&f);
            }
        }
    }
}

/* Checks the numbers after the time of an event, which is decoded by its offset. */
static void check_behind_time(unsigned version, unsigned type, unsigned width, int counted)
{
    static struct fixture f;
    size_t count = v1_count(version, type), skipped = version < 7 ? 2 : 1;
    uint64_t numbers[6];
    const uint8_t *p;
    size_t offset;
    begin(&f, version, 1 + width);
    f.wire.width = width;
    put_stack(&f, 3);
    offset = f.wire.size;
    for (size_t i = 0; i < count; i++)
        numbers[i] = any(&f);
    if (counted)
        v1_raw(&f.wire, GT_V1_COUNTED, type, numbers, count);
    else
        v1_plain(&f.wire, type, numbers, count);
    open_trace(&f);
    p = gt_v1_after_time(&f.v1, offset);
    for (size_t i = skipped; i < count; i++)
        assert_int_equal(gt_varint_trusted(&p), numbers[i]);
    assert_ptr_equal(p, f.v1.input.end);
    end(&f);
}

static void test_after_time_come_the_arguments(void **state)
{
    static const unsigned types[] = {V1_GO_SYS_EXIT, V1_GO_SYS_EXIT_LOCAL, V1_CPU_SAMPLE,
                                     V1_PROC_STOP, V1_HEAP_ALLOC};
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
            for (unsigned width = 0; width <= 10 && v1_specs[types[k]].since <= v1_versions[i];
                 width++) {
                check_behind_time(v1_versions[i], types[k], width, 0);
                check_behind_time(v1_versions[i], types[k], width, 1);
            }
        }
    }
}

/* Begins a batch, which is remembered with its first event. */
static void put_batch(struct fixture *f, size_t proc)
{
    f->wire.sequence = any(f) >> 8;
    f->ticks = (int64_t) (any(f) >> 8);
    f->starts[f->v1.input.batches.count] = f->wire.size;
    v1_batch(&f->wire, proc, (uint64_t) f->ticks);
}

/* Links the batch to the last one of its proc. */
static void add_batch(struct fixture *f, size_t index)
{
    struct gt_v1_proc *proc = &f->procs[index];
    int32_t batch = (int32_t) f->v1.input.batches.count++;
    f->batches[batch].next = -1;
    if (f->counts[index] == 0)
        proc->first_batch = batch;
    else
        f->batches[proc->last_batch].next = batch;
    proc->last_batch = batch;
}

/* A random type of event, except for logs, whose text only their rule can read. */
static unsigned pick_type(struct fixture *f)
{
    unsigned type;
    do
        type = (unsigned) (test_random(&f->seed) >> 20) % V1_TYPES;
    while (is_other(type) || type == V1_LOG || v1_specs[type].since > f->wire.version);
    return type;
}

/* Times and sequence numbers may run backwards, as in a damaged trace. */
static void put_event(struct fixture *f, size_t proc)
{
    struct expected *event = &f->events[proc][f->counts[proc]++];
    size_t count, lead = f->wire.version < 7 ? 2 : 1;
    uint64_t numbers[6];
    event->type = pick_type(f);
    count = v1_count(f->wire.version, event->type);
    for (size_t i = 0; i < count; i++)
        numbers[i] = any(f);
    f->wire.sequence += numbers[0];
    f->ticks = (int64_t) ((uint64_t) f->ticks + numbers[lead - 1]);
    event->ticks = f->ticks;
    event->time = lead == 2 ? (int64_t) f->wire.sequence : f->ticks;
    event->count = count - lead;
    memcpy(event->args, numbers + lead, event->count * sizeof(*numbers));
    if (any(f) % 2)
        v1_raw(&f->wire, GT_V1_COUNTED, event->type, numbers, count);
    else
        v1_plain(&f->wire, event->type, numbers, count);
}

/* Writes batches of procs in random order, with all kinds of records between their events. */
static void put_trace(struct fixture *f)
{
    uint64_t batches = 1 + any(f) % BATCHES;
    while (batches-- > 0) {
        size_t proc = (size_t) (any(f) % PROCS);
        uint64_t records = any(f) % 10;
        bool has_events = false;
        put_batch(f, proc);
        while (records-- > 0) {
            uint64_t pick = test_random(&f->seed) >> 10;
            f->wire.width = (unsigned) (pick >> 20) % 11;
            if (pick % 3 == 0 || f->counts[proc] == EVENTS) {
                put_other(f, (unsigned) (pick >> 10) % OTHERS);
                continue;
            }
            if (!has_events)
                add_batch(f, proc);
            has_events = true;
            put_event(f, proc);
        }
    }
}

static void check_event(struct fixture *f, struct gt_v1_proc *proc, const struct expected *event)
{
    assert_int_equal(*proc->event & 0x3f, event->type);
    assert_int_equal(proc->lane.type, event->type);
    assert_int_equal(proc->lane.time, event->time);
    assert_int_equal(proc->ticks, event->ticks);
    assert_true(proc->event >= f->v1.input.data && proc->pos <= f->v1.input.end);
    for (size_t i = 0; i < event->count; i++)
        assert_int_equal(gt_v1_number(proc), event->args[i]);
    assert_true(proc->pos <= f->v1.input.end);
}

/* Moves through all events of a proc, as the merge does. */
static void check_proc(struct fixture *f, size_t index)
{
    struct gt_v1_proc *proc = &f->procs[index];
    const uint8_t *p;
    if (f->counts[index] == 0)
        return;
    proc->last_batch = proc->first_batch;
    p = gt_v1_batch_open(&f->v1, proc);
    for (size_t i = 0; i < f->counts[index]; i++) {
        assert_true(gt_v1_proc_next(&f->v1, proc, p, f->v1.version < 7));
        check_event(f, proc, &f->events[index][i]);
        p = proc->pos;
    }
    assert_false(gt_v1_proc_next(&f->v1, proc, p, f->v1.version < 7));
    assert_int_equal(f->batches[proc->last_batch].next, -1);
}

static void test_next_visits_all_events(void **state)
{
    static struct fixture f;
    size_t events = 0;
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        for (uint64_t seed = 1; seed <= 200; seed++) {
            begin(&f, v1_versions[i], seed);
            put_trace(&f);
            open_trace(&f);
            for (size_t proc = 0; proc < PROCS; proc++) {
                check_proc(&f, proc);
                /* Again, as after the search for futile wakeups. */
                check_proc(&f, proc);
                events += f.counts[proc];
            }
            end(&f);
        }
    }
    assert_true(events > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_of_procs_are_events),
        cmocka_unit_test(test_skip_ends_at_the_next_record),
        cmocka_unit_test(test_after_time_come_the_arguments),
        cmocka_unit_test(test_next_visits_all_events),
    };
    return cmocka_run_group_tests_name("v1 decode", tests, NULL, NULL);
}
